package compare

import (
	"assay/store/evidence"
	"assay/store/stat"
)

// Step is a point of a distribution: the share of requests at or below X.
type Step = stat.Step

// Distributed are the metrics whose distribution over requests can be drawn from samples.
var Distributed = []evidence.MetricID{evidence.TTFT, evidence.TTFO, evidence.Generation, evidence.E2E}

// Distribution is the requests of one run that ended well, in one metric. Requests of a
// run share queues and caches: it is a picture of the run and no sample for a test.
type Distribution struct {
	N             int
	Failed        int // requests that did not end well and are left out
	Steps         []Step
	P50, P95, P99 evidence.Opt[float64] // nearest rank; absent with too few requests for it
}

// distributionPoints bounds the steps of one line.
const distributionPoints = 200

// DistributionOf takes a metric off samples.
func DistributionOf(samples []evidence.Sample, m evidence.MetricID) Distribution {
	var d Distribution
	var values []float64
	for i := range samples {
		s := &samples[i]
		if !s.OK {
			d.Failed++
			continue
		}
		if v := sampleValue(s, m); v.OK {
			values = append(values, v.V)
		}
	}
	d.N = len(values)
	d.Steps = stat.ECDF(values, distributionPoints)
	sorted := stat.Ascending(values)
	for _, p := range []struct {
		into *evidence.Opt[float64]
		q    float64
	}{{&d.P50, 0.5}, {&d.P95, 0.95}, {&d.P99, 0.99}} {
		if v, ok := stat.Percentile(sorted, p.q, stat.NearestRank); ok && stat.ForQuantile(d.N, p.q).OK {
			*p.into = evidence.Some(v)
		}
	}
	return d
}

func sampleValue(s *evidence.Sample, m evidence.MetricID) evidence.Opt[float64] {
	switch m {
	case evidence.TTFT:
		return s.TTFT
	case evidence.TTFO:
		return s.TTFO
	case evidence.Generation:
		return s.Generation
	case evidence.E2E:
		return s.E2E
	}
	return evidence.None[float64]()
}
