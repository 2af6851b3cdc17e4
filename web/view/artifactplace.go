package view

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"assay/store/evidence"
	"assay/store/evidence/mask"
	"assay/web/view/artifacttext"
)

// ArtifactPlace is the marked place and what was made of it.
type ArtifactPlace struct {
	Pointer string
	Line    string // number of its line
	Value   Text
	Long    bool   // words rather than a figure
	Note    string // "as it stands", "object of 12 members"
	Whole   *NamedLink
	Read    []ReadAs
	Inside  string // how much was read from inside a container
	With    []NamedLink
}

// ReadAs is one thing that a place was read as.
type ReadAs struct {
	What   string // "measurement", "fact", "gate", ...
	Text   Text
	Stands string // the digits or words as they stand, where they are part of more
	Href   string // of the exact place, when it is a part of the marked one
	State  *Badge
	Rule   string
	Reader string
	Run    *NamedLink
	Arm    string
}

// MissingPlace explains a pointer that leads nowhere.
type MissingPlace struct {
	Pointer string
	Deepest NamedLink
	Kind    string
	Has     []NamedLink
	Range   string // of an array: "0 to 4"
	More    bool
}

// mark finds the pointer and marks it. It returns the offset of the mark, -1 when
// the pointer leads nowhere.
func (a *Artifact) mark(in ArtifactInput, v *artifacttext.View) (int64, error) {
	q, x := in.Query, in.Index
	if in.Detail.Values == 0 && x.Layout == artifacttext.Plain {
		if at, ok := x.PlainLine(q.Pointer); ok {
			return a.markLine(in, v, at)
		}
		if q.Pointer == "" {
			a.markText(in)
			return -1, nil
		}
	}
	f, err := x.Find(in.Text, q.Pointer)
	if err != nil {
		return 0, err
	}
	if f == nil {
		return a.explain(in, v)
	}
	if a.Path, err = a.path(in, q.Pointer); err != nil {
		return 0, err
	}
	m := artifacttext.Range{Start: f.Start, End: f.End, Main: true}
	if f.Name >= 0 {
		m.Start = f.Name
	}
	if len(q.Pointer.Tokens()) >= 2 {
		v.Tint = f.Parent
	}
	if f.Container() {
		v.Tint, m.End = f.Start, f.Start+1
	}
	part := ""
	if q.End > q.Start {
		if m, part, err = inString(in, f); err != nil {
			return 0, err
		}
		if part == "" && f.Name >= 0 {
			m.Start = f.Name
		}
	}
	v.Marks = []artifacttext.Range{m}
	a.Place, err = buildPlace(in, f, part)
	return m.Start, err
}

// markLine marks a line of a text that is not JSON, or a part of the line. A pointer
// to something on the line leads to the line.
func (a *Artifact) markLine(in ArtifactInput, v *artifacttext.View, line int64) (int64, error) {
	q, d := in.Query, in.Detail.Digest
	words, r, err := in.Index.PlainRange(in.Text, line, q.Start, q.End)
	if err != nil {
		return 0, err
	}
	r.Main = true
	v.Marks = []artifacttext.Range{r}
	if words.Part && holdsSecret(&in.Detail) {
		whole, _, err := in.Index.PlainRange(in.Text, line, 0, 0)
		if err != nil {
			return 0, err
		}
		words.Marked, _ = coverPart("", whole.Marked, words.Marked)
	}
	of := evidence.Pointer("").Key("lines").Index(int(line))
	a.Path = []PathStep{{Label: d.Short(), Href: PlaceURL(d, evidence.At(""))},
		{Label: "line " + Int(line+1), Href: PlaceURL(d, evidence.At(of)), Of: "of " + Int(in.Index.Lines), Current: true}}
	p := &ArtifactPlace{Pointer: plain(string(q.Pointer), maxSentence), Value: Words(words.Marked, maxValue, ""), Long: len(words.Marked) > 28, Note: "line of text, as it stands"}
	switch {
	case words.Part:
		p.Note, p.Whole = "part", &NamedLink{"the whole line", PlaceURL(d, evidence.At(of))}
	case words.Marked == "":
		p.Note = "empty line"
	}
	p.readAs(in)
	a.Place = p
	return r.Start, nil
}

// markText says what was read from a text that is not JSON as a whole.
func (a *Artifact) markText(in ArtifactInput) {
	a.Path = []PathStep{{Label: in.Detail.Digest.Short(), Href: PlaceURL(in.Detail.Digest, evidence.At("")), Current: true}}
	a.Place = &ArtifactPlace{Pointer: "the whole text", Note: Plural(in.Index.Lines, "line", "lines")}
	a.Place.readAs(in)
}

// inString marks a part of a string and returns that part, "" when s and e do not
// lie in it.
func inString(in ArtifactInput, f *artifacttext.Found) (artifacttext.Range, string, error) {
	q := in.Query
	m, err := artifacttext.InString(in.Text, f, q.Start, q.End)
	if err != nil {
		return m, "", err
	}
	m.Main = true
	if m.Start == f.Start {
		return m, "", nil
	}
	part, err := artifacttext.Decode(in.Text, m, maxValue)
	if err != nil || !holdsSecret(&in.Detail) {
		return m, part, err
	}
	whole, _, err := artifacttext.StringText(in.Text, f, maxStringShown)
	part, _ = coverPart(memberOf(q.Pointer), whole, part)
	return m, part, err
}

// maxStringShown is how much of a string is read for the side panel.
const maxStringShown = 16 << 10

func buildPlace(in ArtifactInput, f *artifacttext.Found, part string) (*ArtifactPlace, error) {
	p := &ArtifactPlace{Pointer: plain(string(in.Query.Pointer), maxSentence), Note: "as it stands"}
	if p.Pointer == "" {
		p.Pointer = "the whole document"
	}
	switch {
	case part != "":
		p.Value, p.Note = Words(part, maxValue, ""), "part"
		p.Whole = &NamedLink{"the whole string", PlaceURL(in.Detail.Digest, evidence.At(in.Query.Pointer))}
	case f.Kind == "string":
		s, _, err := artifacttext.StringText(in.Text, f, maxStringShown)
		if err != nil {
			return nil, err
		}
		p.Value, p.Long = Words(mask.Field(memberOf(in.Query.Pointer), s), maxValue, ""), len(s) > 28
		p.Note = "string, as it stands"
		if s == "" {
			p.Note = "empty string"
		}
	case f.Kind == "number", f.Kind == "word":
		p.Value = Words(string(f.Raw), maxName, "")
	case f.Kind == "values":
		p.Note = Plural(int64(f.Items), "JSON value", "JSON values")
	case f.Kind == "array":
		p.Note = containerNote("array", "item", "items", f)
	default:
		p.Note = containerNote("object", "member", "members", f)
	}
	p.readAs(in)
	return p, nil
}

func containerNote(kind, one, many string, f *artifacttext.Found) string {
	if f.End == 0 {
		return kind
	}
	return kind + " of " + Plural(int64(f.Items), one, many)
}

// Bounds on the steps of a pointer: so many are shown from its start and from its end,
// and only a pointer that is shown as a whole counts the items of its arrays.
const (
	pathStart = 6
	pathEnd   = 6
)

// path shows the steps of the pointer that was asked for. Steps as far as the pointer
// deepest are links, what lies beyond does not exist. Array steps say how many there
// are. The middle of a long pointer is left out, so that no pointer makes a long page.
func (a *Artifact) path(in ArtifactInput, deepest evidence.Pointer) ([]PathStep, error) {
	d, tokens := in.Detail.Digest, in.Query.Pointer.Tokens()
	exist, short := len(deepest.Tokens()), len(tokens) <= pathStart+pathEnd
	steps := []PathStep{{Label: d.Short(), Href: PlaceURL(d, evidence.At("")), Current: len(tokens) == 0}}
	ends := pointerEnds(in.Query.Pointer)
	for i, t := range tokens {
		if !short && i >= pathStart && i < len(tokens)-pathEnd {
			if i == pathStart {
				steps = append(steps, PathStep{Label: "… " + Plural(int64(len(tokens)-pathStart-pathEnd), "step", "steps") + " …"})
			}
			continue
		}
		step := PathStep{Label: plain(t, maxName), Current: i == len(tokens)-1}
		if t == "" {
			step.Label = "(empty name)"
		}
		if i < exist {
			step.Href = PlaceURL(d, evidence.At(in.Query.Pointer[:ends[i]]))
		}
		if i < exist && short && isIndex(t) {
			n, err := in.Index.Items(in.Text, in.Query.Pointer[:ends[i]].Parent())
			if err != nil {
				return nil, err
			}
			if n > 0 {
				step.Of = "of " + Int(int64(n))
			}
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// pointerEnds is where each token of a pointer ends.
func pointerEnds(p evidence.Pointer) []int {
	var ends []int
	for i := 1; i <= len(p); i++ {
		if i == len(p) || p[i] == '/' {
			ends = append(ends, i)
		}
	}
	return ends
}

func isIndex(t string) bool {
	n, err := strconv.Atoi(t)
	return err == nil && n >= 0 && strconv.Itoa(n) == t
}

// explain says where a pointer leaves the document, and shows the lines there. It
// returns the offset of the deepest value that exists, -1 when there is none.
func (a *Artifact) explain(in ArtifactInput, v *artifacttext.View) (int64, error) {
	d, p := in.Detail.Digest, in.Query.Pointer
	m, err := in.Index.Explain(in.Text, p)
	if err != nil {
		return 0, err
	}
	if a.Path, err = a.path(in, m.Deepest); err != nil {
		return 0, err
	}
	out := &MissingPlace{Pointer: plain(string(p), maxSentence), Kind: m.Kind, More: m.More}
	out.Deepest = NamedLink{plain(string(m.Deepest), maxSentence), PlaceURL(d, evidence.At(m.Deepest))}
	if m.Deepest == "" {
		out.Deepest.Text = "the whole document"
	}
	if m.Kind == "array" || m.Kind == "values" {
		out.Range = strings.Join(m.Has, "")
	} else {
		for _, name := range m.Has {
			out.Has = append(out.Has, NamedLink{plain(name, maxName), PlaceURL(d, evidence.At(m.Deepest.Key(name)))})
		}
	}
	a.Missing = out
	f, err := in.Index.Find(in.Text, m.Deepest)
	if f == nil || err != nil || m.Deepest == "" {
		return -1, err
	}
	if f.Container() {
		v.Tint = f.Start
	}
	return f.Start, nil
}

// mostRead bounds what the side panel lists for one place.
const mostRead = 24

// readAs lists what the marked place was read as. Of a part of a string, only what
// overlaps it.
func (p *ArtifactPlace) readAs(in ArtifactInput) {
	q, d := in.Query, &in.Detail
	at := evidence.Place{Pointer: q.Pointer, Start: q.Start, End: q.End}
	r := reading{detail: d, at: at}
	r.measurements()
	r.facts()
	r.documents()
	r.skipped()
	sort.SliceStable(r.out, func(i, j int) bool { return r.out[i].start < r.out[j].start })
	for i, x := range r.out {
		if i == mostRead {
			p.Inside = fmt.Sprintf("and %s more", Int(int64(len(r.out)-mostRead)))
			break
		}
		p.Read = append(p.Read, x.ReadAs)
	}
	if len(r.out) == 0 && r.inside > 0 {
		p.Inside = Plural(int64(r.inside), "measurement or fact stands", "measurements and facts stand") + " inside it"
	}
	p.With = r.with
}
