package anvil

import (
	"fmt"
	"strconv"
	"strings"

	"assay/ingest/jsondoc"
	"assay/ingest/prose"
	"assay/store/evidence"
)

// matrix reads the summary whose rows are arms over TP, MTP depth and served context.
func (b *builder) matrix() {
	n, p := b.get("hardware")
	b.hardware(p, n)
	b.recipe()
	m := &matrixReader{builder: b, statements: map[string]statement{}}
	m.checkpoints, m.checkpointsAt = b.get("checkpoints")
	m.topologies()
	m.protocol()
	rows, q := b.get("results")
	for i, row := range rows.Children {
		m.row(q.Index(i), i, row)
	}
	b.frame()
	m.producedPrompts()
	b.restateNotes()
}

// matrixReader keeps what the rows of a matrix share.
type matrixReader struct {
	*builder
	checkpoints   *jsondoc.Node
	checkpointsAt evidence.Pointer
	statements    map[string]statement     // by the run that they speak of
	cards         map[string]evidence.Fact // by TP
	limit         []evidence.Fact          // of the long runs, from a limitation
	produced      []producedPair
	long          []*run
}

// protocol reads the sentences about runs: "short_capacity_per_arm" speaks of the runs
// named short. A limit is a limitation, and may say how many requests a run had.
func (m *matrixReader) protocol() {
	block, p := m.get("protocol")
	if !block.Is(jsondoc.Object) {
		m.find(evidence.Warning, CodeMissing, p, block, "no protocol block: the workload of the rows is not recorded")
		return
	}
	for i, name := range block.Names {
		n, q := block.Children[i], p.Key(name)
		run, _, isRun := strings.Cut(name, "_")
		switch {
		case strings.Contains(name, "limit"):
			m.notes(evidence.Limitation, name, q, n)
			m.oneRequest(q, n)
		case isRun && strings.HasSuffix(name, "_per_arm") && run != "functional":
			s := m.readStatement(name, q, n)
			m.pairs(&s, n)
			m.statements[run] = s
		case n.Kind == jsondoc.String:
			m.note(evidence.Statement, name, q, n.Text)
		}
	}
}

// oneRequest reads "one request for each context" out of a limitation: it gives the
// long runs their number of requests where their own statement does not.
func (m *matrixReader) oneRequest(p evidence.Pointer, n *jsondoc.Node) {
	if !sentence(n) {
		return
	}
	settings, _ := prose.Shape(n.Text)
	for _, s := range settings {
		if s.Key == evidence.KeyRequests && strings.Contains(n.Text, "context") {
			m.limit = append(m.limit, s.Fact(p, n.Text, prose.RuleShape))
		}
	}
}

// row reads one row: an arm with a start-up figure and its runs.
func (m *matrixReader) row(p evidence.Pointer, i int, row *jsondoc.Node) {
	if row.Kind != jsondoc.Object {
		m.find(evidence.Warning, CodeNotNumber, p, row, fmt.Sprintf("a row was expected, not %s", kindName(row)))
		return
	}
	if m.tooWide(p, row) {
		return
	}
	a := m.newArm("", evidence.At(p))
	m.axes(a, p, row)
	a.Name = armName(a, i)
	var start *run
	for k, name := range row.Names {
		n, q := row.Children[k], p.Key(name)
		if isAxis(name) {
			continue
		}
		switch mem := readMember(name); {
		case n.Kind == jsondoc.Object:
			m.cell(a, name, q, n)
		case name == "status" || name == "correctness_status":
			// read when all runs are there
		case n.Kind == jsondoc.Null && (name == "short" || name == "long"):
			m.find(evidence.Info, CodeNull, q, n, name+" was not measured")
		case mem.measures() && mem.metric == evidence.KVPoolTokens:
			if start == nil {
				start = &run{arm: a, Run: evidence.Run{Name: "start-up", Class: evidence.ClassStartup, Status: evidence.Measured, Place: evidence.At(p)}}
			}
			m.lift(start, mem, evidence.Total, evidence.None[int64](), q, n)
		case n.Kind == jsondoc.String:
			m.note(evidence.Statement, name, q, n.Text)
		}
	}
	if start != nil && len(start.Measurements) > 0 {
		a.runs = append(a.runs, start)
	}
	for _, name := range []string{"status", "correctness_status"} {
		if n := row.Get(name); n != nil {
			m.rowStatus(a, name, p.Key(name), n)
		}
	}
	for _, name := range []string{"short", "long"} {
		if row.Get(name) == nil {
			m.find(evidence.Info, CodeMissing, p, row, fmt.Sprintf("the row has no %q: not run", name))
		}
	}
}

// axisKeys are the members of a row that say which arm it is.
var axisKeys = map[string]evidence.FactKey{
	"tp": evidence.KeyTP, "tensor_parallel": evidence.KeyTP, "dp": evidence.KeyDP, "replicas": evidence.KeyReplicas,
	"mtp": evidence.KeyMTPDepth, "mtp_depth": evidence.KeyMTPDepth, "context": evidence.KeyServedContext, "served_context": evidence.KeyServedContext,
	"draft_depth": evidence.KeyDraftDepth, "k": evidence.KeyDraftDepth, "spec_method": evidence.KeySpecMethod,
	"max_num_seqs": evidence.KeyMaxSequences, "gpu_memory_utilization": evidence.KeyMemoryFraction,
}

// isAxis reports whether a member of a row is a fact of its arm.
func isAxis(name string) bool {
	_, known := axisKeys[name]
	return known || registered[evidence.FactKey(name)] == evidence.Identity
}

// axes gives an arm the facts of its row.
func (m *matrixReader) axes(a *arm, p evidence.Pointer, row *jsondoc.Node) {
	for i, name := range row.Names {
		if key, ok := axisKeys[name]; ok {
			m.record(&a.Facts, key, p.Key(name), row.Children[i])
		} else if isAxis(name) && name != "checkpoint" {
			m.record(&a.Facts, evidence.FactKey(name), p.Key(name), row.Children[i])
		}
	}
	for _, required := range []string{"tp", "mtp", "context"} {
		if factIn(a.Facts, axisKeys[required]) == nil && row.Get(required) == nil {
			m.find(evidence.Warning, CodeMissing, p, row, fmt.Sprintf("%q is missing", required))
		}
	}
	m.checkpoint(a, p, row)
	if mtp := factIn(a.Facts, evidence.KeyMTPDepth); mtp != nil && factIn(a.Facts, evidence.KeySpecMethod) == nil {
		method := *mtp
		method.Key, method.Value, method.State, method.Rule = evidence.KeySpecMethod, "mtp", evidence.Derived, "mtp-depth"
		if mtp.Value == "0" {
			method.Value = "none"
		}
		a.Facts = append(a.Facts, method)
	}
	if f, ok := m.cards[valueIn(a.Facts, evidence.KeyTP)]; ok {
		m.put(&a.Facts, f)
	}
}

// checkpoint follows a row's key into the checkpoints block.
func (m *matrixReader) checkpoint(a *arm, p evidence.Pointer, row *jsondoc.Node) {
	key, ok := m.text(row, p, "checkpoint")
	if !ok {
		return
	}
	m.record(&a.Facts, evidence.KeyCheckpoint, p.Key("checkpoint"), row.Get("checkpoint"))
	n := m.checkpoints.Get(key)
	if n == nil {
		m.find(evidence.Warning, CodeIdentity, p.Key("checkpoint"), row.Get("checkpoint"), fmt.Sprintf("no checkpoint is named %q", clip(key)))
		return
	}
	m.model(&a.Facts, m.checkpointsAt.Key(key), n)
}

// armName names an arm by its facts, always in one way: "bf16 TP1 MTP0 393,216".
func armName(a *arm, i int) string {
	var parts []string
	add := func(before string, k evidence.FactKey) {
		if v := valueIn(a.Facts, k); v != "" {
			parts = append(parts, before+v)
		}
	}
	add("", evidence.KeyCheckpoint)
	add("TP", evidence.KeyTP)
	add("DP", evidence.KeyDP)
	add("MTP", evidence.KeyMTPDepth)
	add("K", evidence.KeyDraftDepth)
	if n, err := strconv.ParseInt(valueIn(a.Facts, evidence.KeyServedContext), 10, 64); err == nil {
		parts = append(parts, grouped(n))
	}
	if len(parts) == 0 {
		return fmt.Sprintf("row %d", i)
	}
	return strings.Join(parts, " ")
}

// grouped writes a whole number with commas.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
