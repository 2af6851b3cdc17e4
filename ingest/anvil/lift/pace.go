package lift

import "assay/store/evidence"

// The pace of one request: no engine of this kind gives more output tokens a second to
// one request, and none takes a second for each token of prompt and output together.
const (
	fastest = 5000.0
	slowest = 1.0
)

// Pace holds the duration of one request against its token counts. A duration in another
// unit is off by a thousand, and so is the pace.
func (d *Doc) Pace(at Val, seconds evidence.Opt[float64], u Usage) {
	if !seconds.OK || seconds.V <= 0 || !u.Prompt.OK || !u.Completion.OK || u.Completion.V < 2 {
		return
	}
	out, all := float64(u.Completion.V)/seconds.V, float64(u.Prompt.V+u.Completion.V)/seconds.V
	switch {
	case out > fastest:
		d.Find(evidence.Warning, CodeImplausible, at, "%d output tokens at %s in %s s: no single request is that fast",
			u.Completion.V, u.CompletionVal.P, decimal(seconds.V))
	case all < slowest:
		d.Find(evidence.Warning, CodeImplausible, at, "%d prompt and %d output tokens at %s in %s s: no request is that slow",
			u.Prompt.V, u.Completion.V, u.CompletionVal.P, decimal(seconds.V))
	}
}
