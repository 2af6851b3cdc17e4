package lifttest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

var update = flag.Bool("update", false, "write golden readings")

// Fixtures are the documents in testdata, by name.
func Fixtures(tb testing.TB) map[string]*jsondoc.Node {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "*.json"))
	if err != nil || len(names) == 0 {
		tb.Fatalf("no fixtures in testdata: %v", err)
	}
	out := map[string]*jsondoc.Node{}
	for _, name := range names {
		if strings.HasSuffix(name, ".golden.json") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		v := jsondoc.Parse(data, jsondoc.Limits{}).Root()
		if v == nil {
			tb.Fatalf("%s is not one JSON value", name)
		}
		out[strings.TrimSuffix(filepath.Base(name), ".json")] = v
	}
	return out
}

// Goldens holds the reading of every fixture against the golden one beside it, and
// every number of it against the account.
func Goldens(t *testing.T, r Reader) {
	for name, v := range Fixtures(t) {
		t.Run(name, func(t *testing.T) {
			d := Read(t, r, v)
			Account(t, name, &d, v)
			got, err := json.MarshalIndent(d, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+".golden.json")
			if *update {
				if err := os.WriteFile(path, append(got, '\n'), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(bytes.TrimSpace(want)), string(got)); diff != "" {
				t.Errorf("reading changed (-want +got):\n%s", diff)
			}
		})
	}
}

// Account fails when a number of the value is neither lifted nor listed, when a place
// leads nowhere, or when a run has two primary figures of one metric and statistic.
func Account(tb testing.TB, name string, d *evidence.Document, v *jsondoc.Node) lift.Coverage {
	tb.Helper()
	c := lift.Cover(d, v)
	for _, p := range c.Missing {
		tb.Errorf("%s: %s is neither lifted nor listed", name, p)
	}
	resolve := func(what string, p evidence.Pointer) {
		if v.At(p) == nil {
			tb.Errorf("%s: %s at %q leads nowhere", name, what, p)
		}
	}
	for _, f := range d.Facts {
		resolve(string(f.Key), f.Place.Pointer)
	}
	for _, n := range d.NotLifted {
		resolve("not lifted", n.Place.Pointer)
	}
	for _, f := range d.Findings {
		resolve("finding "+f.Code, f.Pointer)
	}
	for i := range d.Arms {
		for _, f := range d.Arms[i].Facts {
			resolve(string(f.Key), f.Place.Pointer)
		}
		for j := range d.Arms[i].Runs {
			accountRun(tb, name, &d.Arms[i].Runs[j], resolve)
		}
	}
	return c
}

func accountRun(tb testing.TB, name string, r *evidence.Run, resolve func(string, evidence.Pointer)) {
	tb.Helper()
	for _, f := range r.Facts {
		resolve(string(f.Key), f.Place.Pointer)
		if f.Value == "" && f.State != evidence.Absent {
			tb.Errorf("%s: fact %s of run %s is empty", name, f.Key, r.Name)
		}
	}
	type figure struct {
		m evidence.MetricID
		s evidence.Stat
	}
	seen := map[figure]bool{}
	for _, m := range r.Measurements {
		resolve(string(m.Metric), m.Place.Pointer)
		if _, known := evidence.LookupMetric(m.Metric); !known {
			tb.Errorf("%s: a figure of no metric that is known (%q) at %s", name, m.Metric, m.Place.Pointer)
		}
		for _, a := range m.Also {
			resolve(string(m.Metric)+" also", a.Pointer)
		}
		if k := (figure{m.Metric, m.Stat}); m.Role == evidence.Primary && seen[k] {
			tb.Errorf("%s: run %s has two primary figures of %s %s", name, r.Name, m.Metric, m.Stat)
		} else {
			seen[k] = seen[k] || m.Role == evidence.Primary
		}
		if m.State == evidence.Absent && m.Value.OK {
			tb.Errorf("%s: an absent figure with a value at %s", name, m.Place.Pointer)
		}
	}
	for _, s := range r.Samples {
		resolve("sample", s.Place.Pointer)
	}
}

// Bytes are the fixtures as they stand, for fuzz seeds and benchmarks.
func Bytes(tb testing.TB) map[string][]byte {
	tb.Helper()
	out := map[string][]byte{}
	for name := range Fixtures(tb) {
		data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			tb.Fatal(err)
		}
		out[name] = data
	}
	return out
}

// Bench reads the fixtures over and over, parsing included.
func Bench(b *testing.B, r Reader) {
	files := Bytes(b)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		for _, data := range files {
			v := jsondoc.Parse(data, jsondoc.Limits{}).Root()
			shape, ok := r.Match(Label(v), v)
			if !ok {
				b.Fatal("no shape")
			}
			r.Read(v, "", shape)
			n++
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "files/s")
}
