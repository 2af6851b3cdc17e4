package store

import "assay/store/evidence"

// maxPointerQuery bounds the pointers that search looks for.
const maxPointerQuery = 2048

// pointerSource finds what stands at exactly one JSON Pointer: prose and facts by
// their own rows, arms, runs and their figures through the arm or run they lie under.
//
// Note: an index over the pointers of all measurements would be as large as the
// measurements. Runs and arms are few, and their pointers contain those of their
// figures. How many of them are looked at is bounded: "/rows/0" stands in every file.
func pointerSource(p evidence.Pointer) searchSource {
	var above []any
	for q := p; ; q = q.Parent() {
		above = append(above, string(q))
		if q == "" {
			break
		}
	}
	in := marks(len(above))
	runs := "(SELECT id FROM run WHERE pointer IN (" + in + ") LIMIT 1000)"
	arms := "(SELECT id FROM run WHERE arm_id IN (SELECT id FROM arm WHERE pointer IN (" + in + ") LIMIT 200) LIMIT 1000)"
	const figure = `
		UNION SELECT 'arm', x.name, m.metric || ' ' || m.stat || ' ' || m.source_text || ' ' || m.source_unit, r.document_id, m.pointer, r.id, r.id
			FROM run r JOIN arm x ON x.id = r.arm_id JOIN measurement m ON m.run_id = r.id WHERE m.pointer = ? AND r.id IN `
	const fact = `
		UNION SELECT 'fact', f.key, f.value, f.document_id, f.pointer, f.run_id, f.document_id
			FROM fact f WHERE f.pointer = ? AND `
	union := `SELECT w.kind, w.title, w.body, w.document_id, w.pointer, w.run_id, w.id AS at FROM search_row w
			WHERE w.pointer = ? AND w.pointer <> ''
		UNION SELECT 'arm', x.name, r.name || ' · ' || r.class, r.document_id, r.pointer, r.id, r.id FROM run r JOIN arm x ON x.id = r.arm_id
			WHERE r.pointer = ?` +
		figure + runs + figure + arms +
		fact + "f.run_id IN " + runs +
		fact + "f.run_id IS NULL AND f.arm_id IN (SELECT id FROM arm WHERE pointer IN (" + in + ") LIMIT 1000)"
	args := []any{string(p), string(p)}
	for range 4 {
		args = append(append(args, string(p)), above...)
	}
	return searchSource{
		count: "SELECT count(*) FROM (" + union + ") u WHERE 1",
		list: `SELECT u.kind, u.title, u.body, d.campaign, d.sha256, u.pointer, u.run_id
			FROM (` + union + `) u JOIN document d ON d.id = u.document_id WHERE 1`,
		args:  args,
		order: "d.campaign, d.sha256, u.at, u.title, u.body",

		column: "d.id", narrow: "u.document_id IN (%s)",
	}
}
