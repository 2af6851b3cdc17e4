package sglang

import (
	"strconv"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// Shapes.
const (
	shapeServing  = "serving"
	shapeServer   = "one-batch-server"
	shapeOneBatch = "one-batch"
	shapeOffline  = "offline"
)

// Reader reads one kind of result.
type Reader struct {
	lift.Meta
	shape string
	match func(*jsondoc.Node) bool
	read  func(*lift.Builder)
}

// Readers are the readers of this package.
func Readers() []Reader {
	meta := func(id string) lift.Meta { return lift.Named(id, 2, "sglang") }
	return []Reader{
		{meta("sglang/serving"), shapeServing, matchServing, readServing},
		{meta("sglang/one-batch-server"), shapeServer, matchServer, readServer},
		{meta("sglang/one-batch"), shapeOneBatch, matchOneBatch, readOneBatch},
		{meta("sglang/offline"), shapeOffline, matchOffline, readOffline},
	}
}

// Match decides by members; the label says nothing.
func (r Reader) Match(_ string, v *jsondoc.Node) (string, bool) { return r.shape, r.match(v) }

// Read lifts a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := lift.New(r.Reader, v, root, shapeID)
	r.read(b)
	return b.Finish()
}

// ReadSketch reads a row of bench_serving whose raw rows are too many for a tree.
func (r Reader) ReadSketch(v *jsondoc.Node, root evidence.Pointer, shapeID string, nodes int) evidence.Document {
	b := lift.New(r.Reader, v, root, shapeID)
	if shapeID != shapeServing {
		return b.Doc
	}
	for _, name := range rawRows {
		b.Unheld(b.Top().Get(name), "raw rows of a value of "+strconv.Itoa(nodes)+" members and items")
	}
	serving(b, false)
	b.Find(evidence.Info, lift.CodeRows, b.Top(), "the value holds %d members and items: the raw rows are not read, so the summary is not held against them and the run has no samples", nodes)
	return b.Finish()
}

func matchServing(v *jsondoc.Node) bool {
	return lift.Has(v, "backend", "dataset_name", "completed", "duration") && lift.HasNone(v, "model_id", "num_prompts") &&
		(v.Get("random_range_ratio") != nil || v.Get("sharegpt_output_len") != nil) &&
		(v.Get("mean_e2e_latency_ms") != nil || v.Get("median_ttft_ms") != nil)
}

func matchServer(v *jsondoc.Node) bool {
	return lift.Has(v, "run_name", "batch_size", "last_ttft", "overall_throughput")
}

func matchOneBatch(v *jsondoc.Node) bool {
	return lift.Has(v, "run_name", "batch_size", "prefill_latency") && lift.HasNone(v, "last_ttft")
}

func matchOffline(v *jsondoc.Node) bool {
	return lift.Has(v, "backend", "successful_requests", "total_latency", "total_output_tokens") && lift.HasNone(v, "dataset_name", "run_name")
}
