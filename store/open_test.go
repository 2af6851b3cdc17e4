package store

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"assay/store/evidence"
)

func TestOpenPaths(t *testing.T) {
	for _, name := range []string{"archive.db", "with space.db", "what?.db", "no#1.db", "100%.db", "a&b=c;d.db", "ünïcode.db", "?mode=memory", "file:x.db"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			a := openAt(t, path)
			keepOne(t, a, "x.json", "{}")
			if _, err := os.Stat(path); err != nil {
				t.Errorf("the archive is not where it was asked to be: %v", err)
			}
			if a.Path() != path {
				t.Errorf("path %q, want %q", a.Path(), path)
			}
		})
	}
}

func TestOpenAgainKeepsEverything(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	first, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := fileReading(t, first, "x.json", "{}", fullReading())
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		if _, err := os.Stat(path + suffix); err == nil {
			t.Errorf("%s is left after closing", suffix)
		}
	}
	second := openAt(t, path)
	row, err := second.FindArtifact(t.Context(), k.Digest.String())
	if err != nil || row.State != evidence.Accepted {
		t.Errorf("state %q, %v", row.State, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	write := func(name, body string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	foreign := filepath.Join(dir, "foreign.db")
	execFile(t, foreign, "CREATE TABLE customer (id INTEGER PRIMARY KEY)")
	tests := []struct{ name, path, want string }{
		{"folder", dir, "is a folder"},
		{"missing folder", filepath.Join(dir, "none", "archive.db"), "does not exist; create it"},
		{"text", write("notes.txt", "not a database, but long enough to look at"), "is not an archive"},
		{"short text", write("short.txt", "x"), "is not an archive"},
		{"json", write("x.json", `{"schema": "x/v1"}`), "is not an archive"},
		{"cut off", write("cut.db", sqliteMagic+strings.Repeat("\x00", 50)), "not an archive"},
		{"another program's", foreign, "database of another program"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before, _ := os.ReadFile(tt.path)
			a, err := Open(t.Context(), tt.path, Options{})
			if err == nil {
				a.Close()
				t.Fatal("opened")
			}
			if !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.path) {
				t.Errorf("error %q, want %q and the path in it", err, tt.want)
			}
			if after, _ := os.ReadFile(tt.path); string(after) != string(before) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestOpenEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.db")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	keepOne(t, openAt(t, path), "x.json", "{}")
}

func TestReadersCannotWrite(t *testing.T) {
	a := openTemp(t)
	_, err := a.reader.Exec("DELETE FROM reading")
	if err == nil || !strings.Contains(a.fail("write", err).Error(), "cannot be written") {
		t.Errorf("error %v, want a refusal", err)
	}
}

// TestEveryConnection checks the settings that a PRAGMA through the pool would have
// given to one connection only.
func TestEveryConnection(t *testing.T) {
	a := openTemp(t)
	for name, db := range map[string]*sql.DB{"writer": a.writer, "reader": a.reader} {
		var conns []*sql.Conn
		for range db.Stats().MaxOpenConnections {
			c, err := db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			conns = append(conns, c)
		}
		for i, c := range conns {
			want := map[string]string{"foreign_keys": "1", "trusted_schema": "0", "journal_mode": "wal", "busy_timeout": "15000"}
			if name == "reader" {
				want["query_only"] = "1"
			} else {
				want["synchronous"] = "2"
			}
			for pragma, value := range want {
				var got string
				if err := c.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != value {
					t.Errorf("%s %d: %s is %q, %v; want %q", name, i, pragma, got, err, value)
				}
			}
			if _, err := c.ExecContext(t.Context(), `SELECT "no such column"`); err == nil {
				t.Errorf("%s %d: a double-quoted string is taken for text", name, i)
			}
			c.Close()
		}
	}
}

func TestFullDisk(t *testing.T) {
	a := openTemp(t)
	keepOne(t, a, "before.json", "{}")
	if _, err := a.writer.Exec("PRAGMA max_page_count = 200"); err != nil {
		t.Fatal(err)
	}
	large := evidence.Incoming{Name: "large.bin", Origin: "file", Data: noise(3 << 20)}
	_, err := a.Keep(t.Context(), []evidence.Incoming{large})
	if err == nil || !strings.Contains(err.Error(), "disk is full; free space") || !strings.Contains(err.Error(), a.path) {
		t.Fatalf("error %v, want advice about the disk", err)
	}
	if _, err := a.writer.Exec("PRAGMA max_page_count = 1073741823"); err != nil {
		t.Fatal(err)
	}
	if k := keepAs(t, a, large); k.Known {
		t.Error("the failed attempt left the artifact behind")
	}
	if n, bad, err := a.VerifyDigests(t.Context(), nil); n != 2 || len(bad) > 0 || err != nil {
		t.Errorf("verified %d, bad %v, %v", n, bad, err)
	}
}

func TestCancelledContext(t *testing.T) {
	a := openTemp(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Keep(ctx, []evidence.Incoming{{Name: "x", Data: []byte("x")}}); err == nil {
		t.Error("kept under a cancelled context")
	}
	keepOne(t, a, "x", "x") // the writer is free again
}

// execFile runs a statement on a database file, past all of our guards.
func execFile(t *testing.T, path, query string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", fileURL(path, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatal(err)
	}
}

// noise is n bytes that do not compress, the same every time.
func noise(n int) []byte {
	b := make([]byte, 0, n+32)
	d := evidence.DigestOf([]byte("noise"))
	for len(b) < n {
		d = evidence.DigestOf(d[:])
		b = append(b, d[:]...)
	}
	return b[:n]
}
