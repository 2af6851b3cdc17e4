package registry

import (
	"maps"
	"slices"
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
	"assay/ingest/anvil/sweep"
	"assay/store/evidence"
)

var reader = Readers()[0]

// TestCorpus reads every real file of the labels: all of it is external, every number is
// accounted for.
func TestCorpus(t *testing.T) {
	docs := lifttest.Survey(t, reader, Labels()...)
	for _, name := range slices.Sorted(maps.Keys(docs)) {
		d := docs[name]
		if i := slices.IndexFunc(d.Facts, func(f evidence.Fact) bool { return f.Key == evidence.KeyScope }); i < 0 || d.Facts[i].Value != "external" {
			t.Errorf("%s: not marked external", name)
		}
		for _, f := range d.Findings {
			switch f.Code {
			case lift.CodeUnread, lift.CodeMissing, lift.CodeDiffers, lift.CodeRow, lift.CodeNotText, lift.CodeNotNumber, lift.CodeMismatch:
				t.Errorf("%s: %s at %s: %s", name, f.Code, f.Pointer, f.Message)
			}
		}
		for i := range d.Arms {
			for _, r := range d.Arms[i].Runs {
				if r.Status != evidence.External {
					t.Errorf("%s: run %s is %s", name, r.Name, r.Status)
				}
			}
		}
	}
}

// TestAwkward holds the files that are known to be awkward against what is said of them.
func TestAwkward(t *testing.T) {
	docs := lifttest.Survey(t, reader, Labels()...)
	codes := map[string]string{"number-as-text": sweep.CodeNumberText, "negative-number": sweep.CodeNegative, "label-near-twin": lift.CodeNearTwin}
	for _, a := range lifttest.Golden[[]lifttest.Awkward](t, "awkward.json") {
		d, ok := docs[a.File]
		if code := codes[a.Kind]; ok && code != "" && !lifttest.Has(&d, code, a.Pointer) {
			t.Errorf("%s: no finding %s at %q (%s)", a.File, code, a.Pointer, a.What)
		}
	}
}
