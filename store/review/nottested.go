package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/signoff"
)

// coreClasses are the kinds of work that a service is asked for; what of them has no run
// of the candidate was not tested.
var coreClasses = []struct{ class, says string }{
	{evidence.ClassShort, "short prompts at low load"},
	{evidence.ClassAggregate, "throughput at load"},
	{evidence.ClassLong, "long context"},
	{evidence.ClassFunctional, "functions, such as tools and structured answers"},
	{evidence.ClassQuality, "quality of answers"},
	{evidence.ClassGeneration, "long answers"},
}

// notTested says in words what neither a gate nor a figure speaks of. Missing gates are
// items of their own and not repeated here.
func (s *survey) notTested(context.Context) error {
	say := func(format string, args ...any) {
		s.ground.NotTested = append(s.ground.NotTested, fmt.Sprintf(format, args...))
	}
	measured := map[string]bool{}
	for _, r := range s.candidate.runs {
		if r.Status == evidence.Measured {
			measured[r.Class] = true
		}
	}
	for _, c := range coreClasses {
		if !measured[c.class] && !s.gateAsks(c.class) {
			say("No run of the candidate tests %s (class %s).", c.says, c.class)
		}
	}
	s.untestedComparison(say)
	if !s.gateAsks("rout", "client") && !s.anyRun(func(r *evidence.RunRow) bool { return pathOf(r) == "routed" || pathOf(r) == "client" }) {
		say("No run went through a route or a real client; direct requests say nothing about either.")
	}
	if !s.gateAsks("telemetry") && !s.telemetry() {
		say("Power, temperature, cold start and energy were not kept for every arm: nothing is claimed about them (C-TELEMETRY).")
	}
	if s.ground.References > s.ground.Retained {
		say("%d of the %d files that the sources name are not in the archive.", s.ground.References-s.ground.Retained, s.ground.References)
	}
	if s.back == nil {
		say("No arm is named to go back to.")
	}
	return nil
}

// gateAsks reports whether a gate of the target asks about something: then its answer
// stands there, whatever it is.
func (s *survey) gateAsks(words ...string) bool {
	return slices.ContainsFunc(s.ground.Gates, func(g signoff.GateResult) bool {
		text := strings.ToLower(g.ID + " " + g.Title)
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
	})
}

func (s *survey) untestedComparison(say func(string, ...any)) {
	switch {
	case s.control == nil:
		say("There is no control: nothing says whether the candidate is better or worse than anything.")
		return
	case !s.has:
		say("The candidate and its control have no figure in common: nothing is compared.")
		return
	}
	cells := s.compared.Arms[0].Cells
	single := false
	for j := range cells {
		f := s.compared.Figures[j].Figure
		if !cells[j].Verdict.Shows() {
			say("%s against the control is %s (%s): no difference is claimed.", f, cells[j].Verdict, stopping(cells[j].Reasons))
		}
		single = single || cells[j].Verdict.Shows() && cells[j].Value.Repeats < 2
	}
	if single {
		say("Some figures stand on one run a side: how far repeats lie apart is not known.")
	}
	for _, k := range s.otherClasses() {
		say("Runs of class %s are not part of the frozen comparison.", k)
	}
	if n := len(compare.Factors(s.pair.control.Head(), s.pair.arm.Head())); n > 1 {
		say("The candidate differs from its control in %d factors: no difference is traced to one of them (P-ONEVAR).", n)
	}
}

// stopping are the rules that stop a pair.
func stopping(reasons []compare.Reason) string {
	var rules []string
	for _, r := range reasons {
		if !r.Verdict.Shows() && !slices.Contains(rules, r.Rule) {
			rules = append(rules, r.Rule)
		}
	}
	return strings.Join(rules, ", ")
}

// otherClasses are those that the candidate and the control both have runs of and that
// the comparison leaves out.
func (s *survey) otherClasses() []string {
	var out []string
	for _, r := range s.candidate.runs {
		in := slices.ContainsFunc(s.control.runs, func(x *evidence.RunRow) bool { return x.Class == r.Class })
		if in && r.Class != s.pair.arm.Head().Class && !slices.Contains(out, r.Class) {
			out = append(out, r.Class)
		}
	}
	slices.Sort(out)
	return out
}

func (s *survey) anyRun(fits func(*evidence.RunRow) bool) bool {
	return slices.ContainsFunc(s.candidate.runs, fits)
}

func pathOf(r *evidence.RunRow) string {
	f, ok := r.Fact(evidence.KeyPath)
	if !ok || f.State == evidence.Conflict || f.State == evidence.Absent {
		return ""
	}
	return f.Means()
}

// telemetry reports whether every arm that the decision speaks of has energy figures:
// what was kept for some arms only is no ground for a claim about any.
func (s *survey) telemetry() bool {
	has := func(a *arm) bool {
		return slices.ContainsFunc(a.runs, func(r *evidence.RunRow) bool {
			_, ok := r.Primary(evidence.EnergyPerOutputToken, evidence.Mean)
			if !ok {
				_, ok = r.Primary(evidence.EnergyPerOutputToken, evidence.Total)
			}
			return ok
		})
	}
	return has(s.candidate) && (s.control == nil || has(s.control))
}

// changes says what differs from the last decision on the campaign.
func (s *survey) changes(context.Context) error {
	if len(s.past) == 0 {
		return nil
	}
	last := &s.past[0]
	before, err := signoff.ParseStatement(last.Statement)
	if err != nil { // its own checks say so, and make it invalid
		s.ground.Changes = append(s.ground.Changes, signoff.Change{Text: last.Number + " cannot be read as a statement: what changed since cannot be told."})
		return nil
	}
	for _, text := range differences(before, s.ground) {
		s.ground.Changes = append(s.ground.Changes, signoff.Change{Text: "Since " + last.Number + ": " + text})
	}
	return nil
}

// differences are what an earlier statement says otherwise than a ground of today, in
// words. It says nothing where they agree.
func differences(before *signoff.Statement, g *signoff.Ground) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if before.Candidate.ArmID != g.Candidate.ArmID {
		say("it decided on %s, this is on %s", before.Candidate.Name, g.Candidate.Name)
	}
	if before.Target != g.Target {
		say("its target was %s, this one's is %s", before.Target, g.Target)
	}
	had := map[evidence.Digest]bool{}
	for _, a := range before.Artifacts {
		had[a.Digest] = true
	}
	for _, a := range g.Artifacts {
		if !had[a.Digest] {
			say("artifact %s (%s) is new", a.Digest.Short(), a.Name)
		}
		delete(had, a.Digest)
	}
	for _, a := range before.Artifacts {
		if had[a.Digest] {
			say("artifact %s (%s) is no longer part of it", a.Digest.Short(), a.Name)
		}
	}
	gates := map[string]signoff.GateState{}
	for _, x := range before.Gates {
		gates[x.ID] = x.State
	}
	for i := range g.Gates {
		x := &g.Gates[i]
		if was, known := gates[x.ID]; !known {
			say("gate %s is new: %s", x.ID, x.State)
		} else if was != x.State {
			say("gate %s was %s and is %s", x.ID, was, x.State)
		}
	}
	if before.Ruleset != g.Ruleset {
		say("the rules were version %d and are version %d", before.Ruleset, g.Ruleset)
	}
	if before.Policy != g.Policy {
		say("the policy was %s@%d and is %s@%d", before.Policy.Name, before.Policy.Version, g.Policy.Name, g.Policy.Version)
	}
	return out
}
