package llmd

import (
	"strings"

	"assay/store/evidence"
)

// tool is a load generator with its definitions.
type tool struct {
	name             string
	method           evidence.Method
	ttft, tpot, itl  evidence.MetricID
	e2e              evidence.MetricID
	gapsAreNotCounts bool // itl rests on gaps, whose number no report has
}

var tools = []tool{
	{"inference-perf", evidence.Linear, evidence.TTFO, evidence.TPOT, evidence.ITLToken, evidence.E2E, true},
	{"vllm", evidence.Linear, evidence.TTFC, evidence.TPOT, evidence.ITLChunk, evidence.E2E, true},
	{"inferencemax", evidence.Linear, evidence.TTFC, evidence.TPOT, evidence.ITLChunk, evidence.E2E, true},
	{"guidellm", evidence.NearestRank, evidence.TTFO, evidence.TPOTInclusive, evidence.TPOTWeighted, evidence.E2E, false},
	{"aiperf", evidence.Linear, evidence.TTFO, evidence.TPOT, evidence.TPOT, evidence.E2E, false},
}

// toolOf finds the definitions by the tool's name; none when it is not known.
func toolOf(name string) (tool, bool) {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	for _, t := range tools {
		if strings.HasPrefix(name, t.name) {
			return t, true
		}
	}
	return tool{e2e: evidence.E2E}, false
}

// units are the report's units in the words of the archive.
var units = map[string]string{
	"ms": "ms", "s": "s", "seconds": "s", "us": "us", "ms/token": "ms", "s/token": "s", "tokens/s": "tok/s", "tokens/sec": "tok/s",
	"queries/s": "requests/s", "requests/s": "requests/s", "count": "tokens", "tokens": "tokens",
}
