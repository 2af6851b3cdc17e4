package guidellm

import (
	"bytes"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/ingest/lift/yamldoc"
	"assay/store/evidence"
)

// TextReader reads the same reports as YAML.
type TextReader struct{ Reader }

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	return []TextReader{{Reader{lift.Named("guidellm/report-yaml", 2, "guidellm")}}}
}

// MatchText asks for the list of benchmarks at the start of a line and a metric's name.
func (r TextReader) MatchText(head []byte) (string, bool) {
	list := bytes.HasPrefix(head, []byte("benchmarks:")) || bytes.Contains(head, []byte("\nbenchmarks:"))
	return "yaml", list && (bytes.Contains(head, []byte("_token_ms:")) || bytes.Contains(head, []byte("requests_per_second:")))
}

// ReadText lifts a text that matched.
func (r TextReader) ReadText(data []byte, _ string) evidence.Document {
	b, shape, ok := yamldoc.Open(r.Meta.Reader, data, "a GuideLLM report", func(v *jsondoc.Node) (string, bool) { return r.Match("", v) })
	if !ok {
		return b.Doc
	}
	return r.read(b, shape)
}
