package llamabench

import (
	"bytes"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// TextReader reads llama-bench -o csv.
type TextReader struct{ meta lift.Reader }

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	return []TextReader{{lift.Reader{ID: "llamabench/csv", Version: 1, Family: "llama-bench"}}}
}

// ID names the reader in rows and exports.
func (r TextReader) ID() string { return r.meta.ID }

// Version is raised whenever the reader's output changes.
func (r TextReader) Version() int { return r.meta.Version }

// MatchText decides by the head line.
func (r TextReader) MatchText(head []byte) (string, bool) {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	text := string(line)
	return shapeCSV, strings.Contains(text, "build_commit,") && strings.Contains(text, ",n_prompt,") && strings.Contains(text, "avg_ts")
}

// ReadText lifts every line below the head.
func (r TextReader) ReadText(data []byte, shapeID string) evidence.Document {
	v := parseCSV(data)
	b := lift.New(r.meta, v, "", shapeID)
	b.Lines(data)
	if len(v.Children) > mostRows {
		b.Find(evidence.Error, lift.CodeTooMany, b.Top(), "the table has more than %d lines: none of them is read", mostRows)
		return b.Doc
	}
	readBench(b, shapeList)
	return b.Finish()
}

// mostRows is how many lines of a table are read; real ones have some hundred.
const mostRows = 10_000

// parseCSV makes the objects that -o json would have, with offsets in the text.
func parseCSV(data []byte) *jsondoc.Node {
	top := &jsondoc.Node{Kind: jsondoc.Array, End: int64(len(data))}
	var names []string
	at := 0
	for raw := range bytes.Lines(data) {
		line := strings.TrimRight(string(raw), "\r\n")
		cells := lift.CSV(line, at)
		switch {
		case line == "":
		case len(top.Children) > mostRows:
			return top
		case names == nil:
			for _, c := range cells {
				names = append(names, c.Text)
			}
		default:
			top.Children = append(top.Children, csvRow(names, cells, at, len(line)))
		}
		at += len(raw)
	}
	return top
}

func csvRow(names []string, cells []lift.Cell, at, length int) *jsondoc.Node {
	o := &jsondoc.Node{Kind: jsondoc.Object, Offset: int64(at), End: int64(at + length)}
	for i, c := range cells {
		if i >= len(names) {
			break
		}
		kind := jsondoc.String
		if numeric[names[i]] || strings.HasPrefix(names[i], "n_") {
			if _, err := evidence.ParseDecimal(c.Text); err == nil && !strings.Contains(c.Text, ",") {
				kind = jsondoc.Number
			}
		}
		o.Names = append(o.Names, names[i])
		o.Children = append(o.Children, &jsondoc.Node{Kind: kind, Text: c.Text, Offset: int64(c.At), End: int64(c.At + len(c.Text))})
	}
	return o
}

// numeric are columns of numbers that do not start with n_.
var numeric = map[string]bool{"build_number": true, "model_size": true, "model_n_params": true, "avg_ns": true, "stddev_ns": true,
	"avg_ts": true, "stddev_ts": true, "poll": true, "main_gpu": true}
