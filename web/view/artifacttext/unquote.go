package artifacttext

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// unquote decodes a quoted string; one that was cut loses only what is missing.
// Bytes that are not UTF-8 and lone surrogates become U+FFFD.
func unquote(raw []byte) string {
	if len(raw) == 0 || raw[0] != '"' {
		return string(raw)
	}
	out := make([]byte, 0, len(raw))
	for i := 1; i < len(raw); {
		r, n := nextChar(raw[i:])
		if n == 0 || raw[i] == '"' {
			break
		}
		out = utf8.AppendRune(out, r)
		i += n
	}
	return string(out)
}

// nextChar is the character that starts b and how many bytes it takes: a character, an
// escape, or an escaped surrogate pair. 0 bytes means that b is too short to tell.
func nextChar(b []byte) (rune, int) {
	if len(b) == 0 {
		return 0, 0
	}
	if b[0] != '\\' {
		if b[0] >= utf8.RuneSelf && !utf8.FullRune(b) {
			return utf8.RuneError, 1
		}
		r, n := utf8.DecodeRune(b)
		return r, n
	}
	if len(b) < 2 {
		return 0, 0
	}
	switch b[1] {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'u':
		return decodeU(b)
	default:
		return rune(b[1]), 2
	}
}

// decodeU decodes \uXXXX, with its other half when it is half of a pair.
func decodeU(b []byte) (rune, int) {
	hi, ok := hex4(b)
	if !ok {
		if len(b) < 6 {
			return 0, 0
		}
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(hi) {
		return hi, 6
	}
	if lo, ok := hex4(b[6:]); ok {
		if r := utf16.DecodeRune(hi, lo); r != utf8.RuneError {
			return r, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 32)
	return rune(n), err == nil
}
