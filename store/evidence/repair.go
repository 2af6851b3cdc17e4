package evidence

import (
	"fmt"
	"strings"
)

// RepairKind says what a person repaired.
type RepairKind string

const (
	RepairAlias RepairKind = "alias" // a spelling means the same as another word
	RepairFact  RepairKind = "fact"  // a fact that the artifact does not record
	RepairMove  RepairKind = "move"  // an artifact belongs to another campaign
)

// RepairKinds in the order pages list them.
var RepairKinds = []RepairKind{RepairAlias, RepairFact, RepairMove}

// Repair is one thing that a person said about evidence. It never enters an artifact's
// bytes: it is a row with an author, a reason and a time, and it can be withdrawn. A
// withdrawn repair stays listed and has no effect.
type Repair struct {
	ID   int64
	Kind RepairKind
	// Target is the spelling of an alias; for a fact "artifact:SHA256",
	// "artifact:SHA256#POINTER" (the run or arm read from that place) or "campaign:ID";
	// for a move the artifact's SHA-256.
	Target string
	Key    FactKey // alias and fact; "" for a move
	Value  string  // what the spelling means, the fact's value, the campaign's id

	Author, Reason string
	AtUS           int64

	WithdrawnBy, WithdrawnReason string
	WithdrawnUS                  int64 // 0 while the repair holds
}

// Holds says whether the repair is in force.
func (r *Repair) Holds() bool { return r.WithdrawnUS == 0 }

// RepairFilter narrows a list of repairs. A zero field does not narrow.
type RepairFilter struct {
	Kind   RepairKind
	Key    FactKey
	Target string
	Holds  bool // leave out what was withdrawn
	Offset int
	Limit  int
}

// RepairError is a repair that cannot be made as it stands: which part, and why.
type RepairError struct{ Field, Problem string }

func (e *RepairError) Error() string { return e.Field + ": " + e.Problem }

const (
	artifactScope = "artifact:"
	campaignScope = "campaign:"
)

// Scope is what a declared fact speaks of: a campaign, an artifact, or the runs and
// arms read from one place of it.
type Scope struct {
	Campaign string // "" for a scope in an artifact
	Artifact Digest
	Place    Opt[Pointer] // absent: everything read from the artifact
}

// String is the scope as Repair.Target has it.
func (s Scope) String() string {
	switch {
	case s.Campaign != "":
		return campaignScope + s.Campaign
	case s.Place.OK:
		return artifactScope + s.Artifact.String() + "#" + string(s.Place.V)
	}
	return artifactScope + s.Artifact.String()
}

// ParseScope reads what Scope.String wrote.
func ParseScope(target string) (Scope, error) {
	if id, ok := strings.CutPrefix(target, campaignScope); ok && id != "" {
		return Scope{Campaign: id}, nil
	}
	rest, ok := strings.CutPrefix(target, artifactScope)
	if !ok {
		return Scope{}, fmt.Errorf("target %.80q: want artifact:SHA256, artifact:SHA256#POINTER or campaign:ID", target)
	}
	digits, pointer, placed := strings.Cut(rest, "#")
	d, err := ParseDigest(digits)
	if err != nil {
		return Scope{}, fmt.Errorf("target %.80q: %w", target, err)
	}
	s := Scope{Artifact: d}
	if placed {
		if s.Place = Some(Pointer(pointer)); !s.Place.V.Valid() {
			return Scope{}, fmt.Errorf("target %.200q: %q is no JSON Pointer; it is empty or starts with a slash", target, pointer)
		}
	}
	return s, nil
}

// Scope is where a fact of this run alone would be declared.
func (r *RunRow) Scope() Scope { return Scope{Artifact: r.Artifact, Place: Some(r.Place.Pointer)} }

// QueueItem is something unknown or in conflict that a person could repair, with how
// many comparisons the repair could open.
type QueueItem struct {
	Key     FactKey
	State   State    // Absent or Conflict
	Targets []string // where a declaration would have to be made, as Repair.Target has it
	Runs    int      // runs that lack it
	Pairs   int64    // comparisons (one figure of two runs) that nothing else stops
	Example string   // id of one of the runs
	Remedy  string   // what to do, in a sentence
}

// Spelling is a value of a key as it stands in evidence, with how often it stands there.
type Spelling struct {
	Key       FactKey
	Value     string
	Meaning   string // what an alias says it means, "" without one
	Documents int    // that spell it so
}
