package llmd

import (
	"os"
	"path/filepath"
	"testing"

	"assay/ingest/lift"
	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Golden(t, Readers()) }

func TestGoldenText(t *testing.T) { lifttest.GoldenText(t, TextReaders(), "*.yaml") }

// TestTextSamples reads the examples of both versions. The 0.1 example stops before it
// starts, and its placeholders contradict each other, which the reader says.
func TestTextSamples(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(lifttest.Corpus(t, "corpus", "foreign", "llmd_br"), "*.yaml"))
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := lifttest.ReadText(t, TextReaders(), data)
		if d == nil || len(d.Arms[0].Runs[0].Measurements) < 20 {
			t.Fatalf("%s: not read", path)
		}
		for _, m := range d.Arms[0].Runs[0].Measurements {
			if m.Metric == evidence.TTFT {
				t.Errorf("%s: the tool behind it measures no visible content", path)
			}
		}
		for _, f := range d.Findings {
			if f.Code == lift.CodeUnread || f.Code == lift.CodeUnit {
				t.Errorf("%s: %s %s", filepath.Base(path), f.Code, f.Message)
			}
		}
	}
}

func TestDuration(t *testing.T) {
	for s, want := range map[string]string{"PT50S": "50", "PT1H2M3.5S": "3723.5", "PT49.97206788184121S": "49.97206788184121", "P1D": "", "PT": "0", "PTS": "", "PT1X": ""} {
		if got, _ := isoSeconds(s); got != want {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
}

// Nothing in a report contradicts a single mean that is out by a thousand, so most
// rescaled figures show as other figures only.
func TestMutations(t *testing.T) {
	lifttest.Mutations(t, Readers(), map[string]int{"v02.json": 6})
}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, Readers()) }

func FuzzText(f *testing.F) { lifttest.FuzzText(f, TextReaders(), "*.yaml") }
