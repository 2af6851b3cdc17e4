package lift

import "strings"

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
