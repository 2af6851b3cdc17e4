package store

import (
	"context"
	"database/sql"
	"fmt"

	"assay/store/evidence/mask"
)

// campaignsAgain are the campaigns as they are stored beside what their documents give, with
// the row that search has of each.
const campaignsAgain = `WITH again AS (
	SELECT campaign AS id, count(*) AS documents, sum(arms) AS arms, sum(runs) AS runs, sum(measurements) AS measurements,
		(SELECT min(v.at_us) FROM document x JOIN arrival v ON v.artifact_id = x.artifact_id WHERE x.campaign = d.campaign) AS first,
		(SELECT max(v.at_us) FROM document x JOIN arrival v ON v.artifact_id = x.artifact_id WHERE x.campaign = d.campaign) AS last,
		coalesce((SELECT title FROM document x WHERE x.campaign = d.campaign AND title <> '' ORDER BY sha256, ordinal LIMIT 1), '') AS title,
		coalesce((SELECT observed FROM document x WHERE x.campaign = d.campaign AND observed <> '' ORDER BY sha256, ordinal LIMIT 1), '') AS observed
	FROM document d WHERE campaign <> '' GROUP BY campaign)
SELECT coalesce(c.id, a.id), c.id IS NOT NULL, a.id IS NOT NULL, coalesce(c.title, ''),
	c.documents IS a.documents AND c.arms IS a.arms AND c.runs IS a.runs AND c.measurements IS a.measurements
	AND c.first_seen_us IS a.first AND c.last_seen_us IS a.last AND c.title IS a.title AND c.observed IS a.observed,
	coalesce(s.title, ''), coalesce(s.body, char(0)), coalesce(s.kind = 'campaign' AND s.pointer = '' AND s.document_id IS NULL AND s.run_id IS NULL, 0)
FROM campaign c FULL JOIN again a ON a.id = c.id LEFT JOIN search_row s ON s.id = c.n ORDER BY 1`

// CheckCampaigns holds what is summed up of campaigns against their documents. It belongs
// to no artifact, so that reading artifacts again does not see it. The texts say what does
// not hold.
func (a *Archive) CheckCampaigns(ctx context.Context) ([]string, error) {
	var faults []string
	err := a.read(ctx, "check the campaigns", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, campaignsAgain)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id, title, foundTitle, foundBody string
			var stored, given, same, foundWhole bool
			if err := rows.Scan(&id, &stored, &given, &title, &same, &foundTitle, &foundBody, &foundWhole); err != nil {
				return err
			}
			says := func(what string) { faults = append(faults, fmt.Sprintf("campaign %.80q: %s", id, what)) }
			switch {
			case !stored:
				says("documents are in it and it is not listed")
			case !given:
				says("is listed without a document")
			case !same:
				says("its sums, title or dates are not what its documents give")
			case !foundWhole || foundTitle != plain.Replace(mask.Secrets(id)) || foundBody != plain.Replace(mask.Secrets(title)):
				says("search has another row of it")
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
		strays, err := tx.QueryContext(ctx, "SELECT 'search has a row ' || id || ' of nothing' FROM search_row WHERE id < ? AND id NOT IN (SELECT n FROM campaign)", int64(1)<<ordinalBits)
		if err != nil {
			return err
		}
		lines, err := texts(strays)
		faults = append(faults, lines...)
		return err
	})
	return faults, err
}
