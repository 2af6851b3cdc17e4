package mlperf

import (
	"bytes"
	"regexp"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

const mark = ":::MLLOG "

// DetailReader reads the detail log: lines ":::MLLOG {json}", each a key with a value.
type DetailReader struct{ lift.Meta }

// DetailReaders are the readers of detail logs.
func DetailReaders() []DetailReader {
	return []DetailReader{{lift.Named("mlperf/detail", 1, "mlperf")}}
}

// MatchText asks for a line of the load generator: other tools write such logs too.
func (r DetailReader) MatchText(head []byte) (string, bool) {
	if !bytes.HasPrefix(head, []byte(mark)) && !bytes.Contains(head, []byte("\n"+mark)) {
		return "", false
	}
	for _, key := range []string{`"loadgen_version"`, `"requested_scenario"`, `"effective_scenario"`, `"result_validity"`} {
		if bytes.Contains(head, []byte(key)) {
			return "detail", true
		}
	}
	return "", false
}

// mostKeys bounds the lines that are read; real logs have a few hundred.
const mostKeys = 20_000

// parseDetail makes one object of all keys. A key that is logged again with another
// value stands under its name with "again" behind it.
func parseDetail(data []byte) *jsondoc.Node {
	top := &jsondoc.Node{Kind: jsondoc.Object, End: int64(len(data))}
	index := map[string]*jsondoc.Node{}
	at := 0
	for raw := range bytes.Lines(data) {
		line := bytes.TrimRight(raw, "\r\n")
		if body, ok := bytes.CutPrefix(line, []byte(mark)); ok && len(top.Names) < mostKeys {
			doc := jsondoc.Parse(body, jsondoc.Limits{})
			if v := doc.Root(); doc.Form == jsondoc.JSON && v.Get("key").Str() != "" && v.Get("value") != nil {
				name, value := v.Get("key").Str(), v.Get("value")
				shift(value, int64(at+len(mark)))
				if first := index[name]; first != nil {
					if first.Text == value.Text {
						at += len(raw)
						continue
					}
					name += " again"
				} else {
					index[name] = value
				}
				top.Names, top.Children = append(top.Names, name), append(top.Children, value)
			}
		}
		at += len(raw)
	}
	return top
}

func shift(n *jsondoc.Node, by int64) {
	n.Offset, n.End = n.Offset+by, n.End+by
	for _, c := range n.Children {
		shift(c, by)
	}
}

// ReadText lifts the results of a log.
func (r DetailReader) ReadText(data []byte, shapeID string) evidence.Document {
	b := lift.New(r.Reader, parseDetail(data), "", shapeID)
	b.Lines(data)
	top := b.Top()
	scenario := top.First("effective_scenario", "requested_scenario")
	results := 0
	top.Members(func(name string, _ lift.Obj) {
		if strings.HasPrefix(name, "result_") {
			results++
		}
	})
	if results == 0 {
		b.Archive(top, "the detail log of a run that was cut off or only measured accuracy: it holds no result")
		return b.Doc
	}
	window := "all samples / duration"
	if scenario.Str() == "Server" {
		window = "(n - 1) / time of the last completion"
	}
	b.Protocol("mlperf loadgen", evidence.FloorIndex, window)
	run := b.NewRun(strings.TrimSpace(scenario.Str()+" "+top.First("effective_test_mode", "requested_test_mode").Str()), top, evidence.FloorIndex)
	run.Class = evidence.ClassAggregate
	f := &run.Facts
	top.Derive(f, evidence.KeyWorkloadClass, run.Class, "scenario")
	scenario.Fact(f, evidence.KeyLoadProfile)
	top.First("effective_test_mode", "requested_test_mode").Fact(f, "mode")
	top.Derive(f, evidence.KeyTimingBoundary, "due time", "tool")
	switch scenario.Str() {
	case "Server":
		top.Get("effective_target_qps").Fact(f, evidence.KeyRequestRate)
	case "Offline":
		top.Derive(f, evidence.KeyRequestRate, "inf", "offline")
	}
	top.First("result_query_count", "generated_query_count").Fact(f, evidence.KeyRequests)
	top.First("effective_qsl_rng_seed", "qsl_rng_seed").Fact(f, evidence.KeyPromptSeed)
	detailVerdict(b, top, run)
	top.Members(func(name string, m lift.Obj) { detailFigure(run, name, m) })
	run.Ordered()
	fits(b, top, top, run)
	top.Members(func(name string, m lift.Obj) { leaveDetail(b, top, name, m) })
	var arm lift.Facts
	top.Get("sut_name").Fact(&arm, "system_under_test")
	top.Get("loadgen_version").Fact(&b.Doc.Facts, evidence.KeyClientVersion)
	b.Arm(evidence.Arm{Name: lift.Clip("MLPerf · " + top.Get("sut_name").Str()), Place: top.Place(), Facts: arm}, run)
	b.Title("MLPerf · " + top.Get("sut_name").Str())
	return b.Finish()
}

// leaveDetail lists what is left, and reports what is logged twice.
func leaveDetail(b *lift.Builder, top lift.Obj, name string, m lift.Obj) {
	if first, again := strings.CutSuffix(name, " again"); again {
		b.Find(evidence.Warning, lift.CodeDisagree, m, "%s is logged again as %s, after %s", first, m.Show(), top.Get(first).Show())
		b.Doubt(top.Get(first))
		m.Skip(evidence.ReasonRestated)
		return
	}
	switch {
	case strings.HasPrefix(name, "requested_"), strings.HasPrefix(name, "effective_"):
		m.Skip(evidence.ReasonEcho)
	default:
		m.Skip(evidence.ReasonDiagnostic)
	}
}

// detailVerdict records what the tool says of its own run.
func detailVerdict(b *lift.Builder, top lift.Obj, run *lift.Run) {
	valid := top.Get("result_validity")
	valid.Fact(&run.Facts, evidence.KeyRunStatus)
	gate := func(name string, m lift.Obj, passed, failed bool) {
		status := evidence.GateUnresolved
		if passed {
			status = evidence.GatePassed
		} else if failed {
			status = evidence.GateFailed
		}
		b.Doc.Gates = append(b.Doc.Gates, evidence.Gate{Name: name, SourceStatus: m.Node.Text, Status: status, Place: m.Place()})
	}
	switch {
	case valid.There():
		gate("result_validity", valid, valid.Str() == "VALID", valid.Str() == "INVALID")
		if valid.Str() != "VALID" {
			b.Find(evidence.Warning, lift.CodeInvalid, valid, "the tool calls the result %s", valid.Show())
		}
	default:
		b.Find(evidence.Warning, lift.CodeInvalid, top, "the log does not say whether the result is valid")
	}
	for _, name := range []string{"result_perf_constraints_met", "result_min_duration_met", "result_min_queries_met", "early_stopping_met"} {
		if m := top.Get(name); m.Node.Is(jsondoc.Bool) {
			gate(name, m, m.True(), !m.True())
		}
	}
}

// detailRates are throughputs. What was scheduled or inferred is none of the run.
var detailRates = map[string]struct {
	metric evidence.MetricID
	unit   string
}{
	"result_samples_per_second": {evidence.RequestThroughput, "requests/s"}, "result_completed_samples_per_sec": {evidence.RequestThroughput, "requests/s"},
	"result_tokens_per_second": {evidence.OutputThroughput, "tok/s"}, "result_completed_tokens_per_second": {evidence.OutputThroughput, "tok/s"},
}

var detailLatency = regexp.MustCompile(`^result_(first_token_|time_per_output_token_|time_to_output_token_)?(min|max|mean|[\d.]+_percentile)(_latency)?(_ns)?$`)

// detailFigure lifts a figure. Every duration is in nanoseconds, whether its key says so.
func detailFigure(run *lift.Run, name string, m lift.Obj) {
	none := evidence.None[int64]()
	if r, ok := detailRates[name]; ok {
		run.FigureN(m, r.metric, evidence.Total, r.unit, none)
		return
	}
	part := detailLatency.FindStringSubmatch(name)
	if part == nil {
		return
	}
	word := part[2]
	if p, ok := strings.CutSuffix(word, "_percentile"); ok {
		word = "p" + p
	}
	stat, ok := lift.StatName(word)
	if !ok {
		return
	}
	switch metric := part[1]; {
	case metric == "" && part[3] != "":
		run.FigureN(m, evidence.E2EFromDue, stat, "ns", none)
	case metric == "first_token_" && part[3] != "":
		run.FigureN(m, evidence.TTFOFromDue, stat, "ns", none)
	case strings.HasPrefix(metric, "time_"):
		run.FigureN(m, evidence.TPOT, stat, "ns", none)
	}
}
