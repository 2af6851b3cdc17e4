package evidence

// RepairKind says what a person repaired.
type RepairKind string

const (
	RepairAlias RepairKind = "alias" // a spelling means the same as another word
	RepairFact  RepairKind = "fact"  // a fact that the artifact does not record
	RepairMove  RepairKind = "move"  // an artifact belongs to another campaign
)

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

// QueueItem is something unknown or in conflict that a person could repair, with how
// many comparisons the repair could open.
type QueueItem struct {
	Key     FactKey
	State   State    // Absent or Conflict
	Targets []string // where a declaration would have to be made, as Repair.Target has it
	Runs    int      // runs that lack it
	Pairs   int64    // pairs of runs that nothing else keeps apart
	Example string   // id of one of the runs
	Remedy  string   // what to do, in a sentence
}
