package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"assay/store/evidence"
)

// nameFinding is a finding about a served name of an artifact.
type nameFinding struct {
	artifactID int64
	evidence.FindingRow
}

// findings are those about the served names of artifacts (a JSON list of their
// numbers; all of them when it is ""), by digest and place. Nothing of them is stored:
// they come and go with the recipes.
func (x *recipes) findings(ctx context.Context, tx *sql.Tx, artifacts string) ([]nameFinding, error) {
	if len(x.ambiguous) == 0 {
		return nil, nil
	}
	names, _ := json.Marshal(x.ambiguous) // texts always marshal
	query, args := nameFindings, []any{string(names)}
	if artifacts != "" {
		query, args = nameFindingsOf, []any{artifacts, string(names)}
	}
	rows, err := tx.QueryContext(ctx, query+nameFindingOrder, args...)
	if err != nil {
		return nil, err
	}
	type said struct {
		artifact int64
		name     string
	}
	seen := map[said]bool{}
	defer rows.Close()
	var list []nameFinding
	for rows.Next() {
		var f nameFinding
		var s source
		var src evidence.Source
		var name, campaign string
		err := rows.Scan(append([]any{&f.artifactID, &name, &f.Pointer}, s.into(&src, &campaign)...)...)
		if err != nil {
			return nil, err
		}
		if seen[said{f.artifactID, name}] {
			continue // once for each artifact, at its first place
		}
		seen[said{f.artifactID, name}] = true
		f.Artifact, f.Reader, f.Severity, f.Code, f.Offset, f.Message = src.Artifact, s.ref(), evidence.Warning, CodeAmbiguousName, -1, x.names[name].ambiguity
		list = append(list, f)
	}
	return list, rows.Err()
}

const (
	nameFindingColumns = "SELECT d.artifact_id, f.value, f.pointer, " + sourceColumns
	nameFindings       = nameFindingColumns + ` FROM json_each(?) j CROSS JOIN fact f ON f.key = 'served_model' AND f.value = j.value
		CROSS JOIN document d ON d.id = f.document_id WHERE d.family <> 'recipe'`
	nameFindingsOf = nameFindingColumns + ` FROM json_each(?) i CROSS JOIN document d ON d.artifact_id = i.value
		CROSS JOIN fact f ON f.key = 'served_model' AND f.document_id = d.id
		WHERE f.value IN (SELECT value FROM json_each(?)) AND d.family <> 'recipe'`
	nameFindingOrder = " ORDER BY d.sha256, d.ordinal, f.ordinal"
)
