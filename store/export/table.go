package export

import (
	"fmt"
	"io"
	"slices"

	"assay/store/evidence/mask"
)

// Table is a table of its own: a matrix, the list of a page. Every row has one cell
// for each column.
type Table struct {
	Title   string // Markdown writes it as a heading; the other formats have no place for it
	Columns []Column
	Rows    [][]Cell
	Private bool // leave private data as they are; secrets are masked all the same
}

// Write writes the table as csv, json or md.
func (t *Table) Write(f Format, w io.Writer) error {
	enc, err := encoderOf(f)
	if err != nil {
		return err
	}
	out := Writer{out: w, cols: t.Columns, enc: enc, kind: "table", veils: newVeils(t.Columns)}
	out.veils.private = t.Private
	out.buf = enc.begin(nil, mask.Secrets(t.Title), t.Columns)
	for i, row := range t.Rows {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("table %.40q, row %d: %d cells for %d columns", t.Title, i+1, len(row), len(t.Columns))
		}
		if err := out.write(slices.Clone(row)); err != nil {
			return err
		}
	}
	return out.Close()
}
