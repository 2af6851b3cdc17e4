package artifacttext

import (
	"bytes"
	"fmt"
	"hash"
	"io"

	"assay/store/evidence"
)

// Layout is how the lines of a page come about.
type Layout uint8

const (
	AsIs     Layout = iota // JSON, the lines as they stand
	Indented               // JSON, one value a line, since lines as they stand are too long to read
	Plain                  // not JSON, or broken: the lines as they stand
	Hex                    // binary
)

const (
	checkpointEvery = 64 << 10
	// A page of lines ends after pageLines lines or pageCost bytes of what it shows.
	pageLines = 400
	pageCost  = 96 << 10
	// tokenCost and lineCost stand for the markup around a token and a line.
	tokenCost = 24
	lineCost  = 96
	// shownMax is how much of one token, or of one line of plain text, is shown.
	shownMax = 2000
	// A line is too long to read from readableLine bytes on, counting at most
	// readableString of any one token.
	readableLine   = 2000
	readableString = 256
)

// checkpoint is a place between two tokens from which the text can be read on.
type checkpoint struct {
	off   int64
	pline int64 // lines begun so far in the one-value-a-line layout
	st    state
}

// page is where a page of lines begins.
type page struct {
	line int64 // lines before it
	off  int64
}

// Index knows where things stand in one text. It is safe for concurrent use.
type Index struct {
	Encoding Encoding
	Layout   Layout
	Lines    int64
	Values   int    // top-level JSON values before the end or the fault
	Fault    *Fault // where the text stops being JSON; nil for JSON
	Digest   evidence.Digest
	pages    []page
	cps      []checkpoint
	start    int64
}

// Several reports whether the first token of a pointer counts top-level values.
func (x *Index) Several() bool { return x.Values > 1 }

// Pages is the number of pages of lines.
func (x *Index) Pages() int { return len(x.pages) }

// Size is roughly what the index holds in memory.
func (x *Index) Size() int64 {
	return 512 + int64(len(x.pages))*16 + int64(len(x.cps))*(80+4*96)
}

// Build reads the text once. sum receives the bytes as they came.
func Build(t *Text, sum hash.Hash) (*Index, error) {
	x := &Index{Encoding: t.Encoding, start: t.start}
	if err := x.readAll(t, sum); err != nil {
		return nil, fmt.Errorf("index the artifact: %w", err)
	}
	copy(x.Digest[:], sum.Sum(nil))
	return x, nil
}

func (x *Index) readAll(t *Text, sum hash.Hash) error {
	if t.Encoding == Binary {
		x.Layout = Hex
		x.pages = []page{{}}
		_, err := io.Copy(sum, io.NewSectionReader(t.at, 0, t.Size))
		return err
	}
	plain := &liner{off: t.start, pages: []page{{off: t.start}}}
	sinks := io.Writer(plain)
	if t.raw != nil {
		sum.Write(t.raw)
	} else {
		mark, err := t.part(0, t.start)
		if err != nil {
			return err
		}
		sum.Write(mark)
		sinks = io.MultiWriter(sum, plain)
	}
	r := io.TeeReader(t.section(t.start), sinks)
	j := &jsonIndex{x: x, w: newWalker(newScanner(r, t.start), newState())}
	j.run()
	if err := j.w.sc.err; err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	x.choose(j, plain)
	return nil
}

// choose picks the layout.
func (x *Index) choose(j *jsonIndex, plain *liner) {
	x.Values, x.Fault = j.w.topValues(), j.w.fault
	switch {
	case x.Fault != nil || x.Values == 0:
		x.Layout, x.pages, x.Lines = Plain, plain.pages, plain.count()
	case j.heavy:
		x.Layout, x.pages, x.Lines = Indented, j.indented.pages, j.indented.line
	default:
		x.Layout, x.pages, x.Lines = AsIs, j.asIs.pages, plain.count()
	}
	// A line feed at the very end begins no line, and so no page.
	if last := len(x.pages) - 1; last > 0 && x.pages[last].line >= x.Lines {
		x.pages = x.pages[:last]
	}
}

// topValues counts the top-level values that have begun.
func (w *walker) topValues() int {
	f, n := w.top, w.n
	for ; f.parent != nil; f = f.parent {
		n = f.ord + 1
	}
	return n
}

// paginator breaks lines into pages.
type paginator struct {
	pages []page
	line  int64 // lines begun
	cost  int64
	lines int64 // on this page
}

// begin takes note of a line that begins at off and breaks the page before it when
// the page is full.
func (p *paginator) begin(off int64) {
	if p.lines >= pageLines || p.cost >= pageCost {
		p.pages = append(p.pages, page{line: p.line, off: off})
		p.cost, p.lines = 0, 0
	}
	p.line++
	p.lines++
	p.cost += lineCost
}

// jsonIndex makes checkpoints and the pages of both JSON layouts.
type jsonIndex struct {
	x              *Index
	w              *walker
	asIs, indented paginator
	weight         int64 // of the line as it stands
	heavy          bool  // a line was too long to read
}

func (j *jsonIndex) run() {
	first := j.w.sc.offset()
	j.asIs = paginator{pages: []page{{off: first}}, line: 1, lines: 1}
	j.indented = paginator{pages: []page{{off: first}}}
	j.x.cps = []checkpoint{{off: first, st: j.w.keep()}}
	next := first + checkpointEvery
	for j.w.next() {
		t := &j.w.tok
		length := t.end - t.start
		if j.w.role == roleSpace {
			if t.text[len(t.text)-1] == '\n' {
				j.weight = 0
				j.asIs.begin(t.end)
			} else {
				j.weight += length
				j.asIs.cost += length
			}
		} else {
			j.weight += min(length, readableString)
			j.heavy = j.heavy || j.weight > readableLine
			cost := min(length, shownMax) + tokenCost
			j.asIs.cost += cost
			if j.w.breaks || j.indented.line == 0 {
				j.indented.begin(t.start)
			}
			j.indented.cost += cost
		}
		if t.end >= next && j.w.between() {
			j.x.cps = append(j.x.cps, checkpoint{off: t.end, pline: j.indented.line, st: j.w.keep()})
			next = t.end + checkpointEvery
		}
	}
}

// liner finds the lines of plain text.
type liner struct {
	off   int64 // of the next byte
	pages []page
	line  int64 // line feeds seen
	lines int64 // line feeds on this page
	cost  int64
	width int64 // of the current line so far
}

// Write takes the next bytes of the text.
func (l *liner) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			l.width += int64(len(p))
			l.off += int64(len(p))
			break
		}
		l.off += int64(i) + 1
		l.line++
		l.lines++
		l.cost += min(l.width+int64(i), shownMax) + lineCost
		l.width = 0
		p = p[i+1:]
		if l.lines >= pageLines || l.cost >= pageCost {
			l.pages = append(l.pages, page{line: l.line, off: l.off})
			l.lines, l.cost = 0, 0
		}
	}
	return n, nil
}

// count is the number of lines.
func (l *liner) count() int64 {
	if l.width > 0 {
		return l.line + 1
	}
	return l.line
}
