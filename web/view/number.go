package view

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// minus is the real minus sign; a hyphen never stands before a digit.
const minus = "\u2212"

// Scale says how the values of one column are written: in which unit, times what,
// with how many decimals. One column has one scale, so that its decimals line up.
type Scale struct {
	Unit     string // as the column head writes it, "" for plain counts
	num, den int64
	decimals int
}

// Scales of the units that need no choice.
var fixedScale = map[evidence.Unit]Scale{
	evidence.Tokens:          {Unit: "tokens", num: 1, den: 1},
	evidence.TokensPerSecond: {Unit: "tok/s", num: 1, den: 1},
	evidence.Chunks:          {Unit: "chunks", num: 1, den: 1},
	evidence.ChunksPerSecond: {Unit: "chunks/s", num: 1, den: 1},
	evidence.RequestsPerSec:  {Unit: "req/s", num: 1, den: 1},
	evidence.Requests:        {Unit: "requests", num: 1, den: 1},
	evidence.Joules:          {Unit: "J", num: 1, den: 1},
	evidence.JoulesPerToken:  {Unit: "J/token", num: 1, den: 1},
	evidence.Watts:           {Unit: "W", num: 1, den: 1},
	evidence.Ratio:           {Unit: "%", num: 100, den: 1},
	evidence.Count:           {Unit: "", num: 1, den: 1},
}

const (
	maxUnit     = 24      // characters of a unit that the table does not know
	manySeconds = 10      // from here on a value reads better in seconds
	mostMillis  = 100     // and no column with such a value stays in milliseconds
	gibibyte    = 1 << 30 // bytes
	gigabyte    = 1_000_000_000
	mebibyte    = 1 << 20
	megabyte    = 1_000_000
	kibibyte    = 1 << 10
	kilobyte    = 1_000
)

// ScaleFor chooses the reading unit and the decimals for the values of one column.
// Seconds read as milliseconds when at least half of them are under ten seconds and
// none reaches a hundred; bytes read in the unit that keeps them whole with the fewest digits.
func ScaleFor(unit evidence.Unit, values ...float64) Scale {
	s, ok := fixedScale[unit]
	switch {
	case unit == evidence.Seconds:
		s = secondScale(values)
	case unit == evidence.Bytes:
		s = byteScale(values)
	case !ok:
		s = Scale{Unit: plain(string(unit), maxUnit), num: 1, den: 1}
	}
	s.decimals = s.decimalsFor(values)
	return s
}

func secondScale(values []float64) Scale {
	under, largest := 0, 0.0
	for _, v := range values {
		v = max(v, -v)
		largest = max(largest, v)
		if v < manySeconds {
			under++
		}
	}
	if largest < mostMillis && 2*under >= len(values) {
		return Scale{Unit: "ms", num: 1000, den: 1}
	}
	return Scale{Unit: "s", num: 1, den: 1}
}

// byteScales from the largest unit to the smallest.
var byteScales = []Scale{
	{Unit: "GiB", num: 1, den: gibibyte}, {Unit: "GB", num: 1, den: gigabyte}, {Unit: "MiB", num: 1, den: mebibyte},
	{Unit: "MB", num: 1, den: megabyte}, {Unit: "KiB", num: 1, den: kibibyte}, {Unit: "kB", num: 1, den: kilobyte},
}

// byteScale takes the unit in which every value is a whole number of the fewest digits,
// as sources write them (97,887 MiB, 96 GB). Where no unit makes them whole, it is the
// largest binary one that leaves the largest value above one.
func byteScale(values []float64) Scale {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, v, -v)
	}
	fits := Scale{Unit: "bytes", num: 1, den: 1}
	best, fewest := fits, 0
	for _, s := range slices.Backward(byteScales) {
		if largest < float64(s.den) {
			continue
		}
		if strings.HasSuffix(s.Unit, "iB") {
			fits = s
		}
		if !s.whole(values) {
			continue
		}
		// Of two units with as many digits the larger one is read.
		if n := len(s.rat(largest).Num().String()); fewest == 0 || n <= fewest {
			best, fewest = s, n
		}
	}
	if fewest > 0 {
		return best
	}
	return fits
}

// whole reports whether every value is a whole number of the unit.
func (s Scale) whole(values []float64) bool {
	for _, v := range values {
		if r := s.rat(v); r == nil || !r.IsInt() {
			return false
		}
	}
	return true
}

// decimalsFor gives every value of the column the same decimals: as many as leave
// the smallest one three digits, never more than the column's most precise value has.
func (s Scale) decimalsFor(values []float64) int {
	most, least := 0, ""
	var smallest *big.Rat
	for _, v := range values {
		r := s.rat(v)
		if r == nil {
			continue
		}
		most = max(most, decimalsOf(r))
		if r.Sign() != 0 && (smallest == nil || r.Abs(r).Cmp(smallest) < 0) {
			smallest = new(big.Rat).Abs(r)
			least = smallest.FloatString(12)
		}
	}
	want := 1
	if s.Unit == "s" || s.Unit == "GiB" {
		want = 3
	}
	if whole, frac, _ := strings.Cut(least, "."); whole == "0" {
		want = max(want, 3+len(frac)-len(strings.TrimLeft(frac, "0")))
	} else if len(whole) == 1 {
		want = max(want, 2)
	}
	return min(most, want)
}

const mostDecimals = 9

// decimalsOf counts the decimals a number needs, up to mostDecimals.
func decimalsOf(r *big.Rat) int {
	if r.IsInt() {
		return 0
	}
	text := r.FloatString(mostDecimals)
	return len(strings.TrimRight(text[strings.IndexByte(text, '.')+1:], "0"))
}

// rat is v in the reading unit, exact; nil for what is no number.
func (s Scale) rat(v float64) *big.Rat {
	r, ok := new(big.Rat).SetString(evidence.FormatDecimal(v))
	if !ok {
		return nil
	}
	return r.Mul(r, big.NewRat(s.num, s.den))
}

// Value is v in the reading unit, as drawings need it.
func (s Scale) Value(v float64) float64 {
	r := s.rat(v)
	if r == nil {
		return 0
	}
	f, _ := r.Float64()
	return f
}

// Format writes v with the column's unit and decimals, thousands separated.
func (s Scale) Format(v float64) string {
	r := s.rat(v)
	if r == nil {
		return "not finite"
	}
	return group(r.FloatString(s.decimals))
}

// WithUnit writes v with its unit behind it, for a value that stands alone.
func (s Scale) WithUnit(v float64) string {
	switch s.Unit {
	case "":
		return s.Format(v)
	case "%":
		return s.Format(v) + "%"
	}
	return s.Format(v) + " " + s.Unit
}

// Reading writes one value that stands alone.
func Reading(unit evidence.Unit, v float64) string { return ScaleFor(unit, v).WithUnit(v) }

// Int writes a count.
func Int(n int64) string { return group(strconv.FormatInt(n, 10)) }

// Signed writes a change with its sign, for example "+59.7%".
func Signed(unit evidence.Unit, v float64) string {
	text := Reading(unit, v)
	if v > 0 {
		return "+" + text
	}
	return text
}

// Size writes a number of bytes for a list: whole bytes below a mebibyte.
func Size(n int64) string {
	if n < mebibyte {
		return Int(n) + " bytes"
	}
	return Reading(evidence.Bytes, float64(n))
}

// group separates thousands of a decimal and sets a real minus sign.
func group(text string) string {
	sign := ""
	if strings.HasPrefix(text, "-") {
		text = text[1:]
		if strings.Trim(text, "0.") != "" {
			sign = minus
		}
	}
	whole, frac, dot := strings.Cut(text, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(whole[i])
	}
	if dot {
		b.WriteByte('.')
		b.WriteString(frac)
	}
	return b.String()
}

// Plural is "1 run" or "3 runs".
func Plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Int(n) + " " + many
}
