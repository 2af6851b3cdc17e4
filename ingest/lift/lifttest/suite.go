package lifttest

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// quiet are codes that no sound real file may cause.
var quiet = map[string]bool{lift.CodeUnread: true, lift.CodeDisagree: true, lift.CodeOrder: true, lift.CodeUnitSuspect: true,
	lift.CodeUnit: true, lift.CodeNotNumber: true, lift.CodeNegative: true, lift.CodeOutOfRange: true}

// Samples reads the real files of a folder: every value of every file is matched by
// exactly one reader, is sound, and is read the same twice. visit may look closer.
func Samples[R Reader](t *testing.T, readers []R, folder, pattern string, visit func(t *testing.T, name string, v jsondoc.Value, d evidence.Document)) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(Corpus(t, folder), pattern))
	if len(paths) == 0 {
		t.Fatalf("no samples in %s", folder)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			values := Values(t, path)
			again := ReadAll(t, readers, values)
			for i, d := range ReadAll(t, readers, values) {
				if d == nil {
					t.Errorf("value %d: no reader", i)
					continue
				}
				Sound(t, values[i], *d)
				if Dump(*d) != Dump(*again[i]) {
					t.Errorf("value %d: read differently twice", i)
				}
				if visit != nil {
					visit(t, filepath.Base(path), values[i], *d)
				}
			}
		})
	}
}

// Quiet asks that a document has no finding of doubt.
func Quiet(t *testing.T, _ string, _ jsondoc.Value, d evidence.Document) {
	t.Helper()
	for _, f := range d.Findings {
		if quiet[f.Code] {
			t.Errorf("%s at %s: %s", f.Code, f.Pointer, f.Message)
		}
	}
}

// Mutations runs Mutate over fixtures; at most loose rescaled figures of each may stay
// without a finding, because nothing else in the file speaks of them.
func Mutations[R Reader](t *testing.T, readers []R, loose map[string]int) {
	for name, allowed := range loose {
		t.Run(name, func(t *testing.T) {
			v := Values(t, filepath.Join("testdata", name))[0].Root
			for _, r := range readers {
				if _, ok := r.Match("", v); !ok {
					continue
				}
				rescaled, caught := Mutate(t, r, v)
				if rescaled == 0 || rescaled-caught > allowed {
					t.Errorf("%d of %d rescaled figures show no finding, at most %d may", rescaled-caught, rescaled, allowed)
				}
			}
		})
	}
}

// Fuzz reads anything with every reader.
func Fuzz[R Reader](f *testing.F, readers []R) {
	for _, p := range Fixtures("*.json*") {
		if data, err := os.ReadFile(p); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, v := range Parse(data) {
			for _, d := range ReadAll(t, readers, []jsondoc.Value{v}) {
				if d != nil {
					Sound(t, v, *d)
				}
			}
		}
	})
}

// FuzzSeries reads anything that matches as rows of one run.
func FuzzSeries[R interface {
	Reader
	Series(shapeID string) lift.Series
}](f *testing.F, reader R, fixture string) {
	if data, err := os.ReadFile(filepath.Join("testdata", fixture)); err == nil {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var s lift.Series
		for _, v := range Parse(data) {
			shape, ok := reader.Match("", v.Root)
			if !ok {
				continue
			}
			if s == nil {
				s = reader.Series(shape)
			}
			s.Add(v.Root, v.Pointer)
		}
		if s == nil {
			return
		}
		figures(t, s.Document(), func(m *evidence.Measurement) {
			if info, ok := evidence.LookupMetric(m.Metric); !ok || info.Unit != m.Unit || m.Value.OK && (math.IsNaN(m.Value.V) || math.IsInf(m.Value.V, 0)) {
				t.Errorf("%s %s in %s is %v", m.Metric, m.Stat, m.Unit, m.Value)
			}
		})
	})
}
