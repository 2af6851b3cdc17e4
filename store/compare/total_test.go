package compare

import (
	"math/rand"
	"testing"

	"assay/store/evidence"
)

// TestJudgeAnswersEveryPair: whatever a run lacks, a question about it has an answer in
// words. Runs lose measurements, counts, values and facts at random.
func TestJudgeAnswersEveryPair(t *testing.T) {
	r := rand.New(rand.NewSource(11))
	var runs []evidence.RunRow
	for i := range 120 {
		run := testRun("run", nil)
		run.ID = string(rune('a' + i%26))
		if i%3 == 0 {
			run.Class = []string{evidence.ClassLong, evidence.ClassQuality, evidence.ClassSpeech, evidence.ClassMedia, evidence.ClassStartup, ""}[r.Intn(6)]
		}
		run.Family = []string{"F1", "F3", "F5", "F6", "F7", "vllm", ""}[r.Intn(7)]
		run.Status = []evidence.RunStatus{evidence.Measured, evidence.Measured, evidence.RunFailed, evidence.External, evidence.NotRun}[r.Intn(5)]
		r.Shuffle(len(run.Facts), func(a, b int) { run.Facts[a], run.Facts[b] = run.Facts[b], run.Facts[a] })
		run.Facts = run.Facts[:r.Intn(len(run.Facts)+1)]
		for j := range run.Facts {
			run.Facts[j].State = []evidence.State{evidence.Recorded, evidence.Recorded, evidence.Derived, evidence.Conflict, evidence.Absent}[r.Intn(5)]
		}
		r.Shuffle(len(run.Measurements), func(a, b int) {
			run.Measurements[a], run.Measurements[b] = run.Measurements[b], run.Measurements[a]
		})
		run.Measurements = run.Measurements[:r.Intn(len(run.Measurements)+1)]
		for j := range run.Measurements {
			m := &run.Measurements[j]
			switch r.Intn(6) {
			case 0:
				m.N = evidence.None[int64]()
			case 1:
				m.Value, m.State, m.Rule = evidence.None[float64](), evidence.Absent, "false-zero"
			case 2:
				m.Value, m.Lower, m.Upper = evidence.None[float64](), evidence.Some(1.0), evidence.Some(2.0)
			case 3:
				m.Method, m.N = "", evidence.Some(int64(1+r.Intn(30)))
			case 4:
				m.Stat = evidence.Single
			}
		}
		runs = append(runs, run)
	}
	for _, m := range []evidence.MetricID{evidence.TTFT, evidence.E2E, evidence.DecodeRate, evidence.OutputThroughput, evidence.PassRate, evidence.WER, evidence.KVPoolTokens, evidence.ClaimedChange, "nothing"} {
		for _, s := range []evidence.Stat{"", evidence.P50, evidence.P95, evidence.P99, evidence.Mean, evidence.Total, evidence.Single} {
			q := Question{Metric: m, Stat: s, Axes: []evidence.FactKey{evidence.KeyMTPDepth, evidence.KeyTP}, Rank: s == evidence.P95}
			panel := NewPanel(runs, q)
			for range 80 {
				i, j := r.Intn(len(runs)), r.Intn(len(runs))
				judged := panel.Judge(i, j)
				if v := panel.Verdict(i, j); v != judged.Verdict && !q.Rank {
					t.Fatalf("%s %s: the panel says %s, the words %s", m, s, v, judged.Verdict)
				}
				if !judged.Verdict.Shows() && len(judged.Reasons) == 0 {
					t.Fatalf("%s %s: stopped without a reason", m, s)
				}
				EffectOf(&runs[i], &runs[j], q)
				Compare(Spec{Figures: []Figure{{m, s}}}, Repeats{&runs[i]}, []Repeats{{&runs[j]}})
			}
		}
	}
}
