package signoff

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// TestCheckpointHasOneForm turns every bit of a checkpoint that two keys signed. What still
// opens lacks one of them: no byte may change without a signature that falls.
func TestCheckpointHasOneForm(t *testing.T) {
	a, publicA := noteKey(t, "a", 3)
	b, publicB := noteKey(t, "b", 4)
	var known []note.Verifier
	for _, k := range []string{publicA, publicB} {
		v, err := note.NewVerifier(k)
		if err != nil {
			t.Fatal(err)
		}
		known = append(known, v)
	}
	signed, err := SignCheckpoint(Checkpoint{Origin: Origin("0011"), Size: 7, Root: tlog.Hash{1}}, a, b)
	if err != nil {
		t.Fatal(err)
	}
	opens := func(data []byte) bool {
		_, n, err := OpenCheckpoint(data, note.VerifierList(known...))
		return err == nil && len(n.Sigs) == 2 && len(n.UnverifiedSigs) == 0
	}
	if !opens(signed) {
		t.Fatal("does not open")
	}
	for at := range signed {
		for bit := range 8 {
			turned := bytes.Clone(signed)
			turned[at] ^= 1 << bit
			if opens(turned) {
				t.Errorf("byte %d with bit %d turned opens", at, bit)
			}
		}
		if opens(append(bytes.Clone(signed[:at]), signed[at+1:]...)) {
			t.Errorf("without byte %d it opens", at)
		}
	}
	lines := strings.SplitAfter(string(signed), "\n")
	last := lines[len(lines)-2]
	for name, text := range map[string]string{
		"a signature twice":  string(signed) + last,
		"a line feed behind": string(signed) + "\n",
		"without the last":   strings.TrimSuffix(string(signed), last),
	} {
		if opens([]byte(text)) {
			t.Errorf("%s: opens", name)
		}
	}
}
