package prompt

import (
	"errors"
	"fmt"
	"strconv"

	"assay/runner/workload"
)

// author writes one text. It is used again for the next: its room is kept.
type author struct {
	hand
	kind   workload.Kind
	model  model
	text   []byte
	f      features
	spent  int64 // estimated tokens of text, in thousandths
	seen   map[uint64]struct{}
	pieces int
	fine   bool // only short pieces fit yet
}

func newAuthor(kind workload.Kind) *author {
	return &author{kind: kind, seen: map[uint64]struct{}{}}
}

func (a *author) begin(m model, seed [32]byte, domain string, index int) {
	a.hand.begin(seed, domain, index)
	a.model, a.text, a.f, a.spent, a.pieces, a.fine = m, a.text[:0], features{}, 0, 0, false
	clear(a.seen)
}

// keep measures what was written since from and stands.
func (a *author) keep(from int) {
	f, _ := scan(a.text[from:])
	a.f.add(f)
	a.spent += a.model.of(f)
}

// Bounds of the attempts to draw a piece.
const (
	mostRepeats  = 16 // of a piece that the text has already
	mostTooLarge = 3  // pieces that are too long for what is left
	mostLine     = 64 << 10
	mostChars    = 24 // to a token: no tokeniser has so few tokens
)

var errNonsense = errors.New("more text is not more tokens: the endpoint's counts make no sense")

// fill writes pieces until spent has come to limit, with needles at their depths, and then
// words of a last line. The limit is kept to within half a word.
func (a *author) fill(limit int64, depths []float64) error {
	reserve := a.ending()
	needles, weight := a.hide(depths)
	from, room := a.spent, limit-a.spent-reserve-weight
	if room < 0 {
		return errTooShort
	}
	end := from + room
	repeats, misses := 0, 0
	for misses < mostTooLarge && repeats < mostRepeats {
		for len(needles) > 0 && a.spent-from >= int64(float64(depths[0]*float64(room))) && depths[0] < 1 {
			a.insert(needles[0], &from, &end)
			needles, depths = needles[1:], depths[1:]
		}
		start := len(a.text)
		a.piece()
		f, hash := scan(a.text[start:])
		cost := a.model.of(f)
		if cost <= 0 || int64(len(a.text)) > mostChars*(limit/milli+shortTarget) {
			return errNonsense
		}
		if a.spent+cost > end {
			a.text = a.text[:start]
			if misses++; misses == mostTooLarge && !a.fine && a.kind != workload.Prose {
				a.fine, misses = true, 0
			}
			continue
		}
		if _, repeated := a.seen[hash]; repeated {
			a.text = a.text[:start]
			repeats++
			continue
		}
		a.seen[hash] = struct{}{}
		a.f.add(f)
		a.spent += cost
		a.pieces++
		repeats = 0
	}
	for _, n := range needles {
		a.insert(n, &from, &end)
	}
	return a.end(limit)
}

// insert puts a needle in. Its tokens were set aside: they are no progress of the text.
func (a *author) insert(needle []byte, from, end *int64) {
	start, before := len(a.text), a.spent
	a.text = append(a.text, needle...)
	a.keep(start)
	*from += a.spent - before
	*end += a.spent - before
}

// hide draws the needles and weighs them.
func (a *author) hide(depths []float64) (needles [][]byte, weight int64) {
	at := a.below(len(nouns))
	for i := range depths {
		n := []byte("The reference value of the ")
		if a.kind == workload.Code {
			n = []byte("# The reference value of the ")
		}
		n = append(append(n, a.word(adjectiveDeck)...), ' ')
		n = append(append(n, nouns[(at+i)%len(nouns)]...), " is "...) // no two of the same name
		n = append(strconv.AppendInt(n, int64(10000+a.below(90000)), 10), ".\n"...)
		f, _ := scan(n)
		weight += a.model.of(f)
		needles = append(needles, n)
	}
	return needles, weight
}

var endings = map[workload.Kind]string{
	workload.Prose: "\nMarks on the lid of case ",
	workload.Mixed: "\nMarks on the lid of case ",
	workload.Code:  "\n# names yet to be sorted, list ",
}

// ending is what the last line takes before its first word.
func (a *author) ending() int64 {
	f, _ := scan([]byte(endings[a.kind] + "123:.\n\n"))
	return a.model.of(f)
}

// end writes the last line.
func (a *author) end(limit int64) error {
	start := len(a.text)
	a.text = append(a.text, endings[a.kind]...)
	a.text = append(strconv.AppendInt(a.text, int64(101+a.below(899)), 10), ':')
	stop, _ := scan([]byte(".\n\n"))
	a.keep(start)
	limit -= a.model.of(stop)
	bound := len(a.text) + mostLine
	for {
		if len(a.text) > bound {
			return errNonsense
		}
		start = len(a.text)
		a.text = append(append(a.text, ' '), a.word(nounDeck)...)
		f, _ := scan(a.text[start:])
		cost := a.model.of(f)
		if cost <= 0 {
			return errNonsense
		}
		if a.spent+cost/2 > limit {
			a.text = a.text[:start]
			break
		}
		a.f.add(f)
		a.spent += cost
	}
	start = len(a.text)
	a.text = append(a.text, ".\n\n"...)
	a.keep(start)
	return nil
}

// Rhythm of a text.
const (
	paragraph = 6 // sentences
	file      = 5 // functions
	turn      = 5 // sentences, then a function
)

// piece writes the next piece.
func (a *author) piece() {
	switch {
	case a.kind == workload.Code && a.fine:
		a.declaration(a.pieces / file % 2)
	case a.kind == workload.Code:
		language := a.pieces / file % 2
		if a.pieces%file == 0 {
			a.text = fmt.Appendf(a.text, "==> %s/%s.%s\n\n", a.word(placeDeck), a.word(thingDeck), languages[language].name)
		}
		a.function(language)
	case a.kind == workload.Mixed && a.pieces%(turn+1) == turn && !a.fine:
		a.text = append(a.text, "\n\n"...)
		a.function(a.pieces / (turn + 1) % 2)
	default:
		a.text = a.sentences.deal(&a.draws).render(a.text, &a.hand, nil)
		if a.kind == workload.Prose && a.pieces%paragraph == paragraph-1 {
			a.text = append(a.text, "\n\n"...)
		} else {
			a.text = append(a.text, ' ')
		}
	}
}
