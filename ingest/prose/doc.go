// Package prose lifts figures out of sentences. It knows how people write about
// benchmarks, and nothing about any document: where a sentence stands and whom it
// speaks of is decided by the reader that calls.
//
// The journey of a sentence:
//
//  1. [Lex] cuts it into tokens. Figures are told apart from digits that belong to a
//     name ("RTX 5090", "TP2", "v1.4.2", "p95"), a date or a hash, and a unit that
//     follows is read along.
//  2. A grammar turns tokens into what they state: [Shape] and [Config] give settings
//     ("C8 per replica"), [StatLine] gives statistics ("TTFT p50/p95 312.5/401.2 ms"),
//     [Changes] gives claims ("cut median E2E by 12.5 percent, from ..."),
//     [Results] gives single figures ("left 1800 MiB free"), [Hardware] the card.
//     Each says whether its figure is exact, a bound ("under 70 s") or an approximation
//     ("about 70 s"), and whether the sentence denies or supposes what it belongs to.
//  3. Every answer carries the byte range it was read from. The digits stay as they
//     stand; the caller scales them.
//
// For example "C8 per replica, 700-token ceiling" gives
//
//	Setting{Key: "concurrency", Value: "8", Scope: PerReplica, Start: 0, End: 14}
//	Setting{Key: "output_cap", Value: "700", Start: 16, End: 33}
//
// The grammars never guess: a clause that they cannot place is handed back as a
// [Span] so that the caller can say so. All of them run in linear time; a text longer
// than [MaxSentence] is nobody's sentence and callers leave it alone.
//
// Note: a nominal count such as "4K" is read as engineers mean it, see [NominalTokens].
package prose

// MaxSentence is the length in bytes up to which a string is taken for prose.
const MaxSentence = 1 << 16

// Span is a byte range of a sentence.
type Span struct{ Start, End int }

// Text is the part of the sentence.
func (s Span) Text(sentence string) string { return sentence[s.Start:s.End] }

// Empty reports whether nothing is in the span.
func (s Span) Empty() bool { return s.End <= s.Start }
