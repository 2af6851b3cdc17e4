package store

import (
	"strings"

	"assay/store/evidence"
)

// The keys that filters search by a part of their value. Each one stands in the index
// fact_named (migrations/0005).
var (
	engineKeys = []evidence.FactKey{evidence.KeyEngine, evidence.KeyEngineVersion, evidence.KeyImage}
	cardKeys   = []evidence.FactKey{evidence.KeyGPUProduct}
)

// said narrows to runs for which a fact of one of the keys holds that has text in its
// value: the run's own, else the arm's, else the document's, as runs are listed with.
// Letters match in either case.
func (c *clauses) said(keys []evidence.FactKey, text string) {
	var parts []string
	like := "%" + likeEscape.Replace(text) + "%"
	for _, k := range keys {
		parts = append(parts, strings.ReplaceAll(saidBy, "KEY", "'"+string(k)+"'"))
		c.args = append(c.args, like, like, like, like)
	}
	c.where = append(c.where, "("+strings.Join(parts, " OR ")+")")
}

// saidBy holds for the runs of documents that say the text for all of their runs, and
// for single runs where arms or runs of a document say something of their own. The
// plus signs keep the order of lists: see documents.
const saidBy = `+d.id IN (SELECT n.document_id FROM fact n WHERE n.key = KEY AND n.run_id IS NULL AND n.arm_id IS NULL
		AND n.value LIKE ? ESCAPE '\' AND NOT ` + narrower + `)
	OR +r.id IN (SELECT n.run_id FROM fact n WHERE n.key = KEY AND n.run_id IS NOT NULL AND n.value LIKE ? ESCAPE '\'
	UNION ALL SELECT x.id FROM fact n CROSS JOIN run x ON x.arm_id = n.arm_id
		WHERE n.key = KEY AND n.run_id IS NULL AND n.arm_id IS NOT NULL AND n.value LIKE ? ESCAPE '\'
		AND NOT EXISTS (SELECT 1 FROM fact o WHERE o.key = KEY AND o.document_id = n.document_id AND o.run_id = x.id)
	UNION ALL SELECT x.id FROM fact n CROSS JOIN run x ON x.document_id = n.document_id
		WHERE n.key = KEY AND n.run_id IS NULL AND n.arm_id IS NULL AND n.value LIKE ? ESCAPE '\' AND ` + narrower + `
		AND NOT EXISTS (SELECT 1 FROM fact o WHERE o.key = KEY AND o.document_id = n.document_id AND o.run_id = x.id)
		AND NOT EXISTS (SELECT 1 FROM fact o WHERE o.key = KEY AND o.document_id = n.document_id AND o.run_id IS NULL AND o.arm_id = x.arm_id))`

// narrower holds where an arm or a run of the document has a fact of the key.
const narrower = `(EXISTS (SELECT 1 FROM fact w WHERE w.key = KEY AND w.document_id = n.document_id AND w.run_id IS NOT NULL)
		OR EXISTS (SELECT 1 FROM fact w WHERE w.key = KEY AND w.document_id = n.document_id AND w.run_id IS NULL AND w.arm_id IS NOT NULL))`
