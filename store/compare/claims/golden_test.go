package claims_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/ingest"
	"assay/store"
	"assay/store/compare/claims"
	"assay/store/evidence"
)

// answer is a known answer about a published document.
type answer struct {
	ID, File, Pointer, What, Text, Formula string
	Published, Recomputed                  json.RawMessage
	Holds                                  *bool
	Inputs                                 []string
}

// shared is the folder of shared evidence; the test is skipped without it.
func shared(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("ASSAY_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "corpus", "seeds")); err != nil {
		t.Skipf("no corpus at %s: set ASSAY_CORPUS to run over real evidence", dir)
	}
	return dir
}

// answered takes files in and answers their claims.
func answered(t *testing.T, paths ...string) []claims.Claim {
	t.Helper()
	a, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	var sources []ingest.Source
	for _, p := range paths {
		sources = append(sources, ingest.Path(p))
	}
	if _, err := ingest.Take(t.Context(), a, sources, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	var out []claims.Claim
	err = a.EachDocument(t.Context(), evidence.Filter{}, func(d evidence.DocumentDetail) error {
		out = append(out, claims.Check(&d)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestKnownAnswers: every known answer about the published documents comes back, with
// the same numbers at the same place.
func TestKnownAnswers(t *testing.T) {
	root := shared(t)
	raw, err := os.ReadFile(filepath.Join(root, "golden", "answers.seeds.json"))
	if err != nil {
		t.Skip(err)
	}
	var want []answer
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	byFile := map[string][]claims.Claim{}
	for _, w := range want {
		if byFile[w.File] == nil {
			byFile[w.File] = answered(t, filepath.Join(root, "corpus", "seeds", w.File))
		}
		var here []claims.Claim
		for _, c := range byFile[w.File] {
			if string(c.Place.Pointer) == w.Pointer {
				here = append(here, c)
			}
		}
		if !slices.ContainsFunc(here, func(c claims.Claim) bool { return agrees(w, c) }) {
			t.Errorf("%s at %s: %s: published %s, recomputed %s, inputs %v: not among", w.ID, w.Pointer, w.What, w.Published, w.Recomputed, w.Inputs)
			for _, c := range here {
				t.Logf("    %s %s %q %v %v %s", c.Verdict, c.What, c.Text, c.Published, c.Recomputed, c.Note)
			}
		}
	}
}

// TestPublishedFiguresHold: nothing that the shared evidence publishes is wrong, so an
// answer that says so is a false alarm.
func TestPublishedFiguresHold(t *testing.T) {
	if testing.Short() {
		t.Skip("reads hundreds of files")
	}
	counts := map[claims.Verdict]int{}
	for _, c := range answered(t, filepath.Join(shared(t), "corpus")) {
		if counts[c.Verdict]++; c.Verdict == claims.Fails {
			t.Errorf("%s of %s: %s %q is %v, recomputed %v: %s", c.Place.Pointer, c.Reader, c.What, c.Text, c.Published, c.Recomputed, c.Note)
		}
		if !slices.Contains(claims.Verdicts, c.Verdict) || !c.Place.Pointer.Valid() || c.What == "" {
			t.Errorf("%s of %s: %+v", c.Place.Pointer, c.Reader, c)
		}
	}
	t.Log(counts)
}

// agrees says whether a claim gives a known answer.
func agrees(w answer, c claims.Claim) bool {
	holds := c.Holds()
	if w.Holds != nil && (!holds.OK || holds.V != *w.Holds) {
		return false
	}
	if string(w.Published) != "null" && !same(numbers(w.Published), valuesOf(c.Published), 0) {
		return false
	}
	if string(w.Published) == "null" && w.Holds == nil && c.Verdict != claims.NotPublished {
		return false
	}
	if string(w.Recomputed) != "null" && !same(numbers(w.Recomputed), valuesOf(c.Recomputed), shown(w.Recomputed)) {
		return false
	}
	for _, p := range w.Inputs {
		if w.Formula != "5*2*2" && !slices.ContainsFunc(c.Inputs, func(f claims.Figure) bool { return string(f.Place.Pointer) == p }) {
			return false
		}
	}
	return true
}

func numbers(raw json.RawMessage) []float64 {
	var one float64
	if json.Unmarshal(raw, &one) == nil {
		return []float64{one}
	}
	var many []float64
	_ = json.Unmarshal(raw, &many)
	return many
}

func valuesOf(v claims.Value) []float64 {
	if v.Point.OK {
		return []float64{v.Point.V}
	}
	return []float64{v.Lower.V, v.Upper.V}
}

// shown is half a unit of the last digit that an answer is written to.
func shown(raw json.RawMessage) float64 {
	most := 0
	for _, s := range strings.FieldsFunc(string(raw), func(r rune) bool { return strings.ContainsRune("[], ", r) }) {
		_, decimals, _ := strings.Cut(s, ".")
		most = max(most, len(decimals))
	}
	return 0.5/math.Pow10(most) + 1e-9
}

// same compares magnitudes: an answer gives some falls with a sign and some without.
func same(a, b []float64, within float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(math.Abs(x)-math.Abs(y)) <= within+1e-9 })
}
