// Package observation reads what was noted about a runtime around its runs: control and
// start-up evidence, identities, snapshots of memory and counters, smokes, probes and
// clean-ups, and the probes and corpora of the multimodal and speech campaigns. Dozens of
// labels say little each, in much the same words.
//
// The journey of an observation:
//
//  1. [Reader.Match] takes a label of the table, byte for byte, when the value has one of
//     the members that the label is known by.
//  2. Blocks that truly measured become runs: one request each ([observation.requests]),
//     the key-value pool that an engine reports at start-up ([observation.pools]), and
//     counters of speculative decoding ([observation.counters]).
//  3. Everything else is swept: identity becomes facts, checks become gates, sentences
//     notes, files references, and numbers are listed with the reason why they are no
//     measurement (package sweep).
//
// For example a block {"prompt_tokens": 96, "completion_tokens": 64} becomes a run of one
// functional request, and "kv_cache_tokens": 500000 the KV pool of a start-up run.
//
// Note: counters run from the start of the server, so an acceptance rate read from them
// belongs to no run: it has the scope "lifetime" and no workload class, and nothing is
// ever compared with it. An inventory or a clean-up measures nothing; it is archived.
package observation
