package anvil

import (
	"strings"

	"assay/ingest/prose"
	"assay/store/evidence"
)

// maxPicked bounds the arms among which words are looked up; with more, figures of
// sentences stay unattributed.
const maxPicked = 256

// pickBudget bounds the arms looked at for all sentences of one document together, so
// that reading stays linear in its size.
const pickBudget = 1 << 19

func (b *builder) afford(n int) bool {
	b.picked += n
	return b.picked <= pickBudget
}

// pick finds the one run that words speak of, among the runs that pass.
func (b *builder) pick(words string, like *arm, ok func(*run) bool) *run {
	a := b.pickArm(words, like, func(a *arm) bool { return only(a.runs, ok) != nil })
	if a == nil {
		return nil
	}
	return only(a.runs, ok)
}

// pickArm finds the one arm that words speak of: it agrees with every setting in them
// and is named by them, and among several it is the one most like the arm that it is
// compared with. nil when none or several remain.
func (b *builder) pickArm(words string, like *arm, ok func(*arm) bool) *arm {
	if len(b.arms) > maxPicked || len(words) > prose.MaxSentence || !b.afford(len(b.arms)) {
		return nil
	}
	spans := wordSpans(words)
	wanted := b.wanted(words, spans)
	var best *arm
	bestNamed, bestLike, tie := 0, 0, false
	for _, a := range b.arms {
		if a == like || !a.agrees(wanted) || !ok(a) {
			continue
		}
		named, alike := a.namedIn(spans), a.likeness(like)
		switch {
		case named == 0 && len(wanted) == 0:
		case best == nil || named > bestNamed || named == bestNamed && alike > bestLike:
			best, bestNamed, bestLike, tie = a, named, alike, false
		case named == bestNamed && alike == bestLike:
			tie = true
		}
	}
	if tie {
		return nil
	}
	return best
}

// wanted are the settings in words that some arm of the document has a value for.
func (b *builder) wanted(words string, spans map[string]prose.Span) []prose.Setting {
	var out []prose.Setting
	settings := prose.Config(words)
	if _, said := spans["compile"]; said {
		settings = append(settings, prose.Setting{Key: evidence.KeyTorchCompile, Value: "true"})
	}
	for _, s := range settings {
		for _, a := range b.arms {
			if s.Key != evidence.KeyConcurrency && factIn(a.Facts, s.Key) != nil {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

// only is the one run that passes.
func only(runs []*run, ok func(*run) bool) *run {
	var found *run
	for _, r := range runs {
		if !ok(r) {
			continue
		}
		if found != nil {
			return nil
		}
		found = r
	}
	return found
}

func (a *arm) agrees(wanted []prose.Setting) bool {
	for _, s := range wanted {
		if valueIn(a.Facts, s.Key) != s.Value {
			return false
		}
	}
	return true
}

// namedIn counts how many of the arm's names stand among the words.
func (a *arm) namedIn(spans map[string]prose.Span) int {
	n := 0
	for _, k := range []evidence.FactKey{evidence.KeyCheckpoint, evidence.KeyEngine, evidence.KeySpecMethod} {
		if v := valueIn(a.Facts, k); v != "" {
			if _, ok := spans[strings.ToLower(v)]; ok {
				n++
			}
		}
	}
	for _, w := range strings.Fields(strings.ToLower(a.Name)) {
		if _, ok := spans[w]; !ok {
			return n
		}
	}
	return n + 2 // the whole name
}

// likeness counts the identity facts that two arms share, less those that differ. The
// number of cards follows from TP and replicas and does not count.
func (a *arm) likeness(other *arm) int {
	if other == nil {
		return 0
	}
	n := 0
	for _, f := range a.Facts {
		have := factIn(other.Facts, f.Key)
		switch {
		case f.Key == evidence.KeyGPUCount:
		case have == nil:
			n--
		case have.Value == f.Value:
			n++
		default:
			n--
		}
	}
	for _, f := range other.Facts {
		if f.Key != evidence.KeyGPUCount && factIn(a.Facts, f.Key) == nil {
			n--
		}
	}
	return n
}
