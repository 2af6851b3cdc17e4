package view

import (
	"slices"
	"strings"

	"assay/store/evidence"
)

// Fact is one recorded property as pages show it.
type Fact struct {
	Key, Title, Class string
	Value             Linked
	Mono              bool // an identifier rather than words
	State             Badge
	Absent            bool   // the source has the slot and leaves it empty
	Says              string // what stands at the place, where it is not the value itself
	Rule              string

	Means   string      // what an alias says the value means
	Author  string      // who declares it
	Reason  *Text       // why, where the page has asked for it
	Repair  string      // the declaration in the list of repairs, "" when there is none
	Others  []FactOther // what else is said of the key
	Declare string      // the form that declares it, "" where none is offered
	row     evidence.FactRow
}

// FactOther is what another source says of a fact's key.
type FactOther struct {
	Value Linked
	By    string // "recorded", "derived by rule …", "declared by …"
}

// BuildFact formats one fact.
func BuildFact(f evidence.FactRow) Fact {
	info := evidence.LookupKey(f.Key)
	text := factText(info, f.Value)
	out := Fact{
		Key: plain(string(f.Key), maxName), Title: plain(info.Title, maxName), Class: string(info.Class),
		State: factBadge(f.State), Rule: plain(f.Rule, maxName), Absent: f.State == evidence.Absent,
	}
	if out.Absent {
		text = "not recorded"
	}
	out.row = f
	out.Value = Quote(text, maxValue, f.Artifact, f.Place)
	if f.Meaning != "" && f.Meaning != f.Value {
		out.Means = plain(f.Meaning, maxValue)
	}
	if f.Repair != 0 { // it stands in no artifact: its place is the declaration
		out.Author, out.Rule, out.Repair = out.Rule, "", RepairURL(f.Repair, "")
		out.Value = Linked{Text: Words(text, maxValue, ""), Href: out.Repair}
	}
	for _, o := range f.Others {
		out.Others = append(out.Others, factOther(info, o))
	}
	out.Mono = len(f.Value) > 20 && !strings.ContainsAny(f.Value, " \t\n") && !out.Absent
	if f.SourceText != "" && f.SourceText != f.Value && !out.Absent {
		out.Says = plain(f.SourceText, maxValue)
	}
	return out
}

func factOther(info evidence.KeyInfo, o evidence.OtherValue) FactOther {
	text := factText(info, o.Value)
	if o.State == evidence.Absent {
		text = "not recorded"
	}
	v := FactOther{Value: Quote(text, maxValue, o.Source.Artifact, o.Place), By: string(o.State)}
	switch {
	case o.Repair != 0:
		v.Value = Linked{Text: Words(text, maxValue, ""), Href: RepairURL(o.Repair, "")}
		v.By = "declared by " + plain(o.By, maxName)
	case o.By != "":
		v.By += " by rule " + plain(o.By, maxName)
	}
	return v
}

// factText is a fact's value in its reading unit.
func factText(info evidence.KeyInfo, value string) string {
	if info.Unit == "" {
		return value
	}
	v, err := evidence.ParseDecimal(value)
	if err != nil {
		return value
	}
	if info.Unit == evidence.Requests || info.Unit == evidence.Count {
		return ScaleFor(info.Unit, v).Format(v)
	}
	return Reading(info.Unit, v)
}

// FactGroup is the facts of one class.
type FactGroup struct {
	Title string
	Facts []Fact
}

// classOrder is how pages group facts.
var classOrder = []struct {
	class evidence.Class
	title string
}{
	{evidence.Shape, "Workload"}, {evidence.Protocol, "Measurement protocol"}, {evidence.Hardware, "Hardware"},
	{evidence.Identity, "Identity"}, {evidence.Environment, "Environment"}, {evidence.Outcome, "Outcome"},
	{evidence.Provenance, "Provenance"},
}

var keyOrder = func() map[evidence.FactKey]int {
	m := make(map[evidence.FactKey]int, len(evidence.Keys))
	for i, k := range evidence.Keys {
		m[k.Key] = i
	}
	return m
}()

// keyRank orders keys as the registry lists them, unknown ones last.
func keyRank(k evidence.FactKey) int {
	if i, ok := keyOrder[k]; ok {
		return i
	}
	return len(keyOrder)
}

// groupFacts sorts facts by class and key. Equal facts of several documents stand once.
func groupFacts(rows []evidence.FactRow, keep func(evidence.Class) bool) []FactGroup {
	type once struct {
		key          evidence.FactKey
		value, state string
	}
	seen := make(map[once]bool)
	byClass := make(map[evidence.Class][]evidence.FactRow)
	for _, f := range rows {
		class := evidence.LookupKey(f.Key).Class
		o := once{f.Key, f.Value, string(f.State)}
		if !keep(class) || seen[o] {
			continue
		}
		seen[o] = true
		byClass[class] = append(byClass[class], f)
	}
	var groups []FactGroup
	for _, c := range classOrder {
		facts := byClass[c.class]
		if len(facts) == 0 {
			continue
		}
		slices.SortStableFunc(facts, func(a, b evidence.FactRow) int {
			if d := keyRank(a.Key) - keyRank(b.Key); d != 0 {
				return d
			}
			return strings.Compare(string(a.Key), string(b.Key))
		})
		g := FactGroup{Title: c.title}
		for _, f := range facts {
			g.Facts = append(g.Facts, BuildFact(f))
		}
		groups = append(groups, g)
	}
	return groups
}

// sharedFacts are the facts that every run has with one value.
func sharedFacts(runs []evidence.RunRow) []evidence.FactRow {
	if len(runs) == 0 {
		return nil
	}
	var shared []evidence.FactRow
	for _, f := range runs[0].Facts {
		same := true
		for i := 1; same && i < len(runs); i++ {
			g, ok := runs[i].Fact(f.Key)
			same = ok && g.Value == f.Value && g.State == f.State
		}
		if same {
			shared = append(shared, f)
		}
	}
	return shared
}

// telling are the keys that tell runs of one table apart, in reading order.
var telling = []evidence.FactKey{
	evidence.KeyGPUCount, evidence.KeyTP, evidence.KeyDP, evidence.KeyReplicas, evidence.KeyMTPDepth, evidence.KeySpecMethod,
	evidence.KeyDraftDepth, evidence.KeyServedContext, evidence.KeyConcurrency, evidence.KeyConcurrencyAll, evidence.KeyRequests,
	evidence.KeyContextTarget, evidence.KeyPromptTokens, evidence.KeyChunkTokens, evidence.KeyMambaSlots, evidence.KeyTorchCompile,
	evidence.KeyWarmState, evidence.KeyThinking, evidence.KeyEngine, evidence.KeyProtocol, evidence.KeyObserved,
}

const (
	mostTelling  = 5  // facts on a row's second line
	tellingChars = 28 // a longer value stands on the run's page
)

// differing are the telling keys whose values are not the same in all runs.
func differing(runs []evidence.RunRow) []evidence.FactKey {
	var keys []evidence.FactKey
	for _, k := range telling {
		first, found := runs[0].Fact(k)
		for i := 1; i < len(runs); i++ {
			f, ok := runs[i].Fact(k)
			if ok != found || f.Value != first.Value {
				keys = append(keys, k)
				break
			}
		}
	}
	return keys
}

// Labelled is a short fact on a line: "TP 2".
type Labelled struct {
	Label string
	Value Linked
}

func tellingFacts(r *evidence.RunRow, keys []evidence.FactKey) []Labelled {
	var line []Labelled
	for _, k := range keys {
		f, ok := r.Fact(k)
		if !ok || f.State == evidence.Absent || len(f.Value) > tellingChars {
			continue
		}
		info := evidence.LookupKey(k)
		line = append(line, Labelled{Label: info.Title, Value: Quote(factText(info, f.Value), maxName, f.Artifact, f.Place)})
		if len(line) == mostTelling {
			break
		}
	}
	return line
}
