package recipe

import (
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/lift"
	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// identity reads what the entry says of its model, image, engine and weights.
func (g *gathering) identity() {
	for _, n := range loadedNames {
		if m := search(g.entry, isText, n); m.There() {
			g.model(m.Str(), byMember, m, 0, 0, false)
		}
	}
	g.entryName()
	if m := search(g.entry, isText, engineNames...); m.There() {
		g.say(evidence.KeyEngine, m.Str(), byMember, m, 0, 0)
	}
	if m := search(g.entry, isText, "quantization", "quantisation", "quant"); m.There() {
		g.say(evidence.KeyQuantisation, m.Str(), byMember, m, 0, 0)
	} else {
		g.quantisationFlag()
	}
	image := search(g.entry, isText, imageNames...)
	if !image.There() {
		return
	}
	name, _, _ := strings.Cut(image.Str(), "@sha256:")
	g.say(evidence.KeyImage, name, byMember, image, 0, len(name))
	if at := imageDigest.FindStringSubmatchIndex(image.Str()); at != nil {
		g.say(evidence.KeyImageDigest, image.Str()[at[0]:at[1]], byMember, image, at[0], at[1])
	} else if m := search(g.entry, isText, "image_digest", "digest"); imageDigest.MatchString(m.Str()) {
		g.say(evidence.KeyImageDigest, m.Str(), byMember, m, 0, 0)
	}
}

// entryName reads the member that names the entry's model. Where the entry also says
// what is downloaded or loaded, that is the model, and another name is only remarked.
func (g *gathering) entryName() {
	m := search(g.entry, isText, "model", "model_id")
	if !m.There() {
		return
	}
	have, ok := g.first(evidence.KeyModel)
	_, file := g.first(evidence.KeyModelArtifact)
	name := modelName(m.Str())
	switch {
	case !ok && !file && !g.model(m.Str(), byMember, m, 0, 0, false):
		g.say(evidence.KeyModel, m.Str(), byMember, m, 0, 0)
	case ok && name.repo == have.Value:
		g.model(m.Str(), byMember, m, 0, 0, false)
	case ok:
		g.b.Find(evidence.Info, CodeRenamed, m, "the entry is called %q and loads %q: the latter is its model", lift.Clip(m.Str()), lift.Clip(have.Value))
	}
}

// quantisationFlag takes the flag only where no member describes the weights: "--quantization
// modelopt_fp4" names a loader.
func (g *gathering) quantisationFlag() {
	for _, c := range commands(g.entry) {
		fs, _ := flags(words(c))
		for _, f := range fs {
			if (f.name == "quantization" || f.name == "quantize") && len(f.values) > 0 {
				v := f.values[0]
				g.say(evidence.KeyQuantisation, v.text, byFlag, v.from, v.start, v.end)
				return
			}
		}
	}
}

// conclude adds what follows from the settings as a whole.
func (g *gathering) conclude() {
	method, spec := g.first(evidence.KeySpecMethod)
	steps, tokens := keyDraftSteps, keyDraftTokens
	if s, ok := g.first(steps); ok { // EAGLE: so many draft steps; the tokens verified are one more
		g.derive(evidence.KeyDraftDepth, s.Value, "speculative-num-steps", s)
	} else if s, ok := g.first(tokens); ok {
		g.derive(evidence.KeyDraftDepth, s.Value, "speculative-num-draft-tokens", s)
	}
	if !spec {
		g.script()
		method, spec = g.first(evidence.KeySpecMethod)
	}
	depth, deep := g.first(evidence.KeyDraftDepth)
	switch {
	case spec && deep && strings.Contains(method.Value, "mtp"):
		g.derive(evidence.KeyMTPDepth, depth.Value, "method and depth", depth)
	case spec && deep && (method.Value == "eagle" || method.Value == "nextn") && !g.has(evidence.KeyDraftModel):
		// Without a draft model, the drafts come from the checkpoint's own MTP head.
		g.derive(evidence.KeyMTPDepth, depth.Value, "draft head of the checkpoint", depth)
	case !spec && !deep && !g.has(evidence.KeyDraftModel) && g.complete():
		g.standing(evidence.KeySpecMethod, "none")
		g.standing(evidence.KeyMTPDepth, "0")
	}
	if !g.has(evidence.KeyTP) && g.complete() {
		g.standing(evidence.KeyTP, "1")
	}
	g.unpinned()
}

// complete reports whether the command line says everything: what it leaves out is the
// engine's default.
func (g *gathering) complete() bool {
	return g.plain && len(g.extra)+len(g.said) > 0 && (g.engine == "vllm" || g.engine == "sglang" || g.engine == "llama.cpp" && g.has(evidence.KeySpecMethod))
}

// standing notes a default that every version of the engine has.
func (g *gathering) standing(key evidence.FactKey, value string) {
	g.said = append(g.said, said{evidence.Fact{Key: key, Value: value, State: evidence.Derived, Place: g.entry.Place(), Rule: "engine default"}, g.entry, byRule})
}

// script reads the variables of a start script that names a method and its depth:
// MODE=dspark with DSPARK_TOKENS=5, or MODE=NAME-mtp0 for none.
func (g *gathering) script() {
	variables(g.entry, func(name, value string, start int, at lift.Obj) {
		if name != "MODE" && name != "SPEC_MODE" && name != "SPECULATIVE_MODE" {
			return
		}
		mode := strings.ToLower(value)
		switch _, depth, drafts := strings.Cut(mode, "-mtp"); {
		case mode == "nospec" || mode == "none" || mode == "off" || drafts && depth == "0":
			g.say(evidence.KeySpecMethod, "none", byEnv, at, start, start+len(value))
			g.say(evidence.KeyMTPDepth, "0", byEnv, at, start, start+len(value))
			return
		case drafts:
			if v, ok := wholeNumber(depth); ok {
				g.say(evidence.KeySpecMethod, "mtp", byEnv, at, start, start+len(value))
				g.say(evidence.KeyDraftDepth, v, byEnv, at, start, start+len(value))
			}
			return
		}
		variables(g.entry, func(other, tokens string, s int, where lift.Obj) {
			if v, ok := wholeNumber(tokens); ok && other == strings.ToUpper(strings.ReplaceAll(mode, "-", "_"))+"_TOKENS" {
				g.say(evidence.KeySpecMethod, mode, byEnv, at, start, start+len(value))
				g.say(evidence.KeyDraftDepth, v, byEnv, where, s, s+len(tokens))
			}
		})
	})
}

// unpinned says what leaves the identity open.
func (g *gathering) unpinned() {
	var open []string
	if !g.has(evidence.KeyModelRevision) && !g.has(evidence.KeyModelArtifact) {
		open = append(open, "the revision of the model")
	}
	if g.has(evidence.KeyImage) && !g.has(evidence.KeyImageDigest) {
		open = append(open, "the digest of the image")
	}
	if len(open) > 0 {
		g.b.Find(evidence.Info, CodeUnpinned, g.entry, "the recipe does not give %s", strings.Join(open, " and "))
	}
}

// notes keeps the sentences of an entry.
func (g *gathering) notes() {
	for _, n := range []string{"status", "source", "note", "notes", "rationale", "description", "gpu", "arch", "vram_note"} {
		m := search(g.entry, isText, n)
		if !m.There() || len(m.Str()) > 16<<10 {
			continue
		}
		g.b.Doc.Notes = append(g.b.Doc.Notes, evidence.Note{Kind: evidence.Statement, Key: n, Text: mask.Secrets(m.Str()), Place: m.Place()})
	}
}

// references lists the files that an entry names as its sources.
func (g *gathering) references() {
	var visit func(o lift.Obj, level int)
	visit = func(o lift.Obj, level int) {
		o.Members(func(name string, m lift.Obj) {
			switch {
			case m.IsObject() && level < maxLevels:
				visit(m, level+1)
			case m.IsArray() && (name == "local" || name == "files" || name == "evidence"):
				m.Items(func(_ int, v lift.Obj) {
					if s := v.Str(); s != "" && v.Node.Kind == jsondoc.String && !strings.Contains(s, "://") && !strings.ContainsAny(s, " \n") && len(s) < 1<<10 {
						g.b.Doc.References = append(g.b.Doc.References, evidence.Reference{Name: s, Kind: "source", Place: v.Place()})
					}
				})
			}
		})
	}
	visit(g.entry, 0)
}
