package paired

import (
	"testing"

	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Goldens(t, reader) }

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, reader, lifttest.Bytes(f)) }

func BenchmarkRead(b *testing.B) { lifttest.Bench(b, reader) }

// TestMutations: a change inside what is kept as a reference shows as another reference
// only where the name changes; one arm's own figure, or a change that no other figure
// contradicts, shows as itself.
func TestMutations(t *testing.T) {
	lifttest.Mutate(t, reader, func(m string, p evidence.Pointer, v *jsondoc.Node) bool {
		tokens := p.Tokens()
		last := tokens[len(tokens)-1]
		switch {
		case last == "artifacts" || last == "sha256" || last == "source":
			return m == "rename" || m == "drop"
		case len(v.Children) > 0 || v.Kind == jsondoc.Object || v.Kind == jsondoc.Array:
			return m == "rename" && p.Parent() == "" // a block of notes is found under its members
		case tokens[0] == "runs":
			return true // rows behind the statistics; latencies are held against them
		}
		return false
	})
}

func TestLabels(t *testing.T) {
	v := lifttest.Fixtures(t)["probe"]
	for _, label := range []string{"anvil-serving.mtp-ab-probe.v1", "anvil-serving/mtp-ab-probe/v1", "mtp-ab-probe/v1", ""} {
		if _, ok := reader.Match(label, v); ok {
			t.Errorf("label %q was taken", label)
		}
	}
	for label := range kinds {
		if _, ok := reader.Match(label, &jsondoc.Node{Kind: jsondoc.Object}); ok {
			t.Errorf("%s: an empty value was taken", label)
		}
		if reader.Reason(label, nil) == "" {
			t.Errorf("%s: no reason", label)
		}
	}
}

// TestRateNeedsItsMethod: a rate whose method does not say what is divided by what is no
// measurement.
func TestRateNeedsItsMethod(t *testing.T) {
	for method, want := range map[string]evidence.MetricID{
		"wall-clock tok/s from usage.completion_tokens": evidence.OutputThroughput, "wall time over streamed chunks": evidence.OutputChunkThroughput,
		"tokens per second": "", "usage tokens of one request": "",
	} {
		if got := rateOf(method); got != want {
			t.Errorf("%q: %q, want %q", method, got, want)
		}
	}
}

func TestHostileSizes(t *testing.T) {
	lifttest.Hostile(t, reader, "repeats", "/metrics", "/metrics/e2e_p50_ms/dspark_values")
	lifttest.Hostile(t, reader, "profiles", "/profiles", "/comparison_boundary/matched")
	lifttest.Hostile(t, reader, "voice", "/runs", "/candidate/turn_latency_ms/all")
}
