package artifacttext

import (
	"strings"

	"assay/store/evidence"
)

// Class of a piece, which is also its CSS class.
type Class string

const (
	Punct   Class = ""
	Name    Class = "k"
	String  Class = "s"
	Datum   Class = "d"   // a number or a word
	Hidden  Class = "ctl" // a character that is not seen, written out
	Cut     Class = "cut" // says what is not shown
	Invalid Class = "ctl bad"
)

// Piece is a stretch of one line.
type Piece struct {
	Class Class
	Text  string
	// Ref is the pointer of a value that something was read from.
	Ref evidence.Pointer
	Has bool
}

// Segment is a run of pieces that are all marked or all not.
type Segment struct {
	Mark   bool
	Main   bool // the mark is the place that was asked for
	Pieces []Piece
}

// Line is one line of the view.
type Line struct {
	Number   int64
	Segments []Segment
	Here     bool // a marked place is on it
	Tint     bool // it belongs to the container around the marked place
}

// Text is the line without its marks.
func (l *Line) Text() string {
	var b strings.Builder
	for _, s := range l.Segments {
		for _, p := range s.Pieces {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// View says which lines are wanted and what to mark in them.
type View struct {
	First, Last int64
	Marks       []Range // ascending
	Tint        int64   // start of the container to tint, -1 for none
	Lifted      func(evidence.Pointer) bool
}

// lineMax bounds what is shown of one line as it stands.
const lineMax = 12 << 10

// Show reads the wanted lines.
func (x *Index) Show(t *Text, v View) ([]Line, error) {
	if x.Layout == Hex || x.Lines == 0 || len(x.pages) == 0 {
		return nil, nil
	}
	v.First, v.Last = max(v.First, 1), min(v.Last, x.Lines)
	b := &builder{t: t, x: x, view: v}
	at := x.pages[x.PageOfLine(v.First)]
	if x.Layout == Plain {
		return b.plain(at)
	}
	return b.json(at)
}

// builder cuts lines into pieces.
type builder struct {
	t     *Text
	x     *Index
	view  View
	lines []Line
	cur   *Line
	width int
	err   error
}

// json walks the tokens from the checkpoint before a page.
func (b *builder) json(at page) ([]Line, error) {
	x := b.x
	i := within(len(x.cps), func(i int) int64 { return x.cps[i].off }, at.off)
	w := newWalker(newScanner(b.t.section(x.cps[i].off), x.cps[i].off), x.cps[i].st)
	line := at.line
	started := false
	for w.next() && b.err == nil {
		if w.tok.start < at.off {
			continue
		}
		if x.Layout == AsIs && !started || x.Layout == Indented && w.role != roleSpace && (w.breaks || line == 0) {
			line++
			b.begin(line, w)
		}
		started = true
		if line > b.view.Last {
			break
		}
		if b.token(w) && x.Layout == AsIs {
			line++
			b.begin(line, w)
		}
	}
	if b.err == nil {
		b.err = w.sc.err
	}
	return b.finish(), b.err
}

// finish drops what was begun beyond the wanted lines.
func (b *builder) finish() []Line {
	for len(b.lines) > 0 && b.lines[len(b.lines)-1].Number > b.view.Last {
		b.lines = b.lines[:len(b.lines)-1]
	}
	return b.lines
}

// begin starts a line.
func (b *builder) begin(number int64, w *walker) {
	b.cur, b.width = nil, 0
	if number < b.view.First || number > b.view.Last {
		return
	}
	b.lines = append(b.lines, Line{Number: number})
	b.cur = &b.lines[len(b.lines)-1]
	if w != nil && b.x.Layout == Indented {
		depth := w.top.depth
		if w.role == roleBegin {
			depth--
		}
		b.add(Piece{Text: strings.Repeat("  ", min(depth, 64))}, nil)
	}
}

// token adds the last token to the line and reports whether it ends the line.
func (b *builder) token(w *walker) (ends bool) {
	t := &w.tok
	if w.role == roleSpace {
		if b.x.Layout == Indented {
			return false
		}
		text := t.text
		if ends = text[len(text)-1] == '\n'; ends {
			text = trimEOL(text)
		}
		b.span(Punct, t.start, t.start+int64(len(text)), text, nil)
		return ends
	}
	if b.cur == nil {
		return false
	}
	if b.view.Tint >= 0 && !b.cur.Tint {
		b.cur.Tint = inside(w.parent, b.view.Tint) || inside(w.top, b.view.Tint)
	}
	var ref *evidence.Pointer
	if w.role == roleScalar && b.view.Lifted != nil {
		p := pointer(append(w.parent.path(), step(w.parent, w.name, w.ord)), b.x.Several())
		if b.view.Lifted(p) {
			ref = &p
		}
	}
	b.span(classOf(w), t.start, t.end, t.text, ref)
	if t.kind == colon && b.x.Layout == Indented {
		b.add(Piece{Text: " "}, b.marked(t.start))
	}
	return false
}

func trimEOL(b []byte) []byte {
	b = b[:len(b)-1]
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	return b
}

func classOf(w *walker) Class {
	switch {
	case w.role == roleName:
		return Name
	case w.tok.kind == str:
		return String
	case w.role == roleScalar:
		return Datum
	}
	return Punct
}

// marked is the mark that the byte at off lies in, nil for none.
func (b *builder) marked(off int64) *Range {
	for i := range b.view.Marks {
		if m := &b.view.Marks[i]; off >= m.Start && off < m.End {
			return m
		}
	}
	return nil
}

// add appends a piece to the line; mark is the mark it lies in.
func (b *builder) add(p Piece, mark *Range) {
	if b.cur == nil || p.Text == "" {
		return
	}
	in := Segment{Mark: mark != nil, Main: mark != nil && mark.Main}
	b.cur.Here = b.cur.Here || in.Mark
	n := len(b.cur.Segments)
	if n == 0 || b.cur.Segments[n-1].Mark != in.Mark || b.cur.Segments[n-1].Main != in.Main {
		b.cur.Segments = append(b.cur.Segments, in)
		n++
	}
	seg := &b.cur.Segments[n-1]
	if k := len(seg.Pieces); k > 0 && p.Class == Punct && seg.Pieces[k-1].Class == Punct {
		seg.Pieces[k-1].Text += p.Text
		return
	}
	seg.Pieces = append(seg.Pieces, p)
}
