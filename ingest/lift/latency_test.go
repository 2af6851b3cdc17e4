package lift

import (
	"slices"
	"testing"

	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

// TestFits changes one part of a latency of 0.3 s + 127 * 0.06 s: what contradicts it is
// in conflict, and nothing is where the parts fit.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []evidence.MetricID
	}{
		{"sound", `{"ttft": 300, "tpot": 60, "e2e": 7920}`, nil},
		{"no latency", `{"ttft": 300, "tpot": 60}`, nil},
		{"nothing but latency", `{"e2e": 7920}`, nil},
		{"a long queue", `{"ttft": 60000, "tpot": 60, "e2e": 67620}`, nil},
		{"first token in seconds", `{"ttft": 0.3, "tpot": 60, "e2e": 7920}`, []evidence.MetricID{evidence.TTFT, evidence.TPOT}},
		{"long first token in seconds", `{"ttft": 6, "tpot": 60, "e2e": 13620}`, []evidence.MetricID{evidence.TTFT}},
		{"first token in microseconds", `{"ttft": 300000, "tpot": 60, "e2e": 7920}`, []evidence.MetricID{evidence.TTFT, evidence.TPOT, evidence.E2E}},
		{"time per token in seconds", `{"ttft": 300, "tpot": 0.06, "e2e": 7920}`, []evidence.MetricID{evidence.TTFT, evidence.TPOT, evidence.E2E}},
		{"time per token in microseconds", `{"ttft": 300, "tpot": 60000, "e2e": 7920}`, []evidence.MetricID{evidence.TTFT, evidence.TPOT, evidence.E2E}},
		{"latency in seconds", `{"ttft": 300, "tpot": 60, "e2e": 7.92}`, []evidence.MetricID{evidence.TTFT, evidence.TPOT, evidence.E2E}},
		{"first token for latency", `{"ttft": 7920, "tpot": 60, "e2e": 300}`, []evidence.MetricID{evidence.TTFT, evidence.TPOT, evidence.E2E}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := builder(t, c.text)
			run := b.NewRun("r", b.Top(), evidence.Linear)
			run.Figure(b.Top().Get("ttft"), evidence.TTFT, evidence.Mean, "ms")
			run.Figure(b.Top().Get("tpot"), evidence.TPOT, evidence.Mean, "ms")
			run.Figure(b.Top().Get("e2e"), evidence.E2E, evidence.Mean, "ms")
			run.Fits(b.Top(), Parts{Whole: evidence.E2E, First: evidence.TTFT, PerToken: evidence.TPOT, Tokens: 128})
			b.Arm(evidence.Arm{Name: "a"}, run)
			var got []evidence.MetricID
			for _, m := range b.Doc.Arms[0].Runs[0].Measurements {
				if m.State == evidence.Conflict {
					got = append(got, m.Metric)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("in conflict (-want +got):\n%s", diff)
			}
			if warned := len(b.Doc.Findings) > 0; warned != (c.want != nil) {
				t.Errorf("findings %v", b.Doc.Findings)
			}
		})
	}
}

// TestAgreePutsFiguresInConflict: the figure and those it was held against, by place.
func TestAgreePutsFiguresInConflict(t *testing.T) {
	b := builder(t, `{"total": 10, "in": 3, "out": 4, "other": 5}`)
	top := b.Top()
	run := b.NewRun("r", top, evidence.Linear)
	run.Figure(top.Get("total"), evidence.TotalThroughput, evidence.Total, "tok/s")
	run.Figure(top.Get("in"), evidence.InputThroughput, evidence.Total, "tok/s")
	run.Figure(top.Get("other"), evidence.OutputThroughput, evidence.Total, "tok/s")
	b.Sum("total", top.Get("total"), 1e-3, top.Get("in"), top.Get("out"))
	b.Arm(evidence.Arm{Name: "a"}, run)
	for _, m := range b.Doc.Arms[0].Runs[0].Measurements {
		disputed := slices.Contains([]evidence.MetricID{evidence.TotalThroughput, evidence.InputThroughput}, m.Metric)
		if (m.State == evidence.Conflict) != disputed {
			t.Errorf("%s is %s", m.Metric, m.State)
		}
	}
}

func TestFactKeepsLongNumbers(t *testing.T) {
	b := builder(t, `{"seed": 13281865557512327830, "long": 1783588508057339762, "short": 1.50, "zero": 0}`)
	var facts Facts
	for _, name := range []string{"seed", "long", "short", "zero"} {
		b.Top().Get(name).Fact(&facts, evidence.FactKey(name))
	}
	want := []string{"13281865557512327830", "1783588508057339762", "1.5", "0"}
	for i, f := range facts {
		if f.Value != want[i] {
			t.Errorf("%s is %s, want %s", f.Key, f.Value, want[i])
		}
	}
}
