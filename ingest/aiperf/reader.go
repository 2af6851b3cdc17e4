package aiperf

import (
	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// Shapes.
const (
	shapeExport     = "export"
	shapeGenAI      = "genai-perf"
	shapeRecord     = "record"
	shapeTimeslices = "timeslices"
	shapeAggregate  = "aggregate"
)

// Reader reads one kind of export.
type Reader struct {
	lift.Meta
	match func(*jsondoc.Node) string
	read  func(*lift.Builder, string)
}

// Readers are the readers of this package.
func Readers() []Reader {
	meta := func(id string) lift.Meta { return lift.Named(id, 2, "aiperf") }
	return []Reader{
		{meta("aiperf/export"), matchExport, readExport},
		{meta("aiperf/records"), matchRecord, readRecord},
	}
}

// Match decides by members; the label, where there is one, is a version number.
func (r Reader) Match(_ string, v *jsondoc.Node) (string, bool) {
	s := r.match(v)
	return s, s != ""
}

// Read lifts a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := lift.New(r.Reader, v, root, shapeID)
	r.read(b, shapeID)
	return b.Finish()
}

func matchExport(v *jsondoc.Node) string {
	if !v.Is(jsondoc.Object) {
		return ""
	}
	aiperf := v.Get("aiperf_version") != nil || v.Get("input_config").Get("aiperf_version") != nil
	switch {
	case v.Get("timeslices").Is(jsondoc.Array) && (aiperf || v.Get("input_config") != nil):
		return shapeTimeslices
	case aggregates(v):
		return shapeAggregate
	case blocks(v) == 0:
		return ""
	case aiperf:
		return shapeExport
	case v.Get("input_config").Is(jsondoc.Object):
		return shapeGenAI
	}
	return ""
}

// blocks counts metric blocks.
func blocks(v *jsondoc.Node) int {
	n := 0
	for _, c := range v.Children {
		if c.Get("unit").Is(jsondoc.String) && c.Get("avg") != nil {
			n++
		}
	}
	return n
}

// aggregates tells exports over several runs: means with confidence bounds, or runs
// beside each other.
func aggregates(v *jsondoc.Node) bool {
	if v.Get("combined").Is(jsondoc.Object) && v.Get("per_run") != nil {
		return true
	}
	for _, list := range [][]*jsondoc.Node{v.Children, childrenOf(v.Get("metrics"))} {
		for _, c := range list {
			if c.Get("ci_low") != nil && c.Get("t_critical") != nil {
				return true
			}
		}
	}
	return false
}

// Reason says why the dump of the client under genai-perf is not read.
func (r Reader) Reason(_ string, v *jsondoc.Node) string {
	first := v.Get("experiments").Item(0)
	if first.Get("requests").Is(jsondoc.Array) && first.Get("experiment") != nil {
		return "the raw requests of perf_analyzer: genai-perf's own export of the run has its figures"
	}
	return ""
}

func matchRecord(v *jsondoc.Node) string {
	meta, metrics := v.Get("metadata"), v.Get("metrics")
	if !metrics.Is(jsondoc.Object) || meta.Get("request_start_ns") == nil && meta.Get("credit_issued_ns") == nil {
		return ""
	}
	for _, c := range metrics.Children {
		if c.Get("value") == nil || c.Get("unit") == nil {
			return ""
		}
	}
	return shapeRecord
}

func childrenOf(n *jsondoc.Node) []*jsondoc.Node {
	if n == nil {
		return nil
	}
	return n.Children
}
