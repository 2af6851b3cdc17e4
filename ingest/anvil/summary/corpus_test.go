package summary

import (
	"maps"
	"math"
	"slices"
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// anyReader takes what one of the readers takes.
type anyReader struct{}

func (anyReader) ID() string   { return "anvil/summaries" }
func (anyReader) Version() int { return 1 }

func (anyReader) Match(label string, v *jsondoc.Node) (string, bool) {
	for _, r := range Readers() {
		if shape, ok := r.Match(label, v); ok {
			return shape, true
		}
	}
	return "", false
}

func (anyReader) Read(v *jsondoc.Node, root evidence.Pointer, shape string) evidence.Document {
	for _, r := range Readers() {
		if _, ok := r.Match(lifttest.Label(v), v); ok {
			return r.Read(v, root, shape)
		}
	}
	return evidence.Document{}
}

// TestCorpus reads every real file of the labels.
func TestCorpus(t *testing.T) {
	docs := lifttest.Survey(t, anyReader{}, Labels()...)
	for _, name := range slices.Sorted(maps.Keys(docs)) {
		d := docs[name]
		t.Logf("%s: %d arms, %d gates, %d notes, %d decisions, %d references", name, len(d.Arms), len(d.Gates), len(d.Notes), len(d.Decisions), len(d.References))
		for _, f := range d.Findings {
			switch f.Code {
			case lift.CodeImplausible, lift.CodeMismatch, lift.CodeCount, lift.CodeDiffers, lift.CodeNotNumber, lift.CodeNotText, CodeAggregation:
				t.Errorf("%s: false alarm %s at %s: %s", name, f.Code, f.Pointer, f.Message)
			}
		}
	}
}

// side is one side of a labelled pair.
type side struct {
	File    string           `json:"file"`
	Pointer evidence.Pointer `json:"pointer"`
}

// TestPairs: the place that a labelled pair names holds exactly one figure of its metric,
// with its statistic and its value in the base unit.
func TestPairs(t *testing.T) {
	type pair struct {
		ID          string
		A, B        side
		Metric      evidence.MetricID
		Stat        evidence.Stat
		Aggregation string
		ValueA      float64          `json:"value_a"`
		ValueB      float64          `json:"value_b"`
		PointerA    evidence.Pointer `json:"value_pointer_a"`
		PointerB    evidence.Pointer `json:"value_pointer_b"`
		Scale       float64
	}
	docs := lifttest.Survey(t, anyReader{}, Labels()...)
	found := 0
	for _, p := range lifttest.Golden[[]pair](t, "pairs.shared.json") {
		for _, x := range []struct {
			side
			at    evidence.Pointer
			value float64
		}{{p.A, p.PointerA, p.ValueA}, {p.B, p.PointerB, p.ValueB}} {
			d, ours := docs[x.File]
			if !ours {
				continue
			}
			found++
			run, m := figureAt(&d, x.at)
			switch {
			case m == nil:
				t.Errorf("%s: nothing, or several figures, at %s", p.ID, x.at)
			case m.Metric != p.Metric || m.Stat != p.Stat || !m.Value.OK || math.Abs(m.Value.V-x.value*p.Scale) > 1e-9*math.Abs(m.Value.V):
				t.Errorf("%s: %s %s %v at %s", p.ID, m.Metric, m.Stat, m.Value, x.at)
			case !x.at.Under(run.Place.Pointer):
				t.Errorf("%s: the run stands at %s, the figure at %s", p.ID, run.Place.Pointer, x.at)
			case p.Aggregation != "" && valueIn(run.Facts, evidence.KeyAggregation) != p.Aggregation:
				t.Errorf("%s: aggregation %q, want %q", p.ID, valueIn(run.Facts, evidence.KeyAggregation), p.Aggregation)
			}
		}
	}
	if found == 0 {
		t.Error("no labelled pair is about these documents")
	}
}

// figureAt is the one primary figure at a place.
func figureAt(d *evidence.Document, p evidence.Pointer) (*evidence.Run, *evidence.Measurement) {
	var run *evidence.Run
	var out *evidence.Measurement
	for i := range d.Arms {
		for j := range d.Arms[i].Runs {
			r := &d.Arms[i].Runs[j]
			for k := range r.Measurements {
				if m := &r.Measurements[k]; m.Role == evidence.Primary && m.Place.Pointer == p {
					if out != nil {
						return nil, nil
					}
					run, out = r, m
				}
			}
		}
	}
	return run, out
}
