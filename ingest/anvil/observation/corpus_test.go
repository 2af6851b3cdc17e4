package observation

import (
	"maps"
	"slices"
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/anvil/sweep"
)

var reader = Readers()[0]

// TestCorpus reads every real file of the labels; every number must be accounted for.
func TestCorpus(t *testing.T) {
	docs := lifttest.Survey(t, reader, slices.Sorted(maps.Keys(kinds))...)
	for _, name := range slices.Sorted(maps.Keys(docs)) {
		d := docs[name]
		for _, f := range d.Findings {
			switch f.Code {
			case lift.CodeUnread, lift.CodeMissing, lift.CodeDiffers, lift.CodeRow, lift.CodeNotText, lift.CodeNotNumber:
				t.Errorf("%s: %s at %s: %s", name, f.Code, f.Pointer, f.Message)
			}
		}
	}
}

// TestAwkward holds the files that are known to be awkward against what is said of them.
func TestAwkward(t *testing.T) {
	docs := lifttest.Survey(t, reader, slices.Sorted(maps.Keys(kinds))...)
	codes := map[string]string{"number-as-text": sweep.CodeNumberText, "negative-number": sweep.CodeNegative, "label-near-twin": lift.CodeNearTwin}
	for _, a := range lifttest.Golden[[]lifttest.Awkward](t, "awkward.json") {
		d, ok := docs[a.File]
		if code := codes[a.Kind]; ok && code != "" && !lifttest.Has(&d, code, a.Pointer) {
			t.Errorf("%s: no finding %s at %q (%s)", a.File, code, a.Pointer, a.What)
		}
	}
}
