package claims

import (
	"math"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// rounded is a number with half a unit of its last digit, in one unit.
type rounded struct{ value, half float64 }

// slack keeps a tie from failing over the last bit of a binary fraction.
const slack = 1e-9

func (r rounded) low() float64  { return r.value - r.half }
func (r rounded) high() float64 { return r.value + r.half }

// takes says whether v rounds to r.
func (r rounded) takes(v float64) bool {
	return math.Abs(v-r.value) <= r.half*(1+slack)+math.Abs(r.value)*1e-12
}

// meets says whether some number between lo and hi rounds to r.
func (r rounded) meets(lo, hi float64) bool {
	pad := r.half*slack + math.Abs(r.value)*1e-12
	return lo <= r.high()+pad && hi >= r.low()-pad
}

// halfOf is half a unit of the last digit of a decimal, in the unit it is written in.
// "-23.1" gives 0.05, "512" gives 0.5, "1.5e3" gives 50.
func halfOf(text string) float64 {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	_, decimals, _ := strings.Cut(mantissa, ".")
	half := 0.5 / math.Pow10(len(decimals))
	if exponent != "" {
		if e, err := evidence.ParseDecimal(exponent); err == nil && math.Abs(e) < 300 {
			half *= math.Pow(10, e)
		}
	}
	return half
}

// factor is what one of a unit is in its base unit; 1 for a unit that is not known.
func factor(unit string) float64 {
	if f, _, err := evidence.ToBase("1", unit); err == nil && f > 0 {
		return f
	}
	return 1
}

// digits strips what stands around the digits of a figure, and takes the true minus.
func digits(text string) string {
	text = strings.ReplaceAll(text, "\u2212", "-")
	start := strings.IndexAny(text, "+-0123456789")
	if start < 0 {
		return ""
	}
	end := start + 1
	for end < len(text) && strings.IndexByte("0123456789.,eE", text[end]) >= 0 {
		end++
	}
	return strings.TrimRight(text[start:end], ".,eE")
}

// span runs f over the corners of what the inputs may have been before they were
// rounded: the least and the greatest that it gives. It is exact for functions that are
// monotonic in each input, as all formulas here are.
func span(f func([]float64) float64, in ...rounded) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	at := make([]float64, len(in))
	for corner := range 1 << len(in) {
		for i, r := range in {
			if at[i] = r.low(); corner>>i&1 == 1 {
				at[i] = r.high()
			}
		}
		if v := f(at); !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// exact takes the values of inputs.
func exact(in []rounded) []float64 {
	out := make([]float64, len(in))
	for i, r := range in {
		out[i] = r.value
	}
	return out
}

// finite keeps numbers that are none out of answers.
func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// legible cuts the dust of binary fractions off a number: twelve digits stay.
func legible(v float64) float64 {
	cut, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return cut
}

func (v Value) legible() Value {
	v.Point.V, v.Lower.V, v.Upper.V = legible(v.Point.V), legible(v.Lower.V), legible(v.Upper.V)
	return v
}

// formula is how a claim is recomputed.
type formula struct {
	text string
	of   func([]float64) float64
}

var (
	increase   = formula{"(b/a - 1) * 100", func(v []float64) float64 { return (v[1]/v[0] - 1) * 100 }}
	decrease   = formula{"(1 - b/a) * 100", func(v []float64) float64 { return (1 - v[1]/v[0]) * 100 }}
	increase1  = formula{"b/a - 1", func(v []float64) float64 { return v[1]/v[0] - 1 }}
	decrease1  = formula{"1 - b/a", func(v []float64) float64 { return 1 - v[1]/v[0] }}
	multiple   = formula{"b / a", func(v []float64) float64 { return v[1] / v[0] }}
	difference = formula{"b - a", func(v []float64) float64 { return v[1] - v[0] }}
)

// verdict holds a recomputed value against the published one.
func verdict(pub rounded, f formula, in ...rounded) (Verdict, float64) {
	got := f.of(exact(in))
	if !finite(got) {
		return NoBase, got
	}
	if pub.takes(got) {
		return Holds, got
	}
	if lo, hi := span(f.of, in...); pub.meets(lo, hi) {
		return HoldsUnrounded, got
	}
	return Fails, got
}
