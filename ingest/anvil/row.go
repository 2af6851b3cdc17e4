package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// row reads one headline row: one arm and one run.
func (b *builder) row(p evidence.Pointer, i int, row *jsondoc.Node, known []identity, said said) {
	if row.Kind != jsondoc.Object {
		b.find(evidence.Warning, CodeNotNumber, p, row, fmt.Sprintf("a row was expected, not %s", kindName(row)))
		return
	}
	if b.tooWide(p, row) {
		return
	}
	name, ok := b.text(row, p, "profile")
	if !ok {
		name = fmt.Sprintf("headline row %d", i)
	}
	a := b.newArm(name, evidence.At(p))
	r := a.newRun("headline", "", evidence.At(p))
	b.ownFacts(r, p, row)
	if ok && len(name) <= prose.MaxSentence {
		b.profile(a, p.Key("profile"), name, 0, known)
	}
	if row.Get("requests") == nil {
		b.find(evidence.Warning, CodeMissing, p, row, `"requests" is missing`)
	}
	if _, ok := b.text(row, p, "topology"); !ok {
		b.loads(r, nil, "", said.headline)
	} else {
		b.topology(r, p.Key("topology"), row.Get("topology"), said.headline)
	}
	b.give(r, said.headline)
	b.give(r, said.state)
	r.Class = classOf(r.Facts, a.Facts)
	b.rowMembers(r, p, row)
	b.bounds(r, p, row)
}

// registered are the keys of the fact registry.
var registered = func() map[evidence.FactKey]evidence.Class {
	m := make(map[evidence.FactKey]evidence.Class, len(evidence.Keys))
	for _, k := range evidence.Keys {
		m[k.Key] = k.Class
	}
	return m
}()

func isFact(name string) bool { return registered[evidence.FactKey(name)] != "" }

// ownFacts records the members of a row that bear the name of a fact: requests, tp,
// output_cap. Identity and environment belong to the arm, all else to the run.
func (b *builder) ownFacts(r *run, p evidence.Pointer, row *jsondoc.Node) {
	for i, name := range row.Names {
		n, k := row.Children[i], evidence.FactKey(name)
		switch {
		case !isFact(name) || k == evidence.KeyCorrectness || n.Kind == jsondoc.Object || n.Kind == jsondoc.Array:
		case registered[k] == evidence.Identity || registered[k] == evidence.Hardware || registered[k] == evidence.Environment:
			b.record(&r.arm.Facts, k, p.Key(name), n)
		default:
			b.record(&r.Facts, k, p.Key(name), n)
		}
	}
}

// rowMembers reads what a row says beyond profile, topology and requests.
func (b *builder) rowMembers(r *run, p evidence.Pointer, row *jsondoc.Node) {
	for i, name := range row.Names {
		n, q := row.Children[i], p.Key(name)
		switch name {
		case "profile", "topology":
		case "evidence":
			b.references("evidence", q, n)
		case "correctness_status":
			b.correctness(r, q, n)
		case "status":
			b.status(r, q, n)
		default:
			switch {
			case isFact(name):
			case strings.HasSuffix(name, "_timing_note"):
				b.record(&r.Facts, evidence.KeyTimingCaveat, q, n)
			case strings.HasSuffix(name, "_passed"):
				b.passed(r, q, n)
			default:
				b.rowFigure(r, name, q, n, row)
			}
		}
	}
}

// rowFigure reads a member by its name: a group of statistics, a figure, a published
// change, or the figure of a matched control.
func (b *builder) rowFigure(r *run, name string, p evidence.Pointer, n, row *jsondoc.Node) {
	m := readMember(name)
	switch {
	case m.bound != "":
		// read together by bounds
	case m.change():
		b.publishedChange(r, m, p, n)
	case strings.HasPrefix(name, "matched_") && m.metric != "" && m.unit != "":
		b.matchedControl(r, m, p, n)
	case !m.measures():
		if n.Kind == jsondoc.String {
			b.note(evidence.Statement, name, p, n.Text)
		}
	case n.Kind == jsondoc.Object:
		if !m.unitFits() {
			b.find(evidence.Warning, CodeUnit, p, n, fmt.Sprintf("%s is not given in %q", m.metric, m.unit))
			return
		}
		b.liftGroup(r, m, r.observations(), p, n)
	case n.Kind == jsondoc.Null && row.Get(name+"_lower_bound") != nil && row.Get(name+"_upper_bound") != nil:
		// the slot of the interval's point value
	default:
		b.liftOne(r, m, p, n)
	}
}

// liftOne lifts a single figure of a row.
func (b *builder) liftOne(r *run, m member, p evidence.Pointer, n *jsondoc.Node) {
	obs := r.observations()
	stat, ok := m.statistic()
	if !ok && obs.OK && obs.V == 1 {
		stat, ok = evidence.Single, true
	}
	if !ok {
		if n.Kind != jsondoc.Null {
			b.find(evidence.Warning, CodeStat, p, n, fmt.Sprintf("%s: of which statistic is this figure?", m.metric))
		}
		return
	}
	if m.metric == evidence.AcceptRate || m.metric == evidence.AcceptLength {
		obs = evidence.None[int64]() // it counts draft tokens, not requests
	}
	b.lift(r, m, stat, obs, p, n)
}

// correctness keeps the source's word on correct answers. An arm that the source
// rejects keeps its figures.
func (b *builder) correctness(r *run, p evidence.Pointer, n *jsondoc.Node) {
	b.record(&r.Facts, evidence.KeyCorrectness, p, n)
	if s := n.Str(); len(s) >= len("rejected") && strings.EqualFold(s[:len("rejected")], "rejected") {
		r.arm.Rejected, r.arm.RejectedPlace = s, evidence.At(p)
	}
}

// passed reads a count of passed checks: the fact, and the share of the requests.
func (b *builder) passed(r *run, p evidence.Pointer, n *jsondoc.Node) {
	b.record(&r.Facts, evidence.KeyPassed, p, n)
	requests, passed := factIn(r.Facts, evidence.KeyRequests), factIn(r.Facts, evidence.KeyPassed)
	if requests == nil || passed == nil || passed.Place.Pointer != p {
		return
	}
	den, ok1 := parseCount(requests.Value)
	num, ok2 := parseCount(passed.Value)
	if !ok1 || !ok2 || den == 0 || num > den {
		b.find(evidence.Warning, CodePassed, p, n, fmt.Sprintf("%s of %s is no share", passed.Value, requests.Value))
		return
	}
	r.Measurements = append(r.Measurements, evidence.Measurement{
		Metric: evidence.PassRate, Stat: evidence.Total, Value: evidence.Some(ratio(num, den)), Unit: evidence.Ratio,
		N: evidence.Some(den), State: evidence.Derived, Role: evidence.Primary, Rule: "passed/requests",
		SourceText: passed.SourceText, SourceUnit: "requests", Place: passed.Place, Also: []evidence.Place{requests.Place},
	})
}
