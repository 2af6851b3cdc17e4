package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// producedPair is a nominal context of a protocol sentence and the prompt tokens that
// it came to.
type producedPair struct {
	prose.Pair
	s    statement
	used bool
}

// maxPairs bounds the contexts that one sentence may name.
const maxPairs = 64

// pairs takes the produced pairs out of a statement: they speak of single rows, not of
// all runs. What is left over is reported.
func (m *matrixReader) pairs(s *statement, n *jsondoc.Node) {
	found := prose.Produced(s.text)
	if len(found) > maxPairs {
		found = nil
	}
	about := func(span prose.Span) bool {
		for _, pair := range found {
			if span.Start < pair.Actual.End && pair.Nominal.Start < span.End {
				return true
			}
		}
		return false
	}
	kept := s.settings[:0]
	for _, x := range s.settings {
		if !about(x.Span) {
			kept = append(kept, x)
		}
	}
	s.settings = kept
	for _, clause := range s.left {
		if !about(clause) {
			m.unparsed(s.p, n, clause.Text(s.text))
		}
	}
	for _, pair := range found {
		m.produced = append(m.produced, producedPair{Pair: pair, s: *s})
	}
}

// cell reads an object of a row: one run, named as the row names it.
func (m *matrixReader) cell(a *arm, name string, p evidence.Pointer, n *jsondoc.Node) {
	if m.tooWide(p, n) {
		return
	}
	r := &run{arm: a, Run: evidence.Run{Name: name, Status: evidence.Measured, Place: evidence.At(p)}}
	status := n.Get("status")
	if status != nil {
		m.status(r, p.Key("status"), status)
	}
	single := strings.HasPrefix(name, "long")
	m.cellFacts(r, name, p, n, single)
	for i, member := range n.Names {
		if member != "status" && !countNames[member] {
			m.cellFigure(r, member, p.Key(member), n.Children[i], single)
		}
	}
	if len(r.Measurements) == 0 && r.Status == evidence.NotRun {
		m.note(evidence.Caveat, "status", p.Key("status"), status.Text)
		m.find(evidence.Info, CodeStatus, p, n, name+" was not run")
		return
	}
	if len(r.Measurements) == 0 && r.Status == evidence.Measured {
		m.find(evidence.Info, CodeMissing, p, n, name+" holds no figure: no run")
		return
	}
	for _, metric := range []evidence.MetricID{evidence.TTFT, evidence.E2E, evidence.TPOT} {
		m.inOrder(r, metric, p, n)
	}
	a.runs = append(a.runs, r)
}

// cellFacts gives a run its shape: the statement of its name, and for a long run the
// length of its prompt.
func (m *matrixReader) cellFacts(r *run, name string, p evidence.Pointer, n *jsondoc.Node, single bool) {
	for i, member := range n.Names {
		if countNames[member] {
			m.record(&r.Facts, evidence.KeyRequests, p.Key(member), n.Children[i])
		}
	}
	m.ownFacts(r, p, n)
	if single {
		m.long = append(m.long, r)
	}
	s, ok := m.statements[name]
	if !ok {
		m.find(evidence.Info, CodeMissing, p, n, fmt.Sprintf("no protocol sentence speaks of %q: its workload is not recorded", clip(name)))
	}
	m.loads(r, nil, "", s)
	m.give(r, s)
	if single {
		for _, f := range m.limit {
			m.put(&r.Facts, f)
		}
		if f := factIn(r.Facts, evidence.KeyRequests); f != nil && f.Value == "1" && factIn(r.Facts, evidence.KeyConcurrency) == nil {
			alone := *f
			alone.Key, alone.State, alone.Rule = evidence.KeyConcurrency, evidence.Derived, ruleOneInTurn
			r.Facts = append(r.Facts, alone)
		}
	}
	m.context(r, single)
	switch { // the document's own word for the run comes first
	case single:
		r.Class = evidence.ClassLong
	case strings.HasPrefix(name, "short"):
		r.Class = evidence.ClassShort
	default:
		r.Class = classOf(r.Facts)
	}
}

// countNames are the members of a run's object that count its requests.
var countNames = map[string]bool{"n": true, "samples": true, "request_count": true, "num_requests": true, "observations": true}

// cellFigure lifts a member of a run's object. The statistic is the one that the
// member's name states. A long run without one is a single observation, unless its
// count says otherwise; where nothing gives the count it stays absent.
func (m *matrixReader) cellFigure(r *run, name string, p evidence.Pointer, n *jsondoc.Node, single bool) {
	mem := readMember(name)
	switch {
	case !mem.measures() || mem.bound != "":
		if n.Kind == jsondoc.String {
			m.note(evidence.Statement, name, p, n.Text)
		}
		return
	case n.Kind == jsondoc.Object:
		if mem.unitFits() {
			m.liftGroup(r, mem, r.observations(), p, n)
		}
		return
	}
	stat, known := mem.statistic()
	obs := r.observations()
	if !known && (single && !obs.OK || obs.OK && obs.V == 1) {
		stat, known = evidence.Single, true
		if !obs.OK && len(r.Measurements) == 0 {
			m.find(evidence.Info, CodeStat, p, n, "nothing says how many requests stand behind the figures of this run: taken as one observation, its count stays unknown")
		}
	}
	if !known {
		m.find(evidence.Warning, CodeStat, p, n, fmt.Sprintf("%s: of which statistic is this figure?", mem.metric))
		return
	}
	m.lift(r, mem, stat, obs, p, n)
}

// context gives a run the context target that the protocol sentence names for its row:
// "524K configured" is the row of 524,288.
func (m *matrixReader) context(r *run, single bool) {
	exact, ok := parseCount(valueIn(r.arm.Facts, evidence.KeyServedContext))
	if !ok || !single {
		return
	}
	for i := range m.produced {
		x := &m.produced[i]
		if nominal := x.Nominal.Text(x.s.text); prose.NominalMatches(nominal, exact) {
			m.put(&r.Facts, evidence.Fact{Key: evidence.KeyContextTarget, Value: prose.FormatCount(exact), State: evidence.Derived,
				Rule: "prose/produced", Place: evidence.InText(x.s.p, x.Nominal.Start, x.Nominal.End), SourceText: nominal})
			x.used = true
			return
		}
	}
	if len(m.produced) > 0 {
		m.find(evidence.Info, CodeUnattributed, r.Place.Pointer, nil, "the protocol sentence names no context for this row: its target stays unknown")
	}
}

// producedPrompts repeats the prompt lengths of the protocol sentence on the runs that
// have them.
func (m *matrixReader) producedPrompts() {
	for _, x := range m.produced {
		if !x.used {
			m.find(evidence.Info, CodeUnattributed, x.s.p, nil, fmt.Sprintf("no row has the context %q", x.Nominal.Text(x.s.text)))
		}
		nominal := evidence.InText(x.s.p, x.Nominal.Start, x.Nominal.End)
		for _, l := range m.long {
			f := factIn(l.Facts, evidence.KeyContextTarget)
			if f == nil || f.Place != nominal {
				continue
			}
			if own := l.primary(evidence.PromptTokens, evidence.Single); own != nil {
				m.restateOn(l, own, x.Actual, "tokens", x.s.p, x.s.text)
			}
		}
	}
}

// rowStatus reads a status of a whole row: it holds for the runs that have none of
// their own. An arm that is rejected keeps its figures.
func (m *matrixReader) rowStatus(a *arm, name string, p evidence.Pointer, n *jsondoc.Node) {
	rejected := strings.HasPrefix(strings.ToLower(n.Str()), "rejected")
	if rejected {
		a.Rejected, a.RejectedPlace = n.Text, evidence.At(p)
	}
	if name == "correctness_status" {
		m.record(&a.Facts, evidence.KeyCorrectness, p, n)
		return
	}
	m.record(&a.Facts, evidence.KeyRunStatus, p, n)
	if rejected || n.Is(jsondoc.Null) {
		return
	}
	status := m.statusOf(p, n)
	for _, r := range a.runs {
		if factIn(r.Facts, evidence.KeyRunStatus) == nil {
			r.Status = status
		}
	}
}

// restateNotes goes through caveats and decision for repeated figures.
func (b *builder) restateNotes() {
	x := b.indexFigures()
	for _, n := range b.doc.Notes {
		switch n.Kind {
		case evidence.Limitation, evidence.Failure, evidence.Caveat:
			b.restate(x, n.Place.Pointer, n.Text)
		}
	}
}
