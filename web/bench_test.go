package web_test

import (
	"fmt"
	"net/http"
	"testing"

	"assay/store/evidence"
)

// big is an archive of many campaigns and one campaign of many runs and documents.
func big() *fake {
	f := laboratory()
	for i := range 400 {
		b := newBuild(f, fmt.Sprintf("2031-05-01-campaign-%03d", i), fmt.Sprintf("big %d", i))
		d := b.doc(fmt.Sprintf("Campaign %d", i))
		for j := range 12 {
			b.decide(d, evidence.DecisionLabel, "labels", fmt.Sprintf("label-%d", j%5), "/decision/labels")
			b.gate(d, fmt.Sprintf("gate %d", j), []string{"passed", "failed", "passed for some load"}[j%3], "a detail of some length, as sources write them")
		}
		b.close(d)
	}
	b := newBuild(f, "big", "big")
	facts := []evidence.FactRow{
		b.fact(evidence.KeyRequests, "100", "/r"), b.fact(evidence.KeyConcurrency, "8", "/c"), b.fact(evidence.KeyEngine, "engine", "/e"),
		b.fact(evidence.KeyGPUProduct, "card", "/g"), b.fact(evidence.KeyTP, "2", "/t"), b.fact(evidence.KeyContextTarget, "4096", "/x"),
	}
	for i := range 5000 {
		var figures []evidence.Measurement
		for _, m := range []evidence.MetricID{evidence.OutputThroughput, evidence.TTFT, evidence.TPOT, evidence.DecodeRate, evidence.E2E} {
			for _, s := range []evidence.Stat{evidence.Mean, evidence.P50, evidence.P95, evidence.P99} {
				metric, _ := evidence.LookupMetric(m)
				figures = append(figures, value(m, s, 0.5+float64(i%97)/31, metric.Unit, 100, "0.5", "s"))
			}
		}
		b.run(fmt.Sprintf("arm %d", i), "results", evidence.ClassAggregate, facts, figures...)
	}
	d := b.doc("Big")
	for i := range 60 {
		b.gate(d, fmt.Sprintf("gate %d", i), "passed", "a detail of some length, as sources write them")
		b.note(d, evidence.Limitation, "A sentence on what the figures of this campaign do not say, with 3 numbers and 12 words more.")
	}
	b.close(d)
	return f
}

func benchmark(b *testing.B, path string) {
	s := site(b, big())
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		w := ask(s, http.MethodGet, path)
		if w.Code != http.StatusOK {
			b.Fatalf("status %d", w.Code)
		}
		size = w.Body.Len()
	}
	b.ReportMetric(float64(size), "bytes/page")
}

func BenchmarkOverview(b *testing.B)     { benchmark(b, "/") }
func BenchmarkCampaign(b *testing.B)     { benchmark(b, "/campaigns/big") }
func BenchmarkCampaignArms(b *testing.B) { benchmark(b, "/campaigns/big/arms?page=7") }
func BenchmarkRuns(b *testing.B)         { benchmark(b, "/runs?page=40") }
func BenchmarkRun(b *testing.B) {
	benchmark(b, "/runs/"+evidence.RunID(evidence.DigestOf([]byte("big")), 17))
}

// TestPagesAskOnce: a page asks the archive a bounded number of times, however much
// there is.
func TestPagesAskOnce(t *testing.T) {
	f := big()
	s := site(t, f)
	for path, most := range map[string]int{"/": 6, "/campaigns/big": 5, "/campaigns/big/arms": 6, "/campaigns/big/evidence": 5, "/runs": 3, "/intake": 3} {
		f.asked = nil
		w := ask(s, http.MethodGet, path)
		total := 0
		for _, n := range f.asked {
			total += n
		}
		if w.Code != http.StatusOK || total > most {
			t.Errorf("GET %s: %d, asked %v, want at most %d questions", path, w.Code, f.asked, most)
		}
		if w.Body.Len() > 1<<20 {
			t.Errorf("GET %s: %d bytes", path, w.Body.Len())
		}
	}
}
