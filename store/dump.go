package store

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// DumpDerived writes every derived row as text, one a line, artifacts in the order of
// their digests. Ids are written as ordinals inside the artifact, so that two
// archives with the same evidence dump alike, whatever order it came in.
func (a *Archive) DumpDerived(ctx context.Context, w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	err := a.read(ctx, "dump derived rows", func(tx *sql.Tx) error {
		for _, t := range derivedTables {
			fmt.Fprintf(out, "# %s %s\n", t.name, strings.Join(dumped(t.columns), " "))
		}
		d := &dumper{ctx: ctx, tx: tx, out: out, statements: map[string]*sql.Stmt{}}
		rows, err := tx.QueryContext(ctx, "SELECT id FROM artifact ORDER BY sha256")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id int64
			if err := rows.Scan(&id); err != nil {
				return err
			}
			if err := d.artifact(id); err != nil {
				return err
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
		return d.query("campaign", "SELECT "+strings.Join(campaignSums, ", ")+" FROM campaign ORDER BY id", campaignSums)
	})
	return errors.Join(err, out.Flush())
}

// campaignSums are what is derived of the table campaign; when it was seen is not.
var campaignSums = strings.Fields("id title observed documents arms runs measurements")

// DerivedOf writes the derived rows of one artifact as DumpDerived does.
func (a *Archive) DerivedOf(ctx context.Context, artifactID int64) ([]byte, error) {
	var buf bytes.Buffer
	err := a.read(ctx, "dump derived rows", func(tx *sql.Tx) error {
		d := &dumper{ctx: ctx, tx: tx, out: &buf, statements: map[string]*sql.Stmt{}}
		return d.artifact(artifactID)
	})
	return buf.Bytes(), err
}

// Derived writes the rows that a reading would become, without storing them: equal
// to DerivedOf exactly when the archive holds that reading.
func Derived(kept evidence.Kept, r *evidence.Reading) ([]byte, error) {
	parts := map[*table]*bytes.Buffer{}
	err := flatten(kept, r, func(t *table, row ...any) error {
		if parts[t] == nil {
			parts[t] = &bytes.Buffer{}
		}
		writeRow(parts[t], t.name, t.columns, row, derivedID(kept.ArtifactID, 0))
		return nil
	})
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	writeRow(&buf, "reading", append([]string{"sha256", "size"}, readingColumns...),
		append([]any{kept.Digest[:], kept.Size}, readingRow(r)...), 0)
	for _, t := range derivedTables {
		if p := parts[t]; p != nil {
			buf.Write(p.Bytes())
		}
	}
	return buf.Bytes(), nil
}

type dumper struct {
	ctx        context.Context
	tx         *sql.Tx
	out        io.Writer
	statements map[string]*sql.Stmt
	first      int64 // the id of the artifact's row 0
}

func (d *dumper) artifact(id int64) error {
	d.first = derivedID(id, 0)
	columns := append([]string{"sha256", "size"}, readingColumns...)
	err := d.query("reading", "SELECT "+strings.Join(columns, ", ")+
		" FROM reading JOIN artifact ON id = artifact_id WHERE artifact_id = ?", columns, id)
	if err != nil {
		return err
	}
	for _, t := range derivedTables {
		lo, hi := t.span(id)
		query := "SELECT " + strings.Join(t.columns, ", ") + " FROM " + t.name +
			" WHERE " + t.key + " BETWEEN ? AND ? ORDER BY " + t.key
		if t.order != "" {
			query += ", " + t.order
		}
		if err := d.query(t.name, query, t.columns, lo, hi); err != nil {
			return err
		}
	}
	return nil
}

func (d *dumper) query(name, query string, columns []string, args ...any) error {
	s, ok := d.statements[query]
	if !ok {
		var err error
		if s, err = d.tx.PrepareContext(d.ctx, query); err != nil {
			return err
		}
		d.statements[query] = s
	}
	rows, err := s.QueryContext(d.ctx, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	values := make([]any, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if err := writeRow(d.out, name, columns, values, d.first); err != nil {
			return err
		}
	}
	return rows.Err()
}

// dumped leaves out the artifact's own id: it depends on the order of arrival.
func dumped(columns []string) []string {
	var kept []string
	for _, c := range columns {
		if c != "artifact_id" {
			kept = append(kept, c)
		}
	}
	return kept
}

// writeRow writes a row with its ids as ordinals from that of first on. An id outside the
// artifact comes out as a number that no row of it has.
func writeRow(w io.Writer, name string, columns []string, row []any, first int64) error {
	line := append([]byte(nil), name...)
	for i, c := range columns {
		if c == "artifact_id" {
			continue
		}
		line = append(line, ' ')
		switch v := row[i].(type) {
		case nil:
			line = append(line, "NULL"...)
		case int64:
			if c == "id" || strings.HasSuffix(c, "_id") {
				v -= first
			}
			line = strconv.AppendInt(line, v, 10)
		case float64:
			line = strconv.AppendFloat(line, v, 'e', -1, 64)
		case string:
			line = strconv.AppendQuote(line, v)
		case []byte:
			line = hex.AppendEncode(line, v)
		default:
			return fmt.Errorf("dump %s.%s: unexpected %T", name, c, v)
		}
	}
	_, err := w.Write(append(line, '\n'))
	return err
}
