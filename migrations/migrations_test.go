package migrations

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestEmbeddedFilesAreASequence(t *testing.T) {
	list, err := List(FS)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range list {
		if m.Version != int64(i+1) {
			t.Errorf("%s has version %d, want %d", m.Name, m.Version, i+1)
		}
	}
}

func TestListRefuses(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		want  string
	}{
		{"none", nil, "no files"},
		{"start", []string{"0002_b.sql"}, "want number 0001"},
		{"gap", []string{"0001_a.sql", "0003_c.sql"}, "want number 0002"},
		{"double", []string{"0001_a.sql", "0001_b.sql"}, "want number 0002"},
		{"name", []string{"0001_a.sql", "2_b.sql"}, "want a name like"},
		{"other file", []string{"0001_a.sql", "README"}, "want a name like"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fsys := fstest.MapFS{}
			for _, f := range tt.files {
				fsys[f] = &fstest.MapFile{Data: []byte("-- +goose Up\n")}
			}
			_, err := List(fsys)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
		})
	}
}
