package compare

import (
	"assay/store/evidence"
)

// Question is what is asked of a pair.
type Question struct {
	Metric evidence.MetricID
	// Stat is the statistic; "" takes each side's own, which must then be the same.
	Stat evidence.Stat
	// Axes are the factors asked about: they may differ without being residue.
	Axes []evidence.FactKey
	// Rank asks for a winner and not only for a difference: rules about ranking stop then.
	Rank bool
	// CostShown says that what a factor costs stands beside what it gains.
	CostShown bool
}

// feature is a property of a metric that rules depend on.
type feature uint16

const (
	ofThroughput feature = 1 << iota // of all requests over a window
	ofLatency                        // how long one request or a part of it takes
	ofLength                         // forced and natural completion change it
	ofLengthMild                     // output length is worth a word
	ofShort                          // a rate that short outputs turn into noise
	ofBoundary                       // starts at the first token, visible or not
	ofCache                          // a cached prompt changes it at once
	ofPrefill                        // must not be called prefill speed
	ofChunks                         // counts stream chunks
	ofTokens                         // counts tokens of server usage
	ofReasoning                      // follows the length of hidden reasoning
	ofQuality                        // a share of right answers
	ofSpeech                         // word and character errors
	ofAcceptance                     // of speculative decoding
	perGPU                           // divided by the number of cards
)

// features of the metrics that rules speak of.
var features = map[evidence.MetricID]feature{
	evidence.TTFT:                  ofLatency | ofCache | ofPrefill | ofReasoning,
	evidence.TTFO:                  ofLatency | ofCache,
	evidence.TTFC:                  ofLatency | ofCache,
	evidence.TTFOFromDue:           ofLatency | ofCache,
	evidence.TPOT:                  ofLatency | ofLengthMild | ofTokens,
	evidence.TPOTInclusive:         ofLatency | ofLengthMild | ofTokens | ofCache,
	evidence.TPOTWeighted:          ofLatency | ofLengthMild | ofTokens,
	evidence.TPOTAllTokens:         ofLatency | ofLengthMild | ofTokens,
	evidence.E2EPerToken:           ofLatency | ofLengthMild | ofTokens | ofCache,
	evidence.ITLToken:              ofLatency | ofLengthMild | ofTokens,
	evidence.ITLChunk:              ofLatency | ofLengthMild,
	evidence.DecodeRate:            ofLengthMild | ofShort | ofBoundary | ofTokens,
	evidence.DecodeChunkRate:       ofLengthMild | ofShort | ofBoundary | ofChunks,
	evidence.EffectivePrefillRate:  ofBoundary | ofCache | ofPrefill,
	evidence.Generation:            ofLatency | ofLength | ofLengthMild | ofBoundary,
	evidence.E2E:                   ofLatency | ofLength | ofLengthMild | ofCache | ofReasoning,
	evidence.E2EFromDue:            ofLatency | ofLength | ofLengthMild | ofCache | ofReasoning,
	evidence.Latency:               ofLatency | ofLength | ofLengthMild,
	evidence.BatchLatency:          ofLatency | ofLength | ofLengthMild,
	evidence.OutputThroughput:      ofThroughput | ofLength | ofLengthMild | ofShort | ofTokens | ofReasoning,
	evidence.OutputChunkThroughput: ofThroughput | ofLength | ofLengthMild | ofShort | ofChunks | ofReasoning,
	evidence.TotalThroughput:       ofThroughput | ofLength | ofLengthMild | ofTokens | ofReasoning,
	evidence.InputThroughput:       ofThroughput | ofLength | ofLengthMild,
	evidence.RequestThroughput:     ofThroughput | ofLength | ofLengthMild | ofReasoning,
	evidence.Goodput:               ofThroughput | ofLength | ofLengthMild | ofReasoning,
	evidence.BatchThroughput:       ofThroughput | ofLength | ofLengthMild,

	evidence.TotalThroughputPerGPU:     ofThroughput | ofLength | ofLengthMild | perGPU,
	evidence.OutputThroughputPerGPU:    ofThroughput | ofLength | ofLengthMild | ofTokens | perGPU,
	evidence.InputThroughputPerGPU:     ofThroughput | ofLength | ofLengthMild | perGPU,
	evidence.OutputThroughputDecodeGPU: ofThroughput | ofLength | ofLengthMild | perGPU,
	evidence.InputThroughputPrefillGPU: ofThroughput | ofLength | ofLengthMild | perGPU,

	evidence.PassRate: ofQuality, evidence.WER: ofSpeech, evidence.CER: ofSpeech,
	evidence.AcceptLength: ofAcceptance, evidence.AcceptRate: ofAcceptance,
}

// query is a question made ready: what it asks about as a set.
type query struct {
	Question
	metric     evidence.Metric
	comparable bool
	features   feature
	asked      keySet
	axis       keySet // the axes themselves, without what they move along
	askedExtra []evidence.FactKey
}

// impliedByAxis lists the keys that an axis moves along with itself, so that they
// are no residue when the axis is asked about.
var impliedByAxis = map[evidence.FactKey][]evidence.FactKey{
	evidence.KeyTP:         {evidence.KeyGPUCount, evidence.KeyTopology},
	evidence.KeyMTPDepth:   {evidence.KeySpecMethod, evidence.KeyDraftDepth, evidence.KeyDraftModel, evidence.KeyServedModel},
	evidence.KeyCheckpoint: {evidence.KeyModel, evidence.KeyModelRevision, evidence.KeyQuantisation, evidence.KeyModelArtifact, evidence.KeyModelDigest, evidence.KeyServedModel},
}

func newQuery(q Question) *query {
	c := &query{Question: q, features: features[q.Metric]}
	m, known := evidence.LookupMetric(q.Metric)
	c.metric, c.comparable = m, known && m.Comparable
	c.metric.ID = q.Metric
	ask := func(k evidence.FactKey) {
		if i, ok := keyIndex[k]; ok {
			c.asked.add(i)
		} else {
			c.askedExtra = append(c.askedExtra, k)
		}
	}
	for _, k := range q.Axes {
		ask(k)
		if i, ok := keyIndex[k]; ok {
			c.axis.add(i)
		}
		for _, i := range impliedByAxis[k] {
			ask(i)
		}
	}
	return c
}

func (q *query) is(f feature) bool { return q.features&f != 0 }

// workKind is what kind of work a run is, which decides what facts it must have.
type workKind uint8

const (
	serving workKind = 1 << iota // requests of a load generator
	suites                       // a suite of long answers, one at a time
	quality                      // checks with a right answer
	media                        // a corpus of images and videos
	speech                       // a corpus of recordings
	startup                      // accounting of an engine's start

	byLoad   = serving
	answered = serving | suites | quality | media
	anyWork  = serving | suites | quality | media | speech
)

func kindOf(r *evidence.RunRow) workKind {
	switch r.Class {
	case evidence.ClassStartup:
		return startup
	case evidence.ClassQuality, evidence.ClassFunctional:
		return quality
	case evidence.ClassMedia:
		return media
	case evidence.ClassSpeech:
		return speech
	case evidence.ClassGeneration:
		if _, ok := r.Fact(evidence.KeySuite); ok {
			return suites
		}
	}
	return serving
}

// harnesses are the writers that run a load themselves: what one of them records nowhere
// is the same for all its runs. Summaries that people write are none.
var harnesses = map[string]bool{
	"F1": true, "F2": true, "F3": true, "F6": true, "F7": true,
	"vllm": true, "sglang": true, "aiperf": true, "guidellm": true, "llama-bench": true, "llama-benchy": true, "inferencex": true,
	"inference-perf": true, "llm-d": true, "lm-eval": true, "mlperf": true, "trtllm": true, "console": true, "assay": true,
}

// localWriters measure on the machine of whoever keeps the archive.
var localWriters = map[string]bool{"F1": true, "F2": true, "F3": true, "F6": true, "F7": true, "assay": true}

// externalFamilies hold figures that somebody else published.
var externalFamilies = map[string]bool{"F9": true}

// withoutRule lists the facts that a writer does not have at all, so that their absence
// on both sides says nothing. Other writers of the family lines above record them.
var withoutRule = func() map[string]keySet {
	foreign := []evidence.FactKey{evidence.KeyThinking, evidence.KeyPromptBurst, evidence.KeyPlannedContext, evidence.KeyContextTarget, evidence.KeyPath}
	batch := append([]evidence.FactKey{evidence.KeyConcurrency, evidence.KeyRequests, evidence.KeyOutputCap}, foreign...)
	out := map[string]keySet{}
	for family, keys := range map[string][]evidence.FactKey{
		"F3":   {evidence.KeyPromptBurst}, // sends one request at a time
		"vllm": foreign, "sglang": foreign, "aiperf": foreign, "guidellm": foreign, "inferencex": foreign, "inference-perf": foreign,
		"llm-d": foreign, "mlperf": foreign, "trtllm": foreign, "console": foreign,
		"llama-bench": batch, "llama-benchy": batch, "lm-eval": batch,
	} {
		var s keySet
		for _, k := range keys {
			s.add(keyIndex[k])
		}
		out[family] = s
	}
	return out
}()

// writer is what follows from who wrote an artifact.
type writer struct {
	harness, local, external bool
	addressed                bool // records where it sent its requests
	failedInside             bool // its latencies run over all attempts, failed ones included
	lacks                    keySet
}

func writerOf(family string) writer {
	return writer{
		harness: harnesses[family], local: localWriters[family], external: externalFamilies[family],
		addressed: addressed[family], failedInside: failedInside[family], lacks: withoutRule[family],
	}
}
