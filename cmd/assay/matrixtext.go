package main

import (
	"fmt"
	"io"
	"strings"

	"assay/store/export"
	"assay/web/view"
)

// matrixText writes the matrix as the page lays it out, for a terminal.
func matrixText(w io.Writer, page *view.MatrixPage) error {
	m := page.Main
	t := export.Table{Title: m.Title, Columns: []export.Column{{Name: strings.ToLower(m.Corner.Text + ", " + m.Corner.Sub)}}}
	if m.Unit != "" {
		t.Title += ", " + m.Unit
	}
	var groups []string
	for _, g := range m.Groups {
		for range g.Span {
			groups = append(groups, g.Text)
		}
	}
	for i, h := range m.Heads {
		t.Columns = append(t.Columns, export.Column{Name: groups[i] + " " + h.Text, Form: export.Figure})
	}
	for _, body := range m.Bodies {
		for _, line := range body.Rows {
			t.Rows = append(t.Rows, matrixLine(&line, len(t.Columns)))
		}
	}
	var b strings.Builder
	b.WriteString(grid(&t))
	b.WriteString("\n" + page.Intro + "\n")
	for _, s := range m.Say {
		b.WriteString(s + "\n")
	}
	rules := rulesIn(page.Table())
	for _, c := range page.Caveats {
		if !rules[c.Rule] {
			continue // of another figure on the page
		}
		fmt.Fprintf(&b, "%s %s, %s: %s\n", c.Badge.Word, c.Rule, c.Scope, oneLine(c.Message))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func matrixLine(line *view.MatrixLine, width int) []export.Cell {
	label := line.Label.Text
	for _, s := range line.Subs {
		label += ", " + s.Text
	}
	row := []export.Cell{export.Text(label)}
	for i := range line.Places {
		p := &line.Places[i]
		row = append(row, export.Text(placeText(p)))
		for n := 1; n < p.Span; n++ {
			row = append(row, export.Cell{})
		}
	}
	for len(row) < width {
		row = append(row, export.Cell{})
	}
	return row
}

// placeText is one place in a line: the figure and what must be said with it, or the
// words that stand where there is none.
func placeText(p *view.MatrixPlace) string {
	text := p.Value.Text
	if p.Upper != nil {
		text += " to " + p.Upper.Text
	}
	var words []string
	switch {
	case text == "" && p.Badge != nil:
		return strings.TrimSuffix(p.Badge.Word+": "+p.Note, ": ")
	case text == "" && p.Word != "":
		return p.Word
	case text == "":
		return p.Note
	}
	if p.Badge != nil {
		words = append(words, p.Badge.Word)
	}
	if p.Word != "" {
		words = append(words, p.Word)
	}
	if p.Kind == view.PlaceValue && p.Struck {
		words = append(words, p.Sub)
	} else if p.Kind == view.PlaceValue && p.One {
		words = append(words, "n 1")
	}
	if len(words) > 0 {
		text += " (" + strings.Join(words, ", ") + ")"
	}
	return text
}

// rulesIn are the rules that have something to say in a matrix.
func rulesIn(t *export.Table) map[string]bool {
	rules := map[string]bool{}
	for i, c := range t.Columns {
		if !strings.HasSuffix(c.Name, "_rules") {
			continue
		}
		for _, row := range t.Rows {
			for rule := range strings.SplitSeq(row[i].String(), "; ") {
				rules[rule] = true
			}
		}
	}
	return rules
}
