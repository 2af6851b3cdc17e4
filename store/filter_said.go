package store

import (
	"strings"

	"assay/store/evidence"
)

// The keys that filters search by a part of their value. Each one stands in the index
// fact_named (migrations/0005) or fact_model (migrations/0006).
var (
	engineKeys = []evidence.FactKey{evidence.KeyEngine, evidence.KeyEngineVersion, evidence.KeyImage}
	cardKeys   = []evidence.FactKey{evidence.KeyGPUProduct}
	modelKeys  = []evidence.FactKey{evidence.KeyModel, evidence.KeyServedModel, evidence.KeyCheckpoint, evidence.KeyModelArtifact}

	protocolKeys = []evidence.FactKey{evidence.KeyProtocol} // in the index fact_protocol (migrations/0009)
)

// searchesFacts reports whether a filter asks for a part of a fact.
func searchesFacts(f evidence.Filter) bool {
	return f.Engine != "" || f.GPU != "" || f.Model != "" || f.Protocol != ""
}

// said narrows to runs for which a fact of one of the keys holds that has text in its
// value: the run's own, else the arm's, else the document's, as runs are listed with.
// What people and recipes say counts too (filter_laid.go). Letters match in either case.
//
// Documents that answer for all of their runs are found as a whole, single runs only
// where arms or runs have something of their own to say, and documents that say nothing
// of the kind are skipped before their runs are looked at one by one. The plus signs
// keep the order of lists: see documents.
func (c *clauses) said(keys []evidence.FactKey, text string) {
	s := &saying{over: c.over, text: text, like: "%" + likeEscape.Replace(text) + "%"}
	for _, k := range keys {
		s.recorded(k)
		s.declared(k)
		s.served(k)
	}
	c.add("(+d.id IN ("+s.documents.sql()+") OR +r.id IN ("+s.runs.sql()+"))", append(s.documents.args, s.runs.args...)...)
	c.add("+d.id IN ("+s.near.sql()+")", s.near.args...)
}

// saying collects what answers: documents for all of their runs, runs by themselves, and
// every document that may answer for any of its runs.
type saying struct {
	over       *overlay
	text, like string

	documents, runs, near union
}

// union is queries of ids with their arguments.
type union struct {
	queries []string
	args    []any
}

func (u *union) add(query string, args ...any) {
	u.queries = append(u.queries, query)
	u.args = append(u.args, args...)
}

func (u *union) sql() string { return strings.Join(u.queries, " UNION ALL ") }

// of writes a query for one key.
func of(k evidence.FactKey, query string) string {
	return strings.ReplaceAll(query, "KEY", "'"+string(k)+"'")
}

// recorded adds what the artifacts themselves say.
func (s *saying) recorded(k evidence.FactKey) {
	match, args := `n.value LIKE ? ESCAPE '\'`, []any{s.like}
	if spellings := s.over.spellings(k, s.text); len(spellings) > 0 {
		match = `(n.value LIKE ? ESCAPE '\' OR n.value IN (SELECT value FROM json_each(?)))`
		args = append(args, jsonList(spellings))
	}
	with := func(query string) string { return strings.ReplaceAll(of(k, query), "MATCH", match) }
	s.documents.add(with(saidWhole), args...)
	for _, query := range []string{saidOfRun, saidOfArm, saidOfRest} {
		s.runs.add(with(query), args...)
	}
	s.near.add(with(saidNear), args...)
}

const (
	saidNear  = "SELECT n.document_id FROM fact n WHERE n.key = KEY AND MATCH"
	saidWhole = `SELECT n.document_id FROM fact n WHERE n.key = KEY AND n.run_id IS NULL AND n.arm_id IS NULL
		AND MATCH AND NOT ` + narrower
	saidOfRun = "SELECT n.run_id FROM fact n WHERE n.key = KEY AND n.run_id IS NOT NULL AND MATCH"
	saidOfArm = `SELECT x.id FROM fact n CROSS JOIN run x ON x.arm_id = n.arm_id
		WHERE n.key = KEY AND n.run_id IS NULL AND n.arm_id IS NOT NULL AND MATCH
		AND NOT EXISTS (SELECT 1 FROM fact o WHERE o.key = KEY AND o.document_id = n.document_id AND o.run_id = x.id)`
	saidOfRest = `SELECT x.id FROM fact n CROSS JOIN run x ON x.document_id = n.document_id
		WHERE n.key = KEY AND n.run_id IS NULL AND n.arm_id IS NULL AND MATCH AND ` + narrower + `
		AND NOT EXISTS (SELECT 1 FROM fact o WHERE o.key = KEY AND o.document_id = n.document_id AND o.run_id = x.id)
		AND NOT EXISTS (SELECT 1 FROM fact o WHERE o.key = KEY AND o.document_id = n.document_id AND o.run_id IS NULL AND o.arm_id = x.arm_id)`

	// narrower holds where an arm or a run of the document has a fact of the key.
	narrower = `(EXISTS (SELECT 1 FROM fact w WHERE w.key = KEY AND w.document_id = n.document_id AND w.run_id IS NOT NULL)
		OR EXISTS (SELECT 1 FROM fact w WHERE w.key = KEY AND w.document_id = n.document_id AND w.run_id IS NULL AND w.arm_id IS NOT NULL))`
)
