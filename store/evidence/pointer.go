package evidence

import (
	"strconv"
	"strings"
)

// Pointer is a JSON Pointer (RFC 6901). "" is the whole document. In an artifact
// of several values (JSONL, concatenated JSON) the first token is the index of the
// value, as if the values stood in one array.
type Pointer string

var escapeToken = strings.NewReplacer("~", "~0", "/", "~1")
var unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")

// Key descends into an object member.
func (p Pointer) Key(name string) Pointer {
	if strings.ContainsAny(name, "~/") {
		name = escapeToken.Replace(name)
	}
	return p + "/" + Pointer(name)
}

// Index descends into an array item.
func (p Pointer) Index(i int) Pointer { return p + "/" + Pointer(strconv.Itoa(i)) }

// Tokens are the unescaped reference tokens.
func (p Pointer) Tokens() []string {
	if p == "" {
		return nil
	}
	parts := strings.Split(string(p[1:]), "/")
	for i, s := range parts {
		parts[i] = unescapeToken.Replace(s)
	}
	return parts
}

// Valid reports whether p is empty or starts with a slash and escapes properly.
func (p Pointer) Valid() bool {
	if p == "" {
		return true
	}
	if p[0] != '/' {
		return false
	}
	for i := 0; i < len(p); i++ {
		if p[i] == '~' && (i+1 == len(p) || p[i+1] != '0' && p[i+1] != '1') {
			return false
		}
	}
	return true
}

// Parent is the pointer of the containing value; the root is its own parent.
func (p Pointer) Parent() Pointer {
	i := strings.LastIndexByte(string(p), '/')
	if i < 0 {
		return ""
	}
	return p[:i]
}

// Under reports whether p is q or lies inside it.
func (p Pointer) Under(q Pointer) bool {
	return p == q || strings.HasPrefix(string(p), string(q)+"/")
}

// Place is where something stands in an artifact: a pointer and, for something
// inside a sentence, the byte range in the decoded string there. Start and End are
// both 0 when the place is the whole value.
type Place struct {
	Pointer    Pointer
	Start, End int
}

// At is the whole value at p.
func At(p Pointer) Place { return Place{Pointer: p} }

// InText is the range [start, end) of the decoded string at p.
func InText(p Pointer, start, end int) Place { return Place{Pointer: p, Start: start, End: end} }

// Whole reports whether the place is a whole value and not a part of a string.
func (p Place) Whole() bool { return p.Start == 0 && p.End == 0 }
