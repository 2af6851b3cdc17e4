package llmd

import (
	"regexp"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/ingest/lift/yamldoc"
	"assay/store/evidence"
)

// Shapes.
const (
	shapeV1 = "v0.1"
	shapeV2 = "v0.2"
)

// Reader reads reports.
type Reader struct{ meta lift.Reader }

// Readers are the readers of this package.
func Readers() []Reader {
	return []Reader{{lift.Reader{ID: "llm-d/report", Version: 1, Family: "llm-d"}}}
}

// ID names the reader in rows and exports.
func (r Reader) ID() string { return r.meta.ID }

// Version is raised whenever the reader's output changes.
func (r Reader) Version() int { return r.meta.Version }

// Match decides by members; the label says nothing.
func (r Reader) Match(_ string, v *jsondoc.Node) (string, bool) {
	s := shapeOf(v)
	return s, s != ""
}

func shapeOf(v *jsondoc.Node) string {
	if version := v.Get("version"); !version.Is(jsondoc.String) && !version.Is(jsondoc.Number) {
		return ""
	}
	switch {
	case v.Get("results").Get("request_performance").Is(jsondoc.Object) && (v.Get("run") != nil || v.Get("scenario") != nil):
		return shapeV2
	case v.Get("scenario").Is(jsondoc.Object) && v.Get("metrics").Get("requests").Is(jsondoc.Object):
		return shapeV1
	}
	return ""
}

// Read lifts a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := lift.New(r.meta, v, root, shapeID)
	read(b, shapeID)
	return b.Finish()
}

// TextReader reads reports as YAML.
type TextReader struct{ meta lift.Reader }

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	return []TextReader{{lift.Reader{ID: "llm-d/report-yaml", Version: 1, Family: "llm-d"}}}
}

// ID names the reader in rows and exports.
func (r TextReader) ID() string { return r.meta.ID }

// Version is raised whenever the reader's output changes.
func (r TextReader) Version() int { return r.meta.Version }

var (
	versionLine = regexp.MustCompile(`(?m)^version: *['"]?0\.\d`)
	partLine    = regexp.MustCompile(`(?m)^(scenario|run|results|metrics):`)
)

// MatchText asks for a version and a part at the start of a line.
func (r TextReader) MatchText(head []byte) (string, bool) {
	return "yaml", versionLine.Match(head) && partLine.Match(head)
}

// ReadText lifts a text that matched.
func (r TextReader) ReadText(data []byte, shapeID string) evidence.Document {
	v, err := yamldoc.Parse(data)
	if err != nil {
		b := lift.New(r.meta, &jsondoc.Node{}, "", shapeID)
		b.Lines(data)
		b.Find(evidence.Error, "yaml-syntax", b.Top(), "%v", err)
		return b.Finish()
	}
	b := lift.New(r.meta, v, "", shapeID)
	b.Lines(data)
	s := shapeOf(v)
	if s == "" {
		b.Find(evidence.Error, lift.CodeMissing, b.Top(), "neither metrics.requests nor results.request_performance stands here")
		return b.Finish()
	}
	read(b, s)
	return b.Finish()
}
