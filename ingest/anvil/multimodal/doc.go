// Package multimodal reads runs over a media corpus under the label
// multimodal-benchmark-evidence/v1.
//
// The journey of a file:
//
//  1. Identity is the best of the family: model revision, image with digest, engine
//     revision and the served models, which also tell a router from an engine.
//  2. Every attempt becomes a sample of the run of its case.
//  3. Every group of aggregates, by case and by modality, becomes a run. It has a pass
//     rate and two latencies: the p50 is the interpolated median, the p95 is by nearest
//     rank, and both run over all attempts, failed ones included, which a finding says.
//  4. Groups and totals are counted and computed again from the attempts.
//
// The corpus by its SHA-256 is part of the shape, as is the group: a rate over one corpus
// never meets one over another. An admission limit that an older writer had built in (one
// video per request) is derived.
package multimodal
