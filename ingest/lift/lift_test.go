package lift

import (
	"math"
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, text string) *jsondoc.Node {
	t.Helper()
	n := jsondoc.Parse([]byte(text), jsondoc.Limits{}).Root()
	if n == nil {
		t.Fatalf("%s is no JSON", text)
	}
	return n
}

func builder(t *testing.T, text string) *Builder {
	return New(Reader{ID: "test", Version: 1, Family: "test"}, parse(t, text), "", "shape")
}

func TestStatName(t *testing.T) {
	for name, want := range map[string]evidence.Stat{"avg": "mean", "median": "p50", "P25": "p25", "p99.9": "p99.9", "p99p9": "p99.9", "p999": "p99.9",
		"p001": "p0.1", "p0p1": "p0.1", "p01": "p1", "p05": "p5", "p10": "p10", "std_dev": "std", "maximum": "max",
		"p": "", "p0": "", "p100": "", "p1e2": "", "p-5": "", "mode": "", "percentile": "", "p.": ""} {
		if got, ok := StatName(name); got != want || ok != (want != "") {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestQuantile(t *testing.T) {
	v := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	for _, c := range []struct {
		p      float64
		method evidence.Method
		want   float64
	}{{50, evidence.Linear, 5.5}, {99, evidence.Linear, 9.91}, {50, evidence.NearestRank, 5}, {95, evidence.NearestRank, 10},
		{50, evidence.FloorIndex, 6}, {99, evidence.FloorIndex, 10}, {0, evidence.NearestRank, 1}} {
		if got := Quantile(v, c.p, c.method); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("p%v %s is %v, want %v", c.p, c.method, got, c.want)
		}
	}
	if !math.IsNaN(Quantile(nil, 50, evidence.Linear)) {
		t.Error("a percentile of nothing")
	}
}

func TestCSVKeepsOffsets(t *testing.T) {
	line := `a,"b, c",,"d ""e""",f`
	var got []string
	for _, c := range CSV(line, 100) {
		got = append(got, c.Text)
		if c.At-100+len(c.Text) > len(line) || line[c.At-100:c.At-100+len(c.Text)] != c.Text {
			t.Errorf("%q is not at %d", c.Text, c.At)
		}
	}
	if diff := cmp.Diff([]string{"a", "b, c", "", `d ""e""`, "f"}, got); diff != "" {
		t.Error(diff)
	}
	for _, odd := range []string{"", ",", `"`, `"a`, `"a"b,c`} {
		CSV(odd, 0)
	}
}

func TestFigureRefuses(t *testing.T) {
	for text, code := range map[string]string{`{"x": "1.5"}`: CodeNotNumber, `{"x": NaN}`: CodeNotFinite, `{"x": -1}`: CodeNegative,
		`{"x": []}`: CodeNotNumber, `{"x": 1e999}`: CodeOutOfRange, `{"x": null}`: "", `{"y": 1}`: ""} {
		b := builder(t, text)
		run := b.NewRun("r", b.Top(), evidence.Linear)
		if run.Figure(b.Top().Get("x"), evidence.TTFT, evidence.P50, "ms") {
			t.Errorf("%s gave a value", text)
		}
		got := ""
		if len(b.Doc.Findings) > 0 {
			got = b.Doc.Findings[0].Code
		}
		if got != code {
			t.Errorf("%s: finding %q, want %q", text, got, code)
		}
	}
	b := builder(t, `{"x": 1}`)
	run := b.NewRun("r", b.Top(), "")
	if run.Figure(b.Top().Get("x"), evidence.TTFT, evidence.Mean, "tok/s") || b.Doc.Findings[0].Code != CodeUnit {
		t.Error("a latency in tokens per second was lifted")
	}
}

func TestVoidAndSingle(t *testing.T) {
	b := builder(t, `{"mean": 0.0, "p50": 0.0}`)
	run := b.NewRun("r", b.Top(), evidence.Linear)
	run.Void = true
	run.Distribution(b.Top(), evidence.TTFT, "ms", evidence.Some[int64](0))
	for _, m := range run.Measurements {
		if m.Value.OK || m.State != evidence.Absent || m.SourceText != "0.0" {
			t.Errorf("%+v", m)
		}
	}
	b = builder(t, `{"mean": 5.0, "p50": 5.0, "std": 0.0, "p99": 6.0}`)
	run = b.NewRun("r", b.Top(), evidence.Linear)
	run.Distribution(b.Top(), evidence.TTFT, "ms", evidence.Some[int64](1))
	if len(run.Measurements) != 3 || run.Measurements[0].Stat != evidence.Single || run.Measurements[1].Role != evidence.Restated {
		t.Errorf("%+v", run.Measurements)
	}
	if len(b.Doc.Findings) != 1 || b.Doc.Findings[0].Code != CodeDisagree {
		t.Errorf("one observation with two values: %+v", b.Doc.Findings)
	}
}

func TestAccounting(t *testing.T) {
	b := builder(t, `{"a": 1, "b": {"c": 2, "d": [3, 4, 5]}, "e": "text", "f": [[1, 2], []], "g": [{"h": 6}]}`)
	b.Top().Get("a").Skip(evidence.ReasonEcho)
	doc := b.Finish()
	var got []string
	for _, n := range doc.NotLifted {
		got = append(got, n.Reason+" "+string(n.Place.Pointer)+" "+n.Text)
	}
	want := []string{"configuration /a 1", "unread /b/c 2", "unread /b/d 3 numbers", "unread /f 2 numbers", "unread /g/0/h 6"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(doc.Findings) != 1 || doc.Findings[0].Code != CodeUnread || !strings.Contains(doc.Findings[0].Message, "/b/d") {
		t.Errorf("%+v", doc.Findings)
	}
}

func TestAccountingIsBounded(t *testing.T) {
	b := builder(t, `{"m": [`+strings.Repeat(`{"x": 1},`, 5000)+`{"x": 1}]}`)
	if doc := b.Finish(); len(doc.NotLifted) != 1 || doc.NotLifted[0].Text != "5001 numbers" {
		t.Errorf("%d lines, first %+v", len(doc.NotLifted), doc.NotLifted[0])
	}
}

func TestOrdered(t *testing.T) {
	for text, bad := range map[string]bool{
		`{"mean": 10, "p50": 9, "p99": 20, "min": 5, "max": 21, "std": 4}`: false,
		`{"mean": 10, "p50": 21, "p99": 20}`:                               true,
		`{"mean": 4, "min": 5, "max": 21}`:                                 true,
		`{"mean": 22, "min": 5, "max": 21}`:                                true,
		`{"mean": 10, "p50": 9, "std": 0.5}`:                               true,
		`{"mean": 0.01, "p50": 9, "p99": 20}`:                              true,
		`{"mean": 10, "p50": 9.8, "max": 2000, "std": 40}`:                 true, // 100 values with the mean 10 reach 1000
	} {
		b := builder(t, text)
		run := b.NewRun("r", b.Top(), evidence.Linear)
		run.Distribution(b.Top(), evidence.TTFT, "ms", evidence.Some[int64](100))
		run.Ordered()
		if (len(b.Doc.Findings) > 0) != bad {
			t.Errorf("%s: %+v", text, b.Doc.Findings)
		}
	}
}

func TestAgreeAllowsRounding(t *testing.T) {
	b := builder(t, `{"a": 0.05, "b": 0.0537, "c": 12}`)
	top := b.Top()
	if !b.Agree("a", top.Get("a"), 0.0537, 1e-4, "x") || !b.Agree("c", top.Get("c"), 12.4, 1e-6, "x") {
		t.Error("a rounded figure was called wrong")
	}
	if b.Agree("b", top.Get("b"), 0.05, 1e-4, "x") || b.Doc.Findings[0].Code != CodeDisagree {
		t.Error("a difference went unseen")
	}
}

func TestLines(t *testing.T) {
	data := []byte("ab\ncd: 12\n")
	n := &jsondoc.Node{Kind: jsondoc.Object, Names: []string{"cd"}, Children: []*jsondoc.Node{{Kind: jsondoc.Number, Text: "12", Offset: 7, End: 9}}}
	b := New(Reader{}, n, "", "s")
	b.Lines(data)
	if p := b.Top().Get("cd").Place(); p != evidence.InText("/lines/1", 4, 6) {
		t.Errorf("%+v", p)
	}
}

func TestDate(t *testing.T) {
	for in, want := range map[string]string{"20260527-075026": "2026-05-27T07:50:26", "2026-05-27": "2026-05-27", "": "", "20260527x075026": "20260527x075026"} {
		if got := Date(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// TestWideObjects reads a hundred thousand members in linear time.
func TestWideObjects(t *testing.T) {
	var w strings.Builder
	w.WriteString("{")
	for i := range 99_000 {
		if i > 0 {
			w.WriteString(",")
		}
		w.WriteString(`"p` + evidence.FormatDecimal(float64(i+1)/1000) + `": 1`)
	}
	w.WriteString("}")
	b := builder(t, w.String())
	run := b.NewRun("r", b.Top(), evidence.Linear)
	run.Distribution(b.Top(), evidence.TTFT, "ms", evidence.None[int64]())
	var facts Facts
	b.Top().Members(func(name string, m Obj) {
		b.Top().Get(name).Fact(&facts, evidence.FactKey(name))
	})
	run.Ordered()
	if len(run.Measurements) != mostFigures || len(facts) != mostFacts {
		t.Errorf("%d figures, %d facts", len(run.Measurements), len(facts))
	}
	if doc := b.Finish(); len(doc.Findings) != 2 {
		t.Errorf("%d findings", len(doc.Findings))
	}
}
