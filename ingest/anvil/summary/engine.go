package summary

import (
	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Bounds of the work that is not linear by itself.
const (
	maxNamed   = 64  // arms that words are held against; beyond them only whole names count
	maxGroup   = 128 // runs among which a claim's figures are looked for
	maxOptions = 96  // settings without a key of their own
)

// Rules of derived facts and figures.
const (
	ruleStatement = "prose/statement"         // the facts of a protocol block hold for every run under it
	ruleMatched   = "label/matched"           // the block calls its arms matched
	ruleName      = "member-name"             // the name of a member says so
	ruleNamed     = "named-by-row"            // the row names the candidate that this is a fact of
	ruleSiblings  = "statistic-of-siblings"   // all other figures of the block state it
	ruleNumber    = "number-in-text"          // the number stands in a string
	ruleRate      = "prose/rate"              // a rate in a sentence
	ruleShare     = "passed/attempted"        // computed from the two counts
	ruleAtDigest  = "name@digest"             // a part of "name@revision"
	ruleEngine    = "engine-by-member"        // "vllm_revision" names the engine
	ruleOnlyCard  = "only-card"               // a machine with one card has no other to run on
	ruleBlockSpec = "speculation-of-document" // the arm speculates, and the document says how
	ruleChanges   = "changes-from-prior"      // of the attempt before, and not changed
)

// engine reads one document.
type engine struct {
	*lift.Doc
	self       *arm            // the document's own arm
	arms       []*arm          // in the order they come up
	byName     map[string]*arm // by their whole name in plain words
	spec       []evidence.Fact // how arms speculate that do not say so themselves
	statements []statement
	claims     []pending
	groups     map[evidence.Pointer][]*lift.Run
	armOf      map[*lift.Run]*arm
	all        []*arm
	known      []*arm          // those that words are held against
	byRow      map[string]*arm // by what a row says of its arm
	armAt      map[*jsondoc.Node]*arm
	consumed   map[*jsondoc.Node]bool // taken as a setting before the figures are read
	later      []func()               // figures among settings
	left       []counted              // numbers that facts were made of
	options    int
	specBlock  bool // a block says how arms speculate, not that all of them do
	dated      bool
	spoken     *arm // rates in sentences whose subject nothing tells
}

// arm is one configuration. It becomes an arm of the document with its first run.
type arm struct {
	name   string
	words  map[string]bool
	at     lift.Val
	facts  []evidence.Fact
	lifted *lift.Arm
	reject lift.Val
	parent *arm
	listed bool // a row of a list of candidates
	own    bool // numbers are among its facts
}

// statement is a protocol block or sentence and the section that it speaks of.
type statement struct {
	stem  string // "" for every section
	facts []evidence.Fact
}

// scope is where the walk stands.
type scope struct {
	at       lift.Val
	mode     mode
	facts    *[]evidence.Fact // of an identity block: where its settings go
	arm      *arm
	shape    []evidence.Fact // of the runs under it
	class    string
	path     []string         // names from the section down
	group    evidence.Pointer // the block or list whose runs stand side by side
	variants map[string]*lift.Run
	status   lift.Val
	n        evidence.Opt[int64]
	done     evidence.Opt[int64]      // requests that were completed
	stats    map[string]evidence.Stat // that all other figures of a shape in the block state
	accept   bool                     // figures without a metric are acceptance
	prompt   lift.Val
	order    []*lift.Run     // the variants in the order they came up
	extra    []evidence.Fact // settings that stand among the figures
	counted  []counted
	ofArm    bool // the row is an arm's: its status is the arm's, not a run's
	warned   bool // that nothing counts the requests
}

type mode uint8

const (
	inResults mode = iota
	inIdentity
	inGates
)

func newEngine(d *lift.Doc) *engine {
	e := &engine{Doc: d, byName: map[string]*arm{}, groups: map[evidence.Pointer][]*lift.Run{}, armOf: map[*lift.Run]*arm{},
		byRow: map[string]*arm{}, armAt: map[*jsondoc.Node]*arm{}, consumed: map[*jsondoc.Node]bool{}}
	e.self = &arm{at: d.Top}
	return e
}

// document reads the slots in two rounds: what holds for all runs stands anywhere.
func (e *engine) document() {
	sc := &scope{at: e.Top, arm: e.self, facts: &e.Facts}
	for name, v := range e.Top.Members() {
		if name == "schema" || name == "schema_version" {
			continue
		}
		switch k := slotOf(name, v); k {
		case slotIdentity, slotProtocol, slotArms, slotDate:
			e.slot(k, sc, name, v)
		}
	}
	e.settle()
	for _, f := range e.later {
		f()
	}
	for name, v := range e.Top.Members() {
		if name == "schema" || name == "schema_version" {
			continue
		}
		switch k := slotOf(name, v); k {
		case slotIdentity, slotProtocol, slotDate:
		case slotArms:
			e.armFigures(sc, name, v)
		default:
			e.slot(k, sc, name, v)
		}
	}
	e.finish()
}

// settle draws what follows from the identity blocks together.
func (e *engine) settle() {
	e.topologies()
	if f := factIn(e.Facts, evidence.KeyHostGPUs); f != nil && f.Value == "1" && factIn(e.Facts, evidence.KeyGPUCount) == nil {
		one := *f
		one.Key, one.State, one.Rule = evidence.KeyGPUCount, evidence.Derived, ruleOnlyCard
		e.Facts = append(e.Facts, one)
	}
	e.self.name = "summary"
	for _, k := range []evidence.FactKey{evidence.KeyServedModel, evidence.KeyModel, evidence.KeyCheckpoint} {
		if f := factIn(e.Facts, k); f != nil {
			e.self.name = f.Value
			break
		}
	}
}

// finish gives every arm the facts that wait for all of them to be there.
func (e *engine) finish() {
	e.settleClaims()
	e.spare()
	said := false
	for _, a := range e.all {
		depth := factIn(a.facts, evidence.KeyMTPDepth)
		if depth == nil || factIn(a.facts, evidence.KeySpecMethod) != nil {
			continue
		}
		f := *depth
		f.Key, f.Value, f.State, f.Rule = evidence.KeySpecMethod, "mtp", evidence.Derived, "mtp-depth"
		if depth.Value == "0" {
			f.Value = specNone
		}
		a.facts = append(a.facts, f)
	}
	for _, a := range e.arms {
		said = said || factIn(a.facts, evidence.KeySpecMethod) != nil
	}
	for _, a := range e.arms {
		e.speculates(a, said)
		a.lifted.Facts = a.facts
		if a.reject.OK() {
			a.lifted.Rejected, a.lifted.RejectedPlace = lift.Clip(a.reject.Str()), evidence.At(a.reject.P)
		}
	}
	if len(e.arms) == 0 {
		for _, f := range e.spec {
			e.Put(&e.Facts, f)
		}
	}
	e.leftovers()
}

// speculates gives an arm the document's own speculation where it does not say otherwise.
// Where some arms say how they speculate, one that does not is left open.
func (e *engine) speculates(a *arm, said bool) {
	own := factIn(a.facts, evidence.KeySpecMethod)
	if own != nil && own.Value == specNone || a == e.spoken ||
		own == nil && said && (a != e.self || e.specBlock) {
		return
	}
	for _, f := range e.spec {
		if factIn(a.facts, f.Key) == nil {
			if f.State == evidence.Recorded {
				f.State, f.Rule = evidence.Derived, ruleBlockSpec
			}
			a.facts = append(a.facts, f)
		}
	}
}

// spare opens the arms without a run that hold numbers of their own.
func (e *engine) spare() {
	varied := map[*arm]bool{}
	for _, a := range e.all {
		varied[a.parent] = true
	}
	for _, a := range e.all {
		if a.lifted == nil && (a.own || a.reject.OK() || a.listed && !varied[a]) {
			a.lifted = e.NewArm(a.name, a.at)
			e.arms = append(e.arms, a)
		}
	}
}

// leftovers lists the numbers of facts that no run came to carry.
func (e *engine) leftovers() {
	carried := map[evidence.Pointer]bool{}
	for _, f := range e.Facts {
		carried[f.Place.Pointer] = true
	}
	for _, f := range e.spec {
		if !carried[f.Place.Pointer] && len(e.arms) > 0 {
			if n := e.nodeAt(f.Place.Pointer); n.Is(jsondoc.Number) {
				e.left = append(e.left, counted{string(f.Key), n})
			}
		}
	}
	for _, a := range e.arms {
		for _, f := range a.facts {
			carried[f.Place.Pointer] = true
		}
	}
	for r := range e.armOf {
		for _, f := range r.Facts {
			carried[f.Place.Pointer] = true
		}
		for _, m := range r.Measurements {
			carried[m.Place.Pointer] = true
		}
	}
	for _, x := range e.left {
		if !carried[x.v.P] {
			e.aside(nil, x.key, x.v, evidence.ReasonEcho)
		}
	}
}

// run opens a run of an arm, and the arm with its first one.
func (e *engine) run(a *arm, name, class string, v lift.Val) *lift.Run {
	if a.lifted == nil {
		a.lifted = e.NewArm(a.name, a.at)
		e.arms = append(e.arms, a)
	}
	r := a.lifted.NewRun(name, class, v)
	e.armOf[r] = a
	return r
}

func factIn(facts []evidence.Fact, k evidence.FactKey) *evidence.Fact {
	for i := range facts {
		if facts[i].Key == k {
			return &facts[i]
		}
	}
	return nil
}

func valueIn(facts []evidence.Fact, k evidence.FactKey) string {
	if f := factIn(facts, k); f != nil && f.State != evidence.Conflict {
		return f.Value
	}
	return ""
}

// inherit adds the facts whose key is not there yet.
func inherit(facts *[]evidence.Fact, more []evidence.Fact) {
	for _, f := range more {
		if factIn(*facts, f.Key) == nil {
			*facts = append(*facts, f)
		}
	}
}

func isText(v lift.Val) bool { return v.Is(jsondoc.String) }
