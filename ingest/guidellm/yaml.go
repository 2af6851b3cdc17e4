package guidellm

import (
	"bytes"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/ingest/lift/yamldoc"
	"assay/store/evidence"
)

// TextReader reads the same reports as YAML.
type TextReader struct{ json Reader }

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	return []TextReader{{Reader{lift.Reader{ID: "guidellm/report-yaml", Version: 1, Family: "guidellm"}}}}
}

// ID names the reader in rows and exports.
func (r TextReader) ID() string { return r.json.ID() }

// Version is raised whenever the reader's output changes.
func (r TextReader) Version() int { return r.json.Version() }

// MatchText asks for the list of benchmarks at the start of a line and a metric's name.
func (r TextReader) MatchText(head []byte) (string, bool) {
	list := bytes.HasPrefix(head, []byte("benchmarks:")) || bytes.Contains(head, []byte("\nbenchmarks:"))
	return "yaml", list && (bytes.Contains(head, []byte("_token_ms:")) || bytes.Contains(head, []byte("requests_per_second:")))
}

// ReadText lifts a text that matched.
func (r TextReader) ReadText(data []byte, shapeID string) evidence.Document {
	v, err := yamldoc.Parse(data)
	if err == nil {
		if shape, ok := r.json.Match("", v); ok {
			b := lift.New(r.json.meta, v, "", shape)
			b.Lines(data)
			return r.json.read(b, shape)
		}
	}
	b := lift.New(r.json.meta, &jsondoc.Node{}, "", shapeID)
	b.Lines(data)
	if err != nil {
		b.Find(evidence.Error, "yaml-syntax", b.Top(), "%v", err)
	} else {
		b.Find(evidence.Error, lift.CodeMissing, b.Top(), "the benchmarks hold no distributions by status")
	}
	return b.Finish()
}
