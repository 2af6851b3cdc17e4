package artifacttext

import (
	"bytes"
	"fmt"
	"io"
	"sort"
	"unicode/utf8"
)

// Encoding of an artifact's bytes.
type Encoding string

const (
	UTF8    Encoding = "utf-8"
	UTF8BOM Encoding = "utf-8-bom"
	UTF16LE Encoding = "utf-16le"
	UTF16BE Encoding = "utf-16be"
	Binary  Encoding = "binary"
)

// maxDecoded bounds how much UTF-16 is decoded in memory; larger artifacts are shown
// as binary.
const maxDecoded = 64 << 20

// sniffLen is how much of the head decides the encoding.
const sniffLen = 8 << 10

// Text is an artifact's bytes as UTF-8. It belongs to one reader at a time.
type Text struct {
	Encoding Encoding
	Size     int64 // of the bytes as they came
	at       io.ReaderAt
	start    int64 // where the text begins: after a byte order mark
	end      int64 // of the text
	raw      []byte
}

// Open looks at the head of an artifact of size bytes and makes its text readable.
func Open(rs io.ReadSeeker, size int64) (*Text, error) {
	src := &seekReader{rs: rs}
	head := make([]byte, min(size, sniffLen))
	if _, err := src.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, fmt.Errorf("head of the artifact: %w", err)
	}
	t := &Text{Encoding: sniff(head, size), Size: size, at: src, end: size}
	switch t.Encoding {
	case UTF8BOM:
		t.start = 3
	case UTF16LE, UTF16BE:
		if size > maxDecoded {
			t.Encoding = Binary
			return t, nil
		}
		t.raw = make([]byte, size)
		if _, err := src.ReadAt(t.raw, 0); err != nil && err != io.EOF {
			return nil, fmt.Errorf("decode %s: %w", t.Encoding, err)
		}
		text := decode16(t.raw, t.Encoding == UTF16BE)
		t.at, t.end = bytes.NewReader(text), int64(len(text))
	}
	return t, nil
}

// sniff tells text from bytes: a byte order mark decides, then zero bytes, then
// whether most of the head is UTF-8.
func sniff(head []byte, size int64) Encoding {
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return UTF8BOM
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return UTF16LE
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return UTF16BE
	}
	if n := bytes.Count(head, []byte{0}); n > 0 {
		return sniff16(head, n)
	}
	faults, rest := 0, head
	for len(rest) > 0 {
		r, w := utf8.DecodeRune(rest)
		if r == utf8.RuneError && w == 1 && (utf8.FullRune(rest) || int64(len(head)) == size) {
			faults++
		}
		rest = rest[w:]
	}
	if faults > 16 && faults*10 > len(head) {
		return Binary
	}
	return UTF8
}

// sniff16 recognises UTF-16 without a mark by where its zero bytes stand.
func sniff16(head []byte, zeros int) Encoding {
	odd := 0
	for i := 1; i < len(head); i += 2 {
		if head[i] == 0 {
			odd++
		}
	}
	even := zeros - odd
	switch half := len(head) / 2; {
	case half > 1 && odd*10 > half*8 && even*10 < half:
		return UTF16LE
	case half > 1 && even*10 > half*8 && odd*10 < half:
		return UTF16BE
	}
	return Binary
}

// Decoded turns an offset in the bytes as they came into one in the text.
func (t *Text) Decoded(offset int64) int64 {
	if t.raw == nil {
		return min(max(offset, t.start), t.end)
	}
	var n int64
	each16(t.raw, t.Encoding == UTF16BE, func(at int, r rune) bool {
		if int64(at) >= offset {
			return false
		}
		n += int64(utf8.RuneLen(r))
		return true
	})
	return n
}

// section reads the text from an offset on.
func (t *Text) section(from int64) io.Reader {
	return io.NewSectionReader(t.at, from, max(t.end-from, 0))
}

// part reads up to n bytes at an offset; less at the end of the text.
func (t *Text) part(from, n int64) ([]byte, error) {
	n = min(n, t.end-from)
	if n <= 0 {
		return nil, nil
	}
	b := make([]byte, n)
	m, err := t.at.ReadAt(b, from)
	if err == io.EOF {
		err = nil
	}
	return b[:m], err
}

func decode16(b []byte, big bool) []byte {
	out := make([]byte, 0, len(b))
	each16(b, big, func(_ int, r rune) bool {
		out = utf8.AppendRune(out, r)
		return true
	})
	return out
}

// each16 visits the characters of UTF-16 bytes after the mark.
func each16(b []byte, big bool, visit func(at int, r rune) bool) {
	unit := func(i int) rune {
		if big {
			return rune(b[i])<<8 | rune(b[i+1])
		}
		return rune(b[i+1])<<8 | rune(b[i])
	}
	i := 0
	if len(b) >= 2 && unit(0) == 0xfeff {
		i = 2
	}
	for i < len(b) {
		at, r := i, rune(utf8.RuneError)
		if i+1 >= len(b) { // half a unit is left
			visit(at, r)
			return
		}
		u := unit(i)
		i += 2
		switch {
		case u < 0xd800 || u > 0xdfff:
			r = u
		case u < 0xdc00 && i+1 < len(b):
			if lo := unit(i); lo >= 0xdc00 && lo <= 0xdfff {
				r = (u-0xd800)<<10 | (lo - 0xdc00) + 0x10000
				i += 2
			}
		}
		if !visit(at, r) {
			return
		}
	}
}

// seekReader reads at offsets of an io.ReadSeeker.
type seekReader struct {
	rs  io.ReadSeeker
	pos int64
	set bool
}

func (s *seekReader) ReadAt(p []byte, off int64) (int, error) {
	if !s.set || s.pos != off {
		if _, err := s.rs.Seek(off, io.SeekStart); err != nil {
			return 0, err
		}
		s.set, s.pos = true, off
	}
	n, err := io.ReadFull(s.rs, p)
	s.pos += int64(n)
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	if err != nil {
		s.set = false
	}
	return n, err
}

// within is the index of the last of n ascending offsets that is not after off.
func within(n int, at func(i int) int64, off int64) int {
	return max(sort.Search(n, func(i int) bool { return at(i) > off })-1, 0)
}
