package guidellm

import (
	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// Shapes, by the version that introduced them.
const (
	shapeV3 = "v0.3"
	shapeV4 = "v0.4"
	shapeV5 = "v0.5"
	shapeV7 = "v0.7"
)

// Reader reads reports.
type Reader struct{ lift.Meta }

// Readers are the readers of this package.
func Readers() []Reader {
	return []Reader{{lift.Named("guidellm/report", 2, "guidellm")}}
}

// Match decides by the shape of the first benchmark.
func (r Reader) Match(_ string, v *jsondoc.Node) (string, bool) {
	list := v.Get("benchmarks")
	if !list.Is(jsondoc.Array) || len(list.Children) == 0 {
		return "", false
	}
	for _, c := range list.Children {
		if !distributed(c.Get("metrics")) {
			return "", false
		}
	}
	first := list.Children[0]
	version := v.Get("metadata").Get("version")
	switch {
	case first.Get("run_stats") != nil || first.Get("worker") != nil:
		return shapeV3, true
	case version.Is(jsondoc.Number) && version.Text == "1":
		return shapeV5, true
	case version != nil || v.Get("config") != nil:
		return shapeV7, true
	case v.Get("args") != nil || first.Get("config") != nil:
		return shapeV4, true
	}
	return "", false
}

// distributed reports whether a metrics block holds distributions by status.
func distributed(m *jsondoc.Node) bool {
	for _, name := range []string{"requests_per_second", "request_latency", "time_to_first_token_ms", "output_token_count"} {
		if m.Get(name).Get("successful").Is(jsondoc.Object) {
			return true
		}
	}
	return false
}

// Read lifts a report.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	return r.read(lift.New(r.Reader, v, root, shapeID), shapeID)
}

func (r Reader) read(b *lift.Builder, shapeID string) evidence.Document {
	b.Protocol("guidellm", evidence.NearestRank, "measured window, warm-up and cool-down cut off")
	rep := report{b: b, shape: shapeID, top: b.Top()}
	rep.read()
	return b.Finish()
}
