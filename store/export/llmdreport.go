package export

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"strings"

	"assay/store/evidence"
	"assay/store/evidence/mask"
)

const reportVersion = "0.2.1"

// report makes the report of a run.
func (w *Reports) report(r *evidence.RunRow) (object, error) {
	for i := range r.Measurements {
		if v := r.Measurements[i].Value; v.OK && (math.IsNaN(v.V) || math.IsInf(v.V, 0)) {
			return nil, fmt.Errorf("%s %s: %w", r.Measurements[i].Metric, r.Measurements[i].Stat, evidence.ErrNotFinite)
		}
	}
	b := &reporter{w: w, r: r}
	requests, completed := b.requests()
	f := newFigures(r, completed)
	for _, s := range lengthSlots {
		requests = append(requests, member{s.name, f.fill(s, false)})
	}
	var latency, throughput object
	for _, s := range latencySlots {
		latency = append(latency, member{s.name, f.fill(s, false)})
	}
	for _, s := range rateSlots {
		throughput = append(throughput, member{s.name, f.fill(s, true)})
	}
	return object{
		{"version", reportVersion},
		{"run", b.run()},
		{"scenario", object{{"stack", b.stack()}, {"load", b.load(f)}}},
		{"results", object{{"request_performance", object{{"aggregate", object{
			{"requests", requests}, {"latency", latency}, {"throughput", throughput},
		}}}}}},
	}, nil
}

// reporter answers what is known of a run.
type reporter struct {
	w *Reports
	r *evidence.RunRow
}

// fact is a known property, nil when there is none.
func (b *reporter) fact(keys ...evidence.FactKey) value {
	for _, k := range keys {
		if f, ok := b.r.Fact(k); ok && f.State != evidence.Absent && f.State != evidence.Conflict && f.Value != "" {
			return b.w.text(f.Value)
		}
	}
	return nil
}

// whole is a known count, nil for anything else.
func (b *reporter) whole(k evidence.FactKey) (value, evidence.Opt[float64]) {
	v, n := b.decimal(k)
	if !n.OK || n.V < 0 || n.V != math.Trunc(n.V) {
		return nil, evidence.None[float64]()
	}
	return v, n
}

func (b *reporter) decimal(k evidence.FactKey) (value, evidence.Opt[float64]) {
	f, ok := b.r.Fact(k)
	if !ok || f.State == evidence.Absent || f.State == evidence.Conflict {
		return nil, evidence.None[float64]()
	}
	n, err := evidence.ParseDecimal(f.Value)
	if err != nil {
		return nil, evidence.None[float64]()
	}
	return digits(evidence.FormatDecimal(n)), evidence.Some(n)
}

// requests counts what was sent and how it ended. What was sent is known where the
// source says so, or says both how many completed and how many failed.
func (b *reporter) requests() (object, evidence.Opt[float64]) {
	total, sent := b.whole(evidence.KeyRequests)
	failures, failed := b.whole(evidence.KeyFailed)
	_, completed := b.whole(evidence.KeyCompleted)
	if !sent.OK && completed.OK && failed.OK {
		sent = evidence.Some(completed.V + failed.V)
		total = decimalOf(sent)
	}
	var incomplete value
	if left := sent.V - completed.V - failed.V; sent.OK && completed.OK && left >= 0 {
		if !failed.OK && left > 0 { // they may have failed or not come back
			failures = nil
		}
		incomplete = digits(evidence.FormatDecimal(left))
	}
	if !completed.OK && sent.OK && failed.OK {
		completed = evidence.Some(sent.V - failed.V)
	}
	return object{{"total", total}, {"failures", failures}, {"incomplete", incomplete}}, completed
}

// isoTime is a point in time with its zone, as the schema wants one.
var isoTime = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$`)

func (b *reporter) run() object {
	var start, duration value
	if f, ok := b.r.Fact(evidence.KeyObserved); ok && isoTime.MatchString(f.Value) {
		start = f.Value
	}
	if v, n := b.decimal(evidence.KeyDuration); n.OK {
		duration = "PT" + string(v.(digits)) + "S"
	}
	var eid value
	if b.r.Campaign != "" {
		eid = mask.Secrets(b.r.Campaign)
	}
	return object{{"uid", b.r.ID}, {"eid", eid}, {"cid", nil}, {"pid", nil},
		{"time", object{{"start", start}, {"end", nil}, {"duration", duration}}}, {"user", nil}, {"description", nil}, {"keywords", nil}}
}

// stack has the engine, when anything is known of it. Its configuration is named by a
// digest of the facts about it, so that equal ones have one name.
func (b *reporter) stack() value {
	model, engine, card := b.fact(evidence.KeyModel, evidence.KeyCheckpoint), b.fact(evidence.KeyEngine), b.fact(evidence.KeyGPUProduct)
	if model == nil && engine == nil && card == nil {
		return nil
	}
	sum := sha256.New()
	for i := range b.r.Facts {
		f := &b.r.Facts[i]
		switch evidence.LookupKey(f.Key).Class {
		case evidence.Identity, evidence.Hardware:
			fmt.Fprintf(sum, "%s=%s\n", f.Key, f.Value)
		}
	}
	var role value
	switch b.fact(evidence.KeyDisaggregated) {
	case "false":
		role = "replica"
	}
	count := func(k evidence.FactKey) value { v, _ := b.whole(k); return v }
	var parallel object
	for _, p := range []struct {
		name string
		key  evidence.FactKey
	}{{"tp", evidence.KeyTP}, {"dp", evidence.KeyDP}, {"ep", evidence.KeyEP}, {"pp", evidence.KeyPP}} {
		parallel = append(parallel, member{p.name, count(p.key)})
	}
	label := b.w.text(b.r.Arm)
	return items{object{
		{"metadata", object{{"schema_version", "0.0.1"}, {"label", label}, {"cfg_id", hex.EncodeToString(sum.Sum(nil)[:16])}, {"description", nil}}},
		{"standardized", object{{"kind", "inference_engine"}, {"tool", engine}, {"tool_version", b.fact(evidence.KeyImage, evidence.KeyEngineVersion)},
			{"role", role}, {"replicas", count(evidence.KeyReplicas)}, {"model", object{{"name", model}}},
			{"accelerator", object{{"model", card}, {"count", count(evidence.KeyGPUCount)}, {"parallelism", parallel}}}}},
		{"native", object{{"args", nil}, {"envars", nil}, {"config", nil}}},
	}}
}

// generators are the names that llm-d-benchmark has for load generators.
var generators = map[string]string{"vllm bench serve": "vllm-benchmark", "inferencex": "inferencemax"}

func (b *reporter) load(f *figures) object {
	tool := b.fact(evidence.KeyClient, evidence.KeyProtocol)
	if s, ok := tool.(string); ok {
		s = strings.TrimPrefix(s, "llm-d report of ")
		if name, known := generators[s]; known {
			s = name
		}
		tool = s
	}
	rate, _ := b.decimal(evidence.KeyRequestRate)
	concurrency, _ := b.whole(evidence.KeyConcurrency)
	return object{
		{"metadata", object{{"schema_version", "0.0.1"}, {"cfg_id", nil}, {"description", nil}}},
		{"standardized", object{{"tool", tool}, {"tool_version", b.fact(evidence.KeyClientVersion)}, {"source", b.source()},
			{"input_seq_len", b.length(evidence.KeyContextTarget, evidence.KeyPromptTokens)}, {"output_seq_len", b.output()},
			{"prefix", nil}, {"multi_turn", nil}, {"rate_qps", rate}, {"concurrency", concurrency}}},
		{"native", object{{"args", nil}, {"envars", nil}, {"config", object{{"assay", b.assay(f)}}}}},
	}
}

// source is how prompts were made, in the schema's words.
func (b *reporter) source() value {
	for _, k := range []evidence.FactKey{evidence.KeyPromptKind, evidence.KeyPromptSet} {
		switch s, _ := b.fact(k).(string); {
		case s == "sampled":
			return s
		case s == "random" || strings.HasPrefix(s, "random-"):
			return "random"
		}
	}
	return "unknown"
}

// length is the planned length, or the mean that came of it. How lengths spread is not
// known, so the distribution is none of the named ones.
func (b *reporter) length(keys ...evidence.FactKey) value {
	for _, k := range keys {
		if v, n := b.decimal(k); n.OK {
			return object{{"distribution", "other"}, {"value", v}}
		}
	}
	return nil
}

// output is the length that was enforced.
func (b *reporter) output() value {
	v, n := b.decimal(evidence.KeyOutputCap)
	if b.fact(evidence.KeyCompletionMode) != "forced" || !n.OK {
		return nil
	}
	return object{{"distribution", "fixed"}, {"value", v}}
}

// assay is what leads back to the evidence.
func (b *reporter) assay(f *figures) object {
	r := b.r
	text := func(s string) value {
		if s == "" {
			return nil
		}
		return b.w.text(s)
	}
	var campaign value
	if r.Campaign != "" {
		campaign = mask.Secrets(r.Campaign) // an id: a path in it is none of a machine
	}
	named := func(name, s string) string { return b.w.text(mask.Field(name, s)) }
	return object{
		{"artifact", r.Artifact.String()}, {"pointer", mask.Secrets(string(r.Place.Pointer))}, {"reader", r.Reader}, {"run", r.ID},
		{"campaign", campaign}, {"arm", text(r.Arm)}, {"name", text(r.Name)}, {"class", text(r.Class)}, {"status", string(r.Status)},
		{"rejected", text(r.Rejected)}, {"percentile_method", methodOf(r)}, {"definitions", f.definitions},
		{"further", f.further()}, {"withheld", f.withheld()}, {"facts", factList(r, named)},
	}
}
