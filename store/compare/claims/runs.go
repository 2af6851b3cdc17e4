package claims

import "assay/store/evidence"

// Key names a claim among those of many runs.
type Key struct {
	Artifact evidence.Digest
	Run      string
	Place    evidence.Place
}

// KeyOf is the key of a measurement that is a claim.
func KeyOf(r *evidence.RunRow, m *evidence.MeasurementRow) Key {
	return Key{r.Artifact, r.ID, m.Place}
}

// OfRuns answers the published changes of runs that are at hand without their documents.
// Bases are looked for among the runs of the same artifact; of a claim whose base may be
// in a run that is not at hand nothing is said.
func OfRuns(runs []evidence.RunRow) map[Key]Claim {
	docs := map[evidence.Digest]*evidence.DocumentDetail{}
	for i := range runs {
		r := &runs[i]
		d := docs[r.Artifact]
		if d == nil {
			d = &evidence.DocumentDetail{DocumentRow: evidence.DocumentRow{Source: r.Source}}
			d.Campaign.ID = r.Campaign
			docs[r.Artifact] = d
		}
		d.RunRows = append(d.RunRows, *r)
	}
	out := map[Key]Claim{}
	for _, d := range docs {
		if len(d.RunRows) < 2 {
			continue
		}
		named := map[Key]bool{}
		for i := range d.RunRows {
			for j := range d.RunRows[i].Measurements {
				m := &d.RunRows[i].Measurements[j]
				named[Key{d.Artifact, d.RunRows[i].ID, m.Place}] = len(m.Also) > 0
			}
		}
		s := newSheet(d)
		s.changes()
		for _, c := range s.settled() {
			if k := (Key{c.Artifact, c.Run, c.Place}); c.Verdict != NoBase || !named[k] {
				out[k] = c
			}
		}
	}
	return out
}
