package anvil

import (
	"strings"

	"assay/ingest/prose"
	"assay/store/evidence"
)

// armsIn are the arms that a text speaks of: all of them, the selected one, or those
// that it names. Several leave open whose a figure is.
func (n *narrator) armsIn(text string) []*arm {
	spans := wordSpans(text)
	has := func(words ...string) bool {
		for _, w := range words {
			if _, ok := spans[w]; ok {
				return true
			}
		}
		return false
	}
	if saysAll(spans) {
		return n.arms
	}
	named := n.armsNamed(text, spans)
	if n.selected != nil && has("selected") && has("arm") {
		for _, a := range named {
			if a != n.selected {
				return n.several()
			}
		}
		return []*arm{n.selected}
	}
	if len(named) > 0 {
		return named
	}
	if len(n.arms) == 1 && n.arms[0].agrees(n.wanted(text, spans)) {
		return n.arms
	}
	return nil
}

// armsNamed are the arms whose name or settings stand in a text. Where the settings fit
// several arms, or contradict each other, these are all of them.
func (n *narrator) armsNamed(text string, spans map[string]prose.Span) []*arm {
	if len(n.arms) > maxPicked || len(text) > prose.MaxSentence || !n.afford(len(n.arms)) {
		return nil
	}
	var byName []*arm
	for _, a := range n.arms {
		if a.wordsIn(spans) {
			byName = append(byName, a)
		}
	}
	byName = longest(byName)
	if torn(prose.Config(text)) {
		return n.several()
	}
	if len(byName) > 1 {
		return byName
	}
	a := n.pickArm(text, nil, func(*arm) bool { return true })
	switch {
	case a == nil:
		return byName
	case len(byName) == 1 && byName[0] != a:
		return n.several() // a name of one and the settings of another
	}
	return []*arm{a}
}

// several are the arms where words name more than one: nobody's figure. Of one arm there
// are no several.
func (n *narrator) several() []*arm {
	if len(n.arms) == 1 {
		return nil
	}
	return n.arms
}

// torn reports whether settings give one key two values.
func torn(settings []prose.Setting) bool {
	values := map[evidence.FactKey]string{}
	for _, s := range settings {
		if v, seen := values[s.Key]; seen && v != s.Value && s.Key != evidence.KeyConcurrency && s.Key != evidence.KeyGPUCount {
			return true
		}
		values[s.Key] = s.Value
	}
	return false
}

// wordsIn reports whether every word of the arm's name stands among the words.
func (a *arm) wordsIn(spans map[string]prose.Span) bool {
	words := strings.Fields(strings.ToLower(a.Name))
	for _, w := range words {
		if _, ok := spans[strings.Trim(w, "(),")]; !ok {
			return false
		}
	}
	return len(words) > 0
}

// longest drops arms whose name is a part of another's that stands there too.
func longest(arms []*arm) []*arm {
	if len(arms) < 2 || len(arms) > 16 {
		return arms
	}
	var out []*arm
	for _, a := range arms {
		whole := true
		for _, o := range arms {
			whole = whole && (o == a || !a.wordsIn(wordSpans(o.Name)) || len(o.Name) <= len(a.Name))
		}
		if whole {
			out = append(out, a)
		}
	}
	return out
}

func one(arms []*arm) *arm {
	if len(arms) == 1 {
		return arms[0]
	}
	return nil
}
