package guidellm

import (
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Golden(t, Readers()) }

func TestGoldenText(t *testing.T) { lifttest.GoldenText(t, TextReaders(), "*.yaml") }

func TestSamples(t *testing.T) {
	lifttest.Samples(t, Readers(), "corpus/foreign/guidellm", "*.json", func(t *testing.T, name string, v jsondoc.Value, d evidence.Document) {
		lifttest.Quiet(t, name, v, d)
		run := d.Arms[0].Runs[0]
		for _, m := range run.Measurements { // independent: the digits of the successful block
			if m.Metric == evidence.TTFO && m.Stat == "p99" && m.SourceText != v.Root.At("/benchmarks/0/metrics/time_to_first_token_ms/successful/percentiles/p99").Text {
				t.Errorf("p99 %s", m.SourceText)
			}
			if m.Metric == evidence.TPOTInclusive {
				t.Error("a 0.3 report has no inclusive TPOT")
			}
		}
	})
}

func TestMutations(t *testing.T) {
	lifttest.Mutations(t, Readers(), map[string]int{"v07.json": 0})
}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, Readers()) }

func TestGoldenCopies(t *testing.T) {
	lifttest.GoldenText(t, CopyReaders(), "*.csv")
	lifttest.GoldenText(t, CopyReaders(), "*.html")
}

func TestReason(t *testing.T) {
	for text, want := range map[string]bool{
		`{"benchmarks": [{"benchmarks": [{"mode": "sweep", "rate": 1, "results": [], "errors": [], "concurrencies": []}], "args": {}}]}`: true,
		`{"benchmarks": [{"mode": "constant", "rate": 1, "results": [{}], "errors": []}]}`:                                               true,
		`{"benchmarks": [{"results": []}]}`: false,
		`[]`:                                false,
	} {
		v := lifttest.Parse([]byte(text))[0].Root
		if got := Readers()[0].Reason("", v); (got != "") != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func FuzzText(f *testing.F) { lifttest.FuzzText(f, TextReaders(), "*.yaml") }

func FuzzCopies(f *testing.F) { lifttest.FuzzText(f, CopyReaders(), "*.*") }
