package recipe

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// said is one statement of an entry about one key.
type said struct {
	evidence.Fact
	from lift.Obj
	rank int // flags before members before variables
}

const (
	byFlag = iota
	byMember
	byEnv
	byRule
)

// gathering is the reading of one entry.
type gathering struct {
	b      *lift.Builder
	data   []byte
	starts []int64
	entry  lift.Obj
	engine string
	plain  bool // the command line is the engine's own and complete
	said   []said
	env    map[string]string
	extra  []string // options without a key
	envs   []string // variables without a key
	sites  []evidence.Place
}

// say notes a value. A range inside the string is kept where the string is written
// without escapes; otherwise the whole string is the place.
func (g *gathering) say(key evidence.FactKey, value string, rank int, o lift.Obj, start, end int) {
	if value == "" {
		return
	}
	o.Take()
	n := *o.Node
	if plain := n.Kind == jsondoc.String && n.End-n.Offset == int64(len(n.Text)); plain && end > start {
		n.Offset, n.End = n.Offset+int64(start), n.Offset+int64(end)
	}
	f := evidence.Fact{Key: key, Value: mask.Field(string(key), value), State: evidence.Recorded, Place: lift.LinePlace(g.starts, &n)}
	if !f.Place.Whole() {
		f.SourceText = lift.Clip(string(g.data[n.Offset:n.End]))
	}
	switch rank {
	case byEnv:
		f.State, f.Rule = evidence.Derived, "environment variable"
	case byRule:
		f.State, f.Rule = evidence.Derived, "recipe"
	}
	g.said = append(g.said, said{f, o, rank})
}

// derive notes a value that follows from another statement.
func (g *gathering) derive(key evidence.FactKey, value, rule string, from said) {
	from.Key, from.Value, from.State, from.Rule, from.rank = key, value, evidence.Derived, rule, byRule
	g.said = append(g.said, from)
}

// setting notes an option by its name; false when the name has no key.
func (g *gathering) setting(name, text string, rank int, o lift.Obj, start, end int) bool {
	k, ok := settings[name]
	if !ok {
		return false
	}
	value, ok := k.read(text)
	if !ok {
		return false
	}
	switch k.key {
	case evidence.KeyDraftModel:
		g.model(text, rank, o, start, end, true)
		return true
	case evidence.KeySpecMethod:
		value = strings.ToLower(value)
	}
	g.say(k.key, value, rank, o, start, end)
	return true
}

// model notes what the name or path of a model says.
func (g *gathering) model(text string, rank int, o lift.Obj, start, end int, draft bool) bool {
	m := modelName(text)
	switch {
	case draft && m.repo != "":
		value := m.repo
		if m.revision != "" {
			value += "@" + m.revision
		}
		g.say(evidence.KeyDraftModel, value, rank, o, start, end)
	case draft:
		g.say(evidence.KeyDraftModel, text, rank, o, start, end)
	case m.repo != "":
		g.say(evidence.KeyModel, m.repo, rank, o, start, end)
		g.say(evidence.KeyModelRevision, m.revision, rank, o, start, end)
	case m.file != "":
		g.say(evidence.KeyModelArtifact, m.file, rank, o, start, end)
	default:
		return false
	}
	return true
}

// option notes a flag of the command line.
func (g *gathering) option(f flag) {
	name := canonical(g.engine, f)
	value, text := word{from: f.at.from, start: f.at.start, end: f.at.end}, ""
	if len(f.values) > 0 {
		value, text = f.values[0], g.expand(f.values[0].text)
	}
	start, end := value.start, value.end
	switch name {
	case "served-model-name":
		for _, v := range f.values {
			g.served(g.expand(v.text), v)
		}
		return
	case "model", "model-path", "hf-repo", "hf-model-id":
		if g.model(text, byFlag, value.from, start, end, false) {
			return
		}
	case "speculative-config":
		if s, ok := readSpeculation(text); ok {
			g.speculation(s, value.from, start, end)
			return
		}
	case "port", "host":
		return
	}
	if k, ok := settings[name]; ok && (len(f.values) > 0 || k.form == on || k.form == off) && g.setting(name, text, byFlag, value.from, start, end) {
		return
	}
	g.extra = append(g.extra, shown(f))
	g.sites = append(g.sites, g.at(f.at))
}

func (g *gathering) served(text string, v word) {
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			g.say(evidence.KeyServedModel, name, byFlag, v.from, v.start, v.end)
		}
	}
}

// speculation notes a speculative configuration.
func (g *gathering) speculation(s speculation, o lift.Obj, start, end int) {
	g.say(evidence.KeySpecMethod, strings.ToLower(s.Method), byFlag, o, start, end)
	if s.Tokens != nil && *s.Tokens >= 0 {
		g.say(evidence.KeyDraftDepth, strconv.Itoa(*s.Tokens), byFlag, o, start, end)
	}
	if s.Model != "" {
		g.model(s.Model, byFlag, o, start, end, true)
	}
}

func (g *gathering) at(w word) evidence.Place {
	return lift.LinePlace(g.starts, &jsondoc.Node{Kind: jsondoc.Array, Offset: w.from.Node.Offset})
}

// shown is an option as it stands, with a credential masked.
func shown(f flag) string {
	dashes := "-"
	if f.long {
		dashes = "--"
	}
	parts := []string{dashes + f.name}
	for _, v := range f.values {
		parts = append(parts, mask.Field(f.name, v.text))
	}
	return strings.Join(parts, " ")
}

// expand replaces a value that is one variable by what the entry sets it to.
func (g *gathering) expand(text string) string {
	name, ok := strings.CutPrefix(text, "$")
	if !ok {
		return text
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}")
	if v, ok := g.env[name]; ok {
		return v
	}
	return text
}

// settle makes one fact of every key: statements that differ are a conflict.
func (g *gathering) settle(facts *[]evidence.Fact) {
	sort.SliceStable(g.said, func(i, j int) bool { return g.said[i].rank < g.said[j].rank })
	var order []evidence.FactKey
	by := map[evidence.FactKey][]said{}
	for _, s := range g.said {
		if by[s.Key] == nil {
			order = append(order, s.Key)
		}
		by[s.Key] = append(by[s.Key], s)
	}
	for _, key := range order {
		if key == keyDraftSteps || key == keyDraftTokens {
			continue
		}
		list := by[key]
		fact := list[0].Fact
		for _, s := range list[1:] {
			if s.Value == fact.Value || s.rank == byRule || key == evidence.KeyServedModel && s.rank == list[0].rank {
				continue
			}
			if key == evidence.KeyServedModel && among(list, s) {
				continue
			}
			fact.State = evidence.Conflict
			g.b.Find(evidence.Warning, CodeConflict, s.from, "the recipe gives %s twice: %q at %s and %q here; it is not settled which holds",
				evidence.LookupKey(key).Title, lift.Clip(fact.Value), list[0].Place.Pointer, lift.Clip(s.Value))
		}
		*facts = append(*facts, fact)
	}
}

// among reports whether a name given elsewhere is one of the names of the command.
func among(list []said, s said) bool {
	for _, x := range list {
		if x.rank == list[0].rank && x.Value == s.Value {
			return true
		}
	}
	return false
}

// first is the strongest statement about a key.
func (g *gathering) first(key evidence.FactKey) (best said, ok bool) {
	for _, s := range g.said {
		if s.Key == key && (!ok || s.rank < best.rank) {
			best, ok = s, true
		}
	}
	return best, ok
}

func (g *gathering) has(key evidence.FactKey) bool { _, ok := g.first(key); return ok }

// others keeps options and variables that have no key, sorted: their order says nothing.
func (g *gathering) others(facts *[]evidence.Fact, key evidence.FactKey, list []string, place evidence.Place, what string) {
	if len(list) == 0 {
		return
	}
	sort.Strings(list)
	const most = 4 << 10
	value := strings.Join(list, "; ")
	if len(value) > most {
		value = fmt.Sprintf("%s … (%d %s)", strings.ToValidUTF8(value[:most], ""), len(list), what)
	}
	*facts = append(*facts, evidence.Fact{Key: key, Value: value, State: evidence.Derived, Place: place, Rule: what})
}
