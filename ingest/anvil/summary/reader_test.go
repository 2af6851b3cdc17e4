package summary

import (
	"testing"

	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/jsondoc"
)

func TestGolden(t *testing.T) { lifttest.Goldens(t, anyReader{}) }

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, anyReader{}, lifttest.Bytes(f)) }

func BenchmarkRead(b *testing.B) { lifttest.Bench(b, anyReader{}) }

// TestEveryLabel asks for a fixture of every label.
func TestEveryLabel(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range lifttest.Fixtures(t) {
		seen[lifttest.Label(v)] = true
	}
	for _, l := range Labels() {
		if !seen[l] {
			t.Errorf("no fixture of %s", l)
		}
	}
}

// TestHostileSizes: lists and blocks of many members take linear time.
func TestHostileSizes(t *testing.T) {
	lifttest.Hostile(t, anyReader{}, "performance", "/performance", "/sampled_speculative_telemetry")
	lifttest.Hostile(t, anyReader{}, "candidates", "/candidates", "/capacity_4k_c1/maker_fp8")
	lifttest.Hostile(t, anyReader{}, "status", "/local_gates")
	lifttest.Hostile(t, anyReader{}, "subject", "/results")
}

// TestOtherLabels: a label is taken byte for byte, and no shape makes up for another one.
func TestOtherLabels(t *testing.T) {
	for name, v := range lifttest.Fixtures(t) {
		label := lifttest.Label(v)
		takers := 0
		for _, r := range Readers() {
			if _, ok := r.Match(label, v); ok {
				takers++
			}
			for _, other := range []string{"", label + "x", "x" + label} {
				if _, ok := r.Match(other, v); ok {
					t.Errorf("%s: %s takes the label %q", name, r.ID(), other)
				}
			}
		}
		if takers != 1 {
			t.Errorf("%s: %d readers take it", name, takers)
		}
	}
	for _, r := range Readers() {
		v := jsondoc.Parse([]byte(`{"schema": "x", "other": 1}`), jsondoc.Limits{}).Root()
		if _, ok := r.Match(r.label, v); ok || r.Reason(r.label, v) == "" {
			t.Errorf("%s takes a value of no known shape, or does not say why not", r.ID())
		}
	}
}
