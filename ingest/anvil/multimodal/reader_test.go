package multimodal

import (
	"strings"
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

var reader = Readers()[0]

func TestGolden(t *testing.T) { lifttest.Goldens(t, reader) }

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, reader, lifttest.Bytes(f)) }

func BenchmarkRead(b *testing.B) { lifttest.Bench(b, reader) }

// TestMutations: prompts, texts, sampling and provenance are the corpus's, whose digest is
// what is compared; optional members may be missing.
func TestMutations(t *testing.T) {
	optional := map[string]bool{"engine_build_ref": true, "sampling": true, "reasoning": true, "chars": true, "field": true, "tokens": true,
		"max_images_per_request": true, "total_tokens": true, "prompt_tokens_details": true, "cached_tokens": true, "kind": true, "path": true}
	lifttest.Mutate(t, reader, func(m string, p evidence.Pointer, v *jsondoc.Node) bool {
		tokens := p.Tokens()
		last := tokens[len(tokens)-1]
		inside := func(part string) bool { return strings.Contains(string(p), part) }
		switch {
		case inside("/provenance/"), inside("/sampling/"), inside("_details/"), inside("/corpus/cases/") && inside("/assertions/"):
			return true
		case inside("/assertions/") && last != "passed" && last != "type":
			return true
		case m == "drop" && optional[last]:
			return true
		case m == "times-1000" || m == "by-1000":
			return last == "bytes" || last == "chars" || last == "repetition" || last == "fps"
		case m == "retype" && (last == "sampling" || last == "reasoning" || last == "type"):
			return true
		}
		return false
	})
}

func TestLabels(t *testing.T) {
	v := lifttest.Fixtures(t)["limited"]
	for _, label := range []string{"multimodal-benchmark-evidence/v2", "multimodal.benchmark-evidence/v1", "multimodal-corpus/v1", ""} {
		if _, ok := reader.Match(label, v); ok {
			t.Errorf("label %q was taken", label)
		}
	}
}

func TestCorpus(t *testing.T) {
	for name, d := range lifttest.Survey(t, reader, Label) {
		for _, f := range d.Findings {
			switch f.Code {
			case lift.CodeMismatch, lift.CodeRow, lift.CodeCount, lift.CodeUnread, lift.CodeMissing, lift.CodeDiffers, lift.CodeNotNumber, lift.CodeNotText, CodeMedia:
				t.Errorf("%s: false alarm %s at %s: %s", name, f.Code, f.Pointer, f.Message)
			}
		}
	}
}

func TestHostileSizes(t *testing.T) {
	lifttest.Hostile(t, reader, "limited", "/attempts", "/corpus/cases", "/aggregates/case")
}
