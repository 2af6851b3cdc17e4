package ui

import (
	"context"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"assay/web/view/artifacttext"
)

// PlaceAnchor is the id of the marked place, where links into an artifact lead.
const PlaceAnchor = "place"

// Lines writes the lines of an artifact, each with its number as an anchor. base is
// the page's own address: values that something was read from lead to themselves.
//
// Note: this is Go and not a template for the same reason as [Text]: the lines are
// verbatim to the space.
func Lines(lines []artifacttext.Line, label, base string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		b.WriteString(`<ol class="code" aria-label="` + templ.EscapeString(label) + `">`)
		l := lineWriter{b: &b, base: base}
		for i := range lines {
			l.line(&lines[i])
			if b.Len() > 64<<10 {
				if _, err := io.WriteString(w, b.String()); err != nil {
					return err
				}
				b.Reset()
			}
		}
		b.WriteString("</ol>")
		_, err := io.WriteString(w, b.String())
		return err
	})
}

type lineWriter struct {
	b        *strings.Builder
	base     string
	anchored bool // the place has its anchor
}

func (l *lineWriter) line(x *artifacttext.Line) {
	n := strconv.FormatInt(x.Number, 10)
	l.b.WriteString(`<li id="L` + n + `"`)
	switch {
	case x.Here && x.Tint:
		l.b.WriteString(` class="here in"`)
	case x.Here:
		l.b.WriteString(` class="here"`)
	case x.Tint:
		l.b.WriteString(` class="in"`)
	}
	l.b.WriteString(`><a href="#L` + n + `" data-n="` + n + `" tabindex="-1" aria-label="Line ` + n + `"></a><pre>`)
	for i := range x.Segments {
		l.segment(&x.Segments[i])
	}
	l.b.WriteString("</pre></li>\n")
}

func (l *lineWriter) segment(s *artifacttext.Segment) {
	if s.Mark {
		switch {
		case s.Main && !l.anchored:
			l.anchored = true
			l.b.WriteString(`<mark id="` + PlaceAnchor + `">`)
		case s.Main:
			l.b.WriteString("<mark>")
		default:
			l.b.WriteString(`<mark class="fault">`)
		}
	}
	for i := range s.Pieces {
		l.piece(&s.Pieces[i], s.Main)
	}
	if s.Mark {
		l.b.WriteString("</mark>")
	}
}

func (l *lineWriter) piece(p *artifacttext.Piece, marked bool) {
	text := templ.EscapeString(p.Text)
	if p.Has && !marked {
		text = `<a href="` + templ.EscapeString(l.base+"?p="+url.QueryEscape(string(p.Ref))+"#"+PlaceAnchor) + `">` + text + `</a>`
	}
	switch p.Class {
	case artifacttext.Punct:
		l.b.WriteString(text)
		return
	case artifacttext.Cut:
		l.b.WriteString(`<a class="cut" href="` + templ.EscapeString(l.base) + `/raw" rel="nofollow">` + text + `</a>`)
		return
	}
	l.b.WriteString(`<span class="` + string(p.Class) + `">` + text + `</span>`)
}
