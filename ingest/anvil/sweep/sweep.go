package sweep

import (
	"strings"

	"assay/ingest/anvil/lift"
	"assay/ingest/jsondoc"
	"assay/store/evidence"
)

// Bounds of what is kept of one document, and how long a pointer may be that is followed.
const (
	maxNotes   = 2000
	maxQuiet   = 200
	maxPointer = 1024
)

// Paths are the paths of a reader that sweeps: every member is expected.
var Paths = lift.NewPaths("/**")

// Sweep walks what a reader left of a document.
type Sweep struct {
	*lift.Doc
	// Facts takes the identity; nil for documents that have none of their own.
	Facts *[]evidence.Fact
	// Quiet is for documents that are only archived: no gates, and few notes.
	Quiet bool
	// Reason is why no number of the document is lifted; "" tells each by its name.
	Reason string
	// Fallback is why a number is not lifted whose name says nothing; "" leaves it to be
	// reported. Only documents that are not about runs have one.
	Fallback string

	notes int
}

// place is where a member stands, as far as it matters to what it says.
type place struct {
	name   string // of the member, or of the list that an item stands in
	block  string // of the block around it
	above  string // of the members above, for the names of gates
	depth  int
	speaks bool // identity counts here
}

func (at place) label() string {
	l := strings.TrimSpace(at.above + " " + at.name)
	if len(l) > 120 {
		l = l[len(l)-120:]
	}
	return strings.ToValidUTF8(l, "")
}

// Rest sweeps everything under v that is not taken yet.
func (s *Sweep) Rest(v lift.Val) {
	if v.Is(jsondoc.Array) {
		s.visit(place{}, v)
		return
	}
	s.members(place{speaks: true}, v)
}

// Block sweeps a block under its own name, with identity going to facts.
func (s *Sweep) Block(name string, v lift.Val, facts *[]evidence.Fact) {
	before := s.Facts
	s.Facts = facts
	s.members(place{name: name, speaks: true}, v)
	s.Facts = before
}

func (s *Sweep) visit(at place, v lift.Val) {
	if len(v.P) > maxPointer || s.Taken(v) {
		return // too deep: the account says so
	}
	switch v.N.Kind {
	case jsondoc.Object:
		s.members(at, v)
	case jsondoc.Array:
		s.Take(v)
		for _, item := range v.Items() {
			inside := at
			inside.depth++
			inside.speaks = false
			s.visit(inside, item)
		}
	case jsondoc.String:
		s.text(at, v)
	case jsondoc.Bool:
		s.flag(at, v)
	case jsondoc.Number:
		s.number(at, v)
	}
}

func (s *Sweep) members(at place, v lift.Val) {
	s.Take(v)
	s.digests(v)
	for name, m := range v.Members() {
		inside := place{name: name, block: at.name, above: at.label(), depth: at.depth + 1,
			speaks: at.speaks && (at.depth == 0 || speaking[at.name])}
		if dynamic(name) {
			inside.name = at.name
		}
		s.visit(inside, m)
	}
}

// digests pairs the digests of a block with the files they are of.
func (s *Sweep) digests(v lift.Val) {
	for name, m := range v.Members() {
		sum := Digest(m.Str())
		if !sum.OK {
			continue
		}
		switch stem, cut := strings.CutSuffix(name, "sha256"); {
		case IsFile(name):
			s.named(name, sum, m, lift.Val{})
		case cut:
			if file := partner(v, strings.TrimSuffix(stem, "_")); file.OK() {
				s.named(file.Str(), sum, m, file)
			}
		}
	}
}

func (s *Sweep) named(name string, sum evidence.Opt[evidence.Digest], digest, file lift.Val) {
	s.refer(name, sum, kindOf(name), evidence.At(digest.P))
	s.Take(digest)
	s.Take(file)
}

// partner finds the file that a digest is of: "X_sha256" is of "X" or "X_path", "sha256"
// of whatever member names a file.
func partner(v lift.Val, stem string) lift.Val {
	if stem != "" {
		for _, name := range []string{stem, stem + "_path", stem + "_file"} {
			if f := v.Get(name); IsFile(f.Str()) {
				return f
			}
		}
		return lift.Val{}
	}
	for _, name := range []string{"path", "file", "executed_spec", "artifact", "name", "audio_path", "filename", "source"} {
		if f := v.Get(name); IsFile(f.Str()) {
			return f
		}
	}
	return lift.Val{}
}

func (s *Sweep) number(at place, v lift.Val) {
	if s.Taken(v) || at.speaks && s.identify(at.name, at.block, v) {
		return
	}
	reason := s.Reason
	if reason == "" {
		reason = numberReason(at.name)
	}
	if reason == "" && s.Fallback != "" {
		if reason = s.Fallback; !s.Quiet {
			s.Find(evidence.Info, lift.CodeUnread, v, "the name %q says nothing of the number under it: it is kept as a note", lift.Clip(at.name))
		}
	}
	if reason == "" {
		return
	}
	if strings.HasPrefix(v.N.Text, "-") {
		s.Find(evidence.Info, CodeNegative, v, "%s %s is negative", at.name, lift.Clip(v.N.Text))
	}
	if !s.Quiet && reason != evidence.ReasonIdentifier && reason != evidence.ReasonTimestamp {
		s.remark(at, v)
	}
	s.Skip(v, reason)
}

// remark keeps a figure or a flag as a note, so that a change of it shows.
func (s *Sweep) remark(at place, v lift.Val) {
	if s.notes++; s.notes <= maxNotes {
		s.Notes = append(s.Notes, evidence.Note{Kind: noteKind(at.name), Key: at.label(), Text: lift.Clip(v.N.Text), Place: evidence.At(v.P)})
	}
}

func (s *Sweep) flag(at place, v lift.Val) {
	if s.Taken(v) || at.speaks && s.identify(at.name, at.block, v) {
		return
	}
	s.Take(v)
	w := words(at.name)
	switch value, _ := v.True(); {
	case s.Quiet:
	case decisionNames[at.name]:
		s.decide(at.name, v)
	case len(w) > 0 && gateEnds[w[len(w)-1]]:
		g := evidence.Gate{Name: at.label(), SourceStatus: v.N.Text, Status: evidence.GateFailed, Place: evidence.At(v.P)}
		if value {
			g.Status = evidence.GatePassed
		}
		s.Gates = append(s.Gates, g)
	default:
		s.remark(at, v)
	}
}
