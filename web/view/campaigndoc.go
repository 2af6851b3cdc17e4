package view

import (
	"slices"
	"strconv"
	"strings"

	"assay/store/evidence"
)

// Doc is one document of a campaign that decides, gates or limits something.
type Doc struct {
	N              int // counts the documents of a page, for ids
	Chip           DigestChip
	Schema, Reader string
	Labels         []Linked
	EvidenceLabels []Linked
	Promotion      Promotion
	Fields         []Labelled
	Gates          []Gate
	GateTally      string
	Headlines      []Text
	Statements     []Note
	Limitations    []Text
	Failures       []Text
	Caveats        []Text
	Restorations   []Note
	References     []Reference
	Kept           int // references whose bytes are in the archive
	Exports        DocExports
}

// DocExports are the downloads of one document's lists.
type DocExports struct{ Decisions, Gates, Notes, References Exports }

// ID is an id for a part of the document that no other document of the page has.
func (d Doc) ID(part string) string {
	if d.N <= 1 {
		return part
	}
	return part + "-" + strconv.Itoa(d.N)
}

// Promotion is what the source says of promotion. It is shown and never changed.
type Promotion struct {
	Badge  Badge
	Quoted *Linked // the flag as it stands, nil when the source has none
}

// Gate is a check the source lists, under our status, with its own word beside it.
type Gate struct {
	Badge              Badge
	Name, Detail       Text
	Says               Linked // the source's word
	HasDetail, HasSays bool
	Evidence           *Linked
	Note               string // what our reading of the word means
	First              bool   // first of the passed ones
}

// Note is a verbatim sentence with the member it stands under.
type Note struct {
	Key  string
	Text Text
}

// Reference is a file that the document names.
type Reference struct {
	Name   Linked
	Kind   string
	State  Badge
	Detail string
	Found  *DigestChip
}

func buildDoc(d *evidence.DocumentRow, marks Marks, n int, base string) Doc {
	v := Doc{N: n, Chip: Chip(d.Artifact), Schema: plain(d.Schema, maxName), Reader: plain(d.Reader, maxName), Promotion: promotion(d)}
	for _, x := range d.Decisions {
		switch x.Kind {
		case evidence.DecisionLabel:
			v.Labels = append(v.Labels, Quote(x.Value, maxName, x.Artifact, x.Place))
		case evidence.EvidenceLabel:
			v.EvidenceLabels = append(v.EvidenceLabels, Quote(x.Value, maxName, x.Artifact, x.Place))
		case evidence.PromotionFlag:
		default:
			v.Fields = append(v.Fields, Labelled{Label: human(x.Key), Value: Quote(x.Value, maxSentence, x.Artifact, x.Place)})
		}
	}
	v.Gates, v.GateTally = buildGates(d.Gates, marks), gateTally(d.Gates)
	for _, x := range d.Notes {
		t := marks.Sentence(x.Text, x.Artifact, x.Place)
		switch x.Kind {
		case evidence.Limitation:
			v.Limitations = append(v.Limitations, t)
		case evidence.Failure:
			v.Failures = append(v.Failures, t)
		case evidence.Caveat:
			v.Caveats = append(v.Caveats, t)
		case evidence.Headline:
			v.Headlines = append(v.Headlines, t)
		case evidence.Restored:
			v.Restorations = append(v.Restorations, Note{human(x.Key), t})
		default:
			v.Statements = append(v.Statements, Note{human(x.Key), t})
		}
	}
	v.References = BuildReferences(d.References)
	for i := range d.References {
		if d.References[i].State.Here() {
			v.Kept++
		}
	}
	only := evidence.Filter{Artifact: d.Artifact.String()}
	v.Exports = DocExports{
		Decisions: ListExports("decisions", base+"#"+v.ID("decision"), only), Gates: ListExports("gates", base+"#"+v.ID("gates"), only),
		Notes: ListExports("notes", base+"#"+v.ID("limitations"), only), References: ListExports("references", base+"#"+v.ID("evidence"), only),
	}
	return v
}

func promotion(d *evidence.DocumentRow) Promotion {
	for _, x := range d.Decisions {
		if x.Kind != evidence.PromotionFlag {
			continue
		}
		q := Quote(x.Key+": "+x.Value, maxName, x.Artifact, x.Place)
		p := Promotion{Quoted: &q}
		switch x.Value {
		case "false":
			p.Badge = Badge{Kind: "plain", Glyph: "gate-missing", Word: "not authorised by the source"}
		case "true":
			p.Badge = Badge{Kind: "caveat", Glyph: "caveat", Word: "authorised in the source, signed by nobody here"}
		default:
			p.Badge = Badge{Kind: "gate-open", Glyph: "gate-unresolved", Word: "unresolved"}
		}
		return p
	}
	return Promotion{Badge: Badge{Kind: "plain", Glyph: "absent", Word: "the source does not speak of promotion"}}
}

// gateNotes say what our reading of a status means, where it is not the source's word.
var gateNotes = map[evidence.GateStatus]string{
	evidence.GateUnresolved: "A scoped or unknown word is neither a pass nor a failure.",
	evidence.GateMissing:    "Listed, never taken as passed.",
}

func gateNote(g *evidence.GateRow) string {
	if g.Status == evidence.GateUnresolved && strings.HasPrefix(strings.ToLower(g.SourceStatus), "pass") {
		return "A scoped pass is not a pass."
	}
	return gateNotes[g.Status]
}

// buildGates lists gates that stop something first.
func buildGates(rows []evidence.GateRow, marks Marks) []Gate {
	sorted := slices.Clone(rows)
	slices.SortStableFunc(sorted, func(a, b evidence.GateRow) int { return gateRank(a.Status) - gateRank(b.Status) })
	gates := make([]Gate, 0, len(sorted))
	for i := range sorted {
		g := &sorted[i]
		v := Gate{
			Badge: gateBadge(g.Status), Note: gateNote(g),
			Name: marks.Sentence(g.Name, g.Artifact, g.Place),
		}
		if g.Name == "" {
			v.Name = marks.Sentence("not named", g.Artifact, g.Place)
		}
		if v.HasDetail = g.Detail != ""; v.HasDetail {
			v.Detail = marks.Sentence(g.Detail, g.Artifact, marks.member(g.Artifact, g.Place, "detail"))
		}
		if v.HasSays = g.SourceStatus != ""; v.HasSays {
			v.Says = Quote(g.SourceStatus, maxName, g.Artifact, g.Place)
		}
		if g.Evidence != "" {
			q := Quote(g.Evidence, maxName, g.Artifact, g.Place)
			v.Evidence = &q
		}
		v.First = g.Status == evidence.GatePassed && i > 0 && sorted[i-1].Status != evidence.GatePassed
		gates = append(gates, v)
	}
	return gates
}

// BuildReferences lists named files and whether the archive has them.
func BuildReferences(rows []evidence.ReferenceRow) []Reference {
	refs := make([]Reference, 0, len(rows))
	for i := range rows {
		r := &rows[i]
		v := Reference{Name: Quote(r.Name, maxName, r.Artifact, r.Place), Kind: human(r.Kind)}
		v.State, v.Detail = refState(r)
		if r.Found.OK {
			c := Chip(r.Found.V)
			v.Found = &c
		}
		refs = append(refs, v)
	}
	return refs
}

func refState(r *evidence.ReferenceRow) (Badge, string) {
	digest := "no digest given"
	if r.SHA256.OK {
		digest = "digest given: " + r.SHA256.V.Short()
	}
	switch r.State {
	case evidence.RefRetained:
		return Badge{Kind: "ok", Glyph: "ok", Word: "retained"}, "the digest that the source gives"
	case evidence.RefConverted:
		return Badge{Kind: "ok", Glyph: "ok", Word: "retained, line endings converted"}, "the digest that the source gives is the artifact's with the other line endings"
	case evidence.RefRenamed:
		return Badge{Kind: "ok", Glyph: "ok", Word: "retained, other name"}, "the digest that the source gives, under another name"
	case evidence.RefByName:
		return Badge{Kind: "caveat", Glyph: "caveat", Word: "name only"}, "a file came in under that name; no digest proves that it is the one"
	case evidence.RefMismatch:
		return Badge{Kind: "blocked", Glyph: "blocked", Word: "mismatch"}, "a file of that name is here with another digest"
	}
	return Badge{Kind: "plain", Glyph: "absent", Word: "not retained"}, digest
}
