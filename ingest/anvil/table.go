package anvil

import (
	"fmt"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// table reads the shape whose headline results are rows.
func (b *builder) table() {
	known := b.readIdentity()
	w, p := b.get("workload")
	b.workload(p, w)
	said := b.measurement()
	rows, q := b.get("headline_results")
	if rows == nil || len(rows.Children) == 0 {
		b.find(evidence.Warning, CodeMissing, q, rows, "there are no headline rows")
	} else {
		for i, row := range rows.Children {
			b.row(q.Index(i), i, row, known, said)
		}
	}
	b.screens(said.state)
	b.frame()
	b.completionModes()
	b.sentences()
}

// said are the statements of a measurement block.
type said struct {
	headline statement // the workload of the headline runs
	state    statement // warm and cold
}

// measurement reads how was measured: facts of the document, and statements about its
// runs.
func (b *builder) measurement() said {
	block, p := b.get("measurement")
	if !block.Is(jsondoc.Object) {
		b.find(evidence.Warning, CodeMissing, p, block, "no measurement block: how was measured is not recorded")
		return said{}
	}
	var out said
	for i, name := range block.Names {
		n, q := block.Children[i], p.Key(name)
		switch {
		case name == "headline_workload":
			out.headline = b.statement(name, q, n)
		case name == "percentile_method":
			b.percentiles(q, n)
		case name == "path":
			b.path(q, n)
		case name == "warm_cold_state":
			out.state = b.statement(name, q, n)
		case name == "sample_count":
			b.record(&b.doc.Facts, evidence.KeySampleCount, q, n)
		case name == "measurement_protocol" || name == "protocol":
			b.record(&b.doc.Facts, evidence.KeyProtocol, q, n)
		case n.Kind == jsondoc.String:
			b.note(evidence.Statement, name, q, n.Text)
			b.protocol(q, n)
		}
	}
	return out
}

// methods are the words for percentile methods.
var methods = map[string]evidence.Method{
	"nearest rank": evidence.NearestRank, "nearest-rank": evidence.NearestRank,
	"linear": evidence.Linear, "linear interpolation": evidence.Linear, "rounded index": evidence.RoundedIndex, "rounded-index": evidence.RoundedIndex,
}

func (b *builder) percentiles(p evidence.Pointer, n *jsondoc.Node) {
	f, ok := recorded(evidence.KeyPercentileMethod, p, n)
	if !ok || n.Kind != jsondoc.String {
		b.find(evidence.Warning, CodeNotNumber, p, n, fmt.Sprintf("percentile method: %s names none", kindName(n)))
		return
	}
	if m, known := methods[strings.ToLower(strings.TrimSpace(n.Text))]; known {
		b.method, f.Value = m, string(m)
	} else {
		b.unparsed(p, n, n.Text)
	}
	b.put(&b.doc.Facts, f)
}

// path reads whether requests went straight to the engine.
func (b *builder) path(p evidence.Pointer, n *jsondoc.Node) {
	if !sentence(n) {
		b.record(&b.doc.Facts, evidence.KeyPath, p, n)
		return
	}
	b.note(evidence.Statement, "path", p, n.Text)
	spans := wordSpans(n.Text)
	var found []evidence.Fact
	for _, w := range []struct{ word, path string }{{"direct", "direct"}, {"routed", "routed"}, {"router", "routed"}, {"client", "client"}} {
		if at, ok := spans[w.word]; ok {
			found = append(found, evidence.Fact{Key: evidence.KeyPath, Value: w.path, State: evidence.Derived, Rule: ruleWord,
				Place: evidence.InText(p, at.Start, at.End), SourceText: at.Text(n.Text)})
		}
	}
	if len(found) != 1 || spans["not"] != (prose.Span{}) {
		b.unparsed(p, n, n.Text)
		return
	}
	b.put(&b.doc.Facts, found[0])
}

// protocol finds the label of the measurement protocol in a sentence: a hyphenated
// name that ends in a version, such as capacity-v3.
func (b *builder) protocol(p evidence.Pointer, n *jsondoc.Node) {
	if !sentence(n) {
		return
	}
	for _, t := range prose.Lex(n.Text) {
		name := t.Text(n.Text)
		head, version, ok := strings.Cut(name, "-v")
		if t.Kind != prose.Name || !ok || head == "" || version == "" || version[0] < '0' || version[0] > '9' {
			continue
		}
		b.put(&b.doc.Facts, evidence.Fact{Key: evidence.KeyProtocol, Value: name, State: evidence.Derived, Rule: ruleWord,
			Place: evidence.InText(p, t.Start, t.End), SourceText: name})
	}
}
