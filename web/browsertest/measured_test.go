package browsertest

import (
	"math"
	"testing"

	"assay/ingest"
	"assay/ingest/artifact"
	"assay/ingest/artifact/artifacttest"
	"assay/store/evidence"
)

func some[T any](v T) *T { return &v }

// cardRun is a run with everything that the runner writes down: two cards of which one
// executed the arm, counters, a calibrated client, gates; and texts that want to be more
// than text.
func cardRun(t *testing.T) (source ingest.Source, id string) {
	t.Helper()
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>`
	run := artifacttest.Run()
	series := artifact.Series{}
	for i := range 240 {
		series.At = append(series.At, int64(i)*20e6)
		watts, clock := some(180+120*math.Sin(float64(i)/18)), some(2.4e9-2e6*float64(i%50))
		if i > 100 && i < 120 {
			watts = nil // a gap in the samples
		}
		series.Power, series.Clock = append(series.Power, watts), append(series.Clock, clock)
		series.Temperature, series.Utilisation = append(series.Temperature, some(50+float64(i)/20)), append(series.Utilisation, some(0.9))
		series.MemoryUsed = append(series.MemoryUsed, some(int64(40<<30)))
	}
	card := func(i int, measured bool) artifact.Card {
		c := artifact.Card{UUID: "GPU-0000000" + string(rune('0'+i)), Index: i, Name: "NVIDIA RTX PRO 6000 Blackwell Workstation Edition", Architecture: "Blackwell", Capability: "12.0",
			PowerLimit: some(600.0), Measured: measured, Throttled: []string{}, Processes: []string{evil}, Series: artifact.Series{At: []int64{}}}
		if measured {
			c.EnergyJoules, c.CounterJoules, c.MemoryFree, c.MemoryUsed, c.Series = some(812.5), some(815.0), some(int64(50<<30)), some(int64(40<<30)), series
			c.Throttled = []string{"software power cap"}
		}
		return c
	}
	run.Cards = &artifact.Telemetry{Available: true, Driver: "580.82", PeriodNS: 20e6, Gaps: artifact.Spread{N: 240, P50: some(0.02), P99: some(0.021), Max: some(0.03)},
		SamplerCPU: some(0.004), Cards: []artifact.Card{card(0, true), card(1, false)}, Links: []artifact.Link{}}
	run.Engine = &artifact.Engine{Name: "vllm", Version: "0.11.2", Args: []string{"vllm", "serve", evil}, Models: []string{"example"},
		Before: map[string]float64{"vllm:generation_tokens_total": 100}, After: map[string]float64{"vllm:generation_tokens_total": 20_512.5}, Peaks: map[string]float64{"vllm:num_requests_running": 8}}
	run.Client.Calibration = &artifact.Calibration{At: "2026-09-04T10:00:00Z", RequestRate: some(41_250.0), Streams: some(int64(1000)), ChunkRate: some(50_100.0),
		TimingError: artifact.Spread{N: 1000, P50: some(4.9e-6), P99: some(4.4e-5), Max: some(0.004)}, CalibratedFor: 1}
	run.Host.OtherLoad = evil
	run.Gates = append(run.Gates, artifact.Gate{Name: "structured-json", Status: "failed", Detail: "2 of 3 are right; try 1: a second object: " + evil, Passed: some(int64(2)), Tried: some(int64(3))},
		artifact.Gate{Name: "responses-api", Status: "not run", Detail: "the endpoint has no such path"})
	run.Sidecars = []artifact.Sidecar{{Name: "example.records.jsonl.gz", SHA256: run.Workload.Prompts, Size: 20_480, Holds: "every request with all its times"}}
	run.Command = []string{"assay", "run", "--workload", "4k-c1"}
	data, err := artifact.Encode(run)
	if err != nil {
		t.Fatal(err)
	}
	return ingest.Blob("cards.json", "test", data), evidence.RunID(evidence.DigestOf(data), 0)
}

// TestHowItWasMeasured looks at what only our own runner writes down.
func TestHowItWasMeasured(t *testing.T) {
	source, id := cardRun(t)
	b := newBrowser(t)
	h := newHouse(t, source)
	for _, look := range []struct {
		scheme string
		width  int64
	}{{"light", 1440}, {"dark", 1440}, {"light", 390}, {"dark", 390}} {
		b.look(look.scheme, look.width)
		b.visit(h.base + "/runs/" + id)
		if n := eval[int](b, `document.querySelectorAll("[data-testid=measured] [data-chart] canvas").length`); n != 4 {
			t.Errorf("%d quantities of the card are drawn", n)
		}
		if n := eval[int](b, `document.querySelectorAll("[data-testid=run-gate]").length`); n != 3 {
			t.Errorf("%d checks are listed", n)
		}
		if n := eval[int](b, `document.querySelectorAll("[data-testid=measured-row]").length`); n < 30 {
			t.Errorf("%d rows say how it was measured", n)
		}
		eval[any](b, `document.querySelector("[data-testid=measured]").scrollIntoView()`)
		b.sound("how it was measured")
		if low := eval[[]string](b, contrast); len(low) > 0 {
			t.Errorf("hard to read: %v", low)
		}
		b.settle("how it was measured")
		b.look(look.scheme, look.width)
		eval[any](b, `document.querySelector("[data-testid=measured]").scrollIntoView()`)
		b.shot("measured-" + look.scheme + "-" + widthWord(look.width))
	}
	h.sources([]string{"/runs/" + id})
}
