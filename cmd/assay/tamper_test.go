package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"assay/ingest"
	"assay/store"
)

// tampered are the tables whose every cell must be found when it changes, with the
// columns that say nothing about evidence, a statement or the log.
var tampered = map[string]string{
	"log_record": "", "log_hash": "", "checkpoint": "id", "server_key": "",
	"artifact": "", "artifact_chunk": "id artifact_id", "signoff": "", "signoff_artifact": "", "signoff_withdrawal": "",
	"artifact_mark": "", "repair": "", "policy": "", "account": "id password last_in_us disabled_us created_us", "account_key": "label account_id",
	"document": "", "arm": "", "run": "", "fact": "", "measurement": "", "gate": "", "note": "", "decision": "", "reference": "", "not_lifted": "", "coverage": "", "search_row": "",
}

// changes is how many cells are changed one at a time; ASSAY_TAMPER sets more.
func changes(t *testing.T) int {
	if s := os.Getenv("ASSAY_TAMPER"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if testing.Short() {
		return 50
	}
	return 600
}

// TestTamper changes one byte somewhere in a copy of an archive, again and again, behind
// the back of the triggers. Verification finds every change to evidence, statement or log.
func TestTamper(t *testing.T) {
	x := newTampering(t)
	r := rand.New(rand.NewPCG(7, 11))
	if fault := x.fault(t); fault != "" {
		t.Fatalf("a sound archive has faults: %s", fault)
	}
	x.sameBytes(t) // keeps what they are now
	found, refused, harmless := 0, 0, 0
	by := map[string]int{}
	for range changes(t) {
		c := x.cells[r.IntN(len(x.cells))]
		undo, what, ok := x.flip(t, c, r)
		if !ok {
			refused++ // a constraint of the schema: the change cannot be made at all
			continue
		}
		fault := x.fault(t)
		switch {
		case fault != "":
			found++
			by[c.table]++
		case c.table == "artifact_chunk" && x.sameBytes(t):
			harmless++ // a bit of the compressed frame that stands for nothing
		default:
			t.Errorf("%s: not found", what)
		}
		undo()
	}
	if fault := x.fault(t); fault != "" {
		t.Fatalf("the archive was not put back: %s", fault)
	}
	t.Logf("%d changes found, %d refused by the schema, %d without a meaning; by table %v", found, refused, harmless, by)
	if found < changes(t)/2 {
		t.Errorf("only %d changes were tried", found)
	}
}

type cell struct {
	table, column string
	keys          []string // columns that name the row
	row           []any
}

func (c *cell) where() string { return " WHERE " + strings.Join(c.keys, " = ? AND ") + " = ?" }

type tampering struct {
	db      *sql.DB
	archive *store.Archive
	cells   []cell
	bytes   map[string][]byte
}

// newTampering is an archive with an artifact, a repair, a policy, people with keys, and a
// signed statement; its triggers are dropped.
func newTampering(t *testing.T) *tampering {
	dir := t.TempDir()
	s := &shellOf{t: t, db: filepath.Join(dir, "a.db"), now: clock}
	s.ok("", "demo", "--files", filepath.Join(dir, "files"))
	s.ok("", "ingest", filepath.Join(dir, "files", "decision-narrative.json"))
	s.ok(testPassword, "user", "add", "ada", "--role", "reviewer", "--password-stdin")
	s.ok(testPassword, "user", "add", "grace", "--role", "promoter", "--password-stdin")
	s.ok("", "alias", "add", "engine", "ninfer", "NInfer", "--author", "ada", "--reason", "one engine")
	campaign := strings.TrimSpace(strings.Split(s.ok("", "export", "runs", "--format", "csv"), "\n")[1])
	campaign, _, _ = strings.Cut(campaign, ",")
	out := s.ok("", "signoff", "prepare", campaign, "--as", "ada", "--decision", "reject", "--scope", "chat", "--reason", "gates are open")
	draft, _, _ := strings.Cut(strings.TrimPrefix(out, "draft "), ":")
	for _, i := range openItem.FindAllStringSubmatch(out, -1) {
		s.ok("", "signoff", "ack", draft, i[1], "--as", "ada", "--reason", "known")
	}
	s.ok("", "signoff", "prepare", "--draft", draft, "--as", "ada", "--ready")
	s.ok(testPassword, "signoff", "sign", draft, "--as", "grace", "--password-stdin")
	copied := filepath.Join(dir, "copy.db")
	s.ok("", "backup", copied)
	x := &tampering{bytes: map[string][]byte{}}
	var err error
	if x.archive, err = store.Open(t.Context(), copied, store.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.archive.Close() })
	q := url.Values{"_pragma": {"foreign_keys(0)", "ignore_check_constraints(0)", "synchronous(0)"}}
	if x.db, err = sql.Open("sqlite", (&url.URL{Scheme: "file", Path: copied, RawQuery: q.Encode()}).String()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.db.Close() })
	x.prepare(t)
	return x
}

func (x *tampering) rows(t *testing.T, query string, args ...any) []string {
	t.Helper()
	rows, err := x.db.Query(query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// prepare drops the triggers and lists the cells. Tables come in by the size of their
// content, but each at least with a fair share.
func (x *tampering) prepare(t *testing.T) {
	for _, name := range x.rows(t, "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
		if _, err := x.db.Exec("DROP TRIGGER " + name); err != nil {
			t.Fatal(err)
		}
	}
	for table, without := range tampered {
		var here []cell
		for _, column := range x.rows(t, "SELECT name FROM pragma_table_info(?)", table) {
			if strings.Contains(" "+without+" ", " "+column+" ") {
				continue
			}
			here = append(here, x.column(t, table, column)...)
		}
		if len(here) == 0 && table != "signoff_withdrawal" && table != "artifact_mark" && table != "policy" && table != "coverage" && table != "search_row" {
			t.Errorf("table %s has no cell to change", table)
		}
		for n := len(here); n > 0 && n < 200; n += len(here) {
			x.cells = append(x.cells, here...)
		}
		x.cells = append(x.cells, here...)
	}
}

// column lists the cells of a column that hold something.
func (x *tampering) column(t *testing.T, table, column string) (out []cell) {
	t.Helper()
	keys := x.rows(t, "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", table)
	if len(keys) == 0 {
		keys = []string{"rowid"}
	}
	rows, err := x.db.Query(fmt.Sprintf("SELECT %s FROM %s WHERE %s IS NOT NULL AND %s <> ''", strings.Join(keys, ", "), table, column, column))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		c := cell{table, column, keys, make([]any, len(keys))}
		into := make([]any, len(keys))
		for i := range into {
			into[i] = &c.row[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// flip changes one byte of a cell. ok is false when the schema refuses.
func (x *tampering) flip(t *testing.T, c cell, r *rand.Rand) (undo func(), what string, ok bool) {
	t.Helper()
	var old any
	var kind string
	if err := x.db.QueryRow(fmt.Sprintf("SELECT typeof(%[1]s), CASE typeof(%[1]s) WHEN 'text' THEN CAST(%[1]s AS BLOB) ELSE %[1]s END FROM %[2]s", c.column, c.table)+c.where(), c.row...).Scan(&kind, &old); err != nil {
		t.Fatal(err)
	}
	set := func(v any) error {
		value := "?"
		if kind == "text" {
			value = "CAST(? AS TEXT)"
		}
		_, err := x.db.Exec(fmt.Sprintf("UPDATE %s SET %s = %s", c.table, c.column, value)+c.where(), append([]any{v}, c.row...)...)
		return err
	}
	var changed any
	switch v := old.(type) {
	case []byte:
		b := bytes.Clone(v)
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		changed = b
	case int64:
		changed = v ^ 1<<r.IntN(20)
	case float64:
		changed = v * (1 + 1/float64(int64(2)<<r.IntN(30)))
		if changed == old {
			changed = v + 1
		}
	default:
		t.Fatalf("%s.%s is a %T", c.table, c.column, old)
	}
	if err := set(changed); err != nil {
		return nil, "", false
	}
	what = fmt.Sprintf("%s.%s of row %v: %.80q became %.80q", c.table, c.column, c.row, fmt.Sprint(old), fmt.Sprint(changed))
	if i := slices.Index(c.keys, c.column); i >= 0 { // the row has another name now
		c.row = slices.Clone(c.row)
		c.row[i] = changed
		if kind == "text" {
			c.row[i] = string(changed.([]byte))
		}
	}
	return func() {
		if err := set(old); err != nil {
			t.Fatalf("put %s.%s back: %v", c.table, c.column, err)
		}
	}, what, true
}

// fault is the first thing that verification finds, "" when all holds.
func (x *tampering) fault(t *testing.T) string {
	log, err := x.archive.VerifyLog(t.Context())
	if err != nil {
		return err.Error()
	}
	if len(log.Faults) > 0 {
		return fmt.Sprint(log.Faults[0])
	}
	if log.Unsigned != 0 {
		return fmt.Sprintf("%d records behind the checkpoint", log.Unsigned)
	}
	report, err := ingest.Verify(t.Context(), x.archive, ingest.VerifyOptions{Derive: store.Derived})
	if err != nil {
		return err.Error()
	}
	if !report.Holds() {
		return fmt.Sprint(report.Faults)
	}
	file, err := x.archive.CheckFile(t.Context())
	if err != nil {
		return err.Error()
	}
	return strings.Join(file, "; ")
}

// sameBytes reports whether every artifact reads as it did.
func (x *tampering) sameBytes(t *testing.T) bool {
	all, err := x.archive.All(t.Context(), 0, 100)
	if err != nil {
		return false
	}
	for _, k := range all {
		f, err := x.archive.OpenArtifact(t.Context(), k.ArtifactID)
		if err != nil {
			return false
		}
		data, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			return false
		}
		before, seen := x.bytes[k.Digest.String()]
		if !seen {
			x.bytes[k.Digest.String()] = data
		} else if !bytes.Equal(before, data) {
			return false
		}
	}
	return true
}
