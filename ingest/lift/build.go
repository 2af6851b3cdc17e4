package lift

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Codes of the findings of readers built on this package.
const (
	CodeUnread       = "member-unread"      // numbers that the reader does not know
	CodeMissing      = "member-missing"     // a member that the shape has and this value lacks
	CodeNotNumber    = "number-expected"    // a value of another type
	CodeNotFinite    = "not-finite"         // NaN or Infinity where a figure was expected
	CodeNegative     = "negative-figure"    // a duration or rate below zero
	CodeOutOfRange   = "number-unusable"    // too long or too large for a float64
	CodeUnit         = "unit-mismatch"      // the unit is none of the metric
	CodeUnitSuspect  = "unit-suspect"       // figures that fit together only in another unit
	CodeOrder        = "percentiles-order"  // a distribution that cannot be
	CodeDisagree     = "figures-disagree"   // two figures of the file contradict each other
	CodeVoid         = "run-without-result" // nothing completed: every figure is absent
	CodePartial      = "partial-run"        // fewer completed than asked for
	CodeNoCount      = "completed-unknown"  // the file does not say how many requests completed
	CodeChunks       = "chunks-not-tokens"  // several tokens came in one chunk
	CodeSimulated    = "simulated"          // a mock, or acceptance that was set and not measured
	CodeWindow       = "window-differs"     // rates of one file rest on different windows
	CodeInvalid      = "declared-invalid"   // the tool itself calls the run invalid
	CodeVersion      = "version-unknown"    // a version of the format that the reader does not know
	CodeCancelled    = "run-cancelled"
	CodeWarmUp       = "warm-up"        // figures that are none of the run
	CodeRestates     = "restates"       // figures of other files, once more
	CodeRows         = "rows-not-read"  // raw rows that are too many to be held
	CodeArchived     = "not-lifted"     // read by nobody, for a reason that is known
	CodeSurvivors    = "survivors-only" // latencies of the few that succeeded
	CodeSecretMember = "secret-member"  // a member that holds a credential
	CodeTooMany      = "too-many-figures"
)

// Builder collects one document.
type Builder struct {
	Doc     evidence.Document
	top     *jsondoc.Node
	root    evidence.Pointer
	at      func(evidence.Pointer, *jsondoc.Node) evidence.Place
	seen    map[*jsondoc.Node]bool
	doubted map[*jsondoc.Node]bool // numbers that another number of the file contradicts
	// index finds the members of wide objects; visits bounds the accounting.
	index  map[*jsondoc.Node]map[string]*jsondoc.Node
	visits int
}

// Reader names who builds.
type Reader struct {
	ID      string
	Version int
	Family  string
}

// Meta is the part that all readers have: they embed it.
type Meta struct{ Reader }

// Named makes the Meta of a reader.
func Named(id string, version int, family string) Meta { return Meta{Reader{id, version, family}} }

// ID names the reader in rows and exports.
func (m Meta) ID() string { return m.Reader.ID }

// Version is raised whenever the reader's output changes.
func (m Meta) Version() int { return m.Reader.Version }

// New starts the document of a value.
func New(r Reader, v *jsondoc.Node, root evidence.Pointer, shapeID string) *Builder {
	return &Builder{
		top: v, root: root, seen: map[*jsondoc.Node]bool{}, doubted: map[*jsondoc.Node]bool{}, index: map[*jsondoc.Node]map[string]*jsondoc.Node{},
		at: func(p evidence.Pointer, _ *jsondoc.Node) evidence.Place { return evidence.At(p) },
		Doc: evidence.Document{Family: r.Family, Reader: r.ID, ReaderVersion: r.Version,
			ShapeID: shapeID, Root: root},
	}
}

// Find adds a finding at a value.
func (b *Builder) Find(s evidence.Severity, code string, o Obj, format string, args ...any) {
	offset := int64(-1)
	if o.Node != nil {
		offset = o.Node.Offset
	}
	b.Doc.Findings = append(b.Doc.Findings, evidence.Finding{
		Severity: s, Code: code, Pointer: o.Place().Pointer, Offset: offset, Message: fmt.Sprintf(format, args...)})
}

// Archive says why a text that bears a tool's mark gives no figures: it is kept, and can
// be searched.
func (b *Builder) Archive(o Obj, format string, args ...any) {
	b.Find(evidence.Info, CodeArchived, o, format+"; it is kept and can be searched", args...)
}

// Archived reports whether a reader of text knew the text and lifted nothing from it.
func Archived(d *evidence.Document) bool {
	known := false
	for i := range d.Findings {
		if d.Findings[i].Severity == evidence.Error {
			return false
		}
		known = known || d.Findings[i].Code == CodeArchived
	}
	return known && len(d.Arms) == 0
}

// leave lists a value as not lifted.
func (b *Builder) leave(o Obj, text, reason string) {
	b.Doc.NotLifted = append(b.Doc.NotLifted, evidence.NotLifted{Place: o.Place(), Text: Clip(text), Reason: reason})
}

// Clip bounds a text that is kept beside the artifact.
func Clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// Note keeps a sentence verbatim.
func (b *Builder) Note(kind evidence.NoteKind, key string, o Obj) {
	if s := o.Node.Str(); s != "" {
		b.Doc.Notes = append(b.Doc.Notes, evidence.Note{Kind: kind, Key: key, Text: s, Place: o.Place()})
	}
}

// Observed says when the run was made, in the source's own words and as a fact.
func (b *Builder) Observed(o Obj, as string) {
	if o.Node == nil || as == "" {
		return
	}
	b.seen[o.Node] = true
	if b.Doc.Campaign.Observed == "" {
		b.Doc.Campaign.Observed, b.Doc.Campaign.Place = as, o.Place()
	}
	f := evidence.Fact{Key: evidence.KeyObserved, Value: as, State: evidence.Recorded, Place: o.Place(), SourceText: Clip(o.Node.Text)}
	if as != o.Node.Text {
		f.State, f.Rule = evidence.Derived, "date"
	}
	put(&b.Doc.Facts, f)
}

// Arm adds an arm with its runs.
func (b *Builder) Arm(a evidence.Arm, runs ...*Run) {
	for _, r := range runs {
		r.settle()
		a.Runs = append(a.Runs, r.Run)
	}
	b.Doc.Arms = append(b.Doc.Arms, a)
}

// Title names the campaign for people.
func (b *Builder) Title(s string) { b.Doc.Campaign.Title = Clip(s) }
