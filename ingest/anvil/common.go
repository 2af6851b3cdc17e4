package anvil

import (
	"fmt"
	"strconv"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

func parseCount(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0
}

// frame reads what every summary has around its results.
func (b *builder) frame() {
	b.campaign()
	b.gates()
	for _, slot := range noteSlots {
		n, p := b.get(slot.name)
		b.notes(slot.kind, slot.name, p, n)
	}
	n, p := b.get("decision")
	b.decision(p, n)
	n, p = b.get("evidence")
	b.references("evidence", p, n)
	b.restoration()
}

// dates are the members that say when the campaign was observed.
var dates = []struct {
	name string
	key  evidence.FactKey
}{
	{"evidence_cutoff", evidence.KeyEvidenceAt},
	{"observed_date", evidence.KeyObserved}, {"observed_at", evidence.KeyObserved}, {"date", evidence.KeyObserved},
}

func (b *builder) campaign() {
	if n, p := b.get("campaign_id"); n.Is(jsondoc.String) && n.Text != "" {
		b.doc.Campaign.ID, b.doc.Campaign.Place = n.Text, evidence.At(p)
		b.record(&b.doc.Facts, evidence.KeyCampaign, p, n)
	}
	if n, p := b.get("title"); n.Is(jsondoc.String) {
		b.doc.Campaign.Title = n.Text
		b.note(evidence.Statement, "title", p, n.Text)
	}
	n, p := b.get("complete")
	b.record(&b.doc.Facts, evidence.KeyComplete, p, n)
	for _, d := range dates {
		n, p := b.get(d.name)
		if !n.Is(jsondoc.String) {
			continue
		}
		b.record(&b.doc.Facts, d.key, p, n)
		if b.doc.Campaign.Observed == "" {
			b.doc.Campaign.Observed = n.Text
			if b.doc.Campaign.ID == "" {
				b.doc.Campaign.Place = evidence.At(p)
			}
		}
	}
}

// noteSlots are lists of sentences that stand in a summary.
var noteSlots = []struct {
	name string
	kind evidence.NoteKind
}{
	{"limitations", evidence.Limitation}, {"limits", evidence.Limitation}, {"failures", evidence.Failure},
	{"retained_failures", evidence.Failure}, {"caveats", evidence.Caveat}, {"caveat", evidence.Caveat},
	{"warnings", evidence.Caveat}, {"gaps", evidence.Caveat}, {"retained_failures_and_caveats", ""},
}

// notes keeps a sentence, a list of sentences or an object of sentences. kind "" lets
// the words of each sentence decide between failure and caveat.
func (b *builder) notes(kind evidence.NoteKind, key string, p evidence.Pointer, n *jsondoc.Node) {
	switch {
	case n == nil || n.Kind == jsondoc.Null:
	case n.Kind == jsondoc.String:
		if kind == "" {
			kind = failureOrCaveat(n.Text)
		}
		b.note(kind, key, p, n.Text)
	case n.Kind == jsondoc.Array:
		for i, c := range n.Children {
			b.notes(kind, "", p.Index(i), c)
		}
	case n.Kind == jsondoc.Object:
		for i, name := range n.Names {
			b.notes(kind, name, p.Key(name), n.Children[i])
		}
	}
}

// failureWords mark a sentence of a mixed list as the report of a failure.
var failureWords = []string{"failed", "failure", "returned http", "error", "crash", "could not", "timed out", "timeout", "out of memory"}

func failureOrCaveat(s string) evidence.NoteKind {
	s = strings.ToLower(s)
	for _, w := range failureWords {
		if strings.Contains(s, w) {
			return evidence.Failure
		}
	}
	return evidence.Caveat
}

// gates reads the list of gates. An evidence file that a gate names is a reference too.
func (b *builder) gates() {
	list, p := b.get("gates")
	if !list.Is(jsondoc.Array) {
		if list != nil && list.Kind != jsondoc.Null {
			b.find(evidence.Warning, CodeNotNumber, p, list, "gates: a list was expected")
		}
		return
	}
	for i, n := range list.Children {
		q := p.Index(i)
		if n.Kind != jsondoc.Object {
			b.find(evidence.Warning, CodeNotNumber, q, n, fmt.Sprintf("a gate was expected, not %s", kindName(n)))
			continue
		}
		g := evidence.Gate{Name: n.Get("name").Str(), Detail: n.Get("detail").Str(), Place: evidence.At(q)}
		g.SourceStatus, _ = b.text(n, q, "status")
		g.Status = evidence.ReadGateStatus(g.SourceStatus)
		g.Evidence = n.Get("evidence").Str()
		b.references("evidence", q.Key("evidence"), n.Get("evidence"))
		b.doc.Gates = append(b.doc.Gates, g)
	}
}

// decision reads what the source decides: an object of labels and fields, or a line
// of labels.
func (b *builder) decision(p evidence.Pointer, n *jsondoc.Node) {
	switch {
	case n == nil:
		return
	case n.Kind == jsondoc.String:
		b.decide(evidence.DecisionField, "decision", n.Text, evidence.At(p))
		b.labelLine(p, n.Text)
		return
	case n.Kind != jsondoc.Object:
		b.decisionField("decision", p, n)
		return
	}
	for i, name := range n.Names {
		c, q := n.Children[i], p.Key(name)
		switch {
		case name == "evidence_labels":
			b.labels(evidence.EvidenceLabel, name, q, c)
		case name == "decision_labels":
			b.labels(evidence.DecisionLabel, name, q, c)
		case name == "promotion_authorized" && c.Kind == jsondoc.Bool:
			b.decide(evidence.PromotionFlag, name, c.Text, evidence.At(q))
		default:
			if name == "selected_recipe" {
				b.references("recipe", q, c)
			}
			b.decisionField(name, q, c)
		}
	}
}

func (b *builder) decide(kind, key, value string, place evidence.Place) {
	b.doc.Decisions = append(b.doc.Decisions, evidence.Decision{Kind: kind, Key: key, Value: value, Place: place})
}

func (b *builder) labels(kind, key string, p evidence.Pointer, n *jsondoc.Node) {
	if n.Kind == jsondoc.String {
		b.decide(kind, key, n.Text, evidence.At(p))
	}
	for i, c := range n.Children {
		if n.Kind == jsondoc.Array && c.Kind == jsondoc.String {
			b.decide(kind, key, c.Text, evidence.At(p.Index(i)))
		}
	}
}

// decisionField keeps the words of a field. Numbers in a decision are no words of it
// and are left to the closing pass.
func (b *builder) decisionField(key string, p evidence.Pointer, n *jsondoc.Node) {
	switch n.Kind {
	case jsondoc.String, jsondoc.Bool:
		b.decide(evidence.DecisionField, key, n.Text, evidence.At(p))
	case jsondoc.Object:
		for i, name := range n.Names {
			b.decisionField(joinPath(key, name), p.Key(name), n.Children[i])
		}
	case jsondoc.Array:
		for i, c := range n.Children {
			b.decisionField(key, p.Index(i), c)
		}
	}
}

// labelLine reads a decision that is a line of labels: "challenger; no-promotion".
func (b *builder) labelLine(p evidence.Pointer, text string) {
	if len(text) > prose.MaxSentence {
		return
	}
	start := 0
	for part := range strings.SplitSeq(text, ";") {
		label := strings.TrimSpace(part)
		at := start + strings.Index(part, label)
		start += len(part) + 1
		if label == "" || strings.ContainsAny(label, " \t\n.,") {
			continue // a sentence
		}
		b.decide(evidence.DecisionLabel, "decision", label, evidence.InText(p, at, at+len(label)))
	}
}

// references reads the names of other files: a name, a list, or objects with a digest.
func (b *builder) references(kind string, p evidence.Pointer, n *jsondoc.Node) {
	switch {
	case n == nil:
	case n.Kind == jsondoc.String && n.Text != "":
		b.doc.References = append(b.doc.References, evidence.Reference{Name: n.Text, Kind: kind, Place: evidence.At(p)})
	case n.Kind == jsondoc.Array:
		for i, c := range n.Children {
			b.references(kind, p.Index(i), c)
		}
	case n.Kind == jsondoc.Object:
		b.reference(kind, p, n)
	}
}

func (b *builder) reference(kind string, p evidence.Pointer, n *jsondoc.Node) {
	for _, name := range []string{"path", "name", "file", "artifact"} {
		if n.Get(name).Str() == "" {
			continue
		}
		r := evidence.Reference{Name: n.Get(name).Str(), Kind: kind, Place: evidence.At(p.Key(name))}
		if d, err := evidence.ParseDigest(strings.TrimPrefix(n.Get("sha256").Str(), "sha256:")); err == nil {
			r.SHA256 = evidence.Some(d)
		}
		b.doc.References = append(b.doc.References, r)
		return
	}
}

// restoration keeps what the source says about the state it left behind.
func (b *builder) restoration() {
	n, p := b.get("restoration")
	switch {
	case n.Is(jsondoc.String):
		b.note(evidence.Restored, "restoration", p, n.Text)
	case n.Is(jsondoc.Object):
		b.record(&b.doc.Facts, evidence.KeyRestoration, p.Key("status"), n.Get("status"))
		for i, name := range n.Names {
			if c := n.Children[i]; c.Kind == jsondoc.String || c.Kind == jsondoc.Bool {
				b.note(evidence.Restored, name, p.Key(name), c.Text)
			}
		}
	}
}
