package signoff

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"assay/store/evidence"
)

func (g *Gate) misses(v float64) bool {
	return g.least.OK && v < g.least.V || g.most.OK && v > g.most.V
}

// bound is what the gate asks for, in words.
func (g *Gate) bound() string {
	switch {
	case g.AtMost == "":
		return "at least " + g.AtLeast
	case g.AtLeast == "":
		return "at most " + g.AtMost
	}
	return g.AtLeast + " to " + g.AtMost
}

// fromMeasurements holds every figure of the candidate against the bound. An interval has
// to lie on the right side as a whole, and a run on several cards needs a figure for each
// or the least of them.
func (g *Gate) fromMeasurements(j *judging) []answer {
	if g.Metric == "" {
		return nil
	}
	var out []answer
	for _, r := range j.runs {
		var of []answer
		figures, least := 0, false
		for i := range r.Measurements {
			m := &r.Measurements[i]
			if m.Metric != g.Metric || m.Role != evidence.Primary {
				continue
			}
			if a, ok := g.fromMeasurement(r, m); ok {
				of = append(of, a)
				figures++
				least = least || m.Stat == evidence.Min
			}
		}
		if cards := cardsOf(r); g.Metric == evidence.GPUMemoryFree && figures > 0 && figures < cards && !least {
			of = append(of, answer{state: GateUnresolved, says: fmt.Sprintf("run %s used %d cards, and %d figures are recorded", r.ID, cards, figures),
				source: Source{Artifact: r.Artifact, Pointer: r.Place.Pointer}})
		}
		out = append(out, of...)
	}
	return out
}

func cardsOf(r *evidence.RunRow) int {
	f, ok := r.Fact(evidence.KeyGPUCount)
	if !ok {
		return 1
	}
	n, err := strconv.Atoi(f.Value)
	if err != nil {
		return 1
	}
	return n
}

func (g *Gate) fromMeasurement(r *evidence.RunRow, m *evidence.MeasurementRow) (answer, bool) {
	low, high := m.Value, m.Value
	if !m.Value.OK {
		low, high = m.Lower, m.Upper
	}
	a := answer{state: GatePassed, source: Source{Artifact: m.Artifact, Pointer: m.Place.Pointer, Text: m.SourceText}}
	a.says = fmt.Sprintf("%s %s of run %s is %s %s", g.Metric, m.Stat, r.ID, m.SourceText, m.SourceUnit)
	switch {
	case m.State == evidence.Conflict:
		a.state, a.says = GateUnresolved, a.says+", and another source disagrees"
	case !low.OK || !high.OK:
		return a, false
	case g.misses(low.V) || g.misses(high.V):
		a.state, a.says = GateFailed, a.says+", and "+g.bound()+" is asked for"
	}
	return a, true
}

// loadClasses are the classes of runs whose requests carry canaries; what a batch of
// tools or a corpus passed is another count.
var loadClasses = []string{evidence.ClassShort, evidence.ClassAggregate, evidence.ClassLong, evidence.ClassGeneration}

// fromCanaries holds the canaries of the candidate's runs against its requests.
func (g *Gate) fromCanaries(j *judging) []answer {
	if !g.Canaries {
		return nil
	}
	var out []answer
	for _, r := range j.runs {
		f, ok := r.Fact(evidence.KeyPassed)
		if !ok || f.Value == "" || !slices.Contains(loadClasses, r.Class) {
			continue
		}
		sent, _ := r.Fact(evidence.KeyRequests)
		passed, err := strconv.ParseFloat(f.Value, 64)
		all, wrong := strconv.ParseFloat(sent.Value, 64)
		if err != nil || wrong != nil || all <= 0 {
			continue
		}
		a := answer{state: GatePassed, says: fmt.Sprintf("run %s: %s of %s canaries came back", r.ID, clipped(f.Value, 20), clipped(sent.Value, 20)),
			source: Source{Artifact: f.Artifact, Pointer: f.Place.Pointer, Text: f.SourceText}}
		switch {
		case f.State == evidence.Conflict || sent.State == evidence.Conflict || passed > all:
			a.state, a.says = GateUnresolved, a.says+", and sources disagree about it"
		case passed < all:
			a.state = GateFailed
		case all < 2 || max(number(r, evidence.KeyConcurrency), number(r, evidence.KeyConcurrencyAll)) == 1:
			a.state, a.says, a.narrow = GateUnresolved, a.says+", one request at a time", true
		}
		out = append(out, a)
	}
	return out
}

// fromRuns asks for runs of a class that were repeated often enough and passed.
func (g *Gate) fromRuns(j *judging) []answer {
	if g.Class == "" {
		return nil
	}
	var out []answer
	for _, r := range j.runs {
		if r.Class != g.Class || r.Status == evidence.NotRun {
			continue
		}
		rate, ok := passRate(r)
		if r.Status == evidence.RunFailed && !ok {
			out = append(out, answer{state: GateFailed, says: fmt.Sprintf("run %s failed", r.ID), source: Source{Artifact: r.Artifact, Pointer: r.Place.Pointer}})
			continue
		}
		if !ok {
			continue
		}
		a := answer{source: Source{Artifact: rate.Artifact, Pointer: rate.Place.Pointer, Text: rate.SourceText}}
		repeats := int(number(r, evidence.KeyRepetitions))
		want := 1.0 // a floor that a suite set for itself does not count
		if g.rate.OK {
			want = g.rate.V
		}
		switch {
		case rate.State == evidence.Conflict:
			a.state, a.says = GateUnresolved, fmt.Sprintf("sources disagree about what run %s passed", r.ID)
		case rate.Value.V < want || r.Status == evidence.RunFailed:
			a.state, a.says = GateFailed, fmt.Sprintf("run %s passed %s of its checks", r.ID, evidence.FormatDecimal(rate.Value.V))
		case repeats < g.Repeats:
			a.state, a.says, a.narrow = GateUnresolved, fmt.Sprintf("run %s was repeated %d times, and %d are asked for", r.ID, repeats, g.Repeats), true
		default:
			a.state, a.says = GatePassed, fmt.Sprintf("run %s passed, %d repetitions", r.ID, repeats)
		}
		out = append(out, a)
	}
	return out
}

// number is a fact as a number; 0 without one.
func number(r *evidence.RunRow, key evidence.FactKey) float64 {
	f, ok := r.Fact(key)
	if !ok || f.State == evidence.Conflict {
		return 0
	}
	v, err := strconv.ParseFloat(f.Value, 64)
	if err != nil {
		return 0
	}
	return v
}

func passRate(r *evidence.RunRow) (evidence.MeasurementRow, bool) {
	m, ok := r.Primary(evidence.PassRate, evidence.Total)
	for i := range r.Measurements {
		if x := &r.Measurements[i]; !ok && x.Metric == evidence.PassRate && x.Role == evidence.Primary {
			m, ok = *x, true
		}
	}
	return m, ok && m.Value.OK
}

// fromPath asks for checks of the candidate that took a path. Load over the path alone
// shows that requests went through, not that identity and tools held.
func (g *Gate) fromPath(j *judging) []answer {
	if g.Path == "" {
		return nil
	}
	var out []answer
	for _, r := range j.runs {
		f, ok := r.Fact(evidence.KeyPath)
		if !ok || f.Means() != g.Path || r.Status == evidence.NotRun || r.Status == evidence.External {
			continue
		}
		a := answer{state: GatePassed, says: fmt.Sprintf("run %s took the path %s", r.ID, g.Path), source: Source{Artifact: f.Artifact, Pointer: f.Place.Pointer, Text: f.SourceText}}
		rate, rated := passRate(r)
		switch {
		case f.State == evidence.Conflict:
			a.state, a.says = GateUnresolved, fmt.Sprintf("sources disagree about the path of run %s", r.ID)
		case r.Status == evidence.RunFailed || rated && rate.Value.V < 1:
			a.state, a.says = GateFailed, a.says+" and did not pass"
		case r.Status != evidence.Measured || r.Class != evidence.ClassFunctional && r.Class != evidence.ClassQuality || !rated:
			a.state, a.says, a.narrow = GateUnresolved, a.says+", and checks neither identity nor answers", true
		}
		out = append(out, a)
	}
	return out
}

// fromStatus reads a fact whose value is a status word.
func (g *Gate) fromStatus(j *judging) []answer {
	if g.StatusFact == "" {
		return nil
	}
	return j.eachFact(g.StatusFact, func(f *evidence.FactRow) answer {
		a := answer{quoted: f.Value, source: Source{Artifact: f.Artifact, Pointer: f.Place.Pointer, Text: f.SourceText}}
		title := evidence.LookupKey(f.Key).Title
		switch s := evidence.ReadGateStatus(f.Value); {
		case f.State == evidence.Conflict:
			a.state, a.says = GateUnresolved, "sources disagree about the "+title
		case s == evidence.GatePassed:
			a.state, a.says = GatePassed, title+" passed"
		case s == evidence.GateFailed || s == evidence.GateRejected:
			a.state, a.says = GateFailed, title+" did not pass"
		case s == evidence.GateMissing:
			a.state, a.says = GateMissing, title+" was not run"
		default:
			a.state, a.says = GateUnresolved, title+": a word that is no plain pass"
		}
		return a
	})
}

// formDigest is the form of a fact that names content by its SHA-256.
const formDigest = "digest"

var digestForm = regexp.MustCompile(`(?:^|@|sha256:)[0-9a-f]{64}$`)

// fromFacts asks for a fact of the candidate or of the campaign as a whole. Where a
// source only says that the gate passed, a missing fact leaves it unresolved.
func (g *Gate) fromFacts(j *judging, said bool) []answer {
	if g.Fact == "" {
		return nil
	}
	title := evidence.LookupKey(g.Fact).Title
	values := map[string]bool{}
	out := j.eachFact(g.Fact, func(f *evidence.FactRow) answer {
		values[f.Means()] = true
		a := answer{state: GatePassed, says: fmt.Sprintf("%s is %s", title, clipped(f.Value, 80)),
			source: Source{Artifact: f.Artifact, Pointer: f.Place.Pointer, Text: f.SourceText}}
		switch {
		case f.State == evidence.Conflict:
			a.state, a.says = GateUnresolved, "sources disagree about the "+title
		case g.Form == formDigest && !digestForm.MatchString(f.Value):
			a.state, a.says = GateUnresolved, fmt.Sprintf("%s is %q, which is no digest", title, clipped(f.Value, 80))
		}
		return a
	})
	switch {
	case len(values) > 1:
		out = append(out, answer{state: GateUnresolved, says: fmt.Sprintf("the candidate's runs name %d of %s", len(values), title)})
	case len(out) == 0 && said:
		return []answer{{state: GateUnresolved, says: fmt.Sprintf("a source says so, and no %s is recorded", title)}}
	}
	return out
}

// eachFact takes a key's facts of the candidate's runs; without any, those of documents
// about it as a whole. One that stands at one place is taken once.
func (j *judging) eachFact(key evidence.FactKey, take func(*evidence.FactRow) answer) []answer {
	var out []answer
	seen := map[Source]bool{}
	add := func(f *evidence.FactRow) {
		at := Source{Artifact: f.Artifact, Pointer: f.Place.Pointer, Text: f.Value}
		if f.Key != key || f.Value == "" || f.State == evidence.Absent || seen[at] || j.void(f.Artifact) {
			return
		}
		seen[at] = true
		out = append(out, take(f))
	}
	for _, r := range j.runs {
		for i := range r.Facts {
			add(&r.Facts[i])
		}
	}
	if len(out) > 0 {
		return out
	}
	for i := range j.Documents {
		if d := &j.Documents[i]; j.about(d) {
			for k := range d.Facts {
				add(&d.Facts[k])
			}
		}
	}
	return out
}

// fromReferences asks for the files that decision documents about the candidate name.
func (g *Gate) fromReferences(j *judging) []answer {
	if !g.References {
		return nil
	}
	var out []answer
	for i := range j.Documents {
		d := &j.Documents[i]
		if len(d.Decisions) == 0 || !j.about(d) {
			continue
		}
		for k := range d.References {
			x := &d.References[k]
			a := answer{state: GatePassed, says: clipped(x.Name, longTitle) + " is kept here", source: Source{Artifact: x.Artifact, Pointer: x.Place.Pointer, Text: x.Name}}
			switch {
			case x.State.Here():
			case x.State == evidence.RefMismatch:
				a.state, a.says = GateFailed, clipped(x.Name, longTitle)+" is here with another content than the source names"
			case x.State == evidence.RefByName:
				a.state, a.says = GateUnresolved, clipped(x.Name, longTitle)+" is here by its name; no digest proves that it is the one"
			default:
				a.state, a.says = GateMissing, clipped(x.Name, longTitle)+" is not kept here"
			}
			out = append(out, a)
		}
	}
	return out
}

// fromLimitations quotes the sentence in which a source itself says that the gate is
// open.
func (g *Gate) fromLimitations(j *judging) []answer {
	for i := range j.Documents {
		d := &j.Documents[i]
		if !j.about(d) {
			continue
		}
		for k := range d.Notes {
			n := &d.Notes[k]
			if n.Kind != evidence.Limitation && n.Kind != evidence.Caveat || !has(phrase(n.Text), g.Limitation) {
				continue
			}
			return []answer{{state: GateMissing, says: "a limitation of the source says that it is open", quoted: clipped(n.Text, longQuote),
				source: Source{Artifact: n.Artifact, Pointer: n.Place.Pointer}}}
		}
	}
	return nil
}
