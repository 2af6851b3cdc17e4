package llamabench

import (
	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// TextReader reads one of the forms of output that are not JSON.
type TextReader struct {
	lift.Meta
	shape string
	match func(head []byte) bool
	parse func(data []byte) *jsondoc.Node
	read  func(*lift.Builder, string)
}

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	meta := func(id string) lift.Meta { return lift.Named(id, 2, "llama-bench") }
	return []TextReader{
		{meta("llamabench/csv"), shapeCSV, matchCSV, parseCSV, readBench},
		{meta("llamabench/sql"), shapeSQL, matchSQL, parseSQL, readBench},
		{meta("llamabench/md"), shapeMarkdown, matchMarkdown, parseMarkdown, readMarkdown},
		{meta("llamabench/batched-md"), shapeBatchedMarkdown, matchBatchedMarkdown, parseBatchedMarkdown, readBatched},
		{meta("llamabench/log"), shapeLog, matchLog, parseLog, readLog},
	}
}

// MatchText decides by the line that names the columns. A log that holds several forms is
// read as the first of them.
func (r TextReader) MatchText(head []byte) (string, bool) {
	if !r.match(head) {
		return r.shape, false
	}
	for _, other := range TextReaders() {
		if other.shape == r.shape {
			break
		}
		if other.match(head) {
			return r.shape, false
		}
	}
	return r.shape, true
}

// ReadText lifts every line of the table.
func (r TextReader) ReadText(data []byte, shapeID string) evidence.Document {
	v := r.parse(data)
	b := lift.New(r.Reader, v, "", shapeID)
	b.Lines(data)
	if len(v.Children) > mostRows {
		b.Find(evidence.Error, lift.CodeTooMany, b.Top(), "the table has more than %d lines: none of them is read", mostRows)
		return b.Doc
	}
	r.read(b, shapeList)
	return b.Finish()
}
