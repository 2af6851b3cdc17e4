package gpu

import (
	"fmt"
	"time"

	"assay/store/evidence"
)

// Unavailable says why the cards cannot be asked.
type Unavailable struct{ Reason string }

func (u *Unavailable) Error() string { return "NVML is not available: " + u.Reason }

// Card is one card as it identifies itself. Absent values are what it does not support;
// Unsupported has the driver's word for each.
type Card struct {
	Index        int
	UUID         string
	Name         string
	Architecture string // "Blackwell", "Hopper", ...; "" when the driver does not say
	Capability   string // compute capability, "12.0"
	Bus          string // PCI address
	Memory       evidence.Opt[int64]
	PCIeGen      evidence.Opt[int64] // as it is now: idle cards step down
	PCIeWidth    evidence.Opt[int64]
	PowerLimit   evidence.Opt[float64] // watts, in force
	MIG          evidence.Opt[bool]
	ECC          evidence.Opt[bool]
	NVLinks      evidence.Opt[int64] // active links
	Unsupported  map[string]string   // by name of what was asked
}

// Blackwell reports whether the card says that it is one. A card that does not say is
// none.
func (c *Card) Blackwell() bool { return c.Architecture == "Blackwell" }

// Link is how two cards reach each other.
type Link struct {
	From, To int
	Common   string // the closest common ancestor on the PCIe tree
	P2P      string // "ok", or the driver's reason
}

// Process is somebody who uses a card.
type Process struct {
	PID    int
	Memory evidence.Opt[int64] // bytes on the card
}

// Reading is one look at a card.
type Reading struct {
	At          time.Duration         // after the start of sampling
	Power       evidence.Opt[float64] // watts
	Counter     evidence.Opt[float64] // joules since the driver was loaded
	SMClock     evidence.Opt[float64] // hertz
	MemClock    evidence.Opt[float64]
	Temperature evidence.Opt[float64] // degrees Celsius
	Utilisation evidence.Opt[float64] // share of the last period with a kernel running
	MemoryUsed  evidence.Opt[int64]
	MemoryFree  evidence.Opt[int64]
	Reasons     evidence.Opt[uint64] // bits of why clocks are held down
	Lost        string               // why the card stopped answering
}

// System is what the driver says of itself.
type System struct {
	Driver string
	NVML   string
	CUDA   string
}

// Driver is a loaded driver. The methods are used from one goroutine at a time.
type Driver interface {
	System() System
	Cards() ([]Card, error)
	Links() ([]Link, error)
	Read(card int) Reading
	Processes(card int) ([]Process, error)
	Close() error
}

// Reasons for which clocks are held down, by bit.
var reasonNames = []struct {
	bit     uint64
	name    string
	limits  bool // the card would have run faster
	thermal bool
}{
	{1, "idle", false, false},
	{2, "application clocks", true, false},
	{4, "software power cap", true, false},
	{8, "hardware slowdown", true, true},
	{16, "sync boost", true, false},
	{32, "software thermal slowdown", true, true},
	{64, "hardware thermal slowdown", true, true},
	{128, "hardware power brake", true, false},
	{256, "display clocks", true, false},
	{512, "board limit", true, false},
	{1024, "reliability limit", true, false},
}

// Throttled are the reasons among the bits for which the card would have run faster.
func Throttled(bits uint64) []string {
	var out []string
	for _, r := range reasonNames {
		if bits&r.bit != 0 && r.limits {
			out = append(out, r.name)
		}
		bits &^= r.bit
	}
	if bits != 0 {
		out = append(out, fmt.Sprintf("reason %#x", bits))
	}
	return out
}
