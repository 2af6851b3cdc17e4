package evidence

import "strconv"

// ReaderRef joins a reader id and its version: "anvil/decision-summary@1".
func ReaderRef(id string, version int) string { return id + "@" + strconv.Itoa(version) }

// RunID names a run for people and scripts: the artifact's first 12 digits and the
// run's ordinal in it. The same bytes give the same id in every archive.
func RunID(d Digest, ordinal int) string { return d.Short() + "-r" + strconv.Itoa(ordinal) }

// ArmID names an arm the same way.
func ArmID(d Digest, ordinal int) string { return d.Short() + "-a" + strconv.Itoa(ordinal) }

// Source is where a row comes from.
type Source struct {
	Artifact Digest
	Reader   string // ReaderRef
}

// FactRow is a fact with its scope: Arm and Run are "" for document-wide facts.
type FactRow struct {
	Fact
	Source
	Campaign, Arm, Run string // Arm is the name, Run the id

	Meaning string       // what an alias says the value means; "" where the spelling is its own meaning
	Repair  int64        // the repair that declares the fact (Rule is its author); 0 for all others
	Others  []OtherValue // what else is said of the key: the other side of a conflict, or what a declaration settled
}

// OtherValue is what another source says of a fact's key.
type OtherValue struct {
	Value  string
	State  State
	By     string // the rule of a derived value, the author of a declared one
	Repair int64
	Source Source
	Place  Place
}

// Means is the word that stands for the value: its meaning, else the value itself.
func (f *FactRow) Means() string {
	if f.Meaning != "" {
		return f.Meaning
	}
	return f.Value
}

// MeasurementRow is a measurement with the run it belongs to.
type MeasurementRow struct {
	Measurement
	Source
	Campaign, Arm, Run string
}

// RunRow is a run as lists, matrices and comparisons need it: facts are merged, the
// run's own before the arm's before the document's.
type RunRow struct {
	Source
	ID, ArmID     string
	Campaign, Arm string
	Name, Class   string
	Status        RunStatus
	Family        string
	Observed      string // date or time that the source of the document gives, "" when it gives none
	Place         Place
	ArmPlace      Place
	Rejected      string
	RejectedPlace Place
	Facts         []FactRow
	Measurements  []MeasurementRow
}

// Fact finds a merged fact by key.
func (r *RunRow) Fact(k FactKey) (FactRow, bool) {
	for i := range r.Facts {
		if r.Facts[i].Key == k {
			return r.Facts[i], true
		}
	}
	return FactRow{}, false
}

// Primary finds the run's own measurement of a metric and statistic.
func (r *RunRow) Primary(m MetricID, s Stat) (MeasurementRow, bool) {
	for i := range r.Measurements {
		x := &r.Measurements[i]
		if x.Role == Primary && x.Metric == m && x.Stat == s {
			return *x, true
		}
	}
	return MeasurementRow{}, false
}
