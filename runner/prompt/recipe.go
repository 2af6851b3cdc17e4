package prompt

import (
	"errors"
	"math/bits"
	"strconv"
)

var errTooShort = errors.New("the opening, the needles and the instruction alone are longer")

// recipe is what one prompt is made from.
type recipe struct {
	model  model
	seed   [32]byte
	aim    int64 // estimated tokens, what is around the text included, in thousandths
	slot   int   // of its code
	needle []float64
	prefix shared
	count  bool // to be counted only: begins with a digit, as no measured prompt does
}

// shared is the beginning that the prompts of a repeat have in common.
type shared struct {
	text []byte
	f    features
}

// Domains of seeds. What is drawn in one tells nothing of what is drawn in another.
const (
	measured = "measured"
	counted  = "counted"
	common   = "shared prefix"
)

func (r *recipe) domain() string {
	if r.count {
		return counted
	}
	return measured
}

// compose writes the prompt of an index into a.text.
func (m *Maker) compose(a *author, r *recipe, index int) error {
	a.begin(r.model, r.seed, r.domain(), index)
	a.text = append(a.text, r.prefix.text...)
	a.f, a.spent = r.prefix.f, r.model.of(r.prefix.f)
	a.open(r, index)
	end := m.close(r.slot, index)
	f, _ := scan(end)
	weight := r.model.of(f)
	if err := a.fill(r.aim-r.model.base-weight, r.needle); err != nil {
		return err
	}
	a.text = append(a.text, end...)
	a.f.add(f)
	a.spent += weight
	return nil
}

// open writes the opening: two words that no other prompt of the set begins with while
// there are fewer than 65,536 of them, and a number. The first word alone differs among as
// many prompts in a row as there are words.
func (a *author) open(r *recipe, index int) {
	n := uint64(len(openers))
	start := len(a.text)
	number := int64(101 + a.below(899))
	if r.count {
		a.text = append(strconv.AppendInt(a.text, number, 10), ' ')
	}
	v := stride(n, uint64(index), r.seed)
	a.text = append(append(a.text, openers[v%n]...), ' ')
	a.text = append(a.text, openers[v/n]...)
	if !r.count {
		a.text = strconv.AppendInt(append(a.text, ' '), number, 10)
	}
	a.text = append(a.text, ".\n"...)
	a.keep(start)
}

// stride walks all numbers below n² in steps that are coprime to n, from a place that the
// seed says.
func stride(n, index uint64, seed [32]byte) uint64 {
	from := uint64(seed[0])<<24 | uint64(seed[1])<<16 | uint64(seed[2])<<8 | uint64(seed[3])
	step := n*n/8*5 + 1
	for gcd(step, n) != 1 {
		step++
	}
	_, low := bits.Mul64(index%(n*n), step)
	return (from + low) % (n * n)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// close is the instruction at the end.
func (m *Maker) close(slot, index int) []byte {
	out := []byte(m.closing[0])
	if m.w.Prompt.Canary {
		code := m.coder.code(slot, index)
		out = append(append(out, code[:]...), m.closing[1]...)
	}
	return out
}

// prefix writes what the prompts of a set begin with. index tells the prefixes apart that
// are only counted.
func (m *Maker) prefix(a *author, r *recipe, index int) error {
	r.prefix = shared{}
	if m.w.Prompt.SharedPrefix == 0 {
		return nil
	}
	a.begin(r.model, r.seed, common+r.domain(), index)
	a.open(r, index)
	if err := a.fill(m.w.Prompt.SharedPrefix*milli, nil); err != nil {
		return err
	}
	r.prefix = shared{append([]byte(nil), a.text...), a.f}
	return nil
}

// least is about how long a prompt without any text is.
func (m *Maker) least(r *recipe) int64 {
	a := newAuthor(m.w.Prompt.Kind)
	a.begin(r.model, r.seed, r.domain(), 0)
	a.open(r, 0)
	_, needles := a.hide(r.needle)
	f, _ := scan(m.close(r.slot, 0))
	f.add(r.prefix.f)
	return r.model.base + a.spent + a.ending() + needles + r.model.of(f)
}
