package store

import (
	"maps"
	"slices"

	"assay/store/evidence"
	"assay/store/evidence/mask"
)

// The table campaign holds sums over documents. Adding documents adds to them; when
// documents leave a campaign (an artifact is read again) the campaign is summed anew.

// updateCampaigns brings the campaigns up to date that the results are in now or have
// left.
func (w *writing) updateCampaigns(results []*evidence.Result, left []string) error {
	added := map[string]bool{}
	for _, r := range results {
		for i := range r.Reading.Documents {
			d := &r.Reading.Documents[i]
			if d.Campaign.ID == "" || slices.Contains(left, d.Campaign.ID) {
				continue
			}
			added[d.Campaign.ID] = true
			if err := w.addToCampaign(d, r.Kept.ArtifactID); err != nil {
				return err
			}
		}
	}
	slices.Sort(left)
	for _, id := range slices.Compact(left) {
		if err := w.sumCampaign(id); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(added)) {
		if err := w.nameCampaign(id); err != nil {
			return err
		}
	}
	return nil
}

func (w *writing) addToCampaign(d *evidence.Document, artifactID int64) error {
	var sum tally
	sum.add(d)
	return w.exec(`INSERT INTO campaign (id, title, observed, documents, arms, runs, measurements, first_seen_us, last_seen_us)
		SELECT ?, '', '', 1, ?, ?, ?, min(at_us), max(at_us) FROM arrival WHERE artifact_id = ?
		ON CONFLICT (id) DO UPDATE SET documents = documents + 1, arms = arms + excluded.arms, runs = runs + excluded.runs,
		measurements = measurements + excluded.measurements,
		first_seen_us = min(first_seen_us, excluded.first_seen_us), last_seen_us = max(last_seen_us, excluded.last_seen_us)`,
		d.Campaign.ID, sum.arms, sum.runs, sum.measurements, artifactID)
}

// sumCampaign sums a campaign anew, or forgets it with its last document.
func (w *writing) sumCampaign(id string) error {
	if id == "" {
		return nil
	}
	var documents int64
	if err := w.scan("SELECT count(*) FROM document WHERE campaign = ?", []any{id}, &documents); err != nil {
		return err
	}
	if documents == 0 {
		return w.forgetCampaign(id)
	}
	err := w.exec(`INSERT INTO campaign (id, title, observed, documents, arms, runs, measurements, first_seen_us, last_seen_us)
		SELECT ?1, '', '', count(*), sum(arms), sum(runs), sum(measurements),
		(SELECT min(v.at_us) FROM document x JOIN arrival v ON v.artifact_id = x.artifact_id WHERE x.campaign = ?1),
		(SELECT max(v.at_us) FROM document x JOIN arrival v ON v.artifact_id = x.artifact_id WHERE x.campaign = ?1)
		FROM document WHERE campaign = ?1
		ON CONFLICT (id) DO UPDATE SET documents = excluded.documents, arms = excluded.arms, runs = excluded.runs,
		measurements = excluded.measurements, first_seen_us = excluded.first_seen_us, last_seen_us = excluded.last_seen_us`, id)
	if err != nil {
		return err
	}
	return w.nameCampaign(id)
}

// nameCampaign takes title and date from the first document, in digest order, that
// gives one, and tells search.
func (w *writing) nameCampaign(id string) error {
	err := w.exec(`UPDATE campaign SET
		title = coalesce((SELECT title FROM document WHERE campaign = ?1 AND title <> '' ORDER BY sha256, ordinal LIMIT 1), ''),
		observed = coalesce((SELECT observed FROM document WHERE campaign = ?1 AND observed <> '' ORDER BY sha256, ordinal LIMIT 1), '')
		WHERE id = ?1`, id)
	if err != nil {
		return err
	}
	var n int64
	var title, found string
	err = w.scan("SELECT n, title, coalesce((SELECT body FROM search_row WHERE search_row.id = n), char(0)) FROM campaign WHERE id = ?",
		[]any{id}, &n, &title, &found)
	title = plain.Replace(mask.Secrets(title))
	if err != nil || found == title {
		return err
	}
	if err := w.unindex(n, n); err != nil {
		return err
	}
	if err := w.exec("INSERT OR REPLACE INTO search_row (id, kind, title, body, pointer) VALUES (?, 'campaign', ?, ?, '')",
		n, plain.Replace(mask.Secrets(id)), title); err != nil {
		return err
	}
	return w.index(n, n)
}

func (w *writing) forgetCampaign(id string) error {
	rows, err := w.query("SELECT n FROM campaign WHERE id = ?", id)
	if err != nil {
		return err
	}
	numbers, err := integers(rows)
	if err != nil {
		return err
	}
	for _, n := range numbers {
		if err := w.unindex(n, n); err != nil {
			return err
		}
		if err := w.exec("DELETE FROM search_row WHERE id = ?", n); err != nil {
			return err
		}
	}
	return w.exec("DELETE FROM campaign WHERE id = ?", id)
}

// index puts the rows lo to hi into the search index.
func (w *writing) index(lo, hi int64) error {
	return w.exec("INSERT INTO search (rowid, title, body) SELECT id, title, body FROM search_row WHERE id BETWEEN ? AND ?", lo, hi)
}

// unindex takes the rows lo to hi out of the search index; they must still be there.
func (w *writing) unindex(lo, hi int64) error {
	return w.exec("INSERT INTO search (search, rowid, title, body) SELECT 'delete', id, title, body FROM search_row WHERE id BETWEEN ? AND ?", lo, hi)
}

// seen notes that an artifact came in again in the campaigns it belongs to.
func (w *writing) seen(artifactID int64) error {
	return w.exec(`UPDATE campaign SET last_seen_us = max(last_seen_us, ?), first_seen_us = min(first_seen_us, ?)
		WHERE id IN (SELECT campaign FROM document WHERE artifact_id = ?)`, w.us, w.us, artifactID)
}
