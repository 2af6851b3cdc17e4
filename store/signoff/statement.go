package signoff

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"assay/store/evidence"
)

// Statement is the text that is signed, as values: fixed order, one "key: value" a line,
// so that the same ground, draft, signer and time give the same bytes. Values are escaped
// like those of records: no text of an artifact can end its line or pose as another key.
//
//	assay-statement/v1
//	decision: promote
//	target: promotion
//	...
//	time: 2026-09-30T10:20:00.000000Z
type Statement struct {
	Decision        Decision
	Target          Target
	Campaign, Title string
	Scope, Reason   string

	Candidate StatedArm
	Control   evidence.Opt[StatedArm]
	Back      evidence.Opt[StatedArm]
	BackNote  string

	Artifacts            []StatedArtifact // in the order of their digests
	Retained, References int
	Readers              []string
	Ruleset              int
	Policy               PolicyRef
	TwoPeople            bool
	MaxAgeDays           int

	Comparison     evidence.Opt[StatedComparison]
	Gates          []StatedGate
	Claims         [4]int // holds, holds unrounded, does not hold, base not found
	Acknowledged   []StatedAck
	Declared       []StatedRepair
	SourceSays     []string
	Waivers        []int64
	GroundDigest   string
	LogSize        int64
	Preparer       string
	PreparedUS     int64
	Signer         string
	KeyKind        ClaimKind
	KeyFingerprint string
	TimeUS         int64
}

// StatedArm is an arm in a statement.
type StatedArm struct {
	Name, ArmID string
	Runs        []string
}

// StatedArtifact is an artifact in a statement.
type StatedArtifact struct {
	Digest evidence.Digest
	Uses   []string
	Name   string
}

// StatedComparison is the frozen comparison in a statement.
type StatedComparison struct {
	Spec                     []string // the lines of the spec's text
	SpecDigest, ExportDigest string
	Verdicts                 [4]int // ok, caveat, unknown, blocked
	Figures                  []StatedFigure
}

// StatedFigure is a figure with its verdict; Text is empty unless the verdict shows it.
type StatedFigure struct{ Figure, Verdict, Text string }

// StatedGate is a gate in a statement.
type StatedGate struct {
	ID       string
	State    GateState
	Required bool
	Says     string
	By       string // who waived it, and why
	Reason   string
}

// StatedAck is an item with its acknowledgement.
type StatedAck struct {
	ID           string
	Kind         ItemKind
	Text, Reason string
	AtUS         int64
}

// StatedRepair is something that a person declared and the ground rests on.
type StatedRepair struct {
	ID           int64
	Author, Text string
}

const (
	statementHead = "assay-statement/v1"
	// maxStatement bounds a statement. What it names is bounded where the ground is made.
	maxStatement = 2 << 20
)

// verdicts in the order in which a statement counts them.
var verdicts = [4]string{"ok", "caveat", "unknown", "blocked"}

// NewStatement makes the statement of a ground: what a signer signs who agrees with a draft.
func NewStatement(g *Ground, d *Draft, signer string, kind ClaimKind, fingerprint string, us int64) *Statement {
	s := &Statement{
		Decision: d.Decision, Target: g.Target, Campaign: g.Campaign, Title: g.Title, Scope: d.Scope, Reason: d.Reason,
		Candidate: stateArm(&g.Candidate), BackNote: g.BackNote, Retained: g.Retained, References: g.References,
		Readers: g.Readers, Ruleset: g.Ruleset, Policy: g.Policy, TwoPeople: g.TwoPeople, MaxAgeDays: g.MaxAgeDays,
		Claims:  [4]int{g.Claims.Holds, g.Claims.Unrounded, g.Claims.Wrong, g.Claims.NoBase},
		Waivers: g.Waivers, GroundDigest: g.Digest(), LogSize: g.LogSize,
		Preparer: d.Preparer, PreparedUS: d.ChangedUS, Signer: signer, KeyKind: kind, KeyFingerprint: fingerprint, TimeUS: us,
	}
	if g.Control.OK {
		s.Control = evidence.Some(stateArm(&g.Control.V))
	}
	if g.Back.OK {
		s.Back = evidence.Some(stateArm(&g.Back.V))
	}
	for _, a := range g.Artifacts {
		s.Artifacts = append(s.Artifacts, StatedArtifact{Digest: a.Digest, Uses: a.Uses, Name: a.Name})
	}
	for i := range g.Gates {
		x := &g.Gates[i]
		s.Gates = append(s.Gates, StatedGate{ID: x.ID, State: x.State, Required: x.Required, Says: x.Says, By: x.By, Reason: x.Reason})
	}
	for _, r := range g.Repairs {
		s.Declared = append(s.Declared, stateRepair(r))
	}
	for _, r := range g.SourceSays {
		s.SourceSays = append(s.SourceSays, r.Text)
	}
	if g.Comparison.OK {
		s.Comparison = evidence.Some(stateComparison(&g.Comparison.V))
	}
	s.Acknowledged = stateAcks(g.Items(), d.Acks)
	return s
}

func stateRepair(r RepairUse) StatedRepair {
	return StatedRepair{ID: r.ID, Author: r.Author, Text: r.Text}
}

func stateArm(a *Arm) StatedArm { return StatedArm{Name: a.Name, ArmID: a.ArmID, Runs: a.Runs} }

func stateComparison(c *Comparison) StatedComparison {
	out := StatedComparison{SpecDigest: c.SpecDigest, ExportDigest: c.ExportDigest, Spec: specLines(c.Spec)}
	for i, v := range verdicts {
		out.Verdicts[i] = c.Counts[v]
	}
	for i := range c.Figures {
		f := &c.Figures[i]
		out.Figures = append(out.Figures, StatedFigure{Figure: f.Figure, Verdict: f.Verdict, Text: f.Stated()})
	}
	return out
}

// Stated is what a statement says of the figure, "" where nothing may be shown.
func (f *FigureLine) Stated() string {
	if f.Left == "" && f.Right == "" {
		return ""
	}
	text := fmt.Sprintf("%s against %s", f.Right, f.Left)
	if f.Change != "" {
		text += ", change " + f.Change
	}
	if f.Better != "" {
		text += ", " + f.Better
	}
	return text
}

// stateAcks are the items that were acknowledged, in the order of the ground.
func stateAcks(items []Item, acks []Ack) []StatedAck {
	given := map[string]Ack{}
	for _, a := range acks {
		given[a.Item] = a
	}
	var out []StatedAck
	for _, i := range items {
		if a, ok := given[i.ID]; ok {
			out = append(out, StatedAck{ID: i.ID, Kind: i.Kind, Text: i.Text, Reason: a.Reason, AtUS: a.AtUS})
		}
	}
	return out
}

// Digest is the SHA-256 of a statement's text.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Text is the statement as it is signed.
func (s *Statement) Text() string {
	w := &statementWriter{}
	w.WriteString(statementHead + "\n")
	s.head(w)
	s.ground(w)
	s.judged(w)
	s.signed(w)
	return w.String()
}

// ParseStatement reads a statement. Only the very bytes that Text gives are one.
func ParseStatement(text string) (*Statement, error) {
	fields, err := parseLines([]byte(text), statementHead, maxStatement)
	if err != nil {
		return nil, fmt.Errorf("statement: %w", err)
	}
	r := &statementReader{fields: fields}
	s := &Statement{}
	s.readHead(r)
	s.readGround(r)
	s.readJudged(r)
	s.readSigned(r)
	switch {
	case r.err != nil:
		return nil, fmt.Errorf("statement: line %d: %w", r.at+2, r.err)
	case r.at < len(fields):
		return nil, fmt.Errorf("statement: line %d: %q is not expected there", r.at+2, fields[r.at].Key)
	case s.Text() != text:
		return nil, errors.New("statement: is not written as statements are")
	}
	return s, nil
}

type statementWriter struct{ bytes.Buffer }

func (w *statementWriter) put(key, value string) { line(&w.Buffer, key, clean(value)) }

// maybe leaves out what is empty.
func (w *statementWriter) maybe(key, value string) {
	if value != "" {
		w.put(key, value)
	}
}
