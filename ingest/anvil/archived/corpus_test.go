package archived

import (
	"testing"

	"assay/ingest/anvil/lift"
	"assay/ingest/anvil/lift/lifttest"
	"assay/store/evidence"
)

var reader = Readers()[0]

// TestCorpus says what every real value without a label is; every number of it must be
// accounted for. Lists of sources are read with those that have a label.
func TestCorpus(t *testing.T) {
	numbers, unread, shapes := 0, 0, map[string]int{}
	for _, f := range lifttest.Files(t, append(Labels(), "")...) {
		shape, ok := reader.Match(f.Label, f.Root)
		if !ok {
			if f.Root.Get("sources") == nil {
				t.Errorf("%s: nobody knows what it is", f.Name)
			}
			continue
		}
		d := reader.Read(f.Root, "", shape)
		shapes[shape]++
		c := lifttest.Account(t, f.Name, &d, f.Root)
		numbers, unread = numbers+c.Numbers, unread+c.Listed[evidence.ReasonUnread]
		for _, x := range d.Findings {
			switch x.Code {
			case lift.CodeUnread, lift.CodeMissing, lift.CodeDiffers, lift.CodeRow, lift.CodeNotText, lift.CodeNotNumber, lift.CodeMismatch:
				t.Errorf("%s: %s at %s: %s", f.Name, x.Code, x.Pointer, x.Message)
			}
		}
	}
	t.Logf("%d numbers, %d unread, shapes %v", numbers, unread, shapes)
}

// TestAwkward holds the files that are known to be awkward against what is said of them.
func TestAwkward(t *testing.T) {
	docs := map[string]evidence.Document{}
	for _, f := range lifttest.Files(t, "") {
		if shape, ok := reader.Match("", f.Root); ok {
			docs[f.Name] = reader.Read(f.Root, "", shape)
		}
	}
	codes := map[string]string{"no-label": lift.CodeNoSchema, "top-level-array": lift.CodeNoSchema, "integer-label": lift.CodeIntegerLabel, "number-as-text": "number-as-text", "negative-number": "figure-negative"}
	for _, a := range lifttest.Golden[[]lifttest.Awkward](t, "awkward.json") {
		d, ok := docs[a.File]
		if code := codes[a.Kind]; ok && code != "" && !lifttest.Has(&d, code, a.Pointer) {
			t.Errorf("%s: no finding %s at %q (%s)", a.File, code, a.Pointer, a.What)
		}
	}
}
