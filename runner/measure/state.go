package measure

import (
	"time"

	"assay/runner/load"
	"assay/store/evidence"
)

// Stage is what a session is busy with.
type Stage string

// Stages, in the order in which a session goes through them.
const (
	StageIdentify  Stage = "identify"  // the engine, the cards, the machine
	StageCalibrate Stage = "calibrate" // this client against a null server
	StagePreflight Stage = "preflight" // functional checks
	StagePrompts   Stage = "prompts"   // made, and counted by the endpoint
	StageMeasure   Stage = "measure"   // requests of one repeat
	StageWrite     Stage = "write"     // the artifact and its sidecars
	StageDone      Stage = "done"
)

// State is where a session is: what a terminal or a page shows while it lasts. Absent
// figures are not known yet.
type State struct {
	Stage           Stage
	Note            string // what the stage says of itself: the check that ran, the file that was written
	Done, Of        int    // of the stage, where it counts something; Of 0: it does not
	Step            string
	StepIndex       int // from 1; 0 before the first
	Steps           int
	Repeat, Repeats int

	// Of the repeat being measured.
	Phase                   load.Phase
	Planned                 int64 // requests, 0 where time ends the window
	Started, Ended, Failed  int64
	Open, OutputTokens      int64
	Elapsed                 time.Duration // of the session
	ETA                     evidence.Opt[time.Duration]
	TTFT, TPOT              evidence.Opt[float64] // p50 of what ended so far in this window, seconds
	OutputRate, RequestRate evidence.Opt[float64] // over the last seconds
	Watts                   []evidence.Opt[float64]
	LastFailure             string // class and cause of the newest failed request
}
