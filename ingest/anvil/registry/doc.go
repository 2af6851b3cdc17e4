// Package registry reads what a campaign knows from elsewhere: registries of sources,
// research into recipes, leads. All of it is an external prior, for good.
//
// The journey of a registry:
//
//  1. [Reader.Match] takes a label byte for byte: "source-registry/v1" and
//     "anvil-serving/source-registry/v1" are two labels, and a finding says so. A value
//     without a label is taken by its shape, a list of sources with addresses.
//  2. The document gets the scope "external"; each entry keeps its date, age, kind and
//     bearing as notes and its addresses as references. An entry without a date, or called
//     current when it is not, is remarked: external sources go stale.
//  3. A block of reported results becomes an arm with runs of the status external, one per
//     load that the names of its members tell; figures in sentences stay sentences.
//
// For example the member "c1_decode_tokens_per_second": 150.5 of a reported result becomes
// the decode rate of an external run at concurrency 1.
//
// Note: who measured what how is not known of such a figure. It is shown and never meets
// a figure of one's own.
package registry
