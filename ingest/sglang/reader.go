package sglang

import (
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
	meta  lift.Reader
	shape string
	match func(*jsondoc.Node) bool
	read  func(*lift.Builder)
}

// Readers are the readers of this package.
func Readers() []Reader {
	meta := func(id string) lift.Reader { return lift.Reader{ID: id, Version: 1, Family: "sglang"} }
	return []Reader{
		{meta("sglang/serving"), shapeServing, matchServing, readServing},
		{meta("sglang/one-batch-server"), shapeServer, matchServer, readServer},
		{meta("sglang/one-batch"), shapeOneBatch, matchOneBatch, readOneBatch},
		{meta("sglang/offline"), shapeOffline, matchOffline, readOffline},
	}
}

// ID names the reader in rows and exports.
func (r Reader) ID() string { return r.meta.ID }

// Version is raised whenever the reader's output changes.
func (r Reader) Version() int { return r.meta.Version }

// Match decides by members; the label says nothing.
func (r Reader) Match(_ string, v *jsondoc.Node) (string, bool) { return r.shape, r.match(v) }

// Read lifts a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := lift.New(r.meta, v, root, shapeID)
	r.read(b)
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
	return lift.Has(v, "backend", "successful_requests", "total_latency", "total_output_tokens") && lift.HasNone(v, "dataset_name")
}
