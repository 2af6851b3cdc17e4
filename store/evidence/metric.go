package evidence

// MetricID names a definition, not a look-alike name: two definitions are never
// subtracted, divided or drawn on one axis.
type MetricID string

const (
	TTFT                  MetricID = "ttft"
	TTFO                  MetricID = "ttfo"
	TTFC                  MetricID = "ttfc"
	TPOT                  MetricID = "tpot"
	TPOTInclusive         MetricID = "tpot_incl"
	ITLToken              MetricID = "itl_token"
	ITLChunk              MetricID = "itl_chunk"
	DecodeRate            MetricID = "decode_rate"
	DecodeChunkRate       MetricID = "decode_chunk_rate"
	EffectivePrefillRate  MetricID = "effective_prefill_rate"
	Generation            MetricID = "generation"
	E2E                   MetricID = "e2e"
	OutputThroughput      MetricID = "output_throughput"
	OutputChunkThroughput MetricID = "output_chunk_throughput"
	TotalThroughput       MetricID = "total_throughput"
	RequestThroughput     MetricID = "request_throughput"
	Goodput               MetricID = "goodput"
	KVPoolTokens          MetricID = "kv_pool_tokens"
	AcceptLength          MetricID = "accept_length"
	AcceptRate            MetricID = "accept_rate"
	EnergyPerOutputToken  MetricID = "energy_per_output_token"
	PassRate              MetricID = "pass_rate"
	WER                   MetricID = "wer"
	CER                   MetricID = "cer"
	RTF                   MetricID = "rtf"
	Latency               MetricID = "latency"
	PromptTokens          MetricID = "prompt_tokens"
	OutputTokens          MetricID = "output_tokens"
	GPUMemoryUsed         MetricID = "gpu_memory_used"
	GPUMemoryFree         MetricID = "gpu_memory_free"
	ClaimedChange         MetricID = "claimed_change"
	HeadlineRate          MetricID = "headline_rate"

	// Definitions that other tools publish and that are none of the above.
	TPOTWeighted              MetricID = "tpot_weighted"
	TPOTAllTokens             MetricID = "tpot_all_tokens"
	E2EPerToken               MetricID = "e2e_per_token"
	E2EFromDue                MetricID = "e2e_from_due"
	TTFOFromDue               MetricID = "ttfo_from_due"
	InputThroughput           MetricID = "input_throughput"
	PrefillThroughput         MetricID = "prefill_throughput"
	DecodeThroughput          MetricID = "decode_throughput"
	BatchThroughput           MetricID = "batch_throughput"
	BatchLatency              MetricID = "batch_latency"
	TotalThroughputPerGPU     MetricID = "total_throughput_per_gpu"
	OutputThroughputPerGPU    MetricID = "output_throughput_per_gpu"
	InputThroughputPerGPU     MetricID = "input_throughput_per_gpu"
	OutputThroughputDecodeGPU MetricID = "output_throughput_per_decode_gpu"
	InputThroughputPrefillGPU MetricID = "input_throughput_per_prefill_gpu"
)

// Direction says which way a metric is better.
type Direction string

const (
	Higher  Direction = "higher"
	Lower   Direction = "lower"
	Neither Direction = "neither"
)

// Metric is one registry entry.
type Metric struct {
	ID         MetricID
	Title      string // as a column head writes it
	Definition string // one sentence, start and end of the interval or numerator and denominator
	Unit       Unit
	Better     Direction
	// Comparable is false for figures that describe a workload or repeat a source's
	// own claim; no delta is ever formed from them.
	Comparable bool
}

// Metrics is the registry in the order pages list it.
var Metrics = []Metric{
	{TTFT, "TTFT", "request start to first non-empty visible content", Seconds, Lower, true},
	{TTFO, "TTFO", "request start to first non-empty output, reasoning or content", Seconds, Lower, true},
	{TTFC, "TTFC", "request start to first streamed chunk, even an empty one", Seconds, Lower, true},
	{TPOT, "TPOT", "per request: (e2e - first output) / (output tokens - 1)", Seconds, Lower, true},
	{TPOTInclusive, "TPOT incl. prefill", "per request: (last token - request start) / output tokens", Seconds, Lower, true},
	{ITLToken, "ITL (token)", "gap between two output tokens", Seconds, Lower, true},
	{ITLChunk, "ITL (chunk)", "gap between two stream chunks", Seconds, Lower, true},
	{DecodeRate, "Decode rate", "per request: (output tokens - 1) / (e2e - first output), tokens from server usage", TokensPerSecond, Higher, true},
	{DecodeChunkRate, "Decode rate (chunks)", "per request: (chunks - 1) / (e2e - first output)", ChunksPerSecond, Higher, true},
	{EffectivePrefillRate, "Effective prefill", "prompt tokens / first-output boundary", TokensPerSecond, Higher, true},
	{Generation, "Generation", "first output to end of the response, per request", Seconds, Lower, true},
	{E2E, "E2E", "request start to end of the response", Seconds, Lower, true},
	{OutputThroughput, "Output throughput", "output tokens of all requests / wall time", TokensPerSecond, Higher, true},
	{OutputChunkThroughput, "Output throughput (chunks)", "stream chunks of all requests / wall time", ChunksPerSecond, Higher, true},
	{TotalThroughput, "Total throughput", "(input + output tokens) of all requests / wall time", TokensPerSecond, Higher, true},
	{RequestThroughput, "Request throughput", "completed requests / wall time", RequestsPerSec, Higher, true},
	{Goodput, "Goodput", "requests that meet the objective / wall time", RequestsPerSec, Higher, true},
	{KVPoolTokens, "KV pool", "tokens of key-value cache the engine reports at start-up; accounting, not demonstrated concurrency", Tokens, Higher, true},
	{AcceptLength, "Acceptance length", "tokens accepted per verification step of speculative decoding", Tokens, Higher, true},
	{AcceptRate, "Acceptance rate", "accepted draft tokens / proposed draft tokens", Ratio, Higher, true},
	{EnergyPerOutputToken, "Energy per output token", "energy over the measured window / output tokens", JoulesPerToken, Lower, true},
	{PassRate, "Pass rate", "passed / attempted", Ratio, Higher, true},
	{WER, "WER", "micro word error rate", Ratio, Lower, true},
	{CER, "CER", "micro character error rate", Ratio, Lower, true},
	{RTF, "RTF", "processing time / audio time", Ratio, Lower, true},
	{Latency, "Latency", "latency of one speech or multimodal request", Seconds, Lower, true},
	{PromptTokens, "Prompt tokens", "prompt tokens of one request as the API reports them", Tokens, Neither, false},
	{OutputTokens, "Output tokens", "completion tokens of one request from server usage", Tokens, Neither, false},
	{GPUMemoryUsed, "GPU memory used", "device memory in use on the measured card", Bytes, Lower, true},
	{GPUMemoryFree, "GPU memory free", "device memory left free on the measured card", Bytes, Higher, true},
	{TPOTWeighted, "TPOT (token-weighted)", "per request: (last output - first output) / (output tokens - 1), the distribution counts every token once", Seconds, Lower, true},
	{TPOTAllTokens, "TPOT over all tokens", "per request: (last output - first output) / output tokens", Seconds, Lower, true},
	{E2EPerToken, "E2E per token", "per request: e2e / output tokens (normalised latency)", Seconds, Lower, true},
	{E2EFromDue, "E2E from due time", "scheduled send time to end of the response, client and server queue included", Seconds, Lower, true},
	{TTFOFromDue, "TTFO from due time", "scheduled send time to first output token, client and server queue included", Seconds, Lower, true},
	{InputThroughput, "Input throughput", "input tokens of all requests / wall time", TokensPerSecond, Higher, true},
	{PrefillThroughput, "Prefill phase", "prompt tokens of a batch / duration of its prefill phase", TokensPerSecond, Higher, true},
	{DecodeThroughput, "Decode phase", "output tokens of a batch / duration of its decode phase, prefill excluded", TokensPerSecond, Higher, true},
	{BatchThroughput, "Batch throughput", "(prompt + output tokens) of one batch / its duration", TokensPerSecond, Higher, true},
	{BatchLatency, "Batch latency", "start of one whole batch to the end of its last request", Seconds, Lower, true},
	{TotalThroughputPerGPU, "Total throughput per GPU", "(input + output tokens) of all requests / wall time / all GPUs", TokensPerSecond, Higher, true},
	{OutputThroughputPerGPU, "Output throughput per GPU", "output tokens of all requests / wall time / all GPUs", TokensPerSecond, Higher, true},
	{InputThroughputPerGPU, "Input throughput per GPU", "input tokens of all requests / wall time / all GPUs", TokensPerSecond, Higher, true},
	{OutputThroughputDecodeGPU, "Output throughput per decode GPU", "output tokens of all requests / wall time / GPUs that only decode", TokensPerSecond, Higher, true},
	{InputThroughputPrefillGPU, "Input throughput per prefill GPU", "input tokens of all requests / wall time / GPUs that only prefill", TokensPerSecond, Higher, true},
	{HeadlineRate, "Headline rate", "a token rate as the source publishes it, without saying what it measures", TokensPerSecond, Neither, false},
	{ClaimedChange, "Claimed change", "relative change as the source publishes it; a claim to check, never an input", Ratio, Neither, false},
}

var metricByID = func() map[MetricID]*Metric {
	m := make(map[MetricID]*Metric, len(Metrics))
	for i := range Metrics {
		m[Metrics[i].ID] = &Metrics[i]
	}
	return m
}()

// LookupMetric finds a definition by id.
func LookupMetric(id MetricID) (Metric, bool) {
	m, ok := metricByID[id]
	if !ok {
		return Metric{}, false
	}
	return *m, true
}

// Stat is the statistic a measurement states.
type Stat string

const (
	Mean   Stat = "mean"
	P50    Stat = "p50"
	P95    Stat = "p95"
	P99    Stat = "p99"
	Single Stat = "single" // one observation: neither a distribution nor a ranking
	Total  Stat = "total"  // one figure for the whole run or engine
	Max    Stat = "max"
	Min    Stat = "min"

	P0p1  Stat = "p0.1"
	P1    Stat = "p1"
	P5    Stat = "p5"
	P10   Stat = "p10"
	P25   Stat = "p25"
	P75   Stat = "p75"
	P90   Stat = "p90"
	P99p9 Stat = "p99.9"
	Std   Stat = "std" // population or sample is the source's choice
)

// Stats in the order pages list them.
var Stats = []Stat{Total, Mean, P50, P95, P99, Min, Max, Single, P0p1, P1, P5, P10, P25, P75, P90, P99p9, Std}

// Method is how a percentile was taken. "" means that no source says so.
type Method string

const (
	NearestRank  Method = "nearest-rank"
	Linear       Method = "linear"
	RoundedIndex Method = "rounded-index"
	FloorIndex   Method = "floor-index" // sorted[floor(n*q)]
)
