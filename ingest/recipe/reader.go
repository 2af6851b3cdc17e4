package recipe

import (
	"bytes"
	"iter"
	"slices"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// Codes of the findings of this reader.
const (
	CodeConflict = "recipe-conflict"    // one entry says two things about one key
	CodeReused   = "recipe-name-reused" // two entries of one file serve one name
	CodeRenamed  = "recipe-model-name"  // the entry's name for the model is not what it loads
	CodeUnpinned = "recipe-unpinned"    // no revision of the model or no digest of the image
)

// Family of the documents.
const Family = "recipe"

// TextReader reads serve recipes.
type TextReader struct{ meta lift.Reader }

// TextReaders are the readers of text of this package.
func TextReaders() []TextReader {
	return []TextReader{{lift.Reader{ID: "recipe/serve", Version: 1, Family: Family}}}
}

// ID names the reader in rows and exports.
func (r TextReader) ID() string { return r.meta.ID }

// Version is raised whenever the reader's output changes.
func (r TextReader) Version() int { return r.meta.Version }

// MatchText asks for TOML with a serve entry in it.
func (r TextReader) MatchText(head []byte) (string, bool) {
	if !likely(head) {
		return "", false
	}
	top, err := parse(head)
	if err != nil {
		return "", false
	}
	return "serve", len(entries(lift.New(r.meta, top, "", "serve").Top())) > 0
}

// likely refuses most texts without parsing them.
func likely(head []byte) bool {
	if !bytes.Contains(head, []byte("=")) {
		return false
	}
	for _, mark := range []string{"served_model", "served-model", "served_name", "--alias"} {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return false
}

// ReasonText says why a TOML text is no recipe.
func (r TextReader) ReasonText(head []byte) string {
	if !bytes.Contains(head, []byte("=")) {
		return ""
	}
	top, err := parse(head)
	if err != nil || len(top.Names) == 0 {
		return ""
	}
	return "the text is TOML without a serve entry (a served name, a model, and an image with flags or a command line)"
}

// ReadText lifts the serve entries.
func (r TextReader) ReadText(data []byte, shapeID string) evidence.Document {
	top, err := parse(data)
	if err != nil { // never for a text that matched
		return evidence.Document{Family: Family}
	}
	b := lift.New(r.meta, top, "", shapeID)
	b.Lines(data)
	b.Doc.Schema = top.Get("schema").Str()
	starts := lift.LineStarts(data)
	seen := map[string]said{}
	for _, o := range entries(b.Top()) {
		g := &gathering{b: b, data: data, starts: starts, entry: o, env: map[string]string{}}
		b.Arm(g.arm())
		for name, s := range g.names() {
			if have, ok := seen[name]; ok {
				b.Find(evidence.Warning, CodeReused, s.from, "the served name %q stands for two entries of this file (the other at %s): it identifies neither",
					lift.Clip(name), have.Place.Pointer)
			}
			seen[name] = s
		}
	}
	b.Title(title(b.Doc.Arms))
	b.Top().Skip(evidence.ReasonEcho)
	return b.Finish()
}

func title(arms []evidence.Arm) string {
	if len(arms) == 1 {
		return "Serve recipe · " + arms[0].Name
	}
	return "Serve recipes"
}

// arm reads one entry.
func (g *gathering) arm() evidence.Arm {
	g.environment()
	g.commands()
	g.members()
	g.identity()
	g.conclude()
	arm := evidence.Arm{Name: "server", Place: g.entry.Place()}
	g.settle(&arm.Facts)
	place := arm.Place
	if len(g.sites) > 0 {
		place = g.sites[0]
	}
	g.others(&arm.Facts, evidence.KeyEngineOptions, g.extra, place, "options")
	g.others(&arm.Facts, evidence.KeyEngineEnv, g.envs, arm.Place, "variables")
	var names []string
	for name := range g.names() {
		names = append(names, name)
	}
	if len(names) > 0 {
		arm.Name = lift.Clip(names[0])
	}
	if len(names) > 1 {
		g.others(&arm.Facts, evidence.KeyServedAliases, names, arm.Place, "names")
	}
	g.notes()
	g.references()
	return arm
}

// environment reads the variables of an entry; those that spell an option are settings.
func (g *gathering) environment() {
	variables(g.entry, func(name, value string, _ int, _ lift.Obj) { g.env[name] = value })
	variables(g.entry, func(name, value string, start int, at lift.Obj) {
		option := strings.ToLower(dashed(name))
		end := start + len(value)
		switch {
		case name != strings.ToUpper(name) || len(option) < 3:
		case isModelVariable(name):
			if g.model(value, byEnv, at, start, end, false) {
				return
			}
		case option == "port" || option == "host":
			return
		case g.setting(option, value, byEnv, at, start, end):
			return
		}
		g.envs = append(g.envs, mask.Secrets(name+"="+mask.Field(name, value)))
	})
}

// commands reads the flags of an entry.
func (g *gathering) commands() {
	g.plain = true
	engine := search(g.entry, isText, engineNames...)
	g.engine = dialect(engine.Str())
	var all []word
	for _, c := range commands(g.entry) {
		ws := words(c)
		name, args, ok := launched(ws)
		switch {
		case ok:
			ws = args
			if g.engine == "" {
				g.engine = name
			}
			if !engine.There() {
				g.say(evidence.KeyEngine, name, byRule, c, 0, 0)
			}
		case len(ws) > 0 && !isFlag(ws[0].text): // a program of its own: what it starts is not known
			g.plain = false
			continue
		}
		all = append(all, ws...)
	}
	if g.engine == "" {
		g.engine = dialect(search(g.entry, isText, imageNames...).Str())
	}
	fs, positional := flags(all)
	for _, f := range fs {
		if f.name == "config" {
			g.plain = false // more options stand in another file
		}
		g.option(f)
	}
	for _, w := range positional {
		if g.model(g.expand(w.text), byFlag, w.from, w.start, w.end, false) {
			break
		}
	}
}

// names are the served names of an entry in the order they stand, each once.
func (g *gathering) names() iter.Seq2[string, said] {
	return func(yield func(string, said) bool) {
		var seen []string
		for _, s := range g.said {
			if s.Key != evidence.KeyServedModel || slices.Contains(seen, s.Value) {
				continue
			}
			if seen = append(seen, s.Value); !yield(s.Value, s) {
				return
			}
		}
	}
}

// dialect is the engine whose options a recipe uses.
func dialect(name string) string {
	name = strings.ToLower(name)
	for _, d := range []struct{ mark, engine string }{{"sglang", "sglang"}, {"vllm", "vllm"}, {"llama", "llama.cpp"}, {"trtllm", "tensorrt-llm"}, {"tensorrt", "tensorrt-llm"}} {
		if strings.Contains(name, d.mark) {
			return d.engine
		}
	}
	return ""
}

// members reads the members of an entry that are named like options.
func (g *gathering) members() {
	skip := map[*jsondoc.Node]bool{search(g.entry, isEnv, envNames...).Node: true}
	for _, c := range commands(g.entry) {
		skip[c.Node] = true
	}
	var visit func(o lift.Obj, level int)
	visit = func(o lift.Obj, level int) {
		o.Members(func(name string, m lift.Obj) {
			switch {
			case skip[m.Node] || level > maxLevels:
			case m.IsObject():
				visit(m, level+1)
			case m.IsArray():
				if settings[dashed(name)].form == listed {
					m.Items(func(_ int, v lift.Obj) {
						if v.Str() != "" {
							g.say(evidence.KeyServedModel, v.Str(), byMember, v, 0, 0)
						}
					})
				}
			case m.There():
				g.setting(strings.ToLower(dashed(name)), m.Node.Text, byMember, m, 0, 0)
			}
		})
	}
	visit(g.entry, 0)
}
