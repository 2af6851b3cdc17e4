package llamabench

import (
	"bytes"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
)

const insert = "INSERT INTO "

// matchSQL finds a row, whatever the table is called: its name has changed once.
func matchSQL(head []byte) bool {
	_, ok := lift.LineWith(head, insert, "build_commit", "n_prompt", "avg_ts", "VALUES")
	return ok
}

// parseSQL makes the objects that -o json would have of the rows that are inserted.
func parseSQL(data []byte) *jsondoc.Node {
	top := &jsondoc.Node{Kind: jsondoc.Array, End: int64(len(data))}
	at := 0
	for raw := range bytes.Lines(data) {
		line := strings.TrimRight(string(raw), "\r\n")
		if len(top.Children) > mostRows {
			return top
		}
		if strings.HasPrefix(strings.TrimSpace(line), insert) {
			if o := insertRow(line, at); o != nil && isBench(o) {
				top.Children = append(top.Children, o)
			}
		}
		at += len(raw)
	}
	return top
}

// insertRow reads "INSERT INTO t (a, b) VALUES ('1', 'x');"; nil when it is anything else.
func insertRow(line string, at int) *jsondoc.Node {
	open := strings.IndexByte(line, '(')
	shut := strings.IndexByte(line, ')')
	if open < 0 || shut < open {
		return nil
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(line[shut+1:]), "VALUES")
	if !ok {
		return nil
	}
	i := len(line) - len(strings.TrimLeft(rest, " ("))
	o := &jsondoc.Node{Kind: jsondoc.Object, Offset: int64(at), End: int64(at + len(line))}
	for name := range strings.SplitSeq(line[open+1:shut], ",") {
		name = strings.TrimSpace(name)
		if i >= len(line) || line[i] != '\'' {
			return nil
		}
		end := quoted(line, i+1)
		text := line[i+1 : end]
		o.Names = append(o.Names, name)
		o.Children = append(o.Children, &jsondoc.Node{Kind: kindOf(name, text), Text: text, Offset: int64(at + i + 1), End: int64(at + end)})
		if i = min(end+1, len(line)); i < len(line) {
			i += len(line[i:]) - len(strings.TrimLeft(line[i:], ", "))
		}
	}
	return o
}

// quoted finds the quote that ends a text; a doubled one belongs to it.
func quoted(line string, i int) int {
	for i < len(line) {
		if line[i] == '\'' {
			if i+1 < len(line) && line[i+1] == '\'' {
				i += 2
				continue
			}
			return i
		}
		i++
	}
	return len(line)
}
