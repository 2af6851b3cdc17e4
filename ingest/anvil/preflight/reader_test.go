package preflight

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

// TestMutations: texts of models and their sizes are by-products; a change inside them
// changes nothing that is compared, and null slots say nothing.
func TestMutations(t *testing.T) {
	lifttest.Mutate(t, reader, func(m string, p evidence.Pointer, v *jsondoc.Node) bool {
		tokens := p.Tokens()
		last := tokens[len(tokens)-1]
		switch {
		case m == "drop" && (last == "content" || last == "request_index" || last == "event_count" || last == "sse_done" || last == "response_status"):
			return true // not in every observation
		case m == "drop" && strings.Contains(string(p), "_details"), m == "drop" && (last == "image" || last == "expected" || last == "reasoning_tokens"):
			return true // an optional part of the dialect
		case strings.Contains(string(p), "_details/"):
			return true // parts of a figure that is lifted
		case m == "times-1000" && (last == "reasoning_chars" || last == "bytes" || last == "event_count" || last == "request_index" || last == "seconds"):
			return true // nothing in the file contradicts the size; a figure shows as itself
		case m == "by-1000" && last == "seconds":
			return true
		case strings.HasPrefix(string(p), "/thinking/chat_template_kwargs/"):
			return m != "retype"
		case last == "total_tokens" && m == "drop":
			return true
		}
		return false
	})
}

func FuzzRead(f *testing.F) { lifttest.Fuzz(f, reader, lifttest.Bytes(f)) }

func BenchmarkRead(b *testing.B) { lifttest.Bench(b, reader) }

func TestLabels(t *testing.T) {
	v := lifttest.Fixtures(t)["base"]
	for _, label := range []string{"preflight/v1", "preflight.v2", "Preflight/v2", ""} {
		if _, ok := reader.Match(label, v); ok {
			t.Errorf("label %q was taken", label)
		}
	}
}

func TestCorpus(t *testing.T) {
	docs := lifttest.Survey(t, reader, Label)
	for name, d := range docs {
		for _, f := range d.Findings {
			switch f.Code {
			case lift.CodeRow, lift.CodeCount, lift.CodeUnread, lift.CodeMissing, lift.CodeDiffers, lift.CodeNotNumber, lift.CodeNotText:
				t.Errorf("%s: false alarm %s at %s: %s", name, f.Code, f.Pointer, f.Message)
			}
		}
	}
	codes := map[string]string{"empty-section": CodeNoObservations, "policy-only-failure": CodePolicy}
	for _, a := range lifttest.Golden[[]lifttest.Awkward](t, "awkward.json") {
		d, ok := docs[a.File]
		if code := codes[a.Kind]; ok && code != "" && !lifttest.Has(&d, code, a.Pointer) {
			t.Errorf("%s: no finding %s at %s (%s)", a.File, code, a.Pointer, a.What)
		}
		if ok && a.Kind == "label-shape-drift" && d.ShapeID == "" {
			t.Errorf("%s: no shape", a.File)
		}
	}
}

// TestVerdicts: a file passes when every check and the policy did.
func TestVerdicts(t *testing.T) {
	status := func(d *evidence.Document, name string) evidence.GateStatus {
		for _, g := range d.Gates {
			if g.Name == name {
				return g.Status
			}
		}
		return ""
	}
	for name, want := range map[string][2]evidence.GateStatus{
		"base": {evidence.GatePassed, evidence.GatePassed}, "policy-only": {evidence.GateFailed, evidence.GateFailed},
		"refused": {evidence.GatePassed, evidence.GateFailed},
	} {
		d := lifttest.Read(t, reader, lifttest.Fixtures(t)[name])
		if p, o := status(&d, "evidence policy"), status(&d, "preflight"); p != want[0] || o != want[1] {
			t.Errorf("%s: policy %s, preflight %s, want %v", name, p, o, want)
		}
	}
}

func TestHostileSizes(t *testing.T) {
	lifttest.Hostile(t, reader, "base", "/observations", "/results", "/checks")
}
