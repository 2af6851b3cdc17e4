package lift

import (
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// FuzzTable checks that every field of a table stands where its node says.
func FuzzTable(f *testing.F) {
	f.Add([]byte("log\na,b,\"c d\"\n1,,\"x\"\"y\"\n\n2,3\n"))
	f.Add([]byte("a,b\r\n\",\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		from, _ := LineWith(data, "a")
		v := Table(data, from, 50, func(string, string) jsondoc.Kind { return jsondoc.String })
		if len(v.Children) > 51 {
			t.Errorf("%d lines", len(v.Children))
		}
		starts := LineStarts(data)
		v.Walk("", func(p evidence.Pointer, n *jsondoc.Node) bool {
			if n.Kind == jsondoc.String {
				if string(data[n.Offset:n.End]) != n.Text {
					t.Errorf("%s: %q stands at %d, not %q", p, data[n.Offset:n.End], n.Offset, n.Text)
				}
				LinePlace(starts, n)
			}
			return true
		})
	})
}

// FuzzFigure lifts anything: a figure is finite, not negative, and what its digits say.
func FuzzFigure(f *testing.F) {
	for _, s := range []string{`{"x": 1.5}`, `{"x": "1"}`, `{"x": -0.0}`, `{"x": 1e308}`, `{"x": NaN}`, `{"x": [1]}`, `{"a": 1, "a": 2, "x": {"p50": 1, "p99": 0, "mean": 9, "std": 1e9}}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := jsondoc.Parse([]byte(text), jsondoc.Limits{}).Root()
		if n == nil {
			return
		}
		b := New(Reader{ID: "test", Version: 1}, n, "", "shape")
		run := b.NewRun("r", b.Top(), evidence.Linear)
		run.N = evidence.Some[int64](10)
		b.Top().Members(func(name string, m Obj) {
			run.Figure(m, evidence.TTFT, evidence.P50, "ms")
			run.Distribution(m, evidence.E2E, "s", run.N)
			m.Fact(&run.Facts, evidence.FactKey(name))
		})
		run.Ordered()
		run.Fits(b.Top(), Parts{Whole: evidence.E2E, First: evidence.TTFT, PerToken: evidence.TPOT, Tokens: 10})
		b.Arm(evidence.Arm{Name: "a"}, run)
		for _, m := range b.Finish().Arms[0].Runs[0].Measurements {
			if want, _, err := evidence.ToBase(m.SourceText, m.SourceUnit); m.Value.OK && (err != nil || want != m.Value.V || want < 0) {
				t.Errorf("%s is %v, and %q %s stands there (%v)", m.Metric, m.Value.V, m.SourceText, m.SourceUnit, err)
			}
		}
	})
}
