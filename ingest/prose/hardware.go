package prose

import (
	"strings"

	"assay/store/evidence"
)

// Hardware reads a sentence about cards: "four NVIDIA L40S GPUs, 46068 MiB
// each, sm_89". The number of cards is the machine's, under KeyHostGPUs.
func Hardware(sentence string) (settings []Setting, unparsed []Span) {
	for n, c := range clauses(sentence) {
		found := c.hardware(n == 0)
		settings = append(settings, found...)
		if len(found) == 0 {
			unparsed = append(unparsed, c.span())
		}
	}
	return settings, unparsed
}

func (c clause) hardware(first bool) []Setting {
	for i, t := range c.tokens {
		w := c.word(i)
		if strings.HasPrefix(w, "sm_") && digitsEnd(w, 3) > 3 {
			return c.one(evidence.KeyGPUArch, w, i, i)
		}
		if w == "sm" && i+1 < len(c.tokens) && c.tokens[i+1].Kind == Name {
			return c.one(evidence.KeyGPUArch, "sm_"+c.word(i+1), i, i+1)
		}
		if _, base, err := evidence.ToBase("1", t.Unit); t.Kind == Figure && err == nil && base == evidence.Bytes && !first {
			f, _, err := evidence.ToBase(t.Decimal(c.text), t.Unit)
			if err != nil {
				return nil
			}
			return []Setting{{Key: evidence.KeyGPUMemory, Value: evidence.FormatDecimal(f), Span: Span{t.Start, t.UnitEnd}}}
		}
	}
	if !first {
		return nil
	}
	return c.cards()
}

// splitWord reports whether a word says over how many cards a model is split, which is no
// part of a product: "TP2".
func splitWord(w string) bool {
	for _, s := range []string{"tp", "pp", "dp", "ep"} {
		if n, ok := strings.CutPrefix(w, s); ok && n != "" && strings.Trim(n, "0123456789") == "" {
			return true
		}
	}
	return false
}

// cards reads the count and the product.
func (c clause) cards() []Setting {
	var out []Setting
	from, to := 0, len(c.tokens)-1
	if n, ok := times(c.word(0)); ok {
		out = append(out, c.one(evidence.KeyHostGPUs, n, 0, 0)...)
		from = 1
	} else if n, ok := c.tokens[0].Count(c.text); ok {
		out = append(out, c.one(evidence.KeyHostGPUs, FormatCount(n), 0, 0)...)
		from = 1
		if c.word(1) == "x" || c.word(1) == "\u00d7" {
			from = 2
		}
	}
	for to >= from && (countedThings[c.word(to)] == evidence.KeyGPUCount || splitWord(c.word(to))) {
		to--
	}
	if to < from || c.tokens[from].Kind == Mark {
		return out
	}
	span := c.between(from, to)
	return append(out, Setting{Key: evidence.KeyGPUProduct, Value: span.Text(c.text), Span: span})
}
