// Package llmd reads the benchmark reports of llm-d-benchmark, versions 0.1, 0.2 and
// 0.2.1, as YAML and as JSON.
//
//	v0.1  scenario and metrics
//	v0.2  run, scenario and results.request_performance.aggregate
//
// A report repeats what another tool measured, so that tool's definitions hold: the load
// generator named in the scenario decides what a time to first token or per output
// token is, and how percentiles were taken. A figure whose tool is not known to the
// reader is listed, not lifted, unless every tool means the same by it (latency of a
// request, rates, lengths). A report that this archive exported names the definitions
// itself, and the artifact that it repeats. The units member of every block decides its scale.
package llmd
