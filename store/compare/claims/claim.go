package claims

import "assay/store/evidence"

// Verdict is the answer to a claim.
type Verdict string

const (
	Holds          Verdict = "holds"
	HoldsUnrounded Verdict = "holds only from unrounded inputs"
	Fails          Verdict = "does not hold"
	NoBase         Verdict = "base not found"
	// NotPublished marks what follows from the figures of a document that does not
	// publish it: there is nothing to hold.
	NotPublished Verdict = "nothing published"
)

// Verdicts in the order in which they are counted.
var Verdicts = []Verdict{Holds, HoldsUnrounded, Fails, NoBase, NotPublished}

// Kind says what was recomputed.
type Kind string

const (
	Change       Kind = "change"        // b against a, per cent
	Ratio        Kind = "ratio"         // b over a
	Difference   Kind = "difference"    // b less a
	Repetition   Kind = "repetition"    // the same figure again, rounded
	Rate         Kind = "rate"          // a rate and the figures that it is defined by
	Order        Kind = "order"         // percentiles in ascending order
	Aggregate    Kind = "aggregate"     // a mean, median or sum of listed values
	Count        Kind = "count"         // a number of requests
	Fit          Kind = "fit"           // prompt and output cap within the served context
	ImpliedCount Kind = "implied-count" // tokens that times and rates imply
	Scaling      Kind = "scaling"       // replicas against as many single ones
	Memory       Kind = "memory"        // used and free against the card
)

// Claim is one published derived figure with what became of it.
type Claim struct {
	evidence.Source
	Campaign string
	Kind     Kind
	What     string // what the figure says, in words
	Run, Arm string // "" for a figure of the whole document
	Metric   evidence.MetricID
	Stat     evidence.Stat

	Place      evidence.Place
	Text       string // the digits as they stand; for a sentence without any, its words
	Unit       string // of Published, Recomputed and Tolerance, as the source means it
	Published  Value
	Recomputed Value
	Tolerance  float64 // half a unit of the last published digit; 0 where none is published
	Formula    string

	Verdict    Verdict
	Inputs     []Figure // the cells that it was recomputed from
	Candidates []Candidate
	Note       string
}

// Holds is the verdict as a yes or no; absent where nothing is published and where no
// base was found.
func (c *Claim) Holds() evidence.Opt[bool] {
	switch c.Verdict {
	case Holds, HoldsUnrounded:
		return evidence.Some(true)
	case Fails:
		return evidence.Some(false)
	}
	return evidence.None[bool]()
}

// Value is one number, an interval, or nothing.
type Value struct{ Point, Lower, Upper evidence.Opt[float64] }

// Empty says whether there is no number at all.
func (v Value) Empty() bool { return !v.Point.OK && !v.Lower.OK && !v.Upper.OK }

func point(v float64) Value { return Value{Point: evidence.Some(v)} }

// Figure is a cell of the document as a claim uses it.
type Figure struct {
	Role     string // "base", "subject" or "input"
	Run, Arm string
	Metric   evidence.MetricID
	Stat     evidence.Stat
	Place    evidence.Place
	Text     string                // the digits as they stand
	Unit     string                // of the digits
	Value    evidence.Opt[float64] // in the base unit; absent for an interval
}

// Candidate is a base that was tried.
type Candidate struct {
	Base, Subject Figure
	Recomputed    float64 // in the claim's unit
	Reproduces    bool
	Differs       string // how the two arms differ, "" when in nothing that is recorded
}
