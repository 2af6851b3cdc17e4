package inferenceperf

import (
	"bytes"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/ingest/lift/yamldoc"
	"assay/store/evidence"
)

// Shapes.
const (
	shapeStage  = "stage"
	shapePooled = "pooled"

	shapeRequests = "requests"
)

// Reader reads lifecycle reports.
type Reader struct{ lift.Meta }

// Readers are the readers of this package.
func Readers() []Reader {
	return []Reader{{lift.Named("inference-perf/lifecycle", 2, "inference-perf")}}
}

// Match decides by members; the label says nothing.
func (r Reader) Match(_ string, v *jsondoc.Node) (string, bool) {
	s := shapeOf(v)
	return s, s != ""
}

func shapeOf(v *jsondoc.Node) string {
	if isRequests(v) {
		return shapeRequests
	}
	if !v.Get("load_summary").Is(jsondoc.Object) || !v.Get("successes").Is(jsondoc.Object) || v.Get("failures") == nil {
		return ""
	}
	if lift.HasNone(v.Get("load_summary"), "requested_rate", "concurrency") {
		return shapePooled
	}
	return shapeStage
}

// Read lifts a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := lift.New(r.Reader, v, root, shapeID)
	read(b, shapeID)
	return b.Finish()
}

// TextReader reads the same reports as YAML.
type TextReader struct{ lift.Meta }

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	return []TextReader{{lift.Named("inference-perf/lifecycle-yaml", 2, "inference-perf")}}
}

// MatchText asks for two of the three members at the start of a line.
func (r TextReader) MatchText(head []byte) (string, bool) {
	n := 0
	for _, name := range []string{"load_summary:", "successes:", "failures:"} {
		if bytes.HasPrefix(head, []byte(name)) || bytes.Contains(head, []byte("\n"+name)) {
			n++
		}
	}
	return "yaml", n >= 2
}

// ReadText lifts a text that matched.
func (r TextReader) ReadText(data []byte, _ string) evidence.Document {
	b, shape, ok := yamldoc.Open(r.Reader, data, "a lifecycle report of inference-perf", func(v *jsondoc.Node) (string, bool) {
		s := shapeOf(v)
		return s, s != ""
	})
	if !ok {
		return b.Doc
	}
	read(b, shape)
	return b.Finish()
}
