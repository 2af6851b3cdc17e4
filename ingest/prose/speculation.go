package prose

import (
	"strings"

	"assay/store/evidence"
)

// denial is a part of a sentence that speaks of speculative decoding and denies it:
// "MTP3 off", "without EAGLE3", "no_spec", "MTP (disabled)".
type denial struct {
	Span
	method string // "mtp", a family such as "eagle", or "" for speculation of any kind
	clear  bool   // false when it denies twice ("not disabled"): nothing follows from it
}

// part is a word of a sentence, or a part of a word that hyphens and underscores hold
// together.
type part struct {
	word string
	Span
	whole bool // a word of its own
}

func parts(sentence string) []part {
	lower := lowerASCII(sentence)
	var out []part
	for _, t := range Lex(sentence) {
		if t.Kind != Word && t.Kind != Name {
			out = append(out, part{t.Text(lower), Span{t.Start, t.End}, true})
			continue
		}
		start, text := t.Start, t.Text(lower)
		for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '-' || r == '_' }) {
			at := start + strings.Index(lower[start:t.End], w)
			out = append(out, part{w, Span{at, at + len(w)}, w == text})
			start = at + len(w)
		}
	}
	return out
}

// specMethods are the methods that a word can name; digits behind belong to the name.
var specMethods = append([]string{"mtp", "nextn"}, specFamilies...)

// specWord reads a word that names speculation.
func specWord(w string) (method string, ok bool) {
	switch w {
	case "spec", "speculation", "speculative", "speculator":
		return "", true
	case "draft", "drafts", "drafting", "drafter":
		return "draft", true
	}
	for _, m := range specMethods {
		if rest, has := strings.CutPrefix(w, m); has && digitsEnd(rest, 0) == len(rest) {
			return m, true
		}
	}
	return "", false
}

var (
	// denyBefore stand before the word, denyBehind after it.
	denyBefore = map[string]bool{"no": true, "without": true, "not": true, "non": true, "never": true, "minus": true, "sans": true}
	denyBehind = map[string]bool{"off": true, "disabled": true, "none": true, "inactive": true, "unused": true, "excluded": true, "free": true, "false": true}
	// useWords say what "not" denies: "MTP3 not used".
	useWords = map[string]bool{"used": true, "enabled": true, "active": true, "loaded": true, "on": true, "applied": true, "set": true}
	// So much may stand between the word and its denial.
	fillersBefore = map[string]bool{"the": true, "any": true, "using": true, "use": true, "of": true, "a": true, "an": true}
	fillersBehind = map[string]bool{"=": true, "(": true, "[": true, ":": true, "head": true, "heads": true, "decoding": true, "method": true, "module": true,
		"layer": true, "layers": true, "depth": true, "is": true, "was": true, "were": true, "are": true, "being": true, "been": true, "set": true, "to": true,
		"turned": true, "switched": true, "kept": true, "left": true, "model": true, "models": true}
	// switched are things of their own that can be off, and words that make "off" mean
	// something else: "MTP3 disabled thinking" denies no MTP, nor does "MTP3 off by one".
	switched = map[string]bool{"thinking": true, "reasoning": true, "cache": true, "caching": true, "peak": true, "by": true, "graphs": true, "compile": true}
)

// joined deny speculation in one word.
var joined = map[string]bool{"nospec": true, "nomtp": true}

// maxFillers is how many words may stand between a word and its denial.
const maxFillers = 3

// denials finds the denied mentions of speculation.
func denials(sentence string) []denial {
	list := parts(sentence)
	var out []denial
	for i, p := range list {
		method, ok := specWord(p.word)
		if joined[p.word] {
			out = append(out, denial{Span: p.Span, method: strings.TrimPrefix(strings.TrimPrefix(p.word, "no"), "spec"), clear: true})
			continue
		}
		if !ok || len(out) > 0 && p.Start < out[len(out)-1].End {
			continue
		}
		before, from := denyFront(list, i)
		behind, to := denyBack(list, i)
		if before+behind == 0 || len(out) > 0 && list[from].Start < out[len(out)-1].End {
			continue
		}
		d := denial{Span: Span{list[from].Start, list[to].End}, method: method, clear: before+behind == 1}
		if behind == 1 && to+1 < len(list) && switched[list[to+1].word] {
			d.clear = false
		}
		out = append(out, d)
	}
	return out
}

// denyFront counts the denials before part i and gives the first of them.
func denyFront(list []part, i int) (n, from int) {
	from = i
	fillers := 0
	for j := i - 1; j >= 0; j-- {
		w := list[j].word
		switch {
		case j > 1 && w == "o" && list[j-1].word == "/" && list[j-2].word == "w":
			return n + 1, j - 2
		case denyBefore[w]:
			n, from = n+1, j
		case j == i-1 && (w == "off" || w == "disabled") && !(j > 0 && switched[list[j-1].word]):
			return 2, j // "disabled MTP3" may mean this or something before it
		case fillersBefore[w] && n == 0 && fillers < maxFillers:
			fillers++
		default:
			return n, from
		}
	}
	return n, from
}

// denyBack counts the denials behind part i and gives the last of them.
func denyBack(list []part, i int) (n, to int) {
	fillers := 0
	for j := i + 1; j < len(list) && fillers <= maxFillers; j++ {
		w := list[j].word
		_, spec := specWord(w)
		switch {
		case denyBehind[w] && !(w == "free" && list[j].whole):
			return 1, j
		case w == "not" || w == "never":
			switch next := wordOf(list, j+1); {
			case useWords[next]:
				return 1, j + 1
			case denyBehind[next]:
				return 2, j + 1
			}
			return 0, i
		case fillersBehind[w], spec, digitsEnd(w, 0) == len(w) && j == i+1: // "speculative drafting off", "MTP 3 off"
			fillers++
		default:
			return 0, i
		}
	}
	return 0, i
}

func wordOf(list []part, i int) string {
	if i >= len(list) {
		return ""
	}
	return list[i].word
}

// none are the settings of a denial.
func (d denial) none() []Setting {
	return []Setting{{Key: evidence.KeySpecMethod, Value: "none", Span: d.Span}, {Key: evidence.KeyMTPDepth, Value: "0", Span: d.Span}}
}

// settings are what a denial says beside the settings that the rest of the sentence
// states. Where that names another method, a denial of one method says nothing of
// speculation as a whole: "EAGLE3 without MTP" speculates.
func (d denial) settings(stated []Setting) []Setting {
	if !d.clear {
		return nil
	}
	for _, s := range stated {
		if d.method == "" || s.Key != evidence.KeySpecMethod || strings.HasPrefix(s.Value, d.method) {
			continue
		}
		if d.method == "mtp" {
			return d.none()[1:]
		}
		return nil
	}
	return d.none()
}
