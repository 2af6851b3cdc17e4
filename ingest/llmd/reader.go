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
type Reader struct{ lift.Meta }

// Readers are the readers of this package.
func Readers() []Reader {
	return []Reader{{lift.Named("llm-d/report", 2, "llm-d")}}
}

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
	b := lift.New(r.Reader, v, root, shapeID)
	read(b, shapeID)
	return b.Finish()
}

// TextReader reads reports as YAML.
type TextReader struct{ lift.Meta }

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	return []TextReader{{lift.Named("llm-d/report-yaml", 2, "llm-d")}}
}

var (
	versionLine = regexp.MustCompile(`(?m)^version: *['"]?0\.\d`)
	partLine    = regexp.MustCompile(`(?m)^(scenario|run|results|metrics):`)
)

// MatchText asks for a version and a part at the start of a line.
func (r TextReader) MatchText(head []byte) (string, bool) {
	return "yaml", versionLine.Match(head) && partLine.Match(head)
}

// ReadText lifts a text that matched.
func (r TextReader) ReadText(data []byte, _ string) evidence.Document {
	b, shape, ok := yamldoc.Open(r.Reader, data, "a benchmark report of llm-d", func(v *jsondoc.Node) (string, bool) {
		s := shapeOf(v)
		return s, s != ""
	})
	if !ok {
		return b.Doc
	}
	read(b, shape)
	return b.Finish()
}
