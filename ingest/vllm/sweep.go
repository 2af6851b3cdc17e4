package vllm

import (
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// TextReader reads the table of a sweep: a line for each run, with the members of its
// result and what the sweep set.
type TextReader struct{ lift.Meta }

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	return []TextReader{{lift.Named("vllm/sweep-table", 1, "vllm")}}
}

// mostRuns is how many lines of a table are read; real ones have a few hundred.
const mostRuns = 5_000

// MatchText asks for the head line.
func (r TextReader) MatchText(head []byte) (string, bool) {
	line, _, _ := strings.Cut(strings.TrimPrefix(string(head[:min(len(head), 16<<10)]), "\ufeff"), "\n")
	has := func(name string) bool {
		for _, c := range lift.CSV(strings.TrimRight(line, "\r"), 0) {
			if c.Text == name {
				return true
			}
		}
		return false
	}
	return "sweep-table", strings.Contains(line, "model_id") && has("model_id") && has("run_number") && (has("request_throughput") || has("mean_ttft_ms") || has("completed"))
}

// ReadText reads every line as the result that it repeats.
func (r TextReader) ReadText(data []byte, shapeID string) evidence.Document {
	from := len(data) - len(strings.TrimPrefix(string(data), "\ufeff"))
	v := lift.Table(data, from, mostRuns, cellKind)
	b := lift.New(r.Reader, v, "", shapeID)
	b.Lines(data)
	top := b.Top()
	if top.Len() > mostRuns {
		b.Find(evidence.Error, lift.CodeTooMany, top, "the table has more than %d lines: none of them is read", mostRuns)
		return b.Doc
	}
	for _, row := range v.Children {
		if serveShape(row) == "" {
			b.Archive(top, "a line of the table is no result of a run")
			return b.Doc
		}
	}
	if top.Len() == 0 {
		b.Archive(top, "the table of a sweep without a run")
		return b.Doc
	}
	readServe(b, shapeList)
	return b.Finish()
}

// cellKind is what a field holds: the table writes None as nothing and flags as words.
func cellKind(_, text string) jsondoc.Kind {
	switch text {
	case "":
		return jsondoc.Null
	case "True", "False":
		return jsondoc.Bool
	case "nan", "NaN":
		return jsondoc.NotFinite
	}
	if _, err := evidence.ParseDecimal(text); err == nil && !strings.Contains(text, ",") {
		return jsondoc.Number
	}
	return jsondoc.String
}

// Reason says why a file of a sweep is no result.
func (r Reader) Reason(_ string, v *jsondoc.Node) string {
	if lift.Has(v, "error_type", "error") && (v.Get("serve_overrides") != nil || v.Get("bench_overrides") != nil) {
		return "the failure of a run of a vLLM sweep: nothing was measured"
	}
	return ""
}
