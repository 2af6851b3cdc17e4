package bakeoff

import (
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
)

var reader = Readers()[0]

// TestCorpus reads every real file; contradictions in them would be false alarms.
func TestCorpus(t *testing.T) {
	docs := lifttest.Survey(t, reader, Label)
	for name, d := range docs {
		for _, f := range d.Findings {
			switch f.Code {
			case lift.CodeMismatch, lift.CodeRow, lift.CodeCount, lift.CodeImplausible, lift.CodeUnread, lift.CodeMissing, lift.CodeDiffers, lift.CodeNotNumber, lift.CodeNotText:
				t.Errorf("%s: false alarm %s at %s: %s", name, f.Code, f.Pointer, f.Message)
			}
		}
	}
	codes := map[string]string{"chunks-not-tokens": lift.CodeChunks, "false-means-not-run": lift.CodeNotRun, "false-zero": lift.CodeFalseZero,
		"null-number": lift.CodeNull, "ttft-equals-e2e": lift.CodeNoVisible}
	n := 0
	for _, a := range lifttest.Golden[[]lifttest.Awkward](t, "awkward.json") {
		d, ok := docs[a.File]
		code := codes[a.Kind]
		if !ok || code == "" {
			continue
		}
		n++
		if !lifttest.Has(&d, code, a.Pointer) {
			t.Errorf("%s: no finding %s at %s (%s)", a.File, code, a.Pointer, a.What)
		}
	}
	t.Logf("%d awkward places", n)
}
