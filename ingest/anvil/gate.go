package anvil

import (
	"slices"
	"strings"

	"assay/ingest/prose"
	"assay/store/evidence"
)

// A gate's detail is read clause by clause: "28/30 for MTP3 and 29/30 for no-spec" gives
// each arm its own. A clause that names nobody is about the arm that its statement names,
// or the gate's name; where several come into question it is nobody's.
type detail struct {
	n        *narrator
	text     string
	segments []segment
	name     mention
	except   bool // "all arms except MTP3"
	spans    map[string]prose.Span
	title    map[string]prose.Span // the words of the gate's name
}

// segment is a clause of a detail.
type segment struct {
	prose.Span
	statement int  // segments up to a semicolon make a statement
	contrast  bool // "against ...", "(MTP3 ...)": not what the statement is about
	listed    bool // joined to the segment before by a comma or "and"
	mention   mention
	fraction  bool
	states    []string
	spans     map[string]prose.Span
}

// mention is whom words speak of.
type mention struct {
	kind mentionKind
	arms []*arm
}

type mentionKind int

const (
	nobody  mentionKind = iota
	oneArm              // one is named
	allArms             // "each arm", "both arms"
	unclear             // several are named, or one of several
)

// maxSegments bounds the clauses of a detail that are told apart.
const maxSegments = 256

var (
	// partWords begin another clause, contrastWords one that is held against the first.
	partWords     = map[string]bool{"and": true, "while": true, "but": true, "whereas": true, "plus": true}
	contrastWords = map[string]bool{"against": true, "versus": true, "vs": true, "compared": true, "than": true, "unlike": true}
	exceptWords   = []string{"except", "excepting", "excluding", "excluded", "apart", "besides", "exception", "save", "neither", "nor"}
)

// readDetail cuts a gate's detail and finds whom its clauses speak of.
func (n *narrator) readDetail(g evidence.Gate) *detail {
	d := &detail{n: n, text: g.Detail, name: n.mention(g.Name)}
	d.cut()
	d.spans, d.title = wordSpans(g.Detail), wordSpans(g.Name)
	for _, w := range exceptWords {
		_, said := d.spans[w]
		d.except = d.except || said
	}
	for _, phrase := range []string{"other than", "but not"} {
		d.except = d.except || strings.Contains(strings.ToLower(g.Detail), phrase)
	}
	if len(d.segments) > maxSegments {
		d.except = true
		return d
	}
	for i := range d.segments {
		s := &d.segments[i]
		s.mention = n.mention(s.Text(d.text))
		s.spans = wordSpans(s.Text(d.text))
		s.states = statesIn(s.spans)
	}
	d.allOfStatement()
	for _, x := range n.fractions(g) {
		if s := d.segment(x); s != nil {
			s.fraction = true
		}
	}
	return d
}

// allOfStatement gives the clauses of a statement about all arms to all of them: "5/5 in
// each first and each repeat arm" says so only as a whole.
func (d *detail) allOfStatement() {
	for from := 0; from < len(d.segments); {
		to := from
		for to < len(d.segments) && d.segments[to].statement == d.segments[from].statement {
			to++
		}
		list := d.segments[from:to]
		from = to
		named := slices.ContainsFunc(list, func(s segment) bool { return s.mention.kind != nobody })
		if named || !saysAll(wordSpans(d.text[list[0].Start:list[len(list)-1].End])) {
			continue
		}
		for i := range list {
			list[i].mention = mention{allArms, d.n.arms}
		}
	}
}

// saysAll reports whether words speak of all arms.
func saysAll(spans map[string]prose.Span) bool {
	return anyOf(spans, allWords) && anyOf(spans, armWords)
}

var allWords, armWords = wordSet("each both every all per either"), wordSet("arm arms")

// cut parts the detail at marks and joining words.
func (d *detail) cut() {
	var current segment
	next := func(listed, contrast bool) {
		if !current.Empty() {
			d.segments = append(d.segments, current)
		}
		current = segment{statement: current.statement, listed: listed, contrast: contrast}
	}
	for _, t := range prose.Lex(d.text) {
		word := strings.ToLower(t.Text(d.text))
		switch {
		case t.Kind == prose.Mark && (word == ";" || word == "."):
			next(false, false)
			current.statement++
		case t.Kind == prose.Mark && (word == "," || word == ")" || word == "]"):
			next(word == ",", false)
		case t.Kind == prose.Mark && (word == "(" || word == "["):
			next(false, true)
		case partWords[word]:
			next(word == "and" || word == "plus", false)
		case contrastWords[word]:
			next(false, true)
		case current.Empty():
			current.Span = prose.Span{Start: t.Start, End: t.UnitEnd}
		default:
			current.End = max(current.End, t.UnitEnd)
		}
	}
	next(false, false)
}

// segment is the clause that a fraction stands in.
func (d *detail) segment(x prose.Result) *segment {
	for i := range d.segments {
		if s := &d.segments[i]; x.Digits.Start >= s.Start && x.Digits.Start < s.End {
			return s
		}
	}
	return nil
}

// mention finds whom words speak of.
func (n *narrator) mention(text string) mention {
	spans := wordSpans(text)
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { _, ok := spans[w]; return ok })
	}
	named := n.armsNamed(text, spans)
	if saysAll(spans) {
		if len(named) > 0 {
			return mention{kind: unclear}
		}
		return mention{allArms, n.arms}
	}
	if len(named) == 0 && n.selected != nil && has("selected") && has("arm") {
		return mention{oneArm, []*arm{n.selected}}
	}
	if len(named) == 0 && has("control", "baseline", "reference") {
		if a := onlyArm(n.arms, func(a *arm) bool { return valueIn(a.Facts, evidence.KeySpecMethod) == "none" }); a != nil {
			return mention{oneArm, []*arm{a}}
		}
		return mention{kind: unclear}
	}
	switch {
	case len(named) == 1:
		return mention{oneArm, named}
	case len(named) > 1 || namesSettings(text):
		return mention{kind: unclear} // several, or one that was not measured
	}
	return mention{}
}

// onlyArm is the one arm that passes.
func onlyArm(arms []*arm, ok func(*arm) bool) *arm {
	var found *arm
	for _, a := range arms {
		if ok(a) {
			if found != nil {
				return nil
			}
			found = a
		}
	}
	return found
}

// namesSettings reports whether words state what an arm is, such as a depth.
func namesSettings(text string) bool {
	return slices.ContainsFunc(prose.Config(text), func(s prose.Setting) bool {
		return speculationKeys[s.Key] || s.Key == evidence.KeyTP || s.Key == evidence.KeyDP
	})
}

// armsOf are the arms whose fraction x is, none when it is nobody's beyond doubt.
func (d *detail) armsOf(x prose.Result) []*arm {
	s := d.segment(x)
	if s == nil || d.except {
		return nil
	}
	var about []mention // of the statement, without what it is held against
	var against []*arm
	named := false
	for i := range d.segments {
		o := &d.segments[i]
		named = named || o.mention.kind != nobody
		switch {
		case o.statement != s.statement || o.mention.kind == nobody:
		case o.contrast && o != s:
			against = append(against, o.mention.arms...)
			if o.mention.kind != oneArm {
				return nil
			}
		default:
			about = append(about, o.mention)
		}
	}
	switch s.mention.kind {
	case unclear:
		return nil
	case allArms:
		if len(against) > 0 || slices.ContainsFunc(about, func(m mention) bool { return m.kind != allArms }) {
			return nil
		}
		return s.mention.arms
	case oneArm:
		if d.shared(s) {
			return nil
		}
		return s.mention.arms
	}
	return d.inherited(about, against, named)
}

// inherited are the arms of a clause that names nobody.
func (d *detail) inherited(about []mention, against []*arm, named bool) []*arm {
	switch {
	case len(about) > 0:
		for _, m := range about {
			if m.kind != about[0].kind || m.kind == unclear || m.kind == oneArm && m.arms[0] != about[0].arms[0] {
				return nil
			}
		}
		if about[0].kind == allArms && len(against) > 0 {
			return nil
		}
		return about[0].arms
	case d.name.kind == oneArm:
		if slices.Contains(against, d.name.arms[0]) {
			return nil
		}
		return d.name.arms
	case d.name.kind == allArms && !named:
		return d.name.arms
	case d.name.kind == nobody && !named && len(d.n.arms) == 1:
		return d.n.arms
	}
	return nil
}

// shared reports whether a clause beside s, without a fraction of its own, names another
// arm in one list with it: "no-spec and MTP3 passed 5/5" does not say who passed what.
func (d *detail) shared(s *segment) bool {
	for i := range d.segments {
		if &d.segments[i] != s {
			continue
		}
		names := func(k int) bool {
			o := &d.segments[k]
			return o.statement == s.statement && !o.fraction && o.mention.kind != nobody
		}
		return s.listed && i > 0 && names(i-1) || i+1 < len(d.segments) && d.segments[i+1].listed && names(i+1)
	}
	return false
}

// statesIn are the run states that words name.
func statesIn(spans map[string]prose.Span) []string {
	var out []string
	for _, s := range []string{prose.FirstRun, prose.RepeatRun} {
		if _, ok := spans[s]; ok {
			out = append(out, s)
		}
	}
	return out
}

// statesOf are the states whose runs a fraction counts, none for all of them. Of several
// fractions each has to name its own.
func (d *detail) statesOf(x prose.Result, many bool) (states []string, ok bool) {
	if many {
		if s := d.segment(x); s != nil && len(s.states) == 1 {
			return s.states, true
		}
		return nil, len(statesIn(d.spans)) == 0
	}
	if said := statesIn(d.spans); len(said) == 1 {
		return said, true
	}
	return nil, true
}
