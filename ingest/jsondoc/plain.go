package jsondoc

import (
	"sort"
	"unicode/utf8"
)

// Plain is the text of an artifact that is not JSON, as its readers get it.
type Plain struct {
	// Bytes are UTF-8. A byte that is none is written '?' and half a character of UTF-16
	// is written U+FFFD, so that what follows stands where it stands in the artifact.
	Bytes []byte
	size  int64   // of the artifact
	start int64   // where the text begins in the artifact, after a byte order mark
	wide  bool    // two bytes or four for every character
	marks []int64 // places in the artifact, one for every plainStep bytes of text
}

// plainStep is how far apart the known places of UTF-16 are.
const plainStep = 4 << 10

// PlainText decodes an artifact. A binary one has no text.
func PlainText(artifact []byte) (p Plain, ok bool) {
	encoding, mark := detect(artifact)
	p.start, p.size = int64(mark), int64(len(artifact))
	switch encoding {
	case Binary:
		return Plain{}, false
	case UTF16LE, UTF16LEBOM, UTF16BE, UTF16BEBOM:
		d := wide{big: encoding == UTF16BE || encoding == UTF16BEBOM}
		p.Bytes, p.wide = wellFormed(d.decode(nil, artifact[mark:], true)), true
		p.measure()
	default:
		p.Bytes = artifact[mark:]
		if !utf8.Valid(p.Bytes) {
			p.replace()
		}
	}
	return p, true
}

// measure notes places in UTF-16.
func (p *Plain) measure() {
	at := p.start
	for i, c := range p.Bytes {
		if i%plainStep == 0 {
			p.marks = append(p.marks, at)
		}
		at += wideLength(c)
	}
}

// wellFormed writes U+FFFD, which is three bytes too, for each half of a pair of
// surrogates that stands alone.
func wellFormed(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	out := make([]byte, 0, len(text)+utf8.UTFMax)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			n = min(illFormed(text), len(text))
		}
		out, text = utf8.AppendRune(out, r), text[n:]
	}
	return out
}

// replace writes ill-formed bytes over, in a copy.
func (p *Plain) replace() {
	out := append([]byte(nil), p.Bytes...)
	for i := 0; i < len(out); {
		r, n := utf8.DecodeRune(out[i:])
		if r == utf8.RuneError && n == 1 {
			out[i] = '?'
		}
		i += n
	}
	p.Bytes = out
}

// Offset is the place in the artifact of a byte of text.
func (p *Plain) Offset(at int64) int64 {
	at = min(max(at, 0), int64(len(p.Bytes)))
	if !p.wide {
		return p.start + at
	}
	i := sort.Search(len(p.marks), func(i int) bool { return int64(i*plainStep) > at }) - 1
	if i < 0 {
		return p.start
	}
	offset := p.marks[i]
	for _, c := range p.Bytes[i*plainStep : at] {
		offset += wideLength(c)
	}
	return min(offset, p.size)
}
