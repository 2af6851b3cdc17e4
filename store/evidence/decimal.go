package evidence

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// maxDecimalDigits bounds the work of exact scaling; longer literals are refused.
const maxDecimalDigits = 800

// ErrNotFinite is returned for a number that no float64 holds.
var ErrNotFinite = errors.New("not a finite number")

// ParseDecimal reads a decimal literal (JSON number, or digits with thousands
// commas as they stand in prose) into the nearest float64.
func ParseDecimal(text string) (float64, error) { return ScaleDecimal(text, 1, 1) }

// ScaleDecimal is text * num / den, computed exactly and rounded once, so that the
// shortest decimal of the result is the decimal of the source after scaling
// ("847.7" by 1/1000 is 0.8477). It refuses what is not a finite decimal.
func ScaleDecimal(text string, num, den int64) (float64, error) {
	s := strings.ReplaceAll(text, ",", "")
	if s == "" || len(s) > maxDecimalDigits || !decimalLiteral(s) {
		return 0, fmt.Errorf("decimal %.40q: not a decimal number", text)
	}
	if num == den {
		return finite(s)
	}
	if f, err := finite(s); err != nil || f == 0 {
		return f, err
	}
	e := exponentOf(s)
	if e > 400 || e < -400 {
		return 0, fmt.Errorf("decimal %.40q: exponent out of range", text)
	}
	if shift, ok := powerOfTen(num, den); ok {
		if i := strings.IndexAny(s, "eE"); i >= 0 {
			s = s[:i]
		}
		return finite(s + "e" + strconv.Itoa(e+shift))
	}
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		return 0, fmt.Errorf("decimal %.40q: not a decimal number", text)
	}
	r.Mul(r, big.NewRat(num, den))
	f, _ := r.Float64()
	if f == 0 {
		return 0, nil // no sign: -0 is 0
	}
	if math.IsInf(f, 0) {
		return 0, fmt.Errorf("decimal %.40q: %w", text, ErrNotFinite)
	}
	return f, nil
}

// powerOfTen is p where num/den is 10^p. Moving the point of the text is exact too,
// and the parser rounds once as well, at a fraction of the cost of a fraction.
func powerOfTen(num, den int64) (p int, ok bool) {
	for ; num > 1 && num%10 == 0; num /= 10 {
		p++
	}
	for ; den > 1 && den%10 == 0; den /= 10 {
		p--
	}
	return p, num == 1 && den == 1
}

func finite(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0, fmt.Errorf("decimal %.40q: %w", s, ErrNotFinite)
	}
	if f == 0 {
		return 0, nil // no sign: a negative zero would not come back from the archive
	}
	return f, nil
}

// decimalLiteral reports whether s is [+-]digits[.digits][e[+-]digits].
func decimalLiteral(s string) bool {
	i := 0
	if s[0] == '-' || s[0] == '+' {
		i++
	}
	digits := func() bool {
		j := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > j
	}
	if !digits() {
		return false
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '-' || s[i] == '+') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}

func exponentOf(s string) int {
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return 0
	}
	e, err := strconv.Atoi(s[i+1:])
	if err != nil {
		return math.MaxInt
	}
	return e
}

// FormatDecimal is the shortest decimal text of f without an exponent, as exports
// and fact values write it.
func FormatDecimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
