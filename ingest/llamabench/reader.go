package llamabench

import (
	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// Shapes.
const (
	shapeBench   = "bench"
	shapeList    = "bench-list"
	shapeNested  = "bench-nested"
	shapeBatched = "batched"
	shapeCSV     = "csv"
	shapeSQL     = "sql"

	shapeMarkdown        = "md"
	shapeBatchedMarkdown = "batched-md"
	shapeLog             = "log"
)

// Reader reads one kind of result.
type Reader struct {
	lift.Meta
	match func(*jsondoc.Node) string
	read  func(*lift.Builder, string)
}

// Readers are the readers of this package.
func Readers() []Reader {
	meta := func(id string) lift.Meta { return lift.Named(id, 2, "llama-bench") }
	return []Reader{
		{meta("llamabench/bench"), matchBench, readBench},
		{meta("llamabench/batched"), matchBatched, readBatched},
	}
}

// Match decides by members; the label says nothing.
func (r Reader) Match(_ string, v *jsondoc.Node) (string, bool) {
	s := r.match(v)
	return s, s != ""
}

// Logs reports that the tool prints its results between the lines of a log.
func (r Reader) Logs() bool { return true }

// Read lifts a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := lift.New(r.Reader, v, root, shapeID)
	r.read(b, shapeID)
	return b.Finish()
}

func isBench(v *jsondoc.Node) bool {
	return lift.Has(v, "build_commit", "n_prompt", "n_gen") && (v.Get("avg_ts") != nil || v.Get("avg_ns") != nil)
}

func matchBench(v *jsondoc.Node) string {
	switch {
	case isBench(v):
		return shapeBench
	case v.Get("bench_raw") != nil && (isBench(v.Get("bench_raw")) || v.Get("bench_raw").Is(jsondoc.Null) && v.Get("tokens_per_sec") != nil):
		return shapeNested
	case v.Is(jsondoc.Array) && len(v.Children) > 0:
		for _, c := range v.Children {
			if s := matchBench(c); s == "" || s == shapeList {
				return ""
			}
		}
		return shapeList
	}
	return ""
}

func matchBatched(v *jsondoc.Node) string {
	if v.Is(jsondoc.Array) && len(v.Children) > 0 {
		for _, c := range v.Children {
			if !c.Is(jsondoc.Object) || matchBatched(c) == "" {
				return ""
			}
		}
		return shapeBatched
	}
	if lift.Has(v, "n_kv_max", "pp", "tg", "pl", "speed_pp", "speed_tg") {
		return shapeBatched
	}
	return ""
}
