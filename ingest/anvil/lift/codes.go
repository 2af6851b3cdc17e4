package lift

// Codes of the findings that these readers share. They are stable: stored rows and
// scripts rely on them.
const (
	CodeUnread      = "member-unread"      // a member that the reader does not know
	CodeMissing     = "member-missing"     // a member that the shape has and this document lacks
	CodeNull        = "member-null"        // the slot is there and empty
	CodeNotNumber   = "number-expected"    // another type where a number belongs
	CodeNotText     = "text-expected"      // another type where a text, flag or block belongs
	CodeNotFinite   = "not-finite"         // NaN or Infinity: no number
	CodeUnusable    = "number-unusable"    // too long or too large for a float64
	CodeImpossible  = "number-impossible"  // a negative latency, a ratio above one
	CodeIntAsFloat  = "int-as-float"       // a count written as 12.0
	CodeNotInteger  = "number-not-integer" // a count with a fraction
	CodeOrder       = "percentiles-order"  // p50 above p95
	CodeMismatch    = "summary-mismatch"   // a stored summary is not what the rows give
	CodeCount       = "count-mismatch"     // counts that contradict each other
	CodeRow         = "row-identity"       // a row whose own members contradict each other
	CodeFalseZero   = "false-zero"         // 0.0 that stands for "not measured"
	CodeNotRun      = "false-means-not-run"
	CodeNoVisible   = "no-visible-output" // no visible token: the stored TTFT is the E2E time
	CodeChunks      = "chunks-not-tokens"
	CodeClamped     = "clamped-context"
	CodeIncomplete  = "incomplete-run"
	CodeLabelAfter  = "label-after-run"
	CodeLabelShape  = "label-shape" // label and shape contradict each other
	CodeSummaryOnly = "summary-only"
	CodeDiffers     = "fact-differs"
	CodeImplausible = "implausible"
	CodeLongName    = "name-too-long"
	CodeMore        = "more-findings"
	CodeShape       = "shape-unknown"

	CodeArchived     = "archived"      // understood, and no evidence of a run
	CodeNoSchema     = "no-label"      // no label: what it is was told by its shape
	CodeIntegerLabel = "integer-label" // the label is a number, which names nothing
	CodeNearTwin     = "label-near-twin"
)

// Rules of absent measurements: why the figure that stands there is none.
const (
	RuleFalseZero = "false-zero"        // a 0.0 of something that was not measured
	RuleNoVisible = "no-visible-output" // the TTFT of a request without visible output
	RuleNull      = "null"              // the slot is empty
	RuleMixed     = "mixed-definition"  // the figure mixes two definitions
)
