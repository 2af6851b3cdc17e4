package evidence

import "slices"

// Ending is what became of a number of a document: what carries it, or the reason for
// which it was not lifted.
type Ending string

// Endings of numbers that a document carries.
const (
	AsMeasurement Ending = "measurement"
	AsFact        Ending = "fact"
	AsSample      Ending = "sample"
	AsGate        Ending = "gate"
	AsDecision    Ending = "decision"
	AsNote        Ending = "note"
	AsReference   Ending = "reference"
)

const (
	// Unaccounted numbers are neither carried nor listed.
	Unaccounted Ending = "unaccounted"
	// InProse are numbers of a text that no row carries and no list names: words of a
	// log, a recipe, a table are not listed one by one.
	InProse Ending = "text"
)

// Lifted are the outcomes of numbers that a document carries, in the order of reports.
var Lifted = []Ending{AsMeasurement, AsFact, AsSample, AsGate, AsDecision, AsNote, AsReference}

// Reasons for which numbers are not lifted, in the order of reports. ReasonUnread is not
// among them: it is no reason.
var Reasons = []Ending{ReasonIdentifier, ReasonTimestamp, ReasonEcho, ReasonProse, ReasonLabel, ReasonRecomputed, ReasonDetail,
	ReasonDiagnostic, ReasonRestated, ReasonVoid, ReasonRow}

// Covered counts the numbers of a document with one outcome.
type Covered struct {
	Ending  Ending
	Numbers int64
}

// CoverageRow is what became of the numbers of a document, or of all documents that one
// reader read.
type CoverageRow struct {
	Source
	Family    string
	Campaign  string  // "" in the sum of a reader
	Root      Pointer // of the document
	Documents int64
	Artifacts int64
	Covered   []Covered
}

// Of is how many numbers ended so.
func (r *CoverageRow) Of(o Ending) int64 {
	for _, c := range r.Covered {
		if c.Ending == o {
			return c.Numbers
		}
	}
	return 0
}

// Numbers are all of them.
func (r *CoverageRow) Numbers() (n int64) {
	for _, c := range r.Covered {
		n += c.Numbers
	}
	return n
}

// LiftedNumbers are those that a document carries.
func (r *CoverageRow) LiftedNumbers() (n int64) {
	for _, c := range r.Covered {
		if slices.Contains(Lifted, c.Ending) {
			n += c.Numbers
		}
	}
	return n
}

// Unread are those of which nobody knows what they are.
func (r *CoverageRow) Unread() int64 { return r.Of(ReasonUnread) + r.Of(Unaccounted) }

// Text says whether the reader reads text, whose numbers are not listed one by one.
func (r *CoverageRow) Text() bool {
	return slices.ContainsFunc(r.Covered, func(c Covered) bool { return c.Ending == InProse })
}

// Classified is the share of numbers that are carried or listed with a reason; absent for
// text and where there are no numbers.
func (r *CoverageRow) Classified() Opt[float64] {
	all := r.Numbers()
	if all == 0 || r.Text() {
		return None[float64]()
	}
	return Some(float64(all-r.Unread()) / float64(all))
}
