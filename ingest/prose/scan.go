package prose

import (
	"unicode"
	"unicode/utf8"
)

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isAlnum(c byte) bool  { return isDigit(c) || isLetter(c) || c == '_' }

// wordAt reports whether a word goes on at i.
func wordAt(s string, i int) bool {
	if i >= len(s) || s[i] < utf8.RuneSelf {
		return i < len(s) && isAlnum(s[i])
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r)
}

func digitsEnd(s string, i int) int {
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	return i
}

func lettersEnd(s string, i int) int {
	for i < len(s) && isLetter(s[i]) {
		i++
	}
	return i
}

// decimalEnd is the end of digits[,ddd]*[.digits] at i.
func decimalEnd(s string, i int) int {
	end := digitsEnd(s, i)
	if end-i <= 3 {
		for end+4 <= len(s) && s[end] == ',' && digitsEnd(s, end+1) == end+4 {
			end += 4
		}
	}
	if end+1 < len(s) && s[end] == '.' && isDigit(s[end+1]) {
		end = digitsEnd(s, end+1)
	}
	return end
}

// versionAt reports whether a second dot follows a decimal: 1.4.2 is a version.
func versionAt(s string, i int) bool {
	return i+1 < len(s) && s[i] == '.' && isDigit(s[i+1])
}

// hashEnd is the end of a hexadecimal name of at least seven digits with a letter in
// it, 0 when there is none at i.
func hashEnd(s string, i int) int {
	start, letter := i, false
	for i < len(s) && (isDigit(s[i]) || s[i] >= 'a' && s[i] <= 'f') {
		letter = letter || !isDigit(s[i])
		i++
	}
	if !letter || i-start < 7 || i < len(s) && isAlnum(s[i]) {
		return 0
	}
	return i
}

// stampEnd is the end of YYYY-MM-DD with or without a time behind it, 0 when there is
// none at i.
func stampEnd(s string, i int) int {
	if digitsEnd(s, i) != i+4 || !dashedPair(s, i+4) || !dashedPair(s, i+7) {
		return 0
	}
	i += 10
	if i < len(s) && isDigit(s[i]) {
		return 0
	}
	if i+1 < len(s) && s[i] == 'T' && isDigit(s[i+1]) {
		for i < len(s) && (isAlnum(s[i]) || s[i] == ':' || i+1 < len(s) && isDigit(s[i+1]) && (s[i] == '.' || s[i] == '+' || s[i] == '-')) {
			i++
		}
	}
	return i
}

func dashedPair(s string, i int) bool {
	return i+2 < len(s) && s[i] == '-' && isDigit(s[i+1]) && isDigit(s[i+2])
}

// chunkEnd is the end of a word or name at i: letters, digits and the marks that hold
// names together. Slashes part names ("4K/C8"); a colon joins only before a hash.
func chunkEnd(s string, i int) int {
	for i < len(s) {
		c := s[i]
		switch {
		case isAlnum(c):
			i++
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !unicode.IsLetter(r) {
				return i
			}
			i += size
		case (c == '-' || c == '.' || c == '@' || c == '\'') && i+1 < len(s) && isAlnum(s[i+1]):
			i++
		case c == ':' && hashEnd(s, i+1) > 0:
			i++
		default:
			return i
		}
	}
	return i
}

// lowerASCII keeps every byte at its place, which strings.ToLower does not.
func lowerASCII(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
