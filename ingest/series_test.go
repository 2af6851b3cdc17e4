package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"assay/ingest"
	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

func TestSeries(t *testing.T) {
	records := fixture(t, "aiperf", "testdata", "records.jsonl")
	one, _, _ := strings.Cut(records, "\n")
	tests := []struct {
		name, text          string
		state               evidence.EndState
		docs, runs, samples int
		finding             string
	}{
		{"records are one run", records, evidence.Accepted, 1, 1, 4, jsondoc.CodeSeveral},
		{"a stranger among them", records + "{\"other\": 1}\n", evidence.Accepted, 1, 1, 4, ingest.CodeNoLabel},
		{"one record alone", one, evidence.Accepted, 1, 1, 1, ""},
		{"the last is cut", strings.TrimRight(records, "\n}"), evidence.Quarantined, 0, 0, 0, jsondoc.CodeTruncated},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := newArchive(t)
			f := take(t, a, ingest.Options{}, blob("a", tt.text)).Files[0]
			d := detail(t, a, f)
			if f.State != tt.state || len(d.Documents) != tt.docs || f.Runs != tt.runs {
				t.Errorf("%s, %d documents, %d runs; want %s, %d, %d", f.State, len(d.Documents), f.Runs, tt.state, tt.docs, tt.runs)
			}
			if tt.finding != "" && !strings.Contains(strings.Join(codes(f), "\n"), tt.finding) {
				t.Errorf("no %s in %v", tt.finding, codes(f))
			}
			if tt.runs > 0 {
				samples, err := a.Samples(t.Context(), evidence.RunID(d.Digest, 0), 0, 100)
				if err != nil || len(samples) != tt.samples {
					t.Errorf("%d samples, %v; want %d", len(samples), err, tt.samples)
				}
			}
			holds(t, a)
		})
	}
}

// beat is a reader of series that panics where a value says so.
type beat struct{}

func (beat) ID() string   { return "lab/beat" }
func (beat) Version() int { return 1 }

func (beat) Match(_ string, v *jsondoc.Node) (string, bool) {
	return v.Get("beat").Str(), v.Get("beat") != nil
}

func (beat) Read(*jsondoc.Node, evidence.Pointer, string) evidence.Document {
	return evidence.Document{Family: "alone"}
}

func (beat) Series(shape string) lift.Series { return &beats{shape: shape} }

type beats struct {
	shape string
	n     int
}

func (b *beats) Add(v *jsondoc.Node, _ evidence.Pointer) {
	if b.n++; v.Get("panic") != nil {
		panic("a beat too many")
	}
}

func (b *beats) Document() evidence.Document {
	return evidence.Document{Family: fmt.Sprint(b.shape, b.n)}
}

func TestSeriesEndWithTheirShape(t *testing.T) {
	opt := ingest.Options{Readers: []ingest.Reader{beat{}}}
	for text, want := range map[string]string{
		`{"beat":"a"}`:                                   "accepted alone",
		`{"beat":"a"} {"beat":"a"}`:                      "accepted a2",
		`{"beat":"a"} {"x":1} {"beat":"a"} {"beat":"b"}`: "accepted a2 b1",
		`{"beat":"a"} {"beat":"a","panic":1}`:            "quarantined",
	} {
		a := newArchive(t)
		f := take(t, a, opt, blob("a", text)).Files[0]
		got := []string{string(f.State)}
		for _, d := range detail(t, a, f).Documents {
			got = append(got, d.Family)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q; %v", text, got, want, codes(f))
		}
	}
}
