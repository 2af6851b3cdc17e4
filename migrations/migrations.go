// Package migrations holds the schema of the archive as numbered SQL files,
// embedded into the binary.
//
// The journey of a change to the schema:
//
//  1. A new file NNNN_name.sql is added, its number one above the last. Files that
//     have been released are never edited: the archive stores the SHA-256 of every
//     file it has applied and refuses to open when one has changed.
//  2. store.Open compares the archive's version with this list, applies what is
//     missing, each file in one transaction, and refuses an archive that is newer
//     than the binary.
//  3. The golden file store/testdata/schema.golden.sql shows the sum of all files.
//
// There is no way down on purpose: an archive only goes forward, and the way back
// is a backup.
package migrations

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strconv"
)

// FS holds the migration files.
//
//go:embed *.sql
var FS embed.FS

// Migration is one file.
type Migration struct {
	Version int64
	Name    string // file name
	SHA256  [sha256.Size]byte
}

var fileName = regexp.MustCompile(`^([0-9]{4})_[a-z0-9_]+\.sql$`)

// List reads the migrations of fsys in order and refuses a sequence that does not
// start at 1 or has gaps, doubles or files that are not named NNNN_name.sql.
func List(fsys fs.FS) ([]Migration, error) {
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	var list []Migration
	for _, e := range entries {
		m := fileName.FindStringSubmatch(e.Name())
		if m == nil {
			return nil, fmt.Errorf("migration %q: want a name like 0001_first.sql", e.Name())
		}
		version, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("migration %q: %w", e.Name(), err)
		}
		if want := int64(len(list) + 1); version != want {
			return nil, fmt.Errorf("migration %q: want number %04d next", e.Name(), want)
		}
		body, err := fs.ReadFile(fsys, e.Name())
		if err != nil {
			return nil, fmt.Errorf("read migration %q: %w", e.Name(), err)
		}
		list = append(list, Migration{Version: version, Name: e.Name(), SHA256: sha256.Sum256(body)})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("list migrations: no files")
	}
	return list, nil
}
