package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/anvil/sound"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Codes of the findings of these readers.
const (
	CodeShape        = "shape-unknown"
	CodeUnparsed     = "prose-unparsed"      // a clause that no grammar could place: its fact stays unknown
	CodeUnread       = "member-unread"       // a number that the reader does not know
	CodeMissing      = "member-missing"      // a member that the shape has and this document lacks
	CodeNull         = "member-null"         // the slot is there and empty
	CodeNotNumber    = "number-expected"     // another type, or a text that is no number
	CodeNumberText   = "number-as-text"      // lifted, but it stands in a string
	CodeNotFinite    = "not-finite"          // NaN or Infinity: no number
	CodeOutOfRange   = "number-unusable"     // too long or too large for a float64
	CodeUnit         = "unit-mismatch"       // the member's unit is not the metric's
	CodeStat         = "statistic-unknown"   // a figure that does not say which statistic it is
	CodeOrder        = "percentiles-order"   // p50 above p95, or p95 above p99
	CodeBounds       = "bounds-incomplete"   // one bound, inverted bounds, or bounds beside a point
	CodeFactDiffers  = "fact-differs"        // two places of the document say different things
	CodeIdentity     = "identity-ambiguous"  // a profile names none or several of the identities
	CodeRestated     = "restatement-differs" // what should repeat a figure and is no rounding of it: not stored
	CodeAttribution  = "attribution-unclear" // a figure of which it is not certain whose it is: not stored
	CodeBound        = "bound-not-exact"     // a bound where a figure was looked for, or an approximation
	CodeNegative     = "figure-negative"     // a rate, time or count below zero: not stored
	CodePrecision    = "precision-lost"      // more digits than a float64 holds
	CodeSpeculation  = "speculation-unstated"
	CodeUnattributed = "figure-unattributed"
	CodeStatus       = "status-unknown"
	CodePassed       = "passed-exceeds"
	CodeWide         = "members-many"
	CodeMore         = "findings-more"
)

// arm and run are an arm and a run under construction: figures are added to them
// until the document is finished.
type arm struct {
	evidence.Arm
	runs     []*run
	measured []*run // of a narrative: the runs with statistics sentences
}

type run struct {
	evidence.Run
	arm     *arm
	matched *run // the control that the row gives a figure of
}

// builder collects a document.
type builder struct {
	doc    evidence.Document
	root   evidence.Pointer
	top    *jsondoc.Node
	method evidence.Method // of percentiles
	arms   []*arm
	claims []pendingClaim
	echo   []evidence.Fact // see again
	echoed map[evidence.Place]bool
	picked int // see pickBudget
	more   int // findings beyond maxFindings
}

// maxFindings bounds what is said about one document; the rest is counted.
const maxFindings = 1000

// finish resolves what needed the whole document and lays it out.
func (b *builder) finish() evidence.Document {
	b.resolveClaims()
	b.precision()
	for _, a := range b.arms {
		for _, r := range a.runs {
			a.Runs = append(a.Runs, r.Run)
		}
		b.doc.Arms = append(b.doc.Arms, a.Arm)
	}
	for _, f := range sound.Check(&b.doc) {
		b.find(f.Severity, f.Code, f.Pointer, nil, f.Message)
	}
	b.account()
	if b.more > 0 {
		b.doc.Findings = append(b.doc.Findings, evidence.Finding{Severity: evidence.Warning, Code: CodeMore, Pointer: b.root, Offset: -1,
			Message: fmt.Sprintf("%d more findings are not listed", b.more)})
	}
	return b.doc
}

func (b *builder) newArm(name string, place evidence.Place) *arm {
	a := &arm{Arm: evidence.Arm{Name: name, Place: place}}
	b.arms = append(b.arms, a)
	return a
}

func (a *arm) newRun(name, class string, place evidence.Place) *run {
	r := &run{arm: a, Run: evidence.Run{Name: name, Class: class, Status: evidence.Measured, Place: place}}
	a.runs = append(a.runs, r)
	return r
}

// find adds a finding at a value.
func (b *builder) find(s evidence.Severity, code string, p evidence.Pointer, n *jsondoc.Node, message string) {
	if len(b.doc.Findings) >= maxFindings {
		b.more++
		return
	}
	offset := int64(-1)
	if n != nil {
		offset = n.Offset
	}
	b.doc.Findings = append(b.doc.Findings, evidence.Finding{Severity: s, Code: code, Pointer: p, Offset: offset, Message: message})
}

// skip lists a value as not lifted.
func (b *builder) skip(place evidence.Place, text, reason string) {
	b.doc.NotLifted = append(b.doc.NotLifted, evidence.NotLifted{Place: place, Text: clip(text), Reason: reason})
}

// clip bounds a text that is kept beside the artifact.
func clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// note keeps a sentence verbatim.
func (b *builder) note(kind evidence.NoteKind, key string, p evidence.Pointer, text string) {
	b.doc.Notes = append(b.doc.Notes, evidence.Note{Kind: kind, Key: key, Text: text, Place: evidence.At(p)})
}

// get finds a member of the document.
func (b *builder) get(name string) (*jsondoc.Node, evidence.Pointer) {
	return b.top.Get(name), b.root.Key(name)
}

// text is the string at a member that should be one. What is missing or of another
// type is reported.
func (b *builder) text(parent *jsondoc.Node, p evidence.Pointer, name string) (string, bool) {
	n := parent.Get(name)
	switch {
	case n == nil:
		b.find(evidence.Warning, CodeMissing, p, parent, fmt.Sprintf("%q is missing", name))
	case n.Kind == jsondoc.Null:
		b.find(evidence.Info, CodeNull, p.Key(name), n, fmt.Sprintf("%q is null", name))
	case n.Kind != jsondoc.String:
		b.find(evidence.Warning, CodeNotNumber, p.Key(name), n, fmt.Sprintf("%q is not a text", name))
	default:
		return n.Text, true
	}
	return "", false
}

// maxMembers bounds the members of a row: members are looked up by name one after the
// other, and no summary has so many.
const maxMembers = 512

func (b *builder) tooWide(p evidence.Pointer, n *jsondoc.Node) bool {
	if len(n.Names) <= maxMembers {
		return false
	}
	b.find(evidence.Warning, CodeWide, p, n, fmt.Sprintf("%d members: nothing is taken from it", len(n.Names)))
	return true
}
