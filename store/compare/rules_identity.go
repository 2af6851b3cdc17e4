package compare

import (
	"fmt"
	"strings"

	"assay/store/evidence"
)

// identityRules are about what was under test and where the evidence comes from.
var identityRules = []Rule{
	{ID: "P-GPU", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "The product of the card is known and equal. It is never derived from a writer: two cards can stand behind one harness.", Source: "method review", Gives: "different: blocked; not known, or a spelling with words that nobody knows: unknown",
		lines: []keyLine{
			{key: evidence.KeyGPUMemory, tolerance: 0.1, differ: blocked, oneSided: unknown},
			{key: evidence.KeyGPUArch, differ: blocked, oneSided: unknown},
		}, decide: decideCard},
	{ID: "P-GPU-ALIAS", Scopes: []Scope{ScopeNote}, Text: "The spellings of the card differ, and the alias table says that they are one product.", Source: "alias table", Gives: "note",
		decide: func(p *pair, r *Rule) {
			if a, b := p.a.get(ixGPUProduct), p.b.get(ixGPUProduct); a != nil && b != nil && a.text == b.text && p.a.spelling() != p.b.spelling() {
				p.tell(r, note, ixGPUProduct, "two spellings of one product")
			}
		}},
	{ID: "P-POWER", Scopes: []Scope{ScopeRank}, Remedy: "declare the power class of both cards",
		Text: "Within one product name the power class (300 W Max-Q, 600 W) is known and equal.", Source: "card variants", When: "products that exist in several power classes", Gives: "not known or different: caveat; known and different: no ranking", decide: decidePower},
	{ID: "P-MEASURED", Scopes: []Scope{ScopeDelta}, Remedy: measureFact, Text: "Only the card that executed counts. Protected, co-resident and merely described cards are no evidence.", Source: "method review", Gives: "blocked",
		Inert: "readers put only the card of the arm among its facts", decide: extraRule(extraCardRole, "", blocked, "the card of a side did not execute the run", "executed")},
	{ID: "P-LANE", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "Which of several equal cards ran the arm is known, unless both sides pool the lanes alike or use different numbers of cards.", Source: "method review", Gives: "known and different: blocked; on one side: unknown; on neither: caveat", decide: decideLane},
	{ID: "P-MODEL", Scopes: []Scope{ScopeLabel}, Remedy: "declare repository and revision",
		Text: "A served alias is no identity. Without repository and revision nothing may be called the same model.", Source: "aliases that served several checkpoints", Gives: "missing: caveat",
		decide: func(p *pair, r *Rule) {
			if !p.a.identified() || !p.b.identified() {
				p.tell(r, caution, ixModel, "repository and revision of the model are not recorded on both sides: a served name is no identity")
			}
		}},
	{ID: "P-REV", Scopes: []Scope{ScopeLabel}, Remedy: "compare within one revision", Text: "Another revision is another model, and is never pooled.", Source: "method review", Gives: "caveat",
		lines: []keyLine{
			{key: evidence.KeyModel, differ: caution, oneSided: caution},
			{key: evidence.KeyModelRevision, differ: caution, oneSided: caution},
		}},
	{ID: "P-ENGINE", Scopes: []Scope{ScopeDelta}, Remedy: declareFact, Text: "Engine, version and image digest are known and equal.", Source: "recipe review", Gives: "different or not known: caveat",
		lines: []keyLine{
			{key: evidence.KeyEngine, differ: caution, oneSided: caution},
			{key: evidence.KeyEngineVersion, differ: caution, oneSided: caution},
			{key: evidence.KeyEngineRevision, differ: caution, oneSided: caution},
			{key: evidence.KeyImage, differ: caution, oneSided: caution},
			{key: evidence.KeyImageDigest, differ: caution, oneSided: caution},
		},
		decide: func(p *pair, r *Rule) {
			if !p.asked(ixEngine) && (!p.a.engine() || !p.b.engine()) {
				p.tell(r, caution, ixEngine, "the engine is not recorded on both sides")
			}
		}},
	{ID: "P-ONEVAR", Scopes: []Scope{ScopeAxis}, Remedy: "use a control that differs in one factor only",
		Text: "An effect has one cause only where one factor of the recipe differs.", Source: "method review", Gives: "else caveat: a profile comparison", decide: decideOneVariable},
	{ID: "P-PATH", Scopes: []Scope{ScopeDelta}, Remedy: declareFact,
		Text: "Direct, routed and client are different paths. Several served models make a route, a loopback address with one model is direct; a port is no path, and another host leaves it unknown.", Source: "router evidence", Gives: "different: blocked; not known: unknown", decide: decidePath},
	{ID: "P-EXTERNAL", Scopes: []Scope{ScopeDelta}, Remedy: measureFact,
		Text: "A figure that somebody else published gives no delta. A row without a scope among rows with one is unknown.", Source: "source registries", Gives: "blocked; on one side not known: unknown",
		decide: func(p *pair, r *Rule) {
			a, b := p.a.get(ixScope), p.b.get(ixScope)
			switch {
			case p.a.external() || p.b.external():
				p.tell(r, blocked, ixScope, "a side was published elsewhere and not measured here")
			case a != nil && b != nil && a.text != b.text:
				p.add(r, blocked, ixScope, sayDiffers)
			case (a == nil) != (b == nil):
				p.add(r, unknown, ixScope, sayOneSided)
			}
		}},
	{ID: "P-TRANSFER", Scopes: []Scope{ScopeLabel}, Text: "Nothing is predicted for another platform (PCIe and WSL2, native, NVLink).", Source: "decision summary #/limitations/2", Gives: "note",
		decide: func(p *pair, r *Rule) {
			if p.knownApart(ixInterconnect) {
				p.tell(r, note, ixInterconnect, "the platforms differ: a result does not carry over")
			}
		}},
	{ID: "P-DIGEST", Scopes: []Scope{ScopeDelta}, Remedy: "take the named file in", Text: "A referenced artifact exists and matches its digest, line endings aside.", Source: "digest references", Gives: "absent: caveat; mismatch: blocked",
		Inert: "references are resolved by the archive and shown with the campaign; no reader puts them among the facts of a run", decide: decideDigest},
}

func decideCard(p *pair, r *Rule) {
	if p.asked(ixGPUProduct) {
		return
	}
	a, b := p.a.get(ixGPUProduct), p.b.get(ixGPUProduct)
	switch {
	case a == nil && b == nil:
		p.add(r, unknown, ixGPUProduct, sayNeither)
	case a == nil || b == nil:
		p.add(r, unknown, ixGPUProduct, sayOneSided)
	case a.text == b.text || p.a.spelling() == p.b.spelling():
	case p.a.card.product == p.b.card.product:
		p.add(r, unknown, ixGPUProduct, func(p *pair, _ *finding) words {
			w := words{message: "the spellings name one product with words that nobody knows: " + strings.Join(append(append([]string{}, p.a.card.other...), p.b.card.other...), " "),
				remedy: "add an alias for the spelling"}
			w.left, w.right = p.sides(ixGPUProduct)
			return w
		})
	default:
		p.add(r, blocked, ixGPUProduct, sayDiffers)
	}
}

// spelling is the card as it stands.
func (p *Prepared) spelling() string {
	if c := p.get(ixGPUProduct); c != nil && c.fact >= 0 {
		return p.run.Facts[c.fact].Means()
	}
	return ""
}

func decidePower(p *pair, r *Rule) {
	a, b := &p.a.card, &p.b.card
	if a.product == "" || a.product != b.product || a.classes < 2 || p.asked(ixGPUProduct) {
		return
	}
	switch {
	case a.power != "" && b.power != "" && a.power != b.power:
		p.ranked(r, caution, ixGPUProduct, sayPower)
	case a.power == "" || b.power == "":
		p.add(r, caution, ixGPUProduct, sayPower)
	}
}

func sayPower(p *pair, _ *finding) words {
	w := words{message: fmt.Sprintf("the power classes of %s are not known to be equal", p.a.card.product)}
	if p.a.card.power != "" && p.b.card.power != "" {
		w.message = fmt.Sprintf("%s with %s against %s", p.a.card.product, p.a.card.power, p.b.card.power)
	}
	w.left, w.right = p.sides(ixGPUProduct)
	return w
}

func decideLane(p *pair, r *Rule) {
	if p.asked(ixLane) {
		return
	}
	x, okX := p.a.number(ixGPUCount)
	y, okY := p.b.number(ixGPUCount)
	if okX && okY && x != y {
		return // another number of cards is another question
	}
	a, b := p.a.get(ixLane), p.b.get(ixLane)
	switch {
	case a != nil && b != nil:
		if !equalCells(a, b, 0) {
			p.add(r, blocked, ixLane, sayDiffers)
		}
	case a != nil || b != nil:
		p.add(r, unknown, ixLane, sayOneSided)
	case okX && okY && x == 1 && (p.a.severalCards() || p.b.severalCards()):
		p.add(r, caution, ixLane, sayNeither)
	}
}

// severalCards reports whether the machine has more than one card, or does not say.
func (p *Prepared) severalCards() bool {
	n, ok := p.number(ixHostGPUs)
	return !ok || n > 1
}

// identified reports whether the model is known by repository and revision, or by the
// digest of its file. What a recipe says of the served name does not count: the name is
// an alias, and another recipe may have served it.
func (p *Prepared) identified() bool {
	own := func(ix int) bool { return p.known.has(ix) && !p.byName.has(ix) }
	if own(ixModelDigest) {
		return true
	}
	return (own(ixModel) || own(ixCheckpoint)) && (own(ixModelRevision) || strings.Contains(p.text(ixModel), "@"))
}

func (p *Prepared) engine() bool {
	return p.known.has(ixEngine) || p.known.has(ixEngineRevision) || p.known.has(ixImage) || p.known.has(ixImageDigest)
}

func (p *Prepared) external() bool {
	return p.run.Status == evidence.External || p.text(ixScope) == "external"
}

// decideOneVariable: a pair that differs in several factors compares profiles.
func decideOneVariable(p *pair, r *Rule) {
	n, limit := 0, 1
	if len(p.q.Axes) > 0 {
		limit = 0
	}
	for w := range identitySet {
		word := p.a.known[w] & p.b.known[w] & identitySet[w] &^ p.q.asked[w]
		for ; word != 0; word &= word - 1 {
			ix := w<<6 + trailing(word)
			if !equalCells(p.a.get(ix), p.b.get(ix), 0) {
				n++
			}
		}
	}
	if n > limit {
		p.add(r, caution, noKey, sayProfile)
	}
}

func sayProfile(p *pair, _ *finding) words {
	var differ []string
	identitySet.each(func(ix int) {
		if !p.asked(ix) && p.knownApart(ix) {
			differ = append(differ, title(ix))
		}
	})
	return words{message: "a profile comparison: " + strings.Join(differ, ", ") + " differ too"}
}

// addressed are the harnesses that record where they sent their requests, so that a path
// which is not known is an address that does not give it away.
var addressed = map[string]bool{"F1": true, "F3": true, "F6": true}

func decidePath(p *pair, r *Rule) {
	if p.kind&startup != 0 || p.asked(ixPath) {
		return
	}
	a, b := p.a.get(ixPath), p.b.get(ixPath)
	switch {
	case a != nil && b != nil:
		if a.text != b.text {
			p.add(r, blocked, ixPath, sayDiffers)
		}
	case a != nil || b != nil || p.a.doubt.has(ixPath) || p.b.doubt.has(ixPath):
		p.add(r, unknown, ixPath, sayOneSided)
	case p.a.writer.addressed && p.b.writer.addressed && !p.one:
		p.add(r, unknown, ixPath, sayNeither)
	}
}

func decideDigest(p *pair, r *Rule) {
	for _, s := range []*Prepared{p.a, p.b} {
		switch t, _ := s.extraText(extraReference); t {
		case "mismatch":
			p.tell(r, blocked, noKey, "a referenced artifact has another digest")
		case "not-retained":
			p.tell(r, caution, noKey, "a referenced artifact is not retained")
		}
	}
}
