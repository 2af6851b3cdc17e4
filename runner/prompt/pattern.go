package prompt

import (
	"slices"
	"strconv"
	"strings"
)

// pattern is a sentence or a piece of code with slots: {{noun}} is drawn anew each time,
// {{a}} to {{f}} are words of the piece, drawn once, with {{A}} to {{F}} the same in capitals.
type pattern []part

type part struct {
	text string
	name string // of the slot
	slot slot
}

// slot appends what it draws.
type slot func(dst []byte, d *hand, bound *[6]string) []byte

var slots = boundSlots(map[string]slot{
	"noun": from(nounDeck), "adj": from(adjectiveDeck), "first": from(firstDeck), "last": from(lastDeck), "verb": from(verbDeck), "place": from(placeDeck),
	"month": from(monthDeck), "day": from(dayDeck), "trade": from(tradeDeck), "units": from(unitDeck), "deed": from(deedDeck), "thing": from(thingDeck),
	"1": number(2, 8), "2": number(11, 89), "3": number(101, 899), "year": number(1701, 299),
})

func boundSlots(slots map[string]slot) map[string]slot {
	for i := range 6 {
		slots[string(rune('a'+i))] = func(dst []byte, _ *hand, bound *[6]string) []byte { return append(dst, bound[i]...) }
		slots[string(rune('A'+i))] = func(dst []byte, _ *hand, bound *[6]string) []byte {
			return append(append(dst, bound[i][0]-'a'+'A'), bound[i][1:]...)
		}
	}
	return slots
}

func from(list int) slot {
	return func(dst []byte, d *hand, _ *[6]string) []byte { return append(dst, d.word(list)...) }
}

func number(least, span int) slot {
	return func(dst []byte, d *hand, _ *[6]string) []byte {
		return strconv.AppendInt(dst, int64(least+d.below(span)), 10)
	}
}

// patterns compiles a list of templates. A slot that does not exist is a fault of this
// package's own text.
func patterns(templates []string) []pattern {
	var out []pattern
	for _, t := range templates {
		var p pattern
		for t != "" {
			open := strings.Index(t, "{{")
			if open < 0 {
				p = append(p, part{text: t})
				break
			}
			name, rest, ok := strings.Cut(t[open+2:], "}}")
			s := slots[name]
			if !ok || s == nil {
				panic("prompt: no slot " + name)
			}
			p = append(p, part{t[:open], name, s})
			t = rest
		}
		out = append(out, p)
	}
	return out
}

func (p pattern) render(dst []byte, d *hand, bound *[6]string) []byte {
	for _, x := range p {
		dst = append(dst, x.text...)
		if x.slot != nil {
			dst = x.slot(dst, d, bound)
		}
	}
	return dst
}

// bind draws the words of one piece, all different.
func bind(d *hand) (bound [6]string) {
	for i := range bound {
		w := d.word(thingDeck)
		for slices.Contains(bound[:i], w) {
			w = d.word(thingDeck)
		}
		bound[i] = w
	}
	return bound
}
