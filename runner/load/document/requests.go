package document

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"assay/ingest/artifact"
	"assay/runner/load"
	"assay/store/evidence"
)

// Words of the member tokens_from.
const (
	fromUsage = "usage"
	fromIDs   = "token-ids"
	fromNone  = "none"
)

// notAsked is the canary of a request that carried none.
const notAsked = "not-asked"

// Requests are the rows of a run, in the order of their index. canary says how the canary
// of a request fared; nil when none was asked for. Records that do not number 0, 1, 2 …
// are not those of one whole run.
func Requests(records iter.Seq[*load.Record], canary func(*load.Record) string) ([]artifact.Request, error) {
	rows := []artifact.Request{}
	for r := range records {
		if len(rows) == artifact.MaxRequests {
			return nil, fmt.Errorf("more than %d requests: measure fewer a repeat", artifact.MaxRequests)
		}
		row := request(r)
		if canary != nil {
			row.Canary = canary(r)
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b artifact.Request) int { return int(a.Index - b.Index) })
	for i, row := range rows {
		if row.Index != int64(i) {
			return nil, fmt.Errorf("request %d stands where request %d should: records are missing or double", row.Index, i)
		}
	}
	return rows, nil
}

func request(r *load.Record) artifact.Request {
	row := artifact.Request{
		Index: int64(r.Index), Window: phaseNames[r.Phase], Due: int64(r.Due),
		Sent: nanos(r.Sent), Headers: nanos(r.Headers), Chunk: nanos(r.FirstChunk), Reasoning: nanos(r.FirstReasoning),
		Visible: nanos(r.FirstContent), LastToken: nanos(r.LastOutput), End: nanos(r.End),
		PromptTokens: count(r.Usage.Prompt), OutputTokens: count(r.OutputTokens()), CachedTokens: count(r.Usage.Cached),
		ReasoningTokens: count(r.Usage.Reasoning), TokensFrom: tokensFrom(r), HTTPStatus: r.Status, Finish: r.Finish,
		Error: class(r.Class), Detail: detail(r), Canary: notAsked, Model: r.Model, NewConn: r.Sent.OK && !r.Reused, Retries: len(r.Attempts),
		EnginePrompt: milliseconds(r.Timings.PromptMS), EnginePredict: milliseconds(r.Timings.PredictedMS),
	}
	row.Chunks, row.Tokens = chunks(r)
	return row
}

// class names how a request failed. An answer that came whole without a count of its tokens
// did not fail: its times hold, and tokens_from says the rest.
func class(c load.Class) string {
	if c.Delivered() {
		return ""
	}
	return strings.ReplaceAll(string(c), "_", "-")
}

// detail has the cause, and of attempts that went before: nothing is sent again in silence.
func detail(r *load.Record) string {
	text := r.Cause
	for _, a := range r.Attempts {
		text = strings.TrimPrefix(text+fmt.Sprintf("; tried at %d ns, %s: %s", int64(a.Sent), class(a.Class), a.Cause), "; ")
	}
	return text
}

func tokensFrom(r *load.Record) string {
	switch {
	case r.Usage.Output.OK:
		return fromUsage
	case r.TokenIDs.OK:
		return fromIDs
	}
	return fromNone
}

// chunks are those that carried output. Their counts are given only where the engine counts
// every one of them and the counts add up to the answer's: a count that belongs to a
// chunk without output would else go missing.
func chunks(r *load.Record) (times, tokens []int64) {
	times, tokens = []int64{}, []int64{}
	sum, all := int64(0), true
	for _, c := range r.Chunks {
		if c.Kind&load.Output == 0 {
			continue
		}
		n := c.Tokens()
		all = all && n.OK
		sum += n.V
		times, tokens = append(times, int64(c.At)), append(tokens, n.V)
	}
	if total := r.OutputTokens(); !all || len(times) == 0 || !total.OK || total.V != sum {
		return times, nil
	}
	return times, tokens
}

func nanos(m load.Moment) *int64 {
	if !m.OK {
		return nil
	}
	n := int64(m.V)
	return &n
}

func count(n evidence.Opt[int64]) *int64 {
	if !n.OK {
		return nil
	}
	return &n.V
}

func milliseconds(v evidence.Opt[float64]) *float64 {
	if !v.OK {
		return nil
	}
	s := v.V / 1e3
	return &s
}

func seconds(d evidence.Opt[time.Duration]) *float64 {
	if !d.OK {
		return nil
	}
	s := float64(d.V) / 1e9
	return &s
}
