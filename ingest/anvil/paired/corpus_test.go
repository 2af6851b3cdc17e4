package paired

import (
	"maps"
	"slices"
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
	"assay/store/evidence"
)

var reader = Readers()[0]

// TestCorpus reads every real file of the labels: every number is accounted for, the
// published means and medians are what their repeats give, and the published changes follow
// from the figures they name.
func TestCorpus(t *testing.T) {
	docs := lifttest.Survey(t, reader, Labels()...)
	for _, name := range slices.Sorted(maps.Keys(docs)) {
		d := docs[name]
		for _, f := range d.Findings {
			switch f.Code {
			case lift.CodeUnread, lift.CodeMissing, lift.CodeDiffers, lift.CodeRow, lift.CodeNotText, lift.CodeNotNumber, lift.CodeMismatch, lift.CodeCount,
				lift.CodeImplausible, CodeRate, CodeOpenClaim, CodeClaim:
				t.Errorf("%s: %s at %s: %s", name, f.Code, f.Pointer, f.Message)
			}
		}
		if len(d.Arms) != 2 {
			t.Errorf("%s: %d arms", name, len(d.Arms))
		}
	}
	for _, a := range lifttest.Golden[[]lifttest.Awkward](t, "awkward.json") {
		if d, ok := docs[a.File]; ok && a.Kind == "int-as-float" && !lifttest.Has(&d, lift.CodeIntAsFloat, a.Pointer) {
			t.Errorf("%s: no finding at %s", a.File, a.Pointer)
		}
	}
}

// TestPairs finds the figures of the labelled pairs at their places.
func TestPairs(t *testing.T) {
	type side struct {
		File string `json:"file"`
	}
	type pair struct {
		ID     string            `json:"id"`
		A      side              `json:"a"`
		Metric evidence.MetricID `json:"metric_a"`
		Stat   evidence.Stat     `json:"stat_a"`
		At     evidence.Pointer  `json:"value_pointer_a"`
		Value  float64           `json:"value_a"`
	}
	docs := lifttest.Survey(t, reader, Labels()...)
	for _, p := range lifttest.Golden[[]pair](t, "pairs.shared.json") {
		d, ok := docs[p.A.File]
		if !ok {
			continue
		}
		found := 0
		for i := range d.Arms {
			for _, r := range d.Arms[i].Runs {
				for _, m := range r.Measurements {
					if m.Place.Pointer != p.At {
						continue
					}
					if found++; m.Metric != p.Metric || m.Stat != p.Stat || m.Value.V != p.Value {
						t.Errorf("%s: %s %s %v at %s, want %s %s %v", p.ID, m.Metric, m.Stat, m.Value, p.At, p.Metric, p.Stat, p.Value)
					}
				}
			}
		}
		if found != 1 {
			t.Errorf("%s: %d figures at %s", p.ID, found, p.At)
		}
	}
}
