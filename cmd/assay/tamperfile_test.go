package main

import (
	"crypto/sha256"
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"assay/store"
)

// TestTamperFile turns bits of the archive's file itself, anywhere in it. What opens and
// verifies afterwards says in every table what it said before: the bit stood for nothing,
// in a page that nobody uses or in an index.
func TestTamperFile(t *testing.T) {
	world := tamperWorld(t)
	whole, err := os.ReadFile(world)
	if err != nil {
		t.Fatal(err)
	}
	before, err := contents(world)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(13, 17))
	found, harmless := 0, 0
	path := filepath.Join(t.TempDir(), "turned.db")
	for range min(max(changes(t)/10, 20), 500) {
		at, bit := r.IntN(len(whole)), byte(1)<<r.IntN(8)
		whole[at] ^= bit
		for _, name := range []string{path + "-wal", path + "-shm"} {
			if err := os.RemoveAll(name); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		whole[at] ^= bit
		if verifyAnyFile(t, path) != "" {
			found++
			continue
		}
		after, err := contents(path)
		if err != nil {
			t.Errorf("byte %d, bit %08b: verified, and cannot be read: %v", at, bit, err)
			continue
		}
		for _, table := range slices.Sorted(maps.Keys(before)) {
			if after[table] != before[table] {
				t.Errorf("byte %d, bit %08b: table %s changed, and it was not found", at, bit, table)
			}
		}
		harmless++
	}
	t.Logf("%d turned bits found, %d without a meaning", found, harmless)
	if found == 0 {
		t.Error("nothing was found")
	}
}

// verifyAnyFile opens and verifies a file; what is wrong, "" for nothing.
func verifyAnyFile(t *testing.T, path string) string {
	archive, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		return err.Error()
	}
	defer archive.Close()
	x := &tampering{archive: archive}
	return x.fault(t, "")
}

// contents are the sums of what the tables that verification vouches for hold.
func contents(path string) (map[string]string, error) {
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path}).String())
	if err != nil {
		return nil, err
	}
	defer db.Close()
	out := map[string]string{}
	for table, without := range tampered {
		if out[table], err = contentOf(db, table, without); err != nil {
			return nil, fmt.Errorf("%s: %w", table, err)
		}
	}
	return out, nil
}

func contentOf(db *sql.DB, table, without string) (string, error) {
	rows, err := db.Query("SELECT * FROM " + table + " NOT INDEXED")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	values := make([]any, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return "", err
		}
		for i, v := range values {
			// The bytes of an artifact are what its chunks unpack to.
			if !strings.Contains(" "+without+" ", " "+columns[i]+" ") && (table != "artifact_chunk" || columns[i] != "body") {
				fmt.Fprintf(sum, "%T %q\n", v, fmt.Sprint(v))
			}
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)), rows.Err()
}
