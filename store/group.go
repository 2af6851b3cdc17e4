package store

// An artifact that says of no campaign and was declared into none belongs to the
// campaign of the documents that name it by its digest. Only documents that are anchored
// count, whose own campaign is stated or given by people: so the answer depends on what
// is in the archive and not on what came first, and no chain can form. Among several
// campaigns the first by name holds.
//
// What people say wins: see campaignInForce. The campaign that a document has by itself
// is kept beside the one it is in.

// madeUp is the condition that a document's own campaign was made of its digest. d is
// the document.
const madeUp = `substr(d.own_campaign, -9) = '-' || substr(lower(hex(d.sha256)), 1, 8)`

// givenByPeople is the campaign that people gave an artifact, NULL without one. The
// artifact is a, its number and digest.
const givenByPeople = `(SELECT value FROM repair WHERE kind = 'move' AND withdrawn_us = 0 AND target = lower(hex(a.sha256)) ORDER BY id DESC LIMIT 1),
	(SELECT campaign FROM arrival v WHERE v.artifact_id = a.id AND v.campaign <> '' ORDER BY v.id DESC LIMIT 1)`

// givenByReference is the campaign of the documents that name the artifact a.
const givenByReference = `CASE WHEN EXISTS (SELECT 1 FROM document d WHERE d.artifact_id = a.id)
		AND NOT EXISTS (SELECT 1 FROM document d WHERE d.artifact_id = a.id AND NOT ` + madeUp + `)
	THEN (SELECT min(d.campaign) FROM reference x JOIN document d ON d.id = x.document_id
		WHERE x.sha256 IN (SELECT a.sha256 UNION ALL SELECT e.sha256 FROM text_ending e WHERE e.artifact_id = a.id)
		AND x.sha256 IS NOT NULL AND d.artifact_id <> a.id
		AND (NOT ` + madeUp + ` OR EXISTS (SELECT 1 FROM repair p WHERE p.kind = 'move' AND p.withdrawn_us = 0 AND p.target = lower(hex(d.sha256)))
			OR EXISTS (SELECT 1 FROM arrival v WHERE v.artifact_id = d.artifact_id AND v.campaign <> ''))) END`

// maxGrouped bounds how many artifacts of one document are looked at.
const maxGrouped = 20_000

// namedBy are the artifacts that the documents of one name by digest.
func (w *writing) namedBy(artifactID int64) ([]int64, error) {
	rows, err := w.query(`SELECT DISTINCT a.id FROM document d JOIN reference x ON x.document_id = d.id JOIN artifact a ON a.sha256 = x.sha256
			WHERE d.artifact_id = ?1 AND a.id <> ?1
		UNION SELECT DISTINCT e.artifact_id FROM document d JOIN reference x ON x.document_id = d.id JOIN text_ending e ON e.sha256 = x.sha256
			WHERE d.artifact_id = ?1 AND e.artifact_id <> ?1 LIMIT ?2`, artifactID, maxGrouped)
	if err != nil {
		return nil, err
	}
	return integers(rows)
}

// regroup settles artifacts that were read, those that they name and those that they
// named before.
func (w *writing) regroup(read, before []int64) error {
	done := map[int64]bool{}
	settle := func(ids []int64) error {
		for _, id := range ids {
			if done[id] {
				continue
			}
			done[id] = true
			if err := w.settleOne(id); err != nil {
				return err
			}
		}
		return nil
	}
	if err := settle(read); err != nil {
		return err
	}
	for _, id := range read {
		named, err := w.namedBy(id)
		if err != nil {
			return err
		}
		if err := settle(named); err != nil {
			return err
		}
	}
	return settle(before)
}
