package archived

import (
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

func TestGolden(t *testing.T) { lifttest.Goldens(t, reader) }

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, reader, lifttest.Bytes(f)) }

func BenchmarkRead(b *testing.B) { lifttest.Bench(b, reader) }

// TestMutations: what is only archived gives no figure that a change could falsify; of what
// was measured, every change must show but that of a figure that nothing contradicts.
func TestMutations(t *testing.T) {
	lifttest.Mutate(t, reader, func(m string, p evidence.Pointer, v *jsondoc.Node) bool {
		tokens := p.Tokens()
		last := tokens[len(tokens)-1]
		switch {
		case tokens[0] != "latency" && tokens[0] != "comparison" && tokens[0] != "benchmark" && p.Parent().Parent() != "/candidates":
			return true
		case m == "times-1000" || m == "by-1000":
			return last == "wer" || last == "stt_wer" || last == "tts_rtf" || last == "latency_ms" || last == "ttfa_ms" || last == "stt_ms" || last == "turn_latency_ms"
		}
		return last == "hypothesis" && m != "drop" || last == "reply" || last == "stt_hypothesis" || last == "hypothesis"
	})
}

// TestEveryShapeIsNamed: each fixture is told by its shape, says what it is, and a shape
// that measured nothing gives no run.
func TestEveryShapeIsNamed(t *testing.T) {
	for name, v := range lifttest.Fixtures(t) {
		d := lifttest.Read(t, reader, v)
		if d.Archived == "" && len(d.Arms) == 0 {
			t.Errorf("%s: neither archived nor measured", name)
		}
		if d.Archived != "" && (len(d.Arms) > 0 || !lifttest.Has(&d, lift.CodeArchived, "")) {
			t.Errorf("%s: archived with %d arms and %v", name, len(d.Arms), d.Findings)
		}
		if d.Family == "F11" && !lifttest.Has(&d, lift.CodeNoSchema, "") && !lifttest.Has(&d, lift.CodeIntegerLabel, "") {
			t.Errorf("%s: nothing said about its label", name)
		}
	}
}

// TestOthersAreLeft: values of other tools and of nobody carry no mark of these writers.
func TestOthersAreLeft(t *testing.T) {
	for _, data := range []string{`{"a":1}`, `[1,2]`, `{"date":"20260304-050607","backend":"vllm"}`, `{"captured":true}`, `[]`, `{}`, `{"config":{},"b":1}`} {
		v := jsondoc.Parse([]byte(data), jsondoc.Limits{}).Root()
		if shape, ok := reader.Match("", v); ok {
			t.Errorf("%s is taken for %s", data, shape)
		}
	}
	v := lifttest.Fixtures(t)["suite"]
	if _, ok := reader.Match("somebody.else/v1", v); ok {
		t.Error("a value with a label of its own was taken")
	}
}

func TestHostileSizes(t *testing.T) {
	lifttest.Hostile(t, reader, "candidates", "/candidates", "/gpu/devices")
	lifttest.Hostile(t, reader, "log", "/records")
}
