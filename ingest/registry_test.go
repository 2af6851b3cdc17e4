package ingest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// TestReadersAreTold asks for names that no two readers share.
func TestReadersAreTold(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Registered() {
		if seen[r.ID()] || r.Version() < 1 {
			t.Errorf("%s@%d", r.ID(), r.Version())
		}
		seen[r.ID()] = true
	}
	for _, r := range RegisteredText() {
		if seen[r.ID()] || r.Version() < 1 {
			t.Errorf("%s@%d", r.ID(), r.Version())
		}
		seen[r.ID()] = true
	}
}

// TestNoTwoReadersTakeOneSample holds for real files and for our own fixtures: the
// order of the registry then decides nothing.
func TestNoTwoReadersTakeOneSample(t *testing.T) {
	root := os.Getenv("ASSAY_CORPUS")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	folders := []string{"."}
	if _, err := os.Stat(filepath.Join(root, "corpus")); err == nil {
		folders = append(folders, filepath.Join(root, "corpus"), filepath.Join(root, "parts"))
	} else {
		t.Logf("no corpus at %s: set ASSAY_CORPUS to run over real evidence too", root)
	}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() || strings.HasSuffix(path, ".go") || strings.HasSuffix(path, ".golden") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for at, ids := range takers(data) {
				if len(ids) > 1 {
					t.Errorf("%s%s: %v", path, at, ids)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// takers are the readers that match, by value; text readers under "text".
func takers(data []byte) map[evidence.Pointer][]string {
	out := map[evidence.Pointer][]string{}
	builder := jsondoc.NewBuilder(jsondoc.Limits{}, func(v jsondoc.Value) {
		if v.Root == nil || v.Index > 100 {
			return
		}
		for _, r := range Registered() {
			if _, ok := r.Match(labelOf(v.Root), v.Root); ok {
				out[v.Pointer] = append(out[v.Pointer], r.ID())
			}
		}
	})
	sum := jsondoc.ScanBytes(data, jsondoc.Limits{}, builder.Handle)
	if builder.Finish(sum); sum.Form != jsondoc.NotJSON {
		return out
	}
	plain, ok := jsondoc.PlainText(data)
	if !ok {
		return nil
	}
	var ids []string
	for _, r := range RegisteredText() {
		if _, ok := r.MatchText(plain.Bytes); ok {
			ids = append(ids, r.ID())
		}
	}
	return map[evidence.Pointer][]string{"text": ids}
}
