package ingest_test

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"assay/ingest"
	"assay/store/evidence"
)

// TestGoldenReferences holds the references of real evidence against the states that
// are known. A target that is not handed out cannot be told from one that is missing:
// its reference must be there, with its digest, and not be retained.
func TestGoldenReferences(t *testing.T) {
	if testing.Short() {
		t.Skip("reads hundreds of files")
	}
	root := filepath.Join(corpus(t), "anvil")
	data, err := os.ReadFile(filepath.Join(root, "..", "..", "golden", "references.json"))
	if err != nil {
		t.Skip(err)
	}
	var golden []struct {
		File, Pointer, Path, SHA256, State, Resolved string
		Outside                                      bool `json:"target_outside"`
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	a := newArchive(t)
	take(t, a, ingest.Options{}, ingest.Path(root))
	type place struct {
		artifact string
		pointer  evidence.Pointer
	}
	rows := map[place]evidence.ReferenceRow{}
	err = a.EachReference(t.Context(), evidence.Filter{}, func(r evidence.ReferenceRow) error {
		rows[place{r.Artifact.String(), r.Place.Pointer}] = r
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]evidence.RefState{"match": evidence.RefRetained, "match-crlf": evidence.RefConverted, "mismatch": evidence.RefMismatch, "absent": evidence.RefNotStored}
	held := 0
	for _, g := range golden {
		bytes, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(g.File)))
		if err != nil {
			t.Fatal(err)
		}
		r, ok := rows[place{evidence.DigestOf(bytes).String(), evidence.Pointer(g.Pointer)}]
		if !ok {
			t.Errorf("%s %s: no reference", g.File, g.Pointer)
			continue
		}
		if !r.SHA256.OK || r.SHA256.V.String() != g.SHA256 || path.Base(strings.ReplaceAll(r.Name, `\`, "/")) != path.Base(g.Resolved) {
			t.Errorf("%s %s: %q %+v, want %q %s", g.File, g.Pointer, r.Name, r.SHA256, g.Path, g.SHA256)
		}
		want := states[g.State]
		if g.Outside {
			want = evidence.RefNotStored
		} else {
			held++
		}
		if r.State != want {
			t.Errorf("%s %s: %s (%s), want %s", g.File, g.Pointer, r.State, r.FoundAs, want)
		}
	}
	t.Logf("%d references, of %d the target is handed out", len(golden), held)
}
