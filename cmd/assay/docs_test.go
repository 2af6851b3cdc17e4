package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"assay/store/compare"
	"assay/web/view"
)

// TestCompareDocs holds docs/compare.md against what is written.
func TestCompareDocs(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(repoRoot(t), "docs", "compare.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(string(data), func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz_", r) }) {
		words[w] = true
	}
	for _, c := range view.CompareTable(&compare.Comparison{}).Columns {
		if !words[c.Name] {
			t.Errorf("the column %s is not in docs/compare.md", c.Name)
		}
	}
	for _, v := range []any{compareJSON{}, reasonJSON{}, figureJSON{}, sourceJSON{}, deltaJSON{}} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if name != "" && !words[name] {
				t.Errorf("%s.%s is not in docs/compare.md", typ.Name(), name)
			}
		}
	}
}
