package main

import (
	"io"
	"strings"
	"unicode/utf8"

	"assay/store/export"
)

// formatTable is the format for people at a terminal.
const formatTable = "table"

// writeTable writes a table in one of the formats of the package export, or aligned
// for a terminal.
func writeTable(w io.Writer, t *export.Table, format string) error {
	if format == formatTable {
		_, err := io.WriteString(w, grid(t))
		return err
	}
	f, err := export.ParseFormat(format)
	if err != nil || f == export.Bench {
		return usagef("format %.40q: want table, csv, json or md", format)
	}
	return t.Write(f, w)
}

// grid lays a table out in columns of equal width, figures to the right.
func grid(t *export.Table) string {
	rows := make([][]string, 0, len(t.Rows)+1)
	head := make([]string, len(t.Columns))
	width := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		head[i] = c.Name
	}
	rows = append(rows, head)
	for _, r := range t.Rows {
		line := make([]string, len(r))
		for i := range r {
			line[i] = oneLine(r[i].String())
		}
		rows = append(rows, line)
	}
	for _, line := range rows {
		for i, s := range line {
			width[i] = max(width[i], utf8.RuneCountInString(s))
		}
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(oneLine(t.Title) + "\n\n")
	}
	for _, line := range rows {
		var out strings.Builder
		for i, s := range line {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(s))
			if t.Columns[i].Form == export.Figure {
				s, pad = pad+s, ""
			}
			out.WriteString(s + pad + "  ")
		}
		b.WriteString(strings.TrimRight(out.String(), " ") + "\n")
	}
	return b.String()
}
