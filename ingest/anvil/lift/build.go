package lift

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// maxPerCode is how many findings of one code are listed one by one.
const maxPerCode = 20

// maxText bounds texts that are kept as facts or notes beside the artifact.
const maxText = 2000

// Doc is a document under construction.
type Doc struct {
	evidence.Document
	Top Val

	arms    []*Arm
	taken   map[*jsondoc.Node]bool // the reader made something of it
	skipped map[*jsondoc.Node]bool // listed as not lifted
	in      *carried
	codes   map[string]int         // findings per code
	odd     map[*jsondoc.Node]bool // numbers that were reported as no counts
	paths   *Paths
}

// Arm and Run are an arm and a run under construction.
type Arm struct {
	evidence.Arm
	runs []*Run
}

// Run is a run under construction.
type Run struct {
	evidence.Run
	N evidence.Opt[int64] // observations behind a figure that does not say otherwise
}

// New opens a document. The label is the one the value matched with.
func New(v *jsondoc.Node, root evidence.Pointer, d evidence.Document, paths *Paths) *Doc {
	d.Root = root
	b := &Doc{Document: d, Top: Val{P: root, N: v}, taken: map[*jsondoc.Node]bool{}, skipped: map[*jsondoc.Node]bool{}, codes: map[string]int{}, odd: map[*jsondoc.Node]bool{}, paths: paths}
	for _, name := range []string{"schema", "schema_version"} {
		if s := b.Top.Get(name); s.Is(jsondoc.String) {
			b.Schema = s.Str()
			b.Facts = append(b.Facts, evidence.Fact{Key: evidence.KeyScope, Value: "local", State: evidence.Derived,
				Place: s.place(), SourceText: s.Str(), Rule: "local-writer"})
			break
		}
	}
	return b
}

// NewArm adds an arm.
func (d *Doc) NewArm(name string, v Val) *Arm {
	a := &Arm{Arm: evidence.Arm{Name: clip(name), Place: v.place()}}
	d.arms = append(d.arms, a)
	return a
}

// NewRun adds a run to an arm.
func (a *Arm) NewRun(name, class string, v Val) *Run {
	r := &Run{Run: evidence.Run{Name: clip(name), Class: class, Status: evidence.Measured, Place: v.place()}}
	a.runs = append(a.runs, r)
	return r
}

// Find adds a finding at a value. Of one code only so many are listed one by one.
func (d *Doc) Find(s evidence.Severity, code string, v Val, format string, args ...any) {
	d.codes[code]++
	if d.codes[code] > maxPerCode {
		return
	}
	d.Findings = append(d.Findings, evidence.Finding{Severity: s, Code: code, Pointer: v.P, Offset: v.offset(),
		Message: fmt.Sprintf(format, args...)})
}

// Skip lists a value as not lifted and marks it as taken.
func (d *Doc) Skip(v Val, reason string) {
	if v.N == nil || d.skipped[v.N] {
		return
	}
	d.Take(v)
	d.skipped[v.N] = true
	d.NotLifted = append(d.NotLifted, evidence.NotLifted{Place: v.place(), Text: clip(v.N.Text), Reason: reason})
}

// Take marks a value as carried by what the reader made of it.
func (d *Doc) Take(v Val) {
	if v.N != nil {
		d.taken[v.N] = true
	}
}

// Taken reports whether something was made of a value already.
func (d *Doc) Taken(v Val) bool { return v.N != nil && d.taken[v.N] }

// Note keeps a sentence verbatim.
func (d *Doc) Note(kind evidence.NoteKind, key string, v Val) {
	if s := v.Str(); s != "" {
		d.Notes = append(d.Notes, evidence.Note{Kind: kind, Key: key, Text: bound(s), Place: v.place()})
	}
}

// Expect reports members that the shape has and this value lacks.
func (d *Doc) Expect(v Val, names ...string) {
	if !v.Is(jsondoc.Object) {
		return
	}
	have := make(map[string]bool, len(v.N.Names))
	for _, s := range v.N.Names {
		have[s] = true
	}
	for _, s := range names {
		if !have[s] {
			d.Find(evidence.Warning, CodeMissing, v, "%q is missing", s)
		}
	}
}

// clip bounds a text for messages and lists.
func clip(s string) string { return cut(s, 120) }

// Bound bounds a text that is kept as a whole.
func Bound(s string) string { return bound(s) }

// bound bounds a text that is kept as a whole.
func bound(s string) string { return cut(s, maxText) }

func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
