// Package summary reads the decision, qualification, promotion and publication
// summaries of anvil-serving campaigns.
//
// Some twenty labels are served, and hardly two of their documents spell a slot alike:
// the decision is a word, a list or a block, the card is a text or a block, a rate is
// decode_tok_s_p50, decode_tps or 4k_c1_decode_p50_tps. So there is one engine for all of
// them, and it goes by what a member is called and what it holds, never by the label.
// The label, and the members that its shapes require, only open the door.
//
// The journey of a document:
//
//  1. [Reader.Match] holds the label byte for byte against the table of [shapes], and the
//     value against the shapes of that label.
//  2. Every top-level member is given to a slot by the words of its name: identity,
//     protocol, arms, gates, sentences, decision, restoration, references, or figures.
//     Under a slot the same rules hold for the members below.
//  3. Identity blocks become facts of the document, or of the arms that a block of
//     candidates or checkpoints lists. A protocol block becomes facts of every run under
//     it: one statement, one source.
//  4. Rows and blocks of figures become arms and runs. A name is taken apart into metric,
//     statistic, unit, shape ("4k", "c1") and qualifiers ([readName]). A name with a word
//     that is not understood gives no comparable figure: a rate becomes a headline rate,
//     anything else is listed with its reason.
//  5. Published changes become claims on the run they speak of, with the places of the
//     two figures where the document tells them apart.
//  6. [lift.Doc.Finish] visits every leaf once more.
//
// For example "four_k": {"requests": 10, "median_ttft_seconds": 0.834} of profile 0 becomes
// a run of that profile's arm with context target 4,096, ten requests, and
//
//	Measurement{Metric: TTFT, Stat: P50, Value: Some(0.834), N: Some(10), SourceUnit: "s",
//	    Place: At("/profiles/0/four_k/median_ttft_seconds")}
//
// Note: a figure whose statistic no name states is one observation ([evidence.Single])
// unless more are counted beside it. Where other figures of the same block all state one
// statistic, it is taken for theirs, derived, and a finding says so.
package summary
