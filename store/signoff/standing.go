package signoff

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// Filter narrows lists of drafts and sign-offs. A zero field does not narrow.
type Filter struct {
	Campaign string
	Decision Decision
	Person   string // preparer or signer
	Artifact evidence.Opt[evidence.Digest]
	Open     bool // drafts that were neither signed nor given up
	Offset   int
	Limit    int
}

// MarkKind says what a person says of an artifact as a whole.
type MarkKind string

// Kinds of marks.
const (
	Superseded  MarkKind = "superseded"  // another artifact took its place
	Invalidated MarkKind = "invalidated" // it is no evidence of anything
)

// Mark is a person's word on an artifact. It is a record with author, reason and time, and
// can be withdrawn, which is another record.
type Mark struct {
	ID             int64
	Kind           MarkKind
	Artifact       evidence.Digest
	By             evidence.Opt[evidence.Digest] // what took its place
	Author, Reason string
	AtUS           int64
	LogIndex       int64

	WithdrawnBy, WithdrawnReason string
	WithdrawnUS                  int64
}

// Holds reports whether the mark is in force.
func (m *Mark) Holds() bool { return m.WithdrawnUS == 0 }

// MarkFilter narrows a list of marks. A zero field does not narrow.
type MarkFilter struct {
	Kind      MarkKind
	Artifacts []evidence.Digest
	Holds     bool
}

// Successor is a newer artifact that came in under the same file name in the same
// campaign: a reason to look, which no person has spoken of.
type Successor struct {
	Old, New evidence.Digest
	Name     string
	AtUS     int64
}

// Generation is a state of everything that a standing depends on. Two equal ones give the
// same standing, but for its age.
type Generation struct {
	LogSize int64
	Overlay int64
	Derived int64 // rises whenever evidence is read anew
	Ruleset int
}

// ErrMoved says that the archive is not what it was when something was prepared on it.
var ErrMoved = errors.New("the archive has changed meanwhile")

// Number is how people name a sign-off: "S-0007".
func Number(id int64) string { return fmt.Sprintf("S-%04d", id) }

// ParseNumber reads the number of a sign-off; "7" is taken for "S-0007".
func ParseNumber(s string) (int64, error) {
	digits := strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(s)), "S-")
	id, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || id < 1 || len(digits) > 18 {
		return 0, fmt.Errorf("%.40q is no number of a sign-off, such as S-0007", s)
	}
	return id, nil
}

// Known is a standing with the state of the archive that it was found at.
type Known struct {
	At       Generation
	Standing Standing
}
