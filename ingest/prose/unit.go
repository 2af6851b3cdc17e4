package prose

import "strings"

// unitWords are the units as sentences write them, longest first where one is the
// beginning of another.
var unitWords = []struct{ word, unit string }{
	{"tokens per second", "tok/s"}, {"tokens/second", "tok/s"}, {"tokens/s", "tok/s"}, {"token/s", "tok/s"}, {"tok/sec", "tok/s"},
	{"tok/s", "tok/s"}, {"tokens", "tokens"}, {"token", "tokens"},
	{"milliseconds", "ms"}, {"millisecond", "ms"}, {"microseconds", "us"}, {"ms", "ms"}, {"us", "us"},
	{"seconds", "s"}, {"second", "s"}, {"secs", "s"}, {"sec", "s"}, {"s", "s"},
	{"minutes", "min"}, {"minute", "min"}, {"min", "min"},
	{"percentage points", ""}, {"percent points", ""}, {"percent", "percent"}, {"per cent", "percent"}, {"pct", "percent"}, {"%", "percent"},
	{"KiB", "KiB"}, {"MiB", "MiB"}, {"GiB", "GiB"}, {"kB", "kB"}, {"MB", "MB"}, {"GB", "GB"}, {"bytes", "bytes"},
	{"requests per second", "requests/s"}, {"requests/s", "requests/s"}, {"req/s", "requests/s"}, {"requests", "requests"}, {"request", "requests"},
	{"words", "words"}, {"word", "words"}, {"W", "W"}, {"J", "J"},
}

// rateWords may stand between a rate and its unit: "12.5 aggregate tok/s".
var rateWords = []string{"aggregate ", "output ", "total "}

// unitAt reads the unit behind a figure that ends at i: attached, after one blank or
// after a hyphen.
func unitAt(s string, i int) (unit string, end int) {
	if i+1 < len(s) && (s[i] == ' ' || s[i] == '-' && isLetter(s[i+1])) {
		i++
	}
	if unit, end = unitWord(s, i); unit != "" {
		return unit, end
	}
	for again := true; again; {
		again = false
		for _, w := range rateWords {
			if strings.HasPrefix(s[i:], w) {
				i, again = i+len(w), true
			}
		}
	}
	if unit, end = unitWord(s, i); unit == "tok/s" {
		return unit, end
	}
	return "", 0
}

// unitWord reads a unit that starts at i and ends with the word.
func unitWord(s string, i int) (unit string, end int) {
	for _, u := range unitWords {
		if !strings.HasPrefix(s[i:], u.word) {
			continue
		}
		if end := i + len(u.word); !wordAt(s, end) || u.word == "%" {
			return u.unit, end
		}
	}
	return "", i
}
