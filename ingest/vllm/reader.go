package vllm

import (
	"strconv"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
)

// Shapes.
const (
	shapeServe      = "serve"
	shapeSeconds    = "serve-seconds"
	shapePooling    = "serve-pooling"
	shapeList       = "serve-list"
	shapeLatency    = "latency"
	shapeThroughput = "throughput"
	shapeSidecar    = "pytorch-sidecar"
)

// Reader reads one kind of result.
type Reader struct {
	lift.Meta
	match func(*jsondoc.Node) (string, bool)
	read  func(*lift.Builder, string)
}

// Readers are the readers of this package.
func Readers() []Reader {
	return []Reader{
		{lift.Named("vllm/serve", 2, "vllm"), matchServe, readServe},
		{lift.Named("vllm/latency", 2, "vllm"), matchLatency, readLatency},
		{lift.Named("vllm/throughput", 2, "vllm"), matchThroughput, readThroughput},
	}
}

// Match decides by members; the label says nothing.
func (r Reader) Match(_ string, v *jsondoc.Node) (string, bool) { return r.match(v) }

// Read lifts a value that matched.
func (r Reader) Read(v *jsondoc.Node, root evidence.Pointer, shapeID string) evidence.Document {
	b := lift.New(r.Reader, v, root, shapeID)
	r.read(b, shapeID)
	return b.Finish()
}

// ReadSketch reads a result whose raw rows are too many for a tree: the summary stands
// behind them in members of its own.
func (r Reader) ReadSketch(v *jsondoc.Node, root evidence.Pointer, shapeID string, nodes int) evidence.Document {
	b := lift.New(r.Reader, v, root, shapeID)
	if shapeID != shapeServe && shapeID != shapeSeconds && shapeID != shapePooling {
		return b.Doc
	}
	for _, name := range rawRows {
		b.Unheld(b.Top().Get(name), "raw rows of a value of "+strconv.Itoa(nodes)+" members and items")
	}
	b.Protocol("vllm bench serve", evidence.Linear, window)
	s := &serving{b: b, arms: map[string]int{}, sketch: true}
	s.result(b.Top(), shapeID, "run")
	s.close()
	b.Find(evidence.Info, lift.CodeRows, b.Top(), "the value holds %d members and items: the raw rows are not read, so the summary is not held against them and the run has no samples", nodes)
	return b.Finish()
}

func matchServe(v *jsondoc.Node) (string, bool) {
	if v.Is(jsondoc.Array) {
		if len(v.Children) == 0 {
			return "", false
		}
		sidecar := true
		for _, c := range v.Children {
			sidecar = sidecar && lift.Has(c, "benchmark", "model", "metric") && c.Get("metric").Get("benchmark_values") != nil
		}
		if sidecar {
			return shapeSidecar, true
		}
		for _, c := range v.Children {
			if s := serveShape(c); s == "" {
				return "", false
			}
		}
		return shapeList, true
	}
	s := serveShape(v)
	return s, s != ""
}

// serveShape tells the results of bench serve from those of its neighbours: SGLang
// names no model_id, InferenceX has its own prefix key.
func serveShape(v *jsondoc.Node) string {
	if !v.Get("model_id").Is(jsondoc.String) || !lift.HasNone(v, "infmax_model_prefix", "random_range_ratio", "benchmarks", "schema_version") {
		return ""
	}
	if v.Get("num_prompts") == nil && v.Get("completed") == nil && v.Get("request_throughput") == nil && v.Get("output_throughput") == nil {
		return ""
	}
	if v.Get("total_input_sequences") != nil {
		return shapePooling
	}
	ms, seconds, others := 0, 0, 0
	for i, name := range v.Names {
		f, ok := family(name)
		if !ok || !lift.Numeric(v.Children[i]) && !v.Children[i].Is(jsondoc.String) {
			continue
		}
		switch {
		case f.unit == "ms":
			ms++
		default:
			seconds++
		}
		if f.name != "e2el" {
			others++
		}
	}
	switch {
	case ms == 0 && seconds == 0 && lift.Has(v, "num_prompts", "request_rate", "completed", "duration"):
		return shapeServe // without a tokenizer there are rates and no latencies
	case ms == 0 && seconds == 0:
		return ""
	case ms >= seconds && others == 0 && v.Get("total_output_tokens") == nil:
		return shapePooling
	case ms >= seconds:
		return shapeServe
	}
	return shapeSeconds
}

// latencyFamily is a latency member taken apart: "p99.9_ttft_ms".
type latencyFamily struct {
	stat evidence.Stat
	name string
	unit string
}

// families are the latency families with their definitions; "" is one that no metric
// of the registry defines.
var families = map[string]evidence.MetricID{
	"ttft": evidence.TTFC, "tpot": evidence.TPOT, "itl": evidence.ITLChunk, "e2el": evidence.E2E,
	"client_queue_time": "", "e2el_including_client_queue": "", "ttft_including_client_queue": "",
}

func family(name string) (latencyFamily, bool) {
	stat, rest, ok := lift.StatPrefix(name)
	if !ok {
		return latencyFamily{}, false
	}
	f := latencyFamily{stat: stat, unit: "s"}
	if cut, isMS := strings.CutSuffix(rest, "_ms"); isMS {
		f.unit, rest = "ms", cut
	}
	f.name = rest
	_, ok = families[rest]
	return f, ok
}

func matchLatency(v *jsondoc.Node) (string, bool) {
	if !lift.Has(v, "avg_latency", "latencies", "percentiles") || !v.Get("latencies").Is(jsondoc.Array) || !v.Get("percentiles").Is(jsondoc.Object) {
		return "", false
	}
	return shapeLatency, lift.HasNone(v, "model_id", "num_prompts", "backend")
}

func matchThroughput(v *jsondoc.Node) (string, bool) {
	ok := lift.Has(v, "elapsed_time", "num_requests", "total_num_tokens", "requests_per_second", "tokens_per_second")
	return shapeThroughput, ok && lift.HasNone(v, "model_id", "backend", "benchmarks")
}
