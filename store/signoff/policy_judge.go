package signoff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"assay/store/evidence"
)

// answer is one thing in the evidence that speaks of a gate.
type answer struct {
	state  GateState
	says   string
	quoted string
	source Source
	// narrow is an answer to less than what is asked: five tools of twenty, a floor that a
	// campaign set for itself, a suite that another document did not run. It neither passes
	// the gate nor stands against a full answer.
	narrow bool
	scoped bool // as narrow, and it stands against a full answer
	told   bool // a source's own gate: said even beside others of its kind
}

// gravity orders answers: the worst counts.
var gravity = map[GateState]int{GatePassed: 0, GateWaived: 1, GateMissing: 2, GateUnresolved: 3, GateFailed: 4}

// foreignGate begins the id of a gate that only a source has.
const foreignGate = "source-"

// Judge answers every gate of the policy for a target. Gates that the target does not
// need are answered too, and do not stop.
func (p *Policy) Judge(e Evidence, t Target) []GateResult {
	required := p.Targets[t]
	j := newJudging(&e)
	var out []GateResult
	asked := map[string]bool{} // places of source gates that a gate of the policy took
	for i := range p.Gates {
		g := &p.Gates[i]
		r := g.judge(j, p.Narrowing, asked)
		r.Required = slices.Contains(required, g.ID)
		if w := waiverOf(&e, g); w != nil && r.State != GatePassed {
			r.State, r.By, r.Reason = GateWaived, w.Author, w.Reason
		}
		out = append(out, r)
	}
	if p.Others {
		out = append(out, others(j, asked)...)
	}
	return out
}

func waiverOf(e *Evidence, g *Gate) *GateWaiver {
	for i := range e.Waived {
		if w := &e.Waived[i]; w.Gate == g.ID && w.Holds() && g.Waivable {
			return w
		}
	}
	return nil
}

func (g *Gate) judge(j *judging, narrowing []string, asked map[string]bool) GateResult {
	var all []answer
	all = append(all, g.fromGates(j, narrowing, asked)...)
	all = append(all, g.fromMeasurements(j)...)
	all = append(all, g.fromCanaries(j)...)
	all = append(all, g.fromRuns(j)...)
	all = append(all, g.fromPath(j)...)
	all = append(all, g.fromStatus(j)...)
	all = append(all, g.fromFacts(j, len(all) > 0)...)
	all = append(all, g.fromReferences(j)...)
	if !slices.ContainsFunc(all, func(a answer) bool { return a.state != GateMissing }) {
		all = append(all, g.fromLimitations(j)...)
	}
	return g.sum(all)
}

// mostSources bounds the places that a result lists, mostBesides the further answers that
// it says in words.
const (
	mostSources = 40
	mostBesides = 3
)

// sum weighs the answers: the worst full one counts, and what says otherwise is said
// beside it.
func (g *Gate) sum(all []answer) GateResult {
	r := GateResult{ID: g.ID, Title: g.Title, Rule: g.Rule, Want: g.Want, Clear: g.Clear, State: GateMissing}
	if len(all) == 0 {
		r.Says = "nothing in the archive answers it"
		return r
	}
	slices.SortStableFunc(all, func(a, b answer) int {
		return cmp.Or(compareBool(a.narrow, b.narrow), cmp.Compare(gravity[b.state], gravity[a.state]), compareBool(a.scoped, b.scoped))
	})
	worst := all[0]
	r.State, r.Says, r.Quoted = worst.state, worst.says, worst.quoted
	var besides []string
	for _, a := range all {
		if a.source != (Source{}) && !slices.Contains(r.Sources, a.source) {
			r.Sources = append(r.Sources, a.source)
		}
		if (a.state != worst.state || a.told && a.state != GatePassed) && a.says != worst.says && !slices.Contains(besides, a.says) {
			besides = append(besides, a.says)
		}
	}
	if n := len(besides) - mostBesides; n > 0 {
		besides = append(besides[:mostBesides], fmt.Sprintf("and %d more", n))
	}
	if len(besides) > 0 {
		r.Says += "; beside it: " + strings.Join(besides, "; ")
	}
	if n := len(r.Sources) - mostSources; n > 0 {
		r.Says += fmt.Sprintf(" (and %d further places)", n)
		r.Sources = r.Sources[:mostSources]
	}
	return r
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// others are gates of decision documents that no gate of the policy asks about. One that
// passed needs no attention; any other stops, unless it is about another arm.
func others(j *judging, asked map[string]bool) []GateResult {
	var out []GateResult
	taken := map[string]int{}
	for i := range j.Documents {
		d := &j.Documents[i]
		if len(d.Decisions) == 0 || !j.about(d) {
			continue
		}
		for k := range d.Gates {
			row := &d.Gates[k]
			if row.Status == evidence.GatePassed || asked[placeOf(row)] {
				continue
			}
			r := otherGate(j, row)
			if taken[r.ID]++; taken[r.ID] > 1 {
				r.ID = fmt.Sprintf("%s-%d", r.ID, taken[r.ID])
			}
			out = append(out, r)
		}
	}
	return out
}

func otherGate(j *judging, row *evidence.GateRow) GateResult {
	r := GateResult{ID: foreignGate + slug(row.Name), Title: cmp.Or(clipped(row.Name, longTitle), "a gate without a name"), Rule: "C-GATE-VOCAB", Required: !j.otherArm(row),
		Want: "a plain pass", Quoted: row.SourceStatus, Clear: "Record passed or rejected for the use that is to be signed.",
		Sources: []Source{{Artifact: row.Artifact, Pointer: row.Place.Pointer, Text: row.SourceStatus}}}
	switch row.Status {
	case evidence.GateFailed, evidence.GateRejected:
		r.State, r.Rule, r.Says, r.Clear = GateFailed, "C-CORRECTNESS", "the source says that it did not pass", "Mend it and measure again."
	case evidence.GateMissing:
		r.State, r.Rule, r.Says, r.Clear = GateMissing, "C-GATE-MISSING", "the source says that it was not run", "Run it."
	default:
		r.State, r.Says = GateUnresolved, "the source's word is no plain pass"
	}
	if !r.Required {
		r.Says += ", of another arm"
	}
	return r
}

// phrase is a phrase or a name as words: lower case, letters and digits only.
func phrase(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c < 0x80
	})
}

// has reports whether one of the phrases stands in a text as whole words.
func has(text []string, phrases []string) bool {
	for _, p := range phrases {
		w := phrase(p)
		for i := 0; len(w) > 0 && i+len(w) <= len(text); i++ {
			if slices.Equal(text[i:i+len(w)], w) {
				return true
			}
		}
	}
	return false
}

// longTitle and longQuote bound what is quoted of a source.
const (
	longTitle = 120
	longQuote = 400
	longSlug  = 48
)

func slug(s string) string {
	out := strings.Map(func(c rune) rune {
		if c < 0x80 {
			return c
		}
		return -1
	}, strings.Join(phrase(s), "-"))
	return cmp.Or(strings.Trim(out[:min(len(out), longSlug)], "-"), "gate")
}

func clipped(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
