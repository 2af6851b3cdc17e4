package review

import (
	"fmt"
	"strings"

	"assay/store/signoff"
)

// RefusalKind says what stands against a signature.
type RefusalKind string

// Kinds of refusals.
const (
	RefuseGate       RefusalKind = "gate"       // a gate of the target is not passed
	RefuseItem       RefusalKind = "item"       // something is not acknowledged, or not with a reason
	RefuseRole       RefusalKind = "role"       // the person may not do this
	RefusePeople     RefusalKind = "two-people" // preparer and signer are one person
	RefuseWaiver     RefusalKind = "waiver"     // an exploratory view on a pair of the comparison
	RefuseComparison RefusalKind = "comparison" // its verdict shows no figures, or there is none
	RefuseRejected   RefusalKind = "rejected"   // the source rejects the arm
	RefuseSource     RefusalKind = "source"     // an artifact was invalidated
	RefuseGround     RefusalKind = "ground"     // the archive gives another ground than the one previewed
	RefuseDraft      RefusalKind = "draft"      // it is closed, incomplete or not handed over
	RefuseStatement  RefusalKind = "statement"  // the text is not what this draft gives
	RefuseSignature  RefusalKind = "signature"  // it does not hold, or its key is not the person's
)

// Refusal is one thing that stands against a signature.
type Refusal struct {
	Kind  RefusalKind
	ID    string // of the gate, item, waiver or artifact; "" where there is none
	Rule  string // of the catalogue, "" where none speaks of it
	Text  string // what stands against it
	Clear string // what would clear it
}

// Refused lists everything that stands against a signature.
type Refused struct {
	Decision signoff.Decision
	Refusals []Refusal
}

func (e *Refused) Error() string {
	lines := make([]string, 0, len(e.Refusals)+1)
	lines = append(lines, fmt.Sprintf("%q is not signed: %d reasons", string(e.Decision), len(e.Refusals)))
	if len(e.Refusals) == 1 {
		lines[0] = fmt.Sprintf("%q is not signed", string(e.Decision))
	}
	for _, r := range e.Refusals {
		line := string(r.Kind)
		if r.ID != "" {
			line += " " + r.ID
		}
		if line += ": " + r.Text; r.Clear != "" {
			line += "; to clear it: " + r.Clear
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Has reports whether a kind is among the refusals.
func (e *Refused) Has(k RefusalKind) bool {
	for _, r := range e.Refusals {
		if r.Kind == k {
			return true
		}
	}
	return false
}
