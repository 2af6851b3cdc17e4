package load

import (
	"time"

	"assay/store/evidence"
)

// Calibration is what this client can do on this machine, against a server that does next
// to nothing.
type Calibration struct {
	At          time.Time
	SameProcess bool // client and server shared one runtime: both are slower than alone

	RequestRate evidence.Opt[float64] // short requests per second, closed loop
	Streams     int                   // that were open at once
	ChunkRate   evidence.Opt[float64] // chunks per second over all streams
	Failed      int64                 // requests of the calibration that failed
	TimingError Lateness              // the server's write of a chunk to our time of it
	SendLag     Lateness              // of the open loop
	OpenRate    float64               // per second that the open loop asked for
}
