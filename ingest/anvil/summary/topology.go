package summary

import (
	"strings"
	"unicode"

	"assay/ingest/prose"
	"assay/store/evidence"
)

// topologies reads the card and the parallelism out of a topology sentence where no member
// of its own gives them: "two equal RTX PRO 6000 GPUs, TP=2 over PCIe".
func (e *engine) topologies() {
	f := factIn(e.Facts, evidence.KeyTopology)
	if f == nil || f.State == evidence.Conflict {
		return
	}
	text, p := f.Value, f.Place.Pointer
	if factIn(e.Facts, evidence.KeyGPUProduct) == nil {
		if at, ok := cardIn(text); ok {
			e.Facts = append(e.Facts, evidence.Fact{Key: evidence.KeyGPUProduct, Value: at.Text(text), State: evidence.Derived, Rule: prose.RuleHardware,
				Place: evidence.InText(p, at.Start, at.End), SourceText: at.Text(text)})
		}
	}
	said := map[evidence.FactKey]string{}
	for _, s := range prose.Config(text) {
		if s.Key != evidence.KeyTP && s.Key != evidence.KeyDP {
			continue
		}
		if v, again := said[s.Key]; again && v != s.Value {
			return
		}
		said[s.Key] = s.Value
		if factIn(e.Facts, s.Key) == nil {
			e.Facts = append(e.Facts, s.Fact(p, text, prose.RuleConfig))
		}
	}
}

// cardMakers begin the name of a card.
var cardMakers = set("nvidia rtx geforce amd radeon tesla")

// cardIn finds the name of a card in a sentence: from its maker to the last word that is
// still a part of a name.
func cardIn(text string) (prose.Span, bool) {
	if len(text) > prose.MaxSentence {
		return prose.Span{}, false
	}
	start, end, at := -1, 0, 0
	for _, w := range strings.SplitAfter(text, " ") {
		word := strings.TrimRight(w, " ")
		bare := strings.TrimRight(word, ",;.:)")
		switch {
		case start < 0 && cardMakers[strings.ToLower(bare)]:
			start, end = at, at+len(bare)
		case start >= 0 && !partOfCard(bare):
			return prose.Span{Start: start, End: end}, true
		case start >= 0:
			end = at + len(bare)
		}
		if start >= 0 && bare != word {
			break
		}
		at += len(w)
	}
	return prose.Span{Start: start, End: end}, start >= 0
}

func partOfCard(word string) bool {
	switch strings.ToLower(word) {
	case "gpu", "gpus", "card", "cards", "":
		return false
	}
	first := rune(word[0])
	return unicode.IsUpper(first) || unicode.IsDigit(first)
}
