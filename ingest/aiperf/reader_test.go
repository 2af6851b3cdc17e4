package aiperf

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/ingest/lift/lifttest"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Golden(t, Readers()) }

func TestGoldenText(t *testing.T) {
	lifttest.GoldenText(t, TextReaders(), "table.csv")
	lifttest.GoldenText(t, TextReaders(), "table.txt")
}

func recordsReader() Reader { return Readers()[1] }

func TestSeries(t *testing.T) {
	s := recordsReader().Series(shapeRecord)
	for _, v := range lifttest.Values(t, "testdata/records.jsonl") {
		s.Add(v.Root, v.Pointer)
	}
	lifttest.Compare(t, "testdata/series.golden", lifttest.Dump(s.Document()))
}

func TestSamples(t *testing.T) {
	lifttest.Samples(t, Readers(), "corpus/foreign/aiperf", "*.json*", func(t *testing.T, name string, v jsondoc.Value, d evidence.Document) {
		lifttest.Quiet(t, name, v, d)
		got := map[evidence.Pointer]bool{}
		for _, m := range d.Arms[0].Runs[0].Measurements {
			got[m.Place.Pointer] = true
		}
		for tag, metric := range metrics { // every statistic of every known block
			metricBlock := v.Root.Get(tag)
			if metricBlock == nil || d.ShapeID != shapeExport {
				continue
			}
			for _, s := range []string{"avg", "p50", "p99", "min", "max", "std"} {
				if metricBlock.Get(s) != nil && !got[v.Pointer.Key(tag).Key(s)] {
					t.Errorf("%s %s (%s) is not lifted", tag, s, metric)
				}
			}
		}
	})
}

// TestSeriesAgreesWithExport computes the run from the records of a real file and
// compares it with what the tool's own summary of that run says.
func TestSeriesAgreesWithExport(t *testing.T) {
	dir := lifttest.Corpus(t, "corpus", "foreign", "aiperf")
	s := recordsReader().Series(shapeRecord)
	paths, _ := filepath.Glob(filepath.Join(dir, "*_profile_export.jsonl"))
	for _, v := range lifttest.Values(t, paths[0]) {
		s.Add(v.Root, v.Pointer)
	}
	rows := s.Document().Arms[0].Runs[0]
	paths, _ = filepath.Glob(filepath.Join(dir, "*conc1_kvnone_profile_export_aiperf.json"))
	summary := lifttest.ReadAll(t, Readers(), lifttest.Values(t, paths[0]))[0].Arms[0].Runs[0]
	compared := 0
	for _, a := range rows.Measurements {
		for _, b := range summary.Measurements {
			if a.Metric != b.Metric || a.Stat != b.Stat || a.Metric == evidence.ITLChunk || a.Unit == evidence.TokensPerSecond || a.Unit == evidence.RequestsPerSec {
				continue
			}
			compared++
			if !lift.Close(a.Value.V, b.Value.V, 1e-9) || a.N != b.N {
				t.Errorf("%s %s: rows give %v (n %v), the summary says %v (n %v)", a.Metric, a.Stat, a.Value, a.N, b.Value, b.N)
			}
		}
	}
	if compared < 40 || len(rows.Samples) != 196 {
		t.Errorf("%d figures compared, %d samples", compared, len(rows.Samples))
	}
}

func TestTextSamples(t *testing.T) {
	root := lifttest.Corpus(t, "corpus", "foreign")
	csv, _ := filepath.Glob(filepath.Join(root, "aiperf", "*.csv"))
	txt, _ := filepath.Glob(filepath.Join(root, "console_logs", "*aiperf*.txt"))
	for _, path := range append(csv, txt...) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		d := lifttest.ReadText(t, TextReaders(), data)
		if d == nil || len(d.Arms[0].Runs[0].Measurements) < 20 {
			t.Errorf("%s: not read", filepath.Base(path))
			continue
		}
		for _, f := range d.Findings {
			t.Logf("%s: %s %s", filepath.Base(path), f.Code, f.Message)
		}
	}
}

func TestMutations(t *testing.T) {
	lifttest.Mutations(t, Readers(), map[string]int{"export.json": 0, "genai.json": 0})
}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, Readers()) }

func FuzzText(f *testing.F) { lifttest.FuzzText(f, TextReaders(), "table.*") }

func BenchmarkSeries(b *testing.B) {
	line := `{"metadata":{"session_num":%d,"request_start_ns":1783588508057339762,"request_end_ns":1783588547699214447,"benchmark_phase":"profiling","was_cancelled":false},` +
		`"metrics":{"output_sequence_length":{"value":64,"unit":"tokens"},"request_latency":{"value":%d.25,"unit":"ms"},"time_to_first_token":{"value":120.5,"unit":"ms"},` +
		`"input_sequence_length":{"value":512,"unit":"tokens"},"inter_token_latency":{"value":20.5,"unit":"ms"},"inter_chunk_latency":{"value":[%s20.5],"unit":"ms"}}}` + "\n"
	var w strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&w, line, i, 1000+i, strings.Repeat("20.25,", 63))
	}
	data := []byte(w.String())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		s := recordsReader().Series(shapeRecord)
		build := jsondoc.NewBuilder(jsondoc.Limits{}, func(v jsondoc.Value) {
			if _, ok := recordsReader().Match("", v.Root); ok {
				s.Add(v.Root, v.Pointer)
			}
		})
		build.Finish(jsondoc.ScanBytes(data, jsondoc.Limits{}, build.Handle))
		if d := s.Document(); len(d.Arms[0].Runs[0].Samples) != 2000 {
			b.Fatal("lost records")
		}
	}
}

func FuzzSeries(f *testing.F) { lifttest.FuzzSeries(f, recordsReader(), "records.jsonl") }

func TestKnownAndNotRead(t *testing.T) {
	for text, want := range map[string]string{
		`{"aiperf_version": "1", "request_latency": {"mean": 1, "ci_low": 0.5, "ci_high": 2, "t_critical": 2.7, "unit": "ms"}}`: shapeAggregate,
		`{"combined": {}, "per_run": []}`: shapeAggregate,
		`{"experiments": [{"experiment": {"mode": "concurrency"}, "requests": [{"timestamp": 1}]}]}`: "",
	} {
		v := lifttest.Parse([]byte(text))[0].Root
		if got := matchExport(v); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
		if reason := Readers()[0].Reason("", v); (reason == "") != (want != "") {
			t.Errorf("%s: %q", text, reason)
		}
	}
}
