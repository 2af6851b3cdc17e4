package evidence

// Waiver opens one stopped pair for looking: a person says which rules they set aside for
// which figure, and why. It makes an exploratory view, marked as such wherever it shows,
// and is never a ground for a sign-off. It names the values that both sides had when it
// was given; when one of them changes, it opens nothing any more.
type Waiver struct {
	ID           int64
	Control, Arm string // run ids
	Metric       MetricID
	Stat         Stat
	Stops        []WaivedStop

	Person, Reason string
	AtUS           int64

	WithdrawnBy, WithdrawnReason string
	WithdrawnUS                  int64 // 0 while it holds
}

// WaivedStop is one rule that was set aside, with what both sides said.
type WaivedStop struct {
	Rule  string  `json:"rule"`
	Key   FactKey `json:"key,omitempty"`
	Left  string  `json:"left"` // "" where the side records nothing
	Right string  `json:"right"`
}

// Holds says whether the waiver is in force.
func (w *Waiver) Holds() bool { return w.WithdrawnUS == 0 }

// WaiverFilter narrows a list of waivers. A zero field does not narrow.
type WaiverFilter struct {
	Runs   []string // waivers whose control and arm are both among these
	Holds  bool     // leave out what was withdrawn
	Offset int
	Limit  int
}
