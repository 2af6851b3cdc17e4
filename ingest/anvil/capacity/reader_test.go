package capacity

import (
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Goldens(t, reader) }

// TestMutations changes every member of the fixtures. A change that goes by unseen must
// be one of those that nothing in the file can contradict.
func TestMutations(t *testing.T) {
	lifttest.Mutate(t, reader, func(m string, p evidence.Pointer, v *jsondoc.Node) bool { return exempt[m+" "+string(p)] })
}

// exempt are changes that no member of the same file contradicts: without rows a TTFT may
// be shorter, and any size of a latency far from its bounds is as good as another.
var exempt = map[string]bool{}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, reader, lifttest.Bytes(f)) }

func BenchmarkRead(b *testing.B) { lifttest.Bench(b, reader) }

// TestFindings changes one thing of a fixture and asks for the finding it must have.
func TestFindings(t *testing.T) {
	number := func(text string) *jsondoc.Node { return &jsondoc.Node{Kind: jsondoc.Number, Text: text} }
	for _, x := range []struct {
		name, fixture string
		at            evidence.Pointer
		to            *jsondoc.Node
		code          string
		where         evidence.Pointer
	}{
		{"a summary that is not the rows'", "v3", "/metrics/ttft_p50_ms", number("1.5"), lift.CodeMismatch, "/metrics/ttft_p50_ms"},
		{"a row whose rate is not its own", "v3", "/request_timings/2/decode_tok_s", number("999"), lift.CodeRow, "/request_timings/2/decode_tok_s"},
		{"fewer rows than completed", "v3", "/completed", number("5"), lift.CodeCount, "/completed"},
		{"a row without visible output", "v4-incomplete", "/request_timings/0/content_chunks", number("0"), lift.CodeNoVisible, "/request_timings/0/ttft_ms"},
		{"a rate that latencies contradict", "legacy", "/metrics/throughput_tok_s", number("40000"), lift.CodeImplausible, "/metrics/throughput_tok_s"},
		{"a TTFT that is the E2E time", "legacy", "/metrics/ttft_p50_ms", nil, lift.CodeNoVisible, "/metrics/ttft_p50_ms"},
		{"a zero latency", "v2", "/metrics/e2e_p50_ms", number("0.0"), lift.CodeFalseZero, "/metrics/e2e_p50_ms"},
		{"a text for a number", "v2", "/metrics/e2e_p50_ms", &jsondoc.Node{Kind: jsondoc.String, Text: "12"}, lift.CodeNotNumber, "/metrics/e2e_p50_ms"},
		{"mixed counting", "v2", "/metrics/output_token_sources", &jsondoc.Node{Kind: jsondoc.Object, Names: []string{"usage", "chunks"},
			Children: []*jsondoc.Node{number("6"), number("2")}}, lift.CodeChunks, "/metrics/output_token_sources"},
		{"no protocol beside rows", "v3", "/measurement_protocol", &jsondoc.Node{Kind: jsondoc.Null}, lift.CodeLabelShape, ""},
		{"another protocol beside rows", "v3", "/measurement_protocol", &jsondoc.Node{Kind: jsondoc.String, Text: "capacity-v2"}, lift.CodeLabelShape, "/measurement_protocol"},
		{"a boundary that the fields contradict", "v3", "/timing_methodology/generation", &jsondoc.Node{Kind: jsondoc.String, Text: "E2E minus first output"}, lift.CodeDiffers, ""},
		{"two flags of thinking", "v2", "/serve_flags/no_thinking", &jsondoc.Node{Kind: jsondoc.Bool, Text: "true"}, "", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			v := lifttest.Fixtures(t)[x.fixture]
			to := x.to
			if to == nil {
				to = v.At("/metrics/e2e_p50_ms")
			}
			*v.At(x.at) = *to
			d := lifttest.Read(t, reader, v)
			if x.code != "" && !lifttest.Has(&d, x.code, x.where) {
				t.Errorf("no finding %s at %q in %+v", x.code, x.where, d.Findings)
			}
			if x.code == "" && lifttest.Has(&d, lift.CodeDiffers, "") {
				t.Errorf("a false alarm in %+v", d.Findings)
			}
		})
	}
}

// TestLabels: labels are compared byte for byte.
func TestLabels(t *testing.T) {
	v := lifttest.Fixtures(t)["v3"]
	for _, label := range []string{"anvil-serving-benchmark/v1", "anvil-serving.benchmark/v2", "Anvil-serving.benchmark/v1", "anvil-serving.benchmark", ""} {
		if _, ok := reader.Match(label, v); ok {
			t.Errorf("label %q was taken", label)
		}
	}
	if _, ok := reader.Match(Label, &jsondoc.Node{Kind: jsondoc.Array}); ok {
		t.Error("a list was taken")
	}
}

func TestHostileSizes(t *testing.T) {
	lifttest.Hostile(t, reader, "v4-incomplete", "/request_timings", "/failures", "/context_distribution", "/metrics/output_token_sources")
}
