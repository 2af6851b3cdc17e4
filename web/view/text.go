package view

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"assay/store/evidence/mask"
)

// Text is a string of a source as a page shows it: cut to a bound, with control
// characters made visible and parts of it linked to their places. Artifact text is
// hostile; escaping is the template's work, order and length are decided here.
type Text struct {
	Parts []Part
	// Rest says how much was left out ("998,432 more characters"), "" when nothing was.
	Rest     string
	RestHref string
}

// Part is a run of characters of one kind.
type Part struct {
	Text    string
	Control bool   // a control character, written out as U+202E
	Mark    bool   // a found word
	Href    string // "" for plain text
	Title   string
}

// Bounds on how much of a string a page shows.
const (
	maxName     = 160
	maxValue    = 600
	maxSentence = 4000
)

// Words is s as page text, cut after limit characters. Credentials in it are masked.
func Words(s string, limit int, more string) Text {
	s = mask.Secrets(s)
	cut, rest := cutRunes(s, limit)
	t := Text{Parts: visible(nil, cut, Part{})}
	if s != "" && strings.TrimSpace(cut) == "" {
		t.Parts = []Part{blank}
	}
	if rest > 0 {
		t.Rest, t.RestHref = moreCharacters(rest), more
	}
	return t
}

func moreCharacters(n int) string { return Plural(int64(n), "more character", "more characters") }

// blank stands for a string of white space, which is there and shows nothing.
var blank = Part{Text: "blank", Control: true}

// Empty reports whether there is nothing to show.
func (t Text) Empty() bool { return len(t.Parts) == 0 }

// String is the text as one string, for attributes and files.
func (t Text) String() string {
	var b strings.Builder
	for _, p := range t.Parts {
		b.WriteString(p.Text)
	}
	if t.Rest != "" {
		b.WriteString("…")
	}
	return b.String()
}

// plain is s for an attribute or a title: cut, control characters written out.
func plain(s string, limit int) string { return Words(s, limit, "").String() }

// cutRunes splits off what is beyond limit characters and counts it. A little more
// than the limit stays whole: nothing is won by hiding three characters.
func cutRunes(s string, limit int) (string, int) {
	if len(s) <= limit+limit/8 {
		return s, 0
	}
	i := 0
	for n := 0; i < len(s) && n < limit; n++ {
		_, w := utf8.DecodeRuneInString(s[i:])
		i += w
	}
	return s[:i], utf8.RuneCountInString(s[i:])
}

// visible appends s to parts, every control character as a part of its own. like
// carries the link and mark of the surrounding run.
func visible(parts []Part, s string, like Part) []Part {
	start := 0
	flush := func(end int) {
		if end > start {
			p := like
			p.Text = s[start:end]
			parts = append(parts, p)
		}
	}
	for i := 0; i < len(s); {
		r, w := utf8.DecodeRuneInString(s[i:])
		if r != utf8.RuneError && !hidden(r) {
			i += w
			continue
		}
		flush(i)
		p := like
		p.Control, p.Text = true, fmt.Sprintf("U+%04X", r)
		parts = append(parts, p)
		i += w
		start = i
	}
	flush(len(s))
	return parts
}

// hidden reports whether a character changes what is read without being seen:
// controls, direction marks, line and paragraph separators. Joiners stay, since
// scripts and emoji need them, and so do tab and line feed, which read as a space.
func hidden(r rune) bool {
	switch r {
	case '\t', '\n', '\u200c', '\u200d':
		return false
	case '\u2028', '\u2029':
		return true
	}
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Co, r)
}
