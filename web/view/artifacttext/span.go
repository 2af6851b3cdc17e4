package artifacttext

import (
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"assay/store/evidence"
)

// around is how much is shown on either side of a mark inside a long token.
const around = 400

// tail is how much is shown of the end of a long token.
const tail = 120

// span adds the stretch [start, end) of the text, cut at marks and shortened when it
// is long. head is the beginning of it.
func (b *builder) span(c Class, start, end int64, head []byte, ref *evidence.Pointer) {
	if b.cur == nil {
		return
	}
	if end-start <= shownMax && int64(len(head)) >= end-start {
		b.width += len(head)
		if b.width <= lineMax {
			b.cutAtMarks(c, start, head, ref)
			return
		}
		b.width -= len(head)
	}
	at := start
	for _, r := range b.shown(start, end) {
		if r.Start > at {
			b.omit(r.Start - at)
		}
		raw, err := b.t.part(r.Start, r.End-r.Start)
		if err != nil {
			b.err = err
			return
		}
		b.width += len(raw)
		b.cutAtMarks(c, r.Start, raw, ref)
		at = r.End
	}
	if at < end {
		b.omit(end - at)
	}
}

func (b *builder) omit(n int64) {
	b.add(Piece{Class: Cut, Text: "… " + group(n) + " bytes not shown …"}, nil)
}

// shown lists the parts of a long stretch that are shown: its head, the surroundings
// of every mark in it, its tail. A line that is full shows marks only.
func (b *builder) shown(start, end int64) []Range {
	var want []Range
	room := b.width < lineMax
	if room {
		want = append(want, Range{Start: start, End: min(end, start+shownMax*6/10)})
	}
	for _, m := range b.view.Marks {
		if m.Start < end && m.End > start && (m.Start > start || m.End < end) {
			want = append(want, Range{Start: max(start, m.Start-around), End: min(end, min(m.End, m.Start+shownMax)+around)})
		}
	}
	if room {
		want = append(want, Range{Start: max(start, end-tail), End: end})
	}
	var out []Range
	for _, r := range want {
		if n := len(out); n > 0 && r.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, r.End)
			continue
		}
		out = append(out, r)
	}
	for i := range out {
		out[i] = b.onRunes(out[i], start, end)
	}
	return out
}

// onRunes widens a range so that it cuts no character in two.
func (b *builder) onRunes(r Range, start, end int64) Range {
	for k := 0; k < utf8.UTFMax-1 && r.Start > start && b.continues(r.Start); k++ {
		r.Start--
	}
	for k := 0; k < utf8.UTFMax-1 && r.End < end && b.continues(r.End); k++ {
		r.End++
	}
	return r
}

func (b *builder) continues(off int64) bool {
	c, err := b.t.part(off, 1)
	return err == nil && len(c) == 1 && !utf8.RuneStart(c[0])
}

// cutAtMarks adds raw, which stands at off, as pieces that are marked or not.
func (b *builder) cutAtMarks(c Class, off int64, raw []byte, ref *evidence.Pointer) {
	for len(raw) > 0 {
		n, mark := int64(len(raw)), (*Range)(nil)
		for i := range b.view.Marks {
			m := &b.view.Marks[i]
			if m.End <= off || m.Start >= off+n {
				continue
			}
			if m.Start > off {
				n = m.Start - off
			} else {
				mark, n = m, min(n, m.End-off)
			}
			break
		}
		b.visible(c, raw[:n], mark, ref)
		raw, off = raw[n:], off+n
	}
}

// visible adds text with what cannot be seen written out.
func (b *builder) visible(c Class, raw []byte, mark *Range, ref *evidence.Pointer) {
	like := Piece{Class: c}
	if ref != nil {
		like.Ref, like.Has = *ref, true
	}
	from := 0
	flush := func(to int) {
		if to > from {
			p := like
			p.Text = string(raw[from:to])
			b.add(p, mark)
		}
	}
	for i := 0; i < len(raw); {
		if raw[i] < utf8.RuneSelf && raw[i] >= ' ' && raw[i] != 0x7f || raw[i] == '\t' {
			i++
			continue
		}
		r, n := utf8.DecodeRune(raw[i:])
		out := Piece{Class: Hidden, Text: fmt.Sprintf("U+%04X", r)}
		switch {
		case r == utf8.RuneError && n == 1:
			out = Piece{Class: Invalid, Text: fmt.Sprintf("\\x%02X", raw[i])}
		case !hidden(r):
			i += n
			continue
		}
		flush(i)
		b.add(out, mark)
		i += n
		from = i
	}
	flush(len(raw))
}

// hidden reports whether a character changes what is read without being seen.
// Joiners stay: scripts and emoji need them.
func hidden(r rune) bool {
	switch r {
	case '\u200c', '\u200d':
		return false
	case '\u2028', '\u2029':
		return true
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r)
}

// group writes n with thousands commas.
func group(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
