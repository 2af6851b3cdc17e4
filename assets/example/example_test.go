package example_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
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

// all are the documents of every list.
func all(t *testing.T) (out []example.Document) {
	t.Helper()
	for _, read := range []func() ([]example.Document, error){example.Documents, example.Complete, example.Later} {
		docs, err := read()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, docs...)
	}
	return out
}

// TestComplete: every file that the summary names is there with the digest it gives, and
// what supersedes a file has one to supersede.
func TestComplete(t *testing.T) {
	docs, err := example.Complete()
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for _, d := range docs {
		sum := sha256.Sum256(d.Data)
		sums[d.Name] = hex.EncodeToString(sum[:])
	}
	var summary struct {
		Campaign string `json:"campaign_id"`
		Evidence []struct{ Path, SHA256 string }
	}
	for _, d := range docs {
		if d.Name == "decision-summary.json" {
			if err := json.Unmarshal(d.Data, &summary); err != nil {
				t.Fatal(err)
			}
		}
	}
	if summary.Campaign != example.Campaign || len(summary.Evidence) != len(docs)-1 {
		t.Errorf("campaign %q names %d files of %d", summary.Campaign, len(summary.Evidence), len(docs)-1)
	}
	for _, e := range summary.Evidence {
		if sums[e.Path] != e.SHA256 {
			t.Errorf("%s: the summary says %s, the file has %s", e.Path, e.SHA256, sums[e.Path])
		}
	}
	later, err := example.Later()
	if err != nil || len(later) != 1 || sums[example.Superseded] == "" {
		t.Errorf("%d later files, %v; %s is there: %v", len(later), err, example.Superseded, sums[example.Superseded] != "")
	}
}

// TestOwnWords compares the sentences with those of the published documents, where
// these are at hand: structure and figures are theirs, the prose is ours.
func TestOwnWords(t *testing.T) {
	corpus := os.Getenv("ASSAY_CORPUS")
	if corpus == "" {
		corpus = "../../../shared"
	}
	const run = 40
	mine := map[string]string{}
	for _, d := range all(t) {
		if !json.Valid(d.Data) {
			continue // a recipe
		}
		for _, s := range sentences(t, d.Data) {
			for i := 0; i+run <= len(s); i++ {
				if countLetters(s[i:i+run]) > run/2 {
					mine[s[i:i+run]] = d.Name
				}
			}
		}
	}
	files := 0
	err := filepath.WalkDir(filepath.Join(corpus, "corpus"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !json.Valid(data) {
			return err
		}
		files++
		for _, s := range sentences(t, data) {
			for i := 0; i+run <= len(s); i++ {
				if name := mine[s[i:i+run]]; name != "" {
					t.Errorf("%s shares %q with %s", name, s[i:i+run], path)
					return nil
				}
			}
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("ASSAY_CORPUS holds no published documents to compare with")
	}
	if err != nil || files == 0 {
		t.Fatalf("%d files: %v", files, err)
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
			v = strings.ReplaceAll(v, "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", "CARD")
			if strings.Count(v, " ") >= 3 {
				out = append(out, v)
			}
		}
	}
	walk(v)
	return out
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
