package store

import (
	"context"
	"database/sql"

	"assay/store/evidence"
)

// SpelledKeys are the keys whose spellings differ between tools and people: names of
// cards, engines and models. Each one stands in an index of its own (migrations/0005,
// 0006 and 0009).
var SpelledKeys = []evidence.FactKey{
	evidence.KeyGPUProduct, evidence.KeyEngine, evidence.KeyEngineVersion, evidence.KeyImage,
	evidence.KeyModel, evidence.KeyServedModel, evidence.KeyCheckpoint, evidence.KeyModelArtifact, evidence.KeyProtocol,
}

// Spellings lists the values of the spelled keys, at most limit of each key and those of
// most documents first, with what aliases say they mean.
func (a *Archive) Spellings(ctx context.Context, limit int) ([]evidence.Spelling, error) {
	var list []evidence.Spelling
	err := a.read(ctx, "list spellings", func(tx *sql.Tx) error {
		o, err := a.overlay(ctx, tx)
		if err != nil {
			return err
		}
		for _, k := range SpelledKeys {
			rows, err := tx.QueryContext(ctx, spellingsOf(k), limitOrAll(limit))
			if err != nil {
				return err
			}
			of, err := collect(rows, func(rows *sql.Rows) (evidence.Spelling, error) {
				s := evidence.Spelling{Key: k}
				err := rows.Scan(&s.Value, &s.Documents)
				s.Meaning = o.means(k, s.Value)
				return s, err
			})
			if err != nil {
				return err
			}
			list = append(list, of...)
		}
		return nil
	})
	return list, err
}

// spellingsOf writes the key out: SQLite takes a partial index only for a condition
// that it finds in it.
func spellingsOf(k evidence.FactKey) string {
	return "SELECT f.value, count(DISTINCT f.document_id) AS n FROM fact f WHERE f.key = '" + string(k) +
		"' AND f.value <> '' GROUP BY f.value ORDER BY n DESC, f.value LIMIT ?"
}
