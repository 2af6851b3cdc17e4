package prose

import (
	"math"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// page is the step in which large served contexts are laid out.
const page = 1 << 15

// NominalTokens reads a rounded count of tokens as engineers mean it:
//
//   - "4K": a power of two counts 1,024s, because a harness that is told 4K asks for
//     4,096 tokens. So "4K" and "4096" are one and the same context target.
//   - "131K", "524K": the thousands of a whole number of 32,768-token pages mean these
//     pages (131,072 and 524,288).
//   - "500K", "90K", "1.5M": anything else counts thousands and millions.
//
// Where a document gives the exact number beside the nominal one, readers match them
// with [NominalMatches] and take the exact number.
func NominalTokens(s string) (int64, bool) {
	v, ulp, ok := nominal(s)
	if !ok {
		return 0, false
	}
	if n := v / 1000; ulp == 1000 {
		if n > 0 && n&(n-1) == 0 && n <= 1024 {
			return n * 1024, true
		}
		if exact := (v + page - 1) / page * page; v > 2*page-1000 && exact/1000 == n {
			return exact, true
		}
	}
	return v, true
}

// NominalMatches reports whether exact is what the nominal count s stands for.
func NominalMatches(s string, exact int64) bool {
	if n, ok := NominalTokens(s); ok && n == exact {
		return true
	}
	v, ulp, ok := nominal(s)
	if !ok {
		return false
	}
	return ulp == 1000 && exact == v/1000*1024 || exact > v-ulp && exact < v+ulp
}

// nominal is the count in plain thousands or millions and the size of its last digit.
func nominal(s string) (v, ulp int64, ok bool) {
	if s == "" {
		return 0, 0, false
	}
	unit := int64(1)
	switch s[len(s)-1] {
	case 'K', 'k':
		unit = 1_000
	case 'M':
		unit = 1_000_000
	}
	digits := s
	if unit > 1 {
		digits = s[:len(s)-1]
	}
	f, err := evidence.ScaleDecimal(digits, unit, 1)
	if err != nil || f < 0 || f > 1e15 || f != math.Trunc(f) {
		return 0, 0, false
	}
	ulp = unit
	if _, decimals, found := strings.Cut(digits, "."); found {
		for range len(decimals) {
			ulp /= 10
		}
	}
	if unit == 1 {
		ulp = 1
	}
	return int64(f), max(ulp, 1), true
}

// FormatCount writes a count as fact values hold it.
func FormatCount(n int64) string { return strconv.FormatInt(n, 10) }
