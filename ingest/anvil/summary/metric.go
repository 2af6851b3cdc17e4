package summary

import (
	"assay/ingest/prose"
	"assay/store/evidence"
)

// dimension is what the unit of a name measures, "" without one.
func dimension(unit string) evidence.Unit {
	_, base, err := evidence.ToBase("1", unit)
	if err != nil {
		return ""
	}
	return base
}

// readMetric finds the definition that a name speaks of. The unit decides between
// definitions that share a word: "decode" in tok/s is the decode rate, in ms it is nothing
// that is defined.
func (n *name) readMetric(l *list) {
	switch dimension(n.unit) {
	case evidence.TokensPerSecond:
		n.metric = rateMetric(l)
	case evidence.RequestsPerSec:
		n.metric = evidence.RequestThroughput
		l.takeEach("throughput request completed achieved")
	case evidence.Seconds:
		n.metric = timeMetric(l)
	case evidence.Tokens:
		n.metric = tokenMetric(l)
	case evidence.Bytes:
		n.metric = memoryMetric(l)
	case evidence.Ratio:
		if n.metric = shareMetric(l); n.metric == "" {
			n.metric = namedMetric(l)
		}
	case "":
		if n.metric = shareMetric(l); n.metric != "" {
			n.unit = "ratio"
		} else if n.metric = lengthMetric(l); n.metric != "" {
			n.unit = "tokens"
		} else {
			n.metric = namedMetric(l)
		}
	}
}

// rateMetric tells the token rates apart. One that does not say what it measures is a
// headline rate; so is one that says two things.
func rateMetric(l *list) evidence.MetricID {
	decode := l.take("decode")
	prefill := l.take("effective", "prefill") || l.take("prefill") || !l.has("throughput") && l.take("prompt")
	whole := len(l.takeEach("aggregate aggregated throughput")) > 0
	output := len(l.takeEach("output outputs completion completions")) > 0
	total := l.take("total")
	ambiguous := l.has("generation", "generated", "input", "inputs", "eval", "chunk", "chunks")
	l.takeEach("generation generated input inputs effective eval chunk chunks speed rate")
	switch {
	case ambiguous || decode && (prefill || whole || total) || prefill && (whole || output || total):
		return evidence.HeadlineRate
	case decode:
		return evidence.DecodeRate
	case prefill:
		return evidence.EffectivePrefillRate
	case total && whole && !output:
		return evidence.TotalThroughput
	case whole || output && !total:
		return evidence.OutputThroughput
	}
	return evidence.HeadlineRate
}

var timeNames = map[evidence.MetricID]bool{
	evidence.TTFT: true, evidence.TTFO: true, evidence.TTFC: true, evidence.TPOT: true, evidence.ITLToken: true, evidence.E2E: true, evidence.Generation: true,
}

// Durations of which only the place tells what they are.
const (
	bareTime    evidence.MetricID = "(time)"    // a time without a name: "median_seconds"
	elapsedTime evidence.MetricID = "(elapsed)" // "mean_elapsed_s"
)

func timeMetric(l *list) evidence.MetricID {
	for i := range l.words {
		if l.used[i] {
			continue
		}
		free := i
		for free < len(l.words) && !l.used[free] {
			free++
		}
		if m, k := prose.MetricWords(l.words[i:free]); k > 0 && timeNames[m] {
			for j := range k {
				l.used[i+j] = true
			}
			l.takeEach("latency mean_itl")
			return m
		}
	}
	switch {
	case l.take("request", "latency"), l.take("latency"):
		return evidence.Latency
	case l.take("end", "end"):
		return evidence.E2E
	case l.take("elapsed"):
		return elapsedTime
	}
	return bareTime
}

func tokenMetric(l *list) evidence.MetricID {
	switch {
	case l.has("kv") && l.has("pool", "cache", "capacity", "kv") && !l.has("budget", "per"):
		l.takeEach("kv pool cache capacity target gpu startup reported available total effective resident measured")
		return evidence.KVPoolTokens
	case l.has("accept", "accepted", "acceptance") && l.has("length", "step", "mean"):
		return lengthMetric(l)
	case l.has("cached", "reasoning", "max", "min", "maximum", "minimum"): // a limit, or a part
	case l.take("prompt"), l.has("actual", "api", "measured", "observed") && l.take("input"):
		l.takeEach("actual api reported measured observed")
		return evidence.PromptTokens
	case l.take("completion"), l.take("output"):
		l.takeEach("actual api reported measured observed")
		return evidence.OutputTokens
	}
	return ""
}

var acceptWords = set("accept accepted acceptance mean_accepted")

// lengthMetric reads the tokens that a verification step of speculative decoding accepts.
func lengthMetric(l *list) evidence.MetricID {
	if !l.anyOf(acceptWords) || !l.has("length", "len", "step") {
		return ""
	}
	l.takeEach("accept accepted acceptance length len tokens token per step draft spec speculative mtp dflash eagle")
	return evidence.AcceptLength
}

// shareMetric reads shares: acceptance, passes, error rates.
func shareMetric(l *list) evidence.MetricID {
	rate := l.has("rate", "fraction", "ratio", "percent", "pct", "share")
	switch {
	case l.anyOf(acceptWords) && rate:
		l.takeEach("accept accepted acceptance rate fraction share draft drafted token tokens spec speculative mtp dflash eagle")
		return evidence.AcceptRate
	case rate && l.has("pass", "passed", "resolve", "resolved", "success"):
		l.takeEach("pass passed resolve resolved success rate share")
		return evidence.PassRate
	case l.take("wer"):
		l.takeEach("micro normalized rate")
		return evidence.WER
	case l.take("cer"):
		l.takeEach("micro normalized rate")
		return evidence.CER
	case l.take("rtf"):
		return evidence.RTF
	}
	return ""
}

// memoryMetric reads device memory in use or left free. What a part of the engine takes
// (weights, a cache, a graph) is no figure of the device.
func memoryMetric(l *list) evidence.MetricID {
	if !l.has("vram", "device", "gpu") || l.has("weight", "weights", "kv", "cache", "graph", "model", "state", "each", "per", "aggregate", "after", "before") {
		return ""
	}
	switch {
	case l.has("used", "observed", "usage", "occupied", "startup", "late", "peak"):
		l.takeEach("vram device gpu memory used observed usage occupied")
		return evidence.GPUMemoryUsed
	case l.has("free", "left", "remaining"):
		l.takeEach("vram device gpu memory free left remaining")
		return evidence.GPUMemoryFree
	}
	return ""
}

// namedMetric reads a metric whose unit the name does not give: in a block of changes, or
// above a block of statistics.
func namedMetric(l *list) evidence.MetricID {
	for i := range l.words {
		if l.used[i] {
			continue
		}
		free := i
		for free < len(l.words) && !l.used[free] {
			free++
		}
		if m, k := prose.MetricWords(l.words[i:free]); k > 0 {
			for j := range k {
				l.used[i+j] = true
			}
			return m
		}
	}
	return ""
}

// totalOf is the statistic of a metric that has one figure for a run.
func totalOf(m evidence.MetricID) (evidence.Stat, bool) {
	switch m {
	case evidence.OutputThroughput, evidence.TotalThroughput, evidence.RequestThroughput, evidence.Goodput,
		evidence.KVPoolTokens, evidence.AcceptRate, evidence.AcceptLength, evidence.PassRate, evidence.WER, evidence.CER,
		evidence.GPUMemoryUsed, evidence.GPUMemoryFree:
		return evidence.Total, true
	}
	return "", false
}
