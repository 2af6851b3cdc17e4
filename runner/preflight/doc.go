// Package preflight asks a served model whether it works before anybody measures how fast:
// a short functional suite, every outcome of which is a gate of the artifact.
//
// The journey of the suite:
//
//  1. [Run] checks its options, all faults at once, and opens one client (package load) with
//     bounds of its own: an answer here is short, and one that is not is a finding.
//  2. Each check asks a few times, for something only the right answer to this very request
//     holds: a ticket number, an order, a reading. What comes back is judged by its form
//     and by that value, never by its tone.
//  3. A try ends with a verdict: right, wrong with the fault named, or cannot: the engine
//     has no such thing.
//  4. Verdicts are counted into an [artifact.Gate], and progress is told.
//
// The rules by which a gate gets its status:
//
//   - passed: every try was right.
//   - failed: one was not. Refusals by admission (HTTP 429), errors, time-outs and answers
//     cut by the token limit are wrong answers like others; each is counted and named.
//   - not run: nobody can say. The engine has no such path (404, 405 or 501, unless the
//     404 is about the model), or answers the first try with an error that says the feature
//     is unsupported or not enabled; or something the check needs is unknown (the served
//     context, the count of prompt tokens); or the suite was stopped. A gate that was not
//     run has no counts.
//
// An engine that takes a parameter and then ignores it (tools answered with prose, a prompt
// cut to fit) has failed: its client would never know.
//
// The answers are hostile text. Code in them is parsed and type-checked and never run; JSON
// is decoded under bounds; nothing in them is followed; what a gate quotes of them is
// short, quoted, and rid of the key that the requests carried. A detail of a gate that
// passed quotes nothing.
package preflight
