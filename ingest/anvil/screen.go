package anvil

import (
	"fmt"
	"slices"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// screens reads optimization_results: every value is an arm of its own, described by
// member names only, under the screen's workload.
func (b *builder) screens(state statement) {
	block, p := b.get("optimization_results")
	if block == nil {
		return
	}
	if block.Kind != jsondoc.Object {
		b.find(evidence.Warning, CodeNotNumber, p, block, fmt.Sprintf("screens were expected, not %s", kindName(block)))
		return
	}
	workload := b.statement("screen_workload", p.Key("screen_workload"), block.Get("screen_workload"))
	if block.Get("screen_workload") == nil {
		b.find(evidence.Warning, CodeMissing, p, block, `"screen_workload" is missing: the workload of the screens is not recorded`)
	}
	from := len(b.arms)
	for i, name := range block.Names {
		n, q := block.Children[i], p.Key(name)
		if name == "screen_workload" {
			continue
		}
		m, varies := screenMember(name)
		measures := m.metric != "" && m.unit != ""
		switch {
		case n.Kind == jsondoc.String:
			b.note(evidence.Statement, name, q, n.Text)
		case !measures:
			// the closing pass lists what is in it
		case n.Kind == jsondoc.Object:
			for k, child := range n.Names {
				b.screen(screenOf{m, varies, child}, q.Key(child), n.Children[k], workload, state)
			}
		default:
			b.screen(screenOf{m, varies, ""}, q, n, workload, state)
		}
	}
	b.selected(block.Get("selected"), p.Key("selected"), b.arms[from:])
	b.selection(block.Get("selection_reason"), p.Key("selection_reason"), b.arms[from:])
}

// dimension is what a screen's name says that it varies, and the fact that the members
// under it give values to.
type dimension struct {
	parts []string
	key   evidence.FactKey
	label string
}

var dimensions = []dimension{
	{[]string{"draft", "depth"}, evidence.KeyDraftDepth, "K"}, {[]string{"mtp", "depth"}, evidence.KeyMTPDepth, "MTP depth "},
	{[]string{"chunked", "prefill"}, evidence.KeyChunkTokens, "chunk "}, {[]string{"chunk", "size"}, evidence.KeyChunkTokens, "chunk "},
	{[]string{"tensor", "parallel"}, evidence.KeyTP, "TP"}, {[]string{"mamba", "slots"}, evidence.KeyMambaSlots, "Mamba slots "},
	{[]string{"batched", "tokens"}, evidence.KeyBatchedTokens, "batched tokens "}, {[]string{"max", "num", "seqs"}, evidence.KeyMaxSequences, "max sequences "},
	{[]string{"served", "context"}, evidence.KeyServedContext, "context "},
}

// screenMember takes the dimension out of a screen's name before the metric is looked
// for: chunked_prefill_aggregate_tok_s is no prefill rate.
func screenMember(name string) (member, dimension) {
	if len(name) > maxMember {
		return member{}, dimension{}
	}
	parts := strings.Split(strings.ToLower(name), "_")
	for _, d := range dimensions {
		if i := indexOf(parts, d.parts); i >= 0 {
			rest := append(append([]string{}, parts[:i]...), parts[i+len(d.parts):]...)
			return readMember(strings.Join(rest, "_")), d
		}
	}
	return readMember(name), dimension{}
}

// screenOf is one value of a screen: what its name measures and varies, and the name
// of the member under it.
type screenOf struct {
	member
	varies dimension
	child  string
}

// screen reads one value of a screen.
func (b *builder) screen(m screenOf, p evidence.Pointer, n *jsondoc.Node, workload, state statement) {
	if n.Kind == jsondoc.Null {
		b.find(evidence.Info, CodeNull, p, n, "no value: not recorded")
		return
	}
	settings, left := m.settings()
	if len(left) > 0 {
		b.find(evidence.Info, CodeUnparsed, p, n, fmt.Sprintf("%q names no setting we know", clip(strings.Join(left, " "))))
		if len(settings) == 0 || left[len(left)-1] == m.child {
			return // whose figure it is nobody can tell
		}
		settings = append(settings, named{prose.Setting{Key: keyVariant, Value: strings.Join(left, " ")}, strings.Join(left, "_"), strings.Join(left, " ")})
	}
	stat, ok := m.statistic()
	if !ok || !m.unitFits() {
		b.find(evidence.Warning, CodeStat, p, n, "of which statistic and unit is this figure?")
		return
	}
	a := b.newArm(screenName(settings), evidence.At(p))
	for _, s := range settings {
		b.agree(&a.Facts, evidence.Fact{Key: s.Key, Value: s.Value, State: evidence.Derived, Rule: ruleMember,
			Place: evidence.At(p), SourceText: s.text})
	}
	r := a.newRun("screen", "", evidence.At(p))
	b.loads(r, nil, "", workload)
	b.give(r, workload)
	b.give(r, state)
	r.Class = classOf(r.Facts)
	b.lift(r, m.member, stat, r.observations(), p, n)
}

// keyVariant holds the words of a member name that are no setting we know: they tell
// the arm from others, so they are part of its identity.
const keyVariant evidence.FactKey = "variant"

// named is a setting that a member name states.
type named struct {
	prose.Setting
	text  string // the part of the name
	label string // for the arm's name
}

// settings reads the parts of a screen's name that are no metric, and the name of the
// member under it: draft_depth with k12, chunked_prefill at_k12 with 1024.
func (m screenOf) settings() (out []named, left []string) {
	parts := m.rest
	for i := 0; i < len(parts); i++ {
		switch w := parts[i]; {
		case w == "at" || w == "with" || w == "by":
		case w == "torch" && i+1 < len(parts) && parts[i+1] == "compile":
			out = append(out, named{prose.Setting{Key: evidence.KeyTorchCompile, Value: "true"}, "torch_compile", "torch.compile"})
			i++
		case w == "no" && i+1 < len(parts):
			found := wordSettings(w + " " + parts[i+1])
			out, i = append(out, found...), i+1
		default:
			found := wordSettings(w)
			if out = append(out, found...); len(found) == 0 {
				left = append(left, w)
			}
		}
	}
	if m.child == "" {
		return out, append(left, m.varies.parts...)
	}
	if v, ok := prose.NominalTokens(m.child); ok && m.varies.key != "" {
		s := named{prose.Setting{Key: m.varies.key, Value: prose.FormatCount(v)}, m.child, m.varies.label + prose.FormatCount(v)}
		return append([]named{s}, out...), left
	}
	found := wordSettings(m.child)
	if speculationKeys[m.varies.key] && noneWords[strings.ToLower(m.child)] {
		found = wordSettings("no-spec")
	}
	if len(found) == 0 {
		left = append(left, m.child)
	}
	return append(found, out...), left
}

// noneWords say under a depth that nothing drafts.
var noneWords = map[string]bool{"off": true, "none": true, "no_spec": true, "disabled": true}

// wordSettings reads one word of a name as a sentence would be read.
func wordSettings(w string) []named {
	var out []named
	for _, s := range prose.Config(w) {
		if s.Key != evidence.KeySpecMethod || s.Value != "mtp" {
			out = append(out, named{s, w, strings.ToUpper(w)})
		}
	}
	for i := range out {
		switch out[i].Key {
		case evidence.KeyChunkTokens:
			out[i].label = "chunk " + out[i].Value
		case evidence.KeyMambaSlots:
			out[i].label = "Mamba slots " + out[i].Value
		}
	}
	return out
}

// screenName names a screen's arm by its settings, always in one way: "screen K12,
// chunk 1024".
func screenName(settings []named) string {
	var labels []string
	for _, key := range []evidence.FactKey{evidence.KeyDraftDepth, evidence.KeyChunkTokens} {
		for _, s := range settings {
			if s.Key == key {
				labels = append(labels, s.label)
			}
		}
	}
	none := slices.ContainsFunc(settings, func(s named) bool { return s.Key == evidence.KeySpecMethod && s.Value == "none" })
	for _, s := range settings {
		if s.Key != evidence.KeyDraftDepth && s.Key != evidence.KeyChunkTokens && !(none && s.Key == evidence.KeyMTPDepth && s.Value == "0") {
			labels = append(labels, s.label)
		}
	}
	return "screen " + strings.Join(labels, ", ")
}

// selected marks the screen that the source selected: the one that agrees with most of
// the words and contradicts none.
func (b *builder) selected(n *jsondoc.Node, p evidence.Pointer, arms []*arm) {
	if !sentence(n) {
		return
	}
	settings := prose.Config(n.Text)
	var best *arm
	most, tie := 0, false
	for _, a := range arms {
		agree, against := 0, false
		for _, s := range settings {
			switch v := valueIn(a.Facts, s.Key); {
			case v == s.Value:
				agree++
			case v != "":
				against = true
			}
		}
		if against || agree == 0 || agree != len(a.Facts) {
			continue // an arm with a setting that was not selected is not the one
		}
		if agree > most {
			best, most, tie = a, agree, false
		} else if agree == most {
			tie = true
		}
	}
	if best == nil || tie {
		b.find(evidence.Info, CodeUnattributed, p, n, "no screen is the selected one beyond doubt")
		return
	}
	b.put(&best.Facts, evidence.Fact{Key: evidence.KeySelected, Value: "true", State: evidence.Derived, Rule: ruleWord,
		Place:      evidence.InText(p, settings[0].Start, settings[len(settings)-1].End),
		SourceText: n.Text[settings[0].Start:settings[len(settings)-1].End]})
}

// selection lifts the claims of the selection's reason onto the screens they speak of.
func (b *builder) selection(n *jsondoc.Node, p evidence.Pointer, arms []*arm) {
	if !sentence(n) || len(arms) == 0 {
		return
	}
	changes, _ := b.readChanges(p, n.Text)
	for _, c := range changes {
		if c.Percent.Empty() || c.Subject.Empty() {
			continue
		}
		subject := b.pick(c.Subject.Text(n.Text), nil, func(r *run) bool { return r.Name == "screen" })
		if subject == nil {
			continue
		}
		if c.Metric == "" && len(subject.Measurements) > 0 { // a screen has one figure
			c.Metric, c.Stat = subject.Measurements[0].Metric, subject.Measurements[0].Stat
		}
		b.proseClaim(subject, c, p, n.Text)
	}
}
