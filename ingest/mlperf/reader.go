package mlperf

import (
	"bytes"
	"regexp"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// TextReader reads summaries.
type TextReader struct{ lift.Meta }

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	return []TextReader{{lift.Named("mlperf/summary", 2, "mlperf")}}
}

// MatchText asks for the banner and the scenario below it.
func (r TextReader) MatchText(head []byte) (string, bool) {
	i := bytes.Index(head, []byte("MLPerf Results Summary"))
	return "summary", i >= 0 && bytes.Contains(head[i:], []byte("Scenario"))
}

var pair = regexp.MustCompile(`^\s*([A-Za-z0-9][^:]{0,80}?)\s*:\s*(\S.*?)\s*$`)

// parse makes an object of every part: "summary", "stats" and "parameters".
func parse(data []byte) *jsondoc.Node {
	top := &jsondoc.Node{Kind: jsondoc.Object, End: int64(len(data))}
	var part *jsondoc.Node
	at := 0
	begin := func(name string) {
		part = &jsondoc.Node{Kind: jsondoc.Object, Offset: int64(at), End: int64(at)}
		top.Names, top.Children = append(top.Names, name), append(top.Children, part)
	}
	for raw := range bytes.Lines(data) {
		line := strings.TrimRight(string(raw), "\r\n")
		switch text := strings.TrimSpace(line); {
		case text == "MLPerf Results Summary" && top.Get("summary") == nil:
			begin("summary")
		case text == "Additional Stats" && top.Get("stats") == nil:
			begin("stats")
		case text == "Test Parameters Used" && top.Get("parameters") == nil:
			begin("parameters")
		case part != nil:
			if m := pair.FindStringSubmatchIndex(line); m != nil {
				part.Names = append(part.Names, line[m[2]:m[3]])
				part.Children = append(part.Children, node(line[m[4]:m[5]], at+m[4]))
			}
		}
		at += len(raw)
	}
	return top
}

func node(s string, at int) *jsondoc.Node {
	n := &jsondoc.Node{Kind: jsondoc.String, Text: s, Offset: int64(at), End: int64(at + len(s))}
	if _, err := evidence.ParseDecimal(s); err == nil {
		n.Kind = jsondoc.Number
	}
	return n
}

// ReadText lifts a summary.
func (r TextReader) ReadText(data []byte, shapeID string) evidence.Document {
	b := lift.New(r.Reader, parse(data), "", shapeID)
	b.Lines(data)
	top := b.Top()
	summary, stats, parameters := top.Get("summary"), top.Get("stats"), top.Get("parameters")
	if !summary.IsObject() {
		b.Archive(top, "the banner of a summary stands in the text and no summary follows")
		return b.Doc
	}
	scenario := summary.Get("Scenario").Str()
	window := "all samples / duration"
	if scenario == "Server" {
		window = "(n - 1) / time of the last completion"
	}
	b.Protocol("mlperf loadgen", evidence.FloorIndex, window)
	run := b.NewRun(strings.TrimSpace(scenario+" "+summary.Get("Mode").Str()), summary, evidence.FloorIndex)
	run.Class = evidence.ClassAggregate
	f := &run.Facts
	summary.Derive(f, evidence.KeyWorkloadClass, run.Class, "scenario")
	summary.Get("Scenario").Fact(f, evidence.KeyLoadProfile)
	summary.Get("Mode").Fact(f, "mode")
	summary.Derive(f, evidence.KeyTimingBoundary, "due time", "tool")
	if scenario == "Server" {
		parameters.Get("target_qps").Fact(f, evidence.KeyRequestRate)
	} else if scenario == "Offline" {
		summary.Derive(f, evidence.KeyRequestRate, "inf", "offline")
		parameters.Get("samples_per_query").Fact(f, evidence.KeyRequests)
	}
	parameters.Get("qsl_rng_seed").Fact(f, evidence.KeyPromptSeed)
	verdict(b, summary, run)
	figures(summary, run)
	figures(stats, run)
	run.Ordered()
	fits(b, summary, stats, run)
	summary.Skip(evidence.ReasonDiagnostic)
	stats.Skip(evidence.ReasonDiagnostic)
	parameters.Skip(evidence.ReasonEcho)
	var arm lift.Facts
	summary.Get("SUT name").Fact(&arm, "system_under_test")
	b.Arm(evidence.Arm{Name: lift.Clip("MLPerf · " + summary.Get("SUT name").Str()), Place: summary.Place(), Facts: arm}, run)
	b.Title("MLPerf · " + summary.Get("SUT name").Str())
	return b.Finish()
}

// verdict records what the tool says of its own run.
func verdict(b *lift.Builder, summary lift.Obj, run *lift.Run) {
	gate := func(name string, m lift.Obj, status evidence.GateStatus) {
		b.Doc.Gates = append(b.Doc.Gates, evidence.Gate{Name: name, SourceStatus: m.Node.Text, Status: status, Place: m.Place()})
	}
	summary.Members(func(name string, m lift.Obj) {
		switch word := strings.ToUpper(m.Str()); {
		case name == "Result is":
			m.Fact(&run.Facts, evidence.KeyRunStatus)
			status := evidence.GateUnresolved
			if word == "VALID" {
				status = evidence.GatePassed
			} else if word == "INVALID" {
				status = evidence.GateFailed
			}
			gate(name, m, status)
			if word != "VALID" {
				b.Find(evidence.Warning, lift.CodeInvalid, m, "the tool calls the result %s", m.Show())
			}
		case strings.HasSuffix(name, "satisfied") || strings.HasSuffix(name, "Satisfied"):
			status := evidence.GateUnresolved
			if word == "YES" {
				status = evidence.GatePassed
			} else if strings.HasPrefix(word, "NO") {
				status = evidence.GateFailed
			}
			gate(name, m, status)
		}
	})
}

// rates are the lines of the summary and of the additional statistics.
var rates = map[string]struct {
	metric evidence.MetricID
	unit   string
}{
	"Samples per second": {evidence.RequestThroughput, "requests/s"}, "Completed samples per second": {evidence.RequestThroughput, "requests/s"},
	"Tokens per second": {evidence.OutputThroughput, "tok/s"}, "Completed tokens per second": {evidence.OutputThroughput, "tok/s"},
}

var distribution = regexp.MustCompile(`(?i)^(min|max|mean|[\d.]+ percentile) (latency|first token latency|time to output token|time per output token) \(ns\)$`)

func figures(o lift.Obj, run *lift.Run) {
	none := evidence.None[int64]()
	o.Members(func(name string, m lift.Obj) {
		if r, ok := rates[name]; ok {
			run.FigureN(m, r.metric, evidence.Total, r.unit, none)
			return
		}
		part := distribution.FindStringSubmatch(name)
		if part == nil {
			return
		}
		word := strings.ToLower(part[1])
		if p, ok := strings.CutSuffix(word, " percentile"); ok {
			word = "p" + p
		}
		stat, ok := lift.StatName(word)
		if !ok {
			return
		}
		metric := evidence.E2EFromDue
		switch strings.ToLower(part[2]) {
		case "first token latency":
			metric = evidence.TTFOFromDue
		case "time to output token", "time per output token":
			metric = evidence.TPOT
		}
		run.FigureN(m, metric, stat, "ns", none)
	})
}

// fits compares the rates with each other and the latencies with each other.
func fits(b *lift.Builder, summary, stats lift.Obj, run *lift.Run) {
	first, e2e := run.Primary(evidence.TTFOFromDue, evidence.Mean), run.Primary(evidence.E2EFromDue, evidence.Mean)
	if first.OK && e2e.OK && first.V > e2e.V {
		b.Find(evidence.Warning, lift.CodeUnitSuspect, stats, "the mean first token %v s comes after the mean latency %v s", first.V, e2e.V)
		run.Dispute(evidence.TTFOFromDue, evidence.E2EFromDue)
	}
	tokens, samples := run.Primary(evidence.OutputThroughput, evidence.Total), run.Primary(evidence.RequestThroughput, evidence.Total)
	if tokens.OK && samples.OK && samples.V > 0 {
		run.Fits(stats, lift.Parts{Whole: evidence.E2EFromDue, First: evidence.TTFOFromDue, PerToken: evidence.TPOT, Tokens: tokens.V / samples.V})
	}
	if tokens.OK && samples.OK && tokens.V < samples.V {
		b.Find(evidence.Warning, lift.CodeDisagree, summary, "%v tokens/s are less than %v samples/s", tokens.V, samples.V)
		run.Dispute(evidence.OutputThroughput, evidence.RequestThroughput)
	}
}
