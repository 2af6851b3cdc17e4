package example_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"assay/assets/example"
)

func TestDocuments(t *testing.T) {
	docs, err := example.Documents()
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) != 3 {
		t.Fatalf("%d documents, want 3", len(docs))
	}
	for _, d := range docs {
		if !json.Valid(d.Data) {
			t.Errorf("%s is not JSON", d.Name)
		}
	}
}

// TestOwnWords compares the sentences with those of the published documents, where
// these are at hand: structure and figures are theirs, the prose is ours.
func TestOwnWords(t *testing.T) {
	corpus := os.Getenv("ASSAY_CORPUS")
	if corpus == "" {
		corpus = "../../../shared"
	}
	seeds, _ := filepath.Glob(filepath.Join(corpus, "corpus", "seeds", "*.json"))
	if len(seeds) == 0 {
		t.Skip("ASSAY_CORPUS holds no published documents to compare with")
	}
	var theirs []string
	for _, path := range seeds {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		theirs = append(theirs, sentences(t, data)...)
	}
	docs, err := example.Documents()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		for _, mine := range sentences(t, d.Data) {
			for _, s := range theirs {
				if run := sharedRun(mine, s, 40); run != "" {
					t.Errorf("%s shares %q with a published document", d.Name, run)
				}
			}
		}
	}
}

// sentences are the strings that are prose: several words, no digest in them.
func sentences(t *testing.T, data []byte) []string {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	var out []string
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, x := range v {
				if key != "profile" && key != "product" && key != "hardware" { // labels of arms and cards
					walk(x)
				}
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		case string:
			if strings.Count(v, " ") >= 3 {
				out = append(out, v)
			}
		}
	}
	walk(v)
	return out
}

// sharedRun finds n bytes that stand in both texts and are words rather than figures.
func sharedRun(a, b string, n int) string {
	for i := 0; i+n <= len(a); i++ {
		run := a[i : i+n]
		letters := strings.IndexFunc(run, unicode.IsLetter) >= 0 && countLetters(run) > n/2
		if letters && strings.Contains(b, run) {
			return run
		}
	}
	return ""
}

func countLetters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}
