// Package bakeoff reads quality and context runs under the label
// anvil-serving.fast-tier-bakeoff/v1.
//
// Three generations of one evaluation protocol share the label:
//
//	protocol-1          no evaluation_protocol: one answer per check
//	protocol-1-suites   the same with suites
//	protocol-2          repeated attempts, budgets, failure classes
//	protocol-3          the same with verified thinking control
//
// One file holds several kinds of runs, each at its own place:
//
//	/suites/NAME, /intelligence, /tool, /session   a quality run: pass rate over attempts
//	/context/targets/N                             one request at one context
//	/timing/chat                                   percentiles over the context requests
//
// The journey of a file: identity, budgets and thinking become facts of the arm; sections
// become gates and, when they ran, runs; then what the file says of sections that did not
// run is taken back. Four traps of this writer are known and become findings:
//
//   - timing.chat and its repetition in score_inputs are 0.0 where nothing was timed. The
//     figures are absent.
//   - score_inputs flags are false where a section was not run. The gate is missing, not
//     failed.
//   - A context request may pass without one visible token: its TTFT is its E2E time, and
//     there is no TTFT. Nor is there one in percentiles over such requests.
//   - output_tokens of a context request counts stream chunks unless the row says that
//     it is usage; usage is what is lifted.
//
// Note: the one figure that no file stores and this package forms is the median over
// repeated attempts of one and the same check (rule "p50 of attempts"): the place is the
// attempt that holds it. Different questions have no latency in common.
package bakeoff
