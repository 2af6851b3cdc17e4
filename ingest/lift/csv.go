package lift

import (
	"bytes"
	"strings"

	"assay/ingest/jsondoc"
)

// Cell is a field of a line of text with its byte offset in the text.
type Cell struct {
	Text string
	At   int
}

// CSV splits a line that starts at an offset. Quotes are taken off; a doubled quote
// inside them stays as it stands, so that text and offset keep fitting.
func CSV(line string, at int) []Cell {
	var out []Cell
	for i := 0; ; {
		start := i
		if i < len(line) && line[i] == '"' {
			end := closing(line, i+1)
			out = append(out, Cell{line[i+1 : end], at + i + 1})
			i = min(end+1, len(line))
			if k := strings.IndexByte(line[i:], ','); k >= 0 {
				i += k
			} else {
				i = len(line)
			}
		} else {
			if k := strings.IndexByte(line[i:], ','); k >= 0 {
				i += k
			} else {
				i = len(line)
			}
			out = append(out, Cell{line[start:i], at + start})
		}
		if i >= len(line) {
			return out
		}
		i++ // the comma
	}
}

// closing finds the quote that ends a field.
func closing(line string, i int) int {
	for i < len(line) {
		if line[i] == '"' {
			if i+1 < len(line) && line[i+1] == '"' {
				i += 2
				continue
			}
			return i
		}
		i++
	}
	return len(line)
}

// Table makes an object of every line below a head of column names, as a list. from is
// where the head starts in data; kind says what a field is, and decides about an empty
// one too. More than most lines are read up to one too many, for the caller to refuse.
func Table(data []byte, from, most int, kind func(column, text string) jsondoc.Kind) *jsondoc.Node {
	top := &jsondoc.Node{Kind: jsondoc.Array, Offset: int64(from), End: int64(len(data))}
	var columns []string
	at := from
	for raw := range bytes.Lines(data[from:]) {
		line := strings.TrimRight(string(raw), "\r\n")
		switch {
		case line == "":
		case len(top.Children) > most:
			return top
		case columns == nil:
			for _, c := range CSV(line, at) {
				columns = append(columns, c.Text)
			}
		default:
			o := &jsondoc.Node{Kind: jsondoc.Object, Offset: int64(at), End: int64(at + len(line))}
			for i, c := range CSV(line, at) {
				if i >= len(columns) || columns[i] == "" {
					continue
				}
				o.Names = append(o.Names, columns[i])
				o.Children = append(o.Children, &jsondoc.Node{Kind: kind(columns[i], c.Text), Text: c.Text, Offset: int64(c.At), End: int64(c.At + len(c.Text))})
			}
			top.Children = append(top.Children, o)
		}
		at += len(raw)
	}
	return top
}

// LineWith finds the first line of a text that holds every one of the words: where it
// starts. Lines before it are what a program logged.
func LineWith(text []byte, words ...string) (at int, ok bool) {
	for line := range bytes.Lines(text) {
		found := true
		for _, w := range words {
			found = found && bytes.Contains(line, []byte(w))
		}
		if found {
			return at, true
		}
		at += len(line)
	}
	return 0, false
}
