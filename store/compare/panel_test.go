package compare

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"assay/store/evidence"
)

// crowd is many runs with a full shape each, alike in most of it as the runs of one
// archive are.
func crowd(n int) []evidence.RunRow {
	runs := make([]evidence.RunRow, n)
	for i := range runs {
		r := testRun(fmt.Sprintf("run-%d", i), map[evidence.FactKey]string{
			evidence.KeyConcurrency: fmt.Sprint(1 << (i % 3)), evidence.KeyContextTarget: fmt.Sprint(4096 << (i % 4)),
			evidence.KeyPromptTokens: fmt.Sprint(3600 + i%90), evidence.KeyMeanOutput: fmt.Sprint(180 + i%40),
			evidence.KeyMTPDepth: fmt.Sprint(i % 4), evidence.KeyTP: fmt.Sprint(1 + i%2), evidence.KeyGPUProduct: cardSpellings[i%len(cardSpellings)],
		})
		r.Family, r.Artifact = "F1", evidence.DigestOf([]byte{byte(i), byte(i >> 8)})
		r.Measurements[1].SourceText, r.Measurements[1].SourceUnit = fmt.Sprintf("2%0*d.5", i%3, 0), "ms"
		runs[i] = r
	}
	return runs
}

var cardSpellings = []string{"rtx-5090", "NVIDIA GeForce RTX 5090 32GB", "RTX 5090 32GB / WSL2 Docker / sm_120", "2x RTX PRO 6000 Blackwell Max-Q TP2"}

// TestPanelAgreesWithJudge: making runs ready once changes no verdict, and judging
// allocates nothing.
func TestPanelAgreesWithJudge(t *testing.T) {
	runs := crowd(40)
	q := Question{Metric: evidence.E2E, Stat: evidence.P50}
	panel := NewPanel(runs, q)
	verdicts := map[Verdict]int{}
	for i := range runs {
		for j := range runs {
			want := Judge(&runs[i], &runs[j], q)
			if got := panel.Verdict(i, j); got != want.Verdict {
				t.Fatalf("%d against %d is %s, Judge says %s", i, j, got, want.Verdict)
			}
			verdicts[want.Verdict]++
		}
	}
	if verdicts[Caution] == 0 || verdicts[Blocked] == 0 {
		t.Errorf("the crowd is of one verdict: %v", verdicts)
	}
	i := 0
	if n := testing.AllocsPerRun(1000, func() { panel.Verdict(i%40, (i+7)%40); i++ }); n > 0 {
		t.Errorf("a verdict allocates %v times", n)
	}
}

// BenchmarkAllPairs judges every pair of 1,000 runs: 499,500 of them.
func BenchmarkAllPairs(b *testing.B) {
	runs := crowd(1000)
	b.ReportAllocs()
	for b.Loop() {
		panel := NewPanel(runs, Question{Metric: evidence.E2E, Stat: evidence.P50})
		var group sync.WaitGroup
		workers := min(2, runtime.GOMAXPROCS(0))
		for w := range workers {
			p := panel.Fork()
			group.Go(func() {
				for i := w; i < len(runs); i += workers {
					for j := i + 1; j < len(runs); j++ {
						p.Verdict(i, j)
					}
				}
			})
		}
		group.Wait()
	}
}
