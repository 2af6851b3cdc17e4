package claims

import (
	"encoding/json"

	"assay/store/evidence"
)

// MarshalJSON is one number, [lower, upper] of an interval with null for an open end,
// or null.
func (v Value) MarshalJSON() ([]byte, error) {
	switch {
	case v.Point.OK:
		return json.Marshal(v.Point.V)
	case v.Lower.OK || v.Upper.OK:
		return json.Marshal([2]*float64{ptr(v.Lower), ptr(v.Upper)})
	}
	return []byte("null"), nil
}

func ptr[T any](v evidence.Opt[T]) *T {
	if !v.OK {
		return nil
	}
	return &v.V
}

// figureJSON and claimJSON are the stable form; docs/claims.md describes it.
type figureJSON struct {
	Role    string            `json:"role"`
	Run     string            `json:"run"`
	Arm     string            `json:"arm"`
	Metric  evidence.MetricID `json:"metric"`
	Stat    evidence.Stat     `json:"stat"`
	Pointer evidence.Pointer  `json:"pointer"`
	Start   int               `json:"start"`
	End     int               `json:"end"`
	Text    string            `json:"text"`
	Unit    string            `json:"unit"`
	Value   *float64          `json:"value"`
}

type candidateJSON struct {
	Base       figureJSON `json:"base"`
	Subject    figureJSON `json:"subject"`
	Recomputed float64    `json:"recomputed"`
	Reproduces bool       `json:"reproduces"`
	Differs    string     `json:"differs"`
}

type claimJSON struct {
	Campaign   string            `json:"campaign"`
	Artifact   string            `json:"artifact"`
	Reader     string            `json:"reader"`
	Pointer    evidence.Pointer  `json:"pointer"`
	Start      int               `json:"start"`
	End        int               `json:"end"`
	Kind       Kind              `json:"kind"`
	What       string            `json:"what"`
	Run        string            `json:"run"`
	Arm        string            `json:"arm"`
	Metric     evidence.MetricID `json:"metric"`
	Stat       evidence.Stat     `json:"stat"`
	Text       string            `json:"text"`
	Unit       string            `json:"unit"`
	Published  Value             `json:"published"`
	Recomputed Value             `json:"recomputed"`
	Tolerance  float64           `json:"tolerance"`
	Formula    string            `json:"formula"`
	Verdict    Verdict           `json:"verdict"`
	Holds      *bool             `json:"holds"`
	Inputs     []figureJSON      `json:"inputs"`
	Candidates []candidateJSON   `json:"candidates"`
	Note       string            `json:"note"`
}

func (f Figure) json() figureJSON {
	return figureJSON{f.Role, f.Run, f.Arm, f.Metric, f.Stat, f.Place.Pointer, f.Place.Start, f.Place.End, f.Text, f.Unit, ptr(f.Value)}
}

// MarshalJSON writes the stable form.
func (c Claim) MarshalJSON() ([]byte, error) {
	out := claimJSON{
		Campaign: c.Campaign, Artifact: c.Artifact.String(), Reader: c.Reader, Pointer: c.Place.Pointer, Start: c.Place.Start, End: c.Place.End,
		Kind: c.Kind, What: c.What, Run: c.Run, Arm: c.Arm, Metric: c.Metric, Stat: c.Stat, Text: c.Text, Unit: c.Unit,
		Published: c.Published, Recomputed: c.Recomputed, Tolerance: c.Tolerance, Formula: c.Formula,
		Verdict: c.Verdict, Holds: ptr(c.Holds()), Inputs: []figureJSON{}, Candidates: []candidateJSON{}, Note: c.Note,
	}
	for _, f := range c.Inputs {
		out.Inputs = append(out.Inputs, f.json())
	}
	for _, x := range c.Candidates {
		out.Candidates = append(out.Candidates, candidateJSON{x.Base.json(), x.Subject.json(), x.Recomputed, x.Reproduces, x.Differs})
	}
	return json.Marshal(out)
}
