package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	_ "modernc.org/sqlite"

	"assay/ingest"
	"assay/store"
)

// changes is how many cells are changed one at a time; of the file, a tenth of that many
// bits are turned. ASSAY_TAMPER sets another number.
func changes(t *testing.T) int {
	if s := os.Getenv("ASSAY_TAMPER"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if testing.Short() {
		return 100
	}
	return 1000
}

// TestTamper changes one byte somewhere in a copy of an archive, again and again, behind
// the back of the triggers. Verification finds every change to evidence, statement or log.
// The work is shared among the processors, each with a copy of its own.
func TestTamper(t *testing.T) {
	world := tamperWorld(t)
	var mu sync.Mutex
	var sum tampers
	workers := runtime.GOMAXPROCS(0)
	t.Run("cells", func(t *testing.T) {
		for i := range workers {
			own := filepath.Join(t.TempDir(), "own.db")
			copyFile(t, world, own)
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				x := newTampering(t, own)
				got := x.cellsOneByOne(t, rand.New(rand.NewPCG(7, uint64(i))), (changes(t)+workers-1)/workers)
				mu.Lock()
				defer mu.Unlock()
				sum.add(got)
			})
		}
	})
	t.Logf("%d changes found, %d refused by the schema, %d without a meaning; by table %v", sum.found, sum.refused, sum.harmless, sum.by)
	if sum.found < changes(t)/2 {
		t.Errorf("only %d changes were tried", sum.found)
	}
}

// tampers counts what became of changes.
type tampers struct {
	found, refused, harmless int
	by                       map[string]int
}

func (s *tampers) add(x tampers) {
	s.found, s.refused, s.harmless = s.found+x.found, s.refused+x.refused, s.harmless+x.harmless
	if s.by == nil {
		s.by = map[string]int{}
	}
	for k, n := range x.by {
		s.by[k] += n
	}
}

// cellsOneByOne changes n cells, each of which is put back.
func (x *tampering) cellsOneByOne(t *testing.T, r *rand.Rand, n int) (s tampers) {
	s.by = map[string]int{}
	if fault := x.fault(t, ""); fault != "" {
		t.Fatalf("a sound archive has faults: %s", fault)
	}
	x.sameBytes(t) // keeps what they are now
	for range n {
		c := x.cells[r.IntN(len(x.cells))]
		undo, what, ok := x.flip(t, c, r)
		if !ok {
			s.refused++ // a constraint of the schema: the change cannot be made at all
			continue
		}
		fault := x.fault(t, c.table)
		switch {
		case fault != "":
			s.found++
			s.by[c.table]++
		case c.table == "artifact_chunk" && x.sameBytes(t):
			s.harmless++ // a bit of the compressed frame that stands for nothing
		default:
			t.Errorf("%s: not found", what)
		}
		undo()
	}
	if fault := x.fault(t, ""); fault != "" {
		t.Fatalf("the archive was not put back: %s", fault)
	}
	return s
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

// newTampering opens a copy of an archive and drops its triggers.
func newTampering(t *testing.T, path string) *tampering {
	x := &tampering{bytes: map[string][]byte{}}
	var err error
	if x.archive, err = store.Open(t.Context(), path, store.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.archive.Close() })
	q := url.Values{"_pragma": {"foreign_keys(0)", "ignore_check_constraints(0)", "synchronous(0)"}}
	if x.db, err = sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String()); err != nil {
		t.Fatal(err)
	}
	x.db.SetMaxOpenConns(1)
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
	for _, table := range slices.Sorted(maps.Keys(tampered)) {
		without := tampered[table]
		var here []cell
		for _, column := range x.rows(t, "SELECT name FROM pragma_table_info(?)", table) {
			if strings.Contains(" "+without+" ", " "+column+" ") {
				continue
			}
			here = append(here, x.column(t, table, column)...)
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
		changed = v ^ 1<<r.IntN(40)
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

// derivedTables are those that a fresh reading is held against.
const derivedTables = " reading document arm run fact measurement sample gate note decision reference not_lifted finding document_holds coverage text_ending search_row artifact_chunk "

// fault is the first thing that verification finds, "" when all holds. What is likeliest to
// find a change of a table comes first; nothing is left out.
func (x *tampering) fault(t *testing.T, table string) string {
	steps := []func(context.Context) (string, error){x.logFault, x.readingFault, x.fileFault}
	if strings.Contains(derivedTables, " "+table+" ") {
		steps[0], steps[1] = steps[1], steps[0]
	}
	for _, step := range steps {
		fault, err := step(t.Context())
		if err != nil {
			return err.Error()
		}
		if fault != "" {
			return fault
		}
	}
	return ""
}

func (x *tampering) logFault(ctx context.Context) (string, error) {
	log, err := x.archive.VerifyLog(ctx)
	if err == nil && len(log.Faults) > 0 {
		return fmt.Sprint(log.Faults[0]), nil
	}
	return "", err
}

func (x *tampering) readingFault(ctx context.Context) (string, error) {
	report, err := ingest.Verify(ctx, x.archive, ingest.VerifyOptions{Derive: store.Derived})
	if err == nil && !report.Holds() {
		return fmt.Sprint(report.Faults), nil
	}
	return "", err
}

func (x *tampering) fileFault(ctx context.Context) (string, error) {
	faults, err := checkFile(ctx, x.archive)
	return strings.Join(faults, "; "), err
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
