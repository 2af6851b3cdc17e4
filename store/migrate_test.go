package store

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"assay/migrations"
)

func TestSchemaGolden(t *testing.T) {
	a := openTemp(t)
	rows, err := a.reader.Query("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	list, err := texts(rows)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(list, ";\n\n") + ";\n"
	golden := filepath.Join("testdata", "schema.golden.sql")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the schema differs from the golden file (-want +got); run with -update when that is meant:\n%s", diff)
	}
}

func TestEveryTableIsStrict(t *testing.T) {
	a := openTemp(t)
	rows, err := a.reader.Query(`SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0
		AND name NOT LIKE 'sqlite_%' AND schema = 'main'`)
	if err != nil {
		t.Fatal(err)
	}
	list, err := texts(rows)
	if err != nil || len(list) > 0 {
		t.Errorf("tables that are not STRICT: %v, %v", list, err)
	}
}

func TestHeader(t *testing.T) {
	a := openTemp(t)
	list, err := migrations.List(migrations.FS)
	if err != nil {
		t.Fatal(err)
	}
	var app, version int
	if err := a.reader.QueryRow("SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version)").Scan(&app, &version); err != nil {
		t.Fatal(err)
	}
	if app != applicationID || version != len(list) {
		t.Errorf("application id %#x, version %d; want %#x, %d", app, version, applicationID, len(list))
	}
}

// embedded are the real migrations as a file system that a test may change.
func embedded(t *testing.T) fstest.MapFS {
	t.Helper()
	m := fstest.MapFS{}
	list, err := migrations.List(migrations.FS)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		body, err := fs.ReadFile(migrations.FS, f.Name)
		if err != nil {
			t.Fatal(err)
		}
		m[f.Name] = &fstest.MapFile{Data: body}
	}
	return m
}

func TestMigrateForward(t *testing.T) {
	a := openTemp(t)
	keepOne(t, a, "x.json", "{}")
	files := embedded(t)
	next := fmt.Sprintf("%04d_more.sql", len(files)+1)
	files[next] = &fstest.MapFile{Data: []byte("-- +goose Up\nCREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;\n")}
	if err := a.migrate(t.Context(), files); err != nil {
		t.Fatal(err)
	}
	if err := a.migrate(t.Context(), migrations.FS); err == nil || !strings.Contains(err.Error(), "use the newer program") {
		t.Errorf("error %v, want a refusal of the newer archive", err)
	}
}

func TestMigrateRefuses(t *testing.T) {
	broken := "-- +goose Up\nCREATE TABLE more (id INTEGER PRIMARY KEY) STRICT;\nCREATE TABL;\n"
	dangling := `-- +goose NO TRANSACTION
-- +goose Up
PRAGMA foreign_keys = OFF;
INSERT INTO reading (artifact_id, state, unread) VALUES (4711, 'pending', 1);
PRAGMA foreign_keys = ON;
`
	tests := []struct {
		name, want string
		change     func(fstest.MapFS)
	}{
		{"an edited file", "was applied with sha256", func(m fstest.MapFS) {
			m["0001_primary.sql"].Data = append([]byte("-- edited\n"), m["0001_primary.sql"].Data...)
		}},
		{"a gap", "want number", func(m fstest.MapFS) { m["0099_late.sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\n")} }},
		{"a broken file", "TABL", func(m fstest.MapFS) {
			m[fmt.Sprintf("%04d_broken.sql", len(m)+1)] = &fstest.MapFile{Data: []byte(broken)}
		}},
		{"a dangling row", "refers to a row that is not there", func(m fstest.MapFS) {
			m[fmt.Sprintf("%04d_dangling.sql", len(m)+1)] = &fstest.MapFile{Data: []byte(dangling)}
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := openTemp(t)
			files := embedded(t)
			tt.change(files)
			err := a.migrate(t.Context(), files)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), a.path) {
				t.Errorf("error %v, want %q and the path in it", err, tt.want)
			}
			var n int
			if err := a.reader.QueryRow("SELECT count(*) FROM sqlite_schema WHERE name = 'more'").Scan(&n); err != nil || n != 0 {
				t.Errorf("half of a broken migration is there: %d, %v", n, err)
			}
		})
	}
}

func createJob(path string) error {
	a, err := Open(context.Background(), path, Options{})
	if err != nil {
		return err
	}
	return a.Close()
}

// TestCreateTogether lets several processes create one archive at the same time.
func TestCreateTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	var wg sync.WaitGroup
	for range 4 {
		cmd := child(t, "create", path)
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	openAt(t, path)
}

// TestDriverPin compares the C library of the SQLite driver with the one the driver
// itself asks for: its documentation wants exactly that one.
func TestDriverPin(t *testing.T) {
	module := func(path string) (m struct{ Version, GoMod string }) {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-json", path).Output()
		if err != nil {
			t.Fatalf("go list -m %s: %v", path, err)
		}
		if err := json.Unmarshal(out, &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	out, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", module("modernc.org/sqlite").GoMod).Output()
	if err != nil {
		t.Fatal(err)
	}
	var driver struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(out, &driver); err != nil {
		t.Fatal(err)
	}
	for _, r := range driver.Require {
		if r.Path == "modernc.org/libc" {
			if got := module("modernc.org/libc").Version; got != r.Version {
				t.Errorf("modernc.org/libc is %s, the driver wants %s; exclude the newer one in go.mod", got, r.Version)
			}
			return
		}
	}
	t.Error("the driver does not name modernc.org/libc")
}
