package store

import (
	"database/sql"
	"errors"
	"slices"

	"assay/store/evidence"
)

// campaignInForce is the campaign that an artifact was brought into: by people, with the
// latest move that holds, else the last arrival that declared one; else by the documents
// that name it; else "". The artifact is a, its number and digest.
const campaignInForce = `coalesce(` + givenByPeople + `,
	` + givenByReference + `, '')`

const inForceOf = "SELECT " + campaignInForce + " FROM artifact a WHERE a.id = ?"

// inForce is the campaign that an artifact was brought into, "" for its own.
func (w *writing) inForce(artifactID int64) (string, error) {
	var c string
	err := w.scan(inForceOf, []any{artifactID}, &c)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return c, err
}

// settled is the campaign of a document: what people gave its artifact, else its own.
func settled(k evidence.Kept, c evidence.Campaign) evidence.Campaign {
	if c.Own == "" {
		c.Own, c.OwnPlace = c.ID, c.Place
	}
	c.ID, c.Place = c.Own, c.OwnPlace
	if k.Campaign != "" && c.ID != k.Campaign {
		c.ID, c.Place = k.Campaign, evidence.Place{}
	}
	return c
}

// settle brings a reading into the campaign in force when it is filed, which may have
// changed since it was read. The reading itself stays as it is.
func (w *writing) settle(r *evidence.Result) (evidence.Result, error) {
	if r.Reading == nil || len(r.Reading.Documents) == 0 {
		return *r, nil
	}
	now, err := w.inForce(r.Kept.ArtifactID)
	if err != nil || now == r.Kept.Campaign {
		return *r, err
	}
	out, reading := *r, *r.Reading
	out.Kept.Campaign, out.Reading = now, &reading
	reading.Documents = slices.Clone(reading.Documents)
	for i := range reading.Documents {
		c := &reading.Documents[i].Campaign
		*c = settled(out.Kept, *c)
	}
	return out, nil
}

// settleCampaign moves what was read from an artifact into the campaign in force, and
// the artifacts that it names along. It needs no reading: every document keeps the
// campaign it would have on its own.
func (w *writing) settleCampaign(artifactID int64) error {
	return w.regroup([]int64{artifactID}, nil)
}

func (w *writing) settleOne(artifactID int64) error {
	now, err := w.inForce(artifactID)
	if err != nil {
		return err
	}
	elsewhere := 0
	err = w.scan("SELECT count(*) FROM document WHERE artifact_id = ?1 AND campaign <> CASE WHEN ?2 = '' THEN own_campaign ELSE ?2 END",
		[]any{artifactID, now}, &elsewhere)
	if err != nil || elsewhere == 0 {
		return err
	}
	const ofArtifact = "SELECT DISTINCT campaign FROM document WHERE artifact_id = ?"
	campaigns := func() ([]string, error) {
		rows, err := w.query(ofArtifact, artifactID)
		if err != nil {
			return nil, err
		}
		return texts(rows)
	}
	touched, err := campaigns()
	if err != nil {
		return err
	}
	err = w.exec(`UPDATE document SET
		campaign = CASE WHEN ?2 = '' THEN own_campaign ELSE ?2 END,
		campaign_pointer = CASE WHEN ?2 IN ('', own_campaign) THEN own_pointer ELSE '' END,
		campaign_span_start = CASE WHEN ?2 IN ('', own_campaign) THEN own_span_start ELSE 0 END,
		campaign_span_end = CASE WHEN ?2 IN ('', own_campaign) THEN own_span_end ELSE 0 END
		WHERE artifact_id = ?1`, artifactID, now)
	if err != nil {
		return err
	}
	err = w.exec(`UPDATE reading SET campaign = coalesce(
		(SELECT campaign FROM document d WHERE d.artifact_id = ?1 ORDER BY d.ordinal LIMIT 1), '') WHERE artifact_id = ?1`, artifactID)
	if err != nil {
		return err
	}
	entered, err := campaigns()
	if err != nil {
		return err
	}
	touched = append(touched, entered...)
	slices.Sort(touched)
	for _, id := range slices.Compact(touched) {
		if err := w.sumCampaign(id); err != nil {
			return err
		}
	}
	return nil
}
