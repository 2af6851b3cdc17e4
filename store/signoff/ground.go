package signoff

import (
	"assay/store/evidence"
)

// Target is what a candidate is signed for. The gates policy has one list per target.
type Target string

// Targets.
const (
	Challenger Target = "challenger" // may run beside what serves
	Rollback   Target = "rollback"   // may be gone back to
	Promotion  Target = "promotion"  // serves
)

// Targets there are.
var Targets = []Target{Challenger, Rollback, Promotion}

// Decision is what a person signs.
type Decision string

// Decisions. Only Promote says that the candidate meets its target.
const (
	Promote  Decision = "promote"
	Reject   Decision = "reject"
	Hold     Decision = "hold"
	GoBack   Decision = "rollback"
	NoAnswer Decision = ""
)

// Decisions there are.
var Decisions = []Decision{Promote, Reject, Hold, GoBack}

// Source is one place in the evidence.
type Source struct {
	Artifact evidence.Digest
	Pointer  evidence.Pointer
	Text     string // what stands there, as far as it is a word or a figure
}

// GateState is our answer to a gate of the policy.
type GateState string

// Gate states, the gravest first.
const (
	GateFailed     GateState = "failed"
	GateMissing    GateState = "missing"    // nothing in the archive answers it
	GateUnresolved GateState = "unresolved" // a word or a scope that we do not take for an answer
	GateWaived     GateState = "waived"     // by a person, with a reason
	GatePassed     GateState = "passed"
)

// GateResult is the policy's answer to one gate.
type GateResult struct {
	ID       string // stable, from the policy: "memory-reserve"
	Title    string
	Required bool // for the target asked about
	State    GateState
	Rule     string   // of the catalogue, for example "C-RESERVE"
	Want     string   // what counts as passed, in words: "at least 3 GiB free on every card"
	Says     string   // what was found, in our words
	Quoted   string   // the source's own word or sentence, verbatim; "" where there is none
	Clear    string   // what would clear it
	Sources  []Source // what was found, and where
	By       string   // who waived it
	Reason   string   // why
}

// Stops reports whether the gate keeps a candidate from its target.
func (g *GateResult) Stops() bool {
	return g.Required && g.State != GatePassed && g.State != GateWaived
}

// Remark is a sentence of a source, verbatim.
type Remark struct {
	Text string
	Source
}

// Arm is one side of a decision.
type Arm struct {
	Name     string   // as the source names it
	ArmID    string   // evidence.ArmID
	Runs     []string // run ids that the comparison uses
	Identity []evidence.FactRow
	Rejected string // the source's reason for rejecting it, verbatim
	Source
}

// ArtifactUse is an artifact that the ground rests on.
type ArtifactUse struct {
	Digest evidence.Digest
	Name   string // one it came under
	Schema string
	Uses   []string // "candidate", "control", "gates", "rollback", "limitations", in that order
}

// RepairUse is a declared fact, alias or move that the ground rests on.
type RepairUse struct {
	ID     int64
	Text   string // what it says, one line
	Author string
}

// FigureLine is one figure of the frozen comparison. Without a value that may be shown
// Left, Right and Change are "".
type FigureLine struct {
	Figure              string // "output_throughput:total"
	Title               string
	Verdict             string
	Left, Right, Change string // as people read them, with unit
	Better              string
	Reasons             []string // rule ids
	LeftSrc, RightSrc   Source
}

// Comparison is the comparison as it stood, frozen by digests.
type Comparison struct {
	Spec         string // the text of compare.Spec
	SpecDigest   string
	ExportDigest string // SHA-256 of the CSV that the page of the comparison gives
	Ruleset      int
	Figures      []FigureLine
	Counts       map[string]int // verdicts
}

// Contradiction is other evidence on the same arm that disagrees.
type Contradiction struct {
	Campaign string
	Run      string
	Figure   string
	Says     string // the disagreement in words with both figures
	Here     Source
	There    Source
}

// ClaimsCheck sums up the published derived figures of the campaign, recomputed.
type ClaimsCheck struct {
	Holds, Unrounded, Wrong, NoBase int
	Bad                             []Remark // those that do not hold
}

// Change is something that differs from the last decision on the campaign.
type Change struct {
	Text string
}

// PolicyRef names one version of a policy.
type PolicyRef struct {
	Name    string
	Version int
	Digest  string // SHA-256 of the file
}

// Ground is all that a person decides on, read from one snapshot of the archive.
type Ground struct {
	Campaign  string
	Title     string
	Target    Target
	Candidate Arm
	Control   evidence.Opt[Arm]
	Back      evidence.Opt[Arm] // the rollback target
	BackNote  string            // its evidence in words, or why there is none

	Ruleset    int
	Policy     PolicyRef
	TwoPeople  bool // the policy wants preparer and signer to differ for the decision promote
	MaxAgeDays int  // a sign-off is stale after it; 0 for never
	LogSize    int64
	Readers    []string // reader references of what it rests on, sorted

	Artifacts             []ArtifactUse
	Repairs               []RepairUse
	Comparison            evidence.Opt[Comparison] // absent without a control
	Gates                 []GateResult
	Limitations, Failures []Remark
	Contradictions        []Contradiction
	Claims                ClaimsCheck
	NotTested             []string // what no gate and no figure speaks of, in words
	Changes               []Change
	Waivers               []int64  // exploratory views on pairs of the comparison
	SourceSays            []Remark // the source's own decision words, promotion_authorized among them
	Retained, References  int      // named files that are here, of how many
}

// ItemKind says what is acknowledged.
type ItemKind string

// Kinds of items.
const (
	ItemGate          ItemKind = "gate"
	ItemLimitation    ItemKind = "limitation"
	ItemFailure       ItemKind = "failure"
	ItemContradiction ItemKind = "contradiction"
	ItemNotTested     ItemKind = "not-tested"
)

// Item is one thing that a person must acknowledge before a statement can be signed. Its
// ID is made of what it says, so that another text is another item.
type Item struct {
	ID     string
	Kind   ItemKind
	Text   string
	Reason bool // an acknowledgement needs a reason: failed and missing gates, limitations
}

// Ack is one acknowledgement.
type Ack struct {
	Item   string `json:"item"`
	Reason string `json:"reason"`
	AtUS   int64  `json:"at_us"`
}
