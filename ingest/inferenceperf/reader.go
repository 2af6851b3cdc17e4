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
)

// Reader reads lifecycle reports.
type Reader struct{ meta lift.Reader }

// Readers are the readers of this package.
func Readers() []Reader {
	return []Reader{{lift.Reader{ID: "inference-perf/lifecycle", Version: 1, Family: "inference-perf"}}}
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
	b := lift.New(r.meta, v, root, shapeID)
	read(b, shapeID)
	return b.Finish()
}

// TextReader reads the same reports as YAML.
type TextReader struct{ meta lift.Reader }

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	return []TextReader{{lift.Reader{ID: "inference-perf/lifecycle-yaml", Version: 1, Family: "inference-perf"}}}
}

// ID names the reader in rows and exports.
func (r TextReader) ID() string { return r.meta.ID }

// Version is raised whenever the reader's output changes.
func (r TextReader) Version() int { return r.meta.Version }

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
		b.Find(evidence.Error, lift.CodeMissing, b.Top(), "load_summary, successes or failures is missing")
		return b.Finish()
	}
	read(b, s)
	return b.Finish()
}
