package registry

import (
	"testing"

	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Goldens(t, reader) }

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, reader, lifttest.Bytes(f)) }

func BenchmarkRead(b *testing.B) { lifttest.Bench(b, reader) }

// TestMutations: of an external figure nothing is known that could contradict it.
func TestMutations(t *testing.T) {
	lifttest.Mutate(t, reader, func(m string, p evidence.Pointer, v *jsondoc.Node) bool {
		tokens := p.Tokens()
		last := tokens[len(tokens)-1]
		switch {
		case m == "times-1000" || m == "by-1000", last == "priority":
			return true
		case m == "rename" && (last == "url" || len(v.Children) > 0 && p.Parent() != ""):
			return true
		}
		return false
	})
}

// TestDates tells the dates that sources are given.
func TestDates(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-04": "2026-03-04", "observed 2026-03-04": "2026-03-04", "2026-03": "2026-03", "2026-03-04 (last update)": "2026-03-04", "": "", "yesterday": "", "v20260304": "",
	} {
		if got := dateIn(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestFigureNames tells which figure a name means, and leaves what is none.
func TestFigureNames(t *testing.T) {
	for name, want := range map[string]evidence.MetricID{
		"c1_decode_tokens_per_second": evidence.DecodeRate, "c4_aggregate_decode_tokens_per_second": evidence.OutputThroughput,
		"c8_per_user_decode_tokens_per_second": evidence.DecodeRate, "patch4_acceptance_percent_before": evidence.AcceptRate, "ttft_ms": evidence.TTFT,
		"prefill_8k_tokens_per_second": "", "c1_decode_tokens_per_second_range": "", "c2_aggregate_decode_tokens_per_second_approximate": "", "price": "", "decode": "",
	} {
		w, _, ok := figureNamed(name)
		if got := w.Metric; ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s %v, want %q", name, got, ok, want)
		}
	}
}

// TestLabels: twins in spelling are labels of their own, and others are nobody's.
func TestLabels(t *testing.T) {
	v := lifttest.Fixtures(t)["sources"]
	for label := range labels {
		if _, ok := reader.Match(label, v); !ok || reader.Reason(label, nil) == "" {
			t.Errorf("%s: not taken, or no reason", label)
		}
	}
	for _, label := range []string{"source-registry.v1", "anvil-serving-source-registry/v1", "Source-registry/v1"} {
		if _, ok := reader.Match(label, v); ok {
			t.Errorf("%s: taken", label)
		}
	}
	if got := twinsOf("anvil-serving.benchmark-sources.v1"); len(got) != 1 || got[0] != "anvil-serving.benchmark-sources/v1" {
		t.Errorf("twins %v", got)
	}
}

func TestHostileSizes(t *testing.T) {
	lifttest.Hostile(t, reader, "sources", "/sources")
	lifttest.Hostile(t, reader, "candidates", "/candidates", "/candidates/0/reported_results")
}
