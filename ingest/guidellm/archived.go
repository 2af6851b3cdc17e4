package guidellm

import (
	"bytes"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// The tool writes a report as a table and as a page too. Both repeat a part of the JSON
// or YAML that stands beside them, rounded or drawn, so they are known and not read:
// the same run would count twice.

// CopyReader knows the further forms of a report.
type CopyReader struct {
	lift.Meta
	shape string
	why   string
	match func(head []byte) bool
}

// CopyReaders are the readers of the forms that are archived.
func CopyReaders() []CopyReader {
	meta := func(id string) lift.Meta { return lift.Named(id, 1, "guidellm") }
	return []CopyReader{
		{meta("guidellm/table"), "csv", "the text is the table of a GuideLLM report", matchTable},
		{meta("guidellm/page"), "html", "the text is the page of a GuideLLM report", matchPage},
	}
}

// MatchText decides by what the text says.
func (r CopyReader) MatchText(head []byte) (string, bool) { return r.shape, r.match(head) }

// ReadText lifts nothing and says so.
func (r CopyReader) ReadText(data []byte, shapeID string) evidence.Document {
	b := lift.New(r.Reader, &jsondoc.Node{}, "", shapeID)
	b.Lines(data)
	b.Archive(b.Top(), "%s: it repeats the JSON or YAML of the same report, whose figures are lifted from there", r.why)
	return b.Doc
}

// matchTable knows the heads of both generations: groups above names, and one line.
func matchTable(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	has := func(s string) bool { return bytes.Contains(line, []byte(s)) }
	return has("Run Info,") && has("Request Latency") || has("Run Id,") && (has("Requests per Second") || has("Request Latency") || has("Successful Requests"))
}

func matchPage(head []byte) bool {
	lower := bytes.ToLower(head)
	return (bytes.Contains(lower, []byte("<html")) || bytes.Contains(lower, []byte("<!doctype html"))) && bytes.Contains(lower, []byte("guidellm"))
}

// Reason says why a report of the first generation is not read: its benchmarks hold
// results of single requests under a mode, and no distributions.
func (r Reader) Reason(_ string, v *jsondoc.Node) string {
	first := v.Get("benchmarks").Item(0)
	if inner := first.Get("benchmarks"); inner.Is(jsondoc.Array) {
		first = inner.Item(0)
	}
	if first.Get("mode") != nil && first.Get("results") != nil && (first.Get("errors") != nil || first.Get("concurrencies") != nil) {
		return "a GuideLLM report of version 0.1 lists single results and no distributions; reports are read from 0.2 on"
	}
	if v.Get("benchmarks").Is(jsondoc.Array) && v.Get("metadata").Get("guidellm_version") != nil {
		return "a GuideLLM report whose benchmarks hold no distributions by status"
	}
	return ""
}
