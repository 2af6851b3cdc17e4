package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"

	"assay/web/view"
)

// Text writes a source's string: isolated, so that its direction marks turn nothing
// around it, with control characters shown and a link to what was left out.
//
// Note: texts are written in Go and not by a template because a sentence is verbatim
// to the space, and templates add space between the parts of a loop.
func Text(t view.Text) templ.Component {
	return written(func(b *strings.Builder) { writeText(b, t) })
}

// Name writes an identifier or title that may break after its separators, where a line
// breaks before it breaks inside a word.
func Name(s string) templ.Component { return NameText(view.Text{Parts: []view.Part{{Text: s}}}) }

// NameText is Name for a text that was cut or has control characters in it.
func NameText(t view.Text) templ.Component {
	return written(func(b *strings.Builder) {
		writeName(b, t)
		writeRest(b, t.Rest, t.RestHref)
	})
}

// LinkedName is Linked for an identifier or a pointer.
func LinkedName(l view.Linked) templ.Component {
	return written(func(b *strings.Builder) {
		openLink(b, "src", l.Href, l.Title)
		writeName(b, l.Text)
		b.WriteString("</a>")
		writeRest(b, l.Text.Rest, l.Href)
	})
}

func writeName(b *strings.Builder, t view.Text) {
	b.WriteString("<bdi>")
	for _, p := range t.Parts {
		if p.Control || p.Mark || p.Href != "" {
			writePart(b, p)
			continue
		}
		for piece := range strings.SplitSeq(p.Text, "") {
			b.WriteString(templ.EscapeString(piece))
			if piece != "" && strings.Contains(separators, piece) {
				b.WriteString("<wbr>")
			}
		}
	}
	b.WriteString("</bdi>")
}

// Signed writes a figure with a sign that is not part of what it opens.
func Signed(sign string, f view.Figure) templ.Component {
	return written(func(b *strings.Builder) {
		if sign != "" {
			b.WriteString(`<span class="sign">` + templ.EscapeString(sign) + `</span>`)
		}
		class := "src"
		if f.Calc {
			class = "src calc"
		}
		openLink(b, class, f.Href, f.Title)
		b.WriteString(templ.EscapeString(f.Text) + "</a>")
	})
}

// separators are where an identifier may break.
const separators = "-_/.:@+"

// Linked writes a source's own words as a link to their place.
func Linked(l view.Linked) templ.Component {
	return written(func(b *strings.Builder) { writeLinked(b, l) })
}

// Quoted is Linked in quotation marks.
func Quoted(l view.Linked) templ.Component {
	return written(func(b *strings.Builder) {
		b.WriteString("“")
		writeLinked(b, l)
		b.WriteString("”")
	})
}

func written(f func(*strings.Builder)) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		f(&b)
		_, err := io.WriteString(w, b.String())
		return err
	})
}

func writeText(b *strings.Builder, t view.Text) {
	b.WriteString("<bdi>")
	for _, p := range t.Parts {
		writePart(b, p)
	}
	b.WriteString("</bdi>")
	writeRest(b, t.Rest, t.RestHref)
}

func writeLinked(b *strings.Builder, l view.Linked) {
	openLink(b, "src", l.Href, l.Title)
	writeText(b, view.Text{Parts: l.Text.Parts})
	b.WriteString("</a>")
	writeRest(b, l.Text.Rest, l.Href)
}

// writeRest says how much was left out and where it stands.
func writeRest(b *strings.Builder, rest, href string) {
	if rest == "" {
		return
	}
	b.WriteString(`<span class="rest">… `)
	writePart(b, view.Part{Text: rest, Href: href})
	b.WriteString("</span>")
}

func openLink(b *strings.Builder, class, href, title string) {
	b.WriteString(`<a class="` + class + `" href="`)
	b.WriteString(templ.EscapeString(href))
	if title != "" {
		b.WriteString(`" title="`)
		b.WriteString(templ.EscapeString(title))
	}
	b.WriteString(`">`)
}

func writePart(b *strings.Builder, p view.Part) {
	if p.Href != "" {
		class := "src"
		if p.Mark {
			class = "src lifted"
		}
		openLink(b, class, p.Href, p.Title)
		defer b.WriteString("</a>")
	}
	text := templ.EscapeString(p.Text)
	switch {
	case p.Control:
		b.WriteString(`<span class="cc">` + text + `</span>`)
	case p.Mark && p.Href == "":
		b.WriteString("<mark>" + text + "</mark>")
	default:
		b.WriteString(text)
	}
}
