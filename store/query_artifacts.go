package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"assay/store/evidence"
)

// minDigestPrefix is how many hexadecimal digits stand for a digest.
const minDigestPrefix = 6

const artifactColumns = `a.id, a.sha256, a.size, a.stored_us, g.state, g.schema, g.family, g.reader, g.encoding, g.json_values,
	g.campaign, g.runs, g.measurements, g.findings`

func scanArtifact(rows *sql.Rows) (evidence.ArtifactRow, error) {
	var r evidence.ArtifactRow
	err := rows.Scan(&r.ID, digestInto(&r.Digest), &r.Size, &r.StoredUS, &r.State, &r.Schema, &r.Family, &r.Reader, &r.Encoding, &r.Values,
		&r.Campaign, &r.Runs, &r.Measures, &r.Findings)
	return r, err
}

func artifactClauses(f evidence.Filter) *clauses {
	c := &clauses{}
	if f.State != "" {
		c.add("g.state = ?", f.State)
	}
	if f.Schema != "" {
		c.add("g.schema = ?", f.Schema)
	}
	if f.Family != "" {
		c.add("g.family = ?", f.Family)
	}
	if f.Campaign != "" {
		c.add("+g.artifact_id IN (SELECT artifact_id FROM document WHERE campaign = ?)", f.Campaign)
	}
	if f.Artifact != "" {
		if lo, hi, ok := digestRange(f.Artifact); ok {
			c.add("+g.artifact_id IN (SELECT id FROM artifact WHERE sha256 BETWEEN ? AND ?)", lo, hi)
		} else {
			c.none()
		}
	}
	return c
}

// Artifacts lists artifacts, the latest first, and counts all that fit.
func (a *Archive) Artifacts(ctx context.Context, f evidence.Filter) ([]evidence.ArtifactRow, int, error) {
	var list []evidence.ArtifactRow
	total := 0
	err := a.read(ctx, "list artifacts", func(tx *sql.Tx) error {
		c := artifactClauses(f)
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM reading g"+c.sql(), c.args...).Scan(&total); err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, artifactList+c.sql()+" ORDER BY g.artifact_id DESC LIMIT ? OFFSET ?",
			append(c.args, limitOrAll(f.Limit), max(f.Offset, 0))...)
		if err != nil {
			return err
		}
		if list, err = collect(rows, scanArtifact); err != nil {
			return err
		}
		o, err := a.overlay(ctx, tx)
		if err != nil {
			return err
		}
		if err := o.countNameFindings(ctx, tx, list); err != nil {
			return err
		}
		return loadNames(ctx, tx, list)
	})
	return list, total, err
}

const artifactList = "SELECT " + artifactColumns + " FROM reading g CROSS JOIN artifact a ON a.id = g.artifact_id"

// EachArtifact streams artifacts by digest.
func (a *Archive) EachArtifact(ctx context.Context, f evidence.Filter, each func(evidence.ArtifactRow) error) error {
	each = passing(each)
	c := artifactClauses(f)
	return a.read(ctx, "export artifacts", func(tx *sql.Tx) error {
		o, err := a.overlay(ctx, tx)
		if err != nil {
			return err
		}
		rows, err := tx.QueryContext(ctx, "SELECT "+artifactColumns+" FROM artifact a CROSS JOIN reading g ON g.artifact_id = a.id"+
			c.sql()+" ORDER BY a.sha256 LIMIT ? OFFSET ?", append(c.args, limitOrAll(f.Limit), max(f.Offset, 0))...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			r, err := scanArtifact(rows)
			if err != nil {
				return err
			}
			one := []evidence.ArtifactRow{r}
			if err := o.countNameFindings(ctx, tx, one); err != nil {
				return err
			}
			if err := loadNames(ctx, tx, one); err != nil {
				return err
			}
			if err := each(one[0]); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// loadNames gives artifacts the names they came under.
func loadNames(ctx context.Context, tx *sql.Tx, list []evidence.ArtifactRow) error {
	ids := make([]int64, len(list))
	at := make(map[int64]int, len(list))
	for i := range list {
		ids[i], at[list[i].ID] = list[i].ID, i
	}
	rows, err := tx.QueryContext(ctx, "SELECT n.artifact_id, n.name FROM json_each(?) j CROSS JOIN artifact_name n ON n.artifact_id = j.value", numbers(ids))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return err
		}
		list[at[id]].Names = append(list[at[id]].Names, name)
	}
	return rows.Err()
}

// FindArtifact finds an artifact by the first digits of its digest, at least six.
func (a *Archive) FindArtifact(ctx context.Context, prefix string) (evidence.ArtifactRow, error) {
	var found evidence.ArtifactRow
	err := a.read(ctx, "find artifact", func(tx *sql.Tx) error {
		var err error
		found, err = findArtifact(ctx, tx, prefix)
		return err
	})
	return found, err
}

func findArtifact(ctx context.Context, tx *sql.Tx, prefix string) (evidence.ArtifactRow, error) {
	lo, hi, ok := digestRange(prefix)
	if !ok || len(prefix) < minDigestPrefix {
		return evidence.ArtifactRow{}, fmt.Errorf("artifact %.80q: %w; want %d to 64 hexadecimal digits of its SHA-256", prefix, evidence.ErrNotFound, minDigestPrefix)
	}
	rows, err := tx.QueryContext(ctx, "SELECT "+artifactColumns+` FROM artifact a CROSS JOIN reading g ON g.artifact_id = a.id
		WHERE a.sha256 BETWEEN ? AND ? ORDER BY a.sha256 LIMIT 10`, lo, hi)
	if err != nil {
		return evidence.ArtifactRow{}, err
	}
	list, err := collect(rows, scanArtifact)
	if err != nil {
		return evidence.ArtifactRow{}, err
	}
	switch len(list) {
	case 0:
		return evidence.ArtifactRow{}, fmt.Errorf("artifact %s: %w", prefix, evidence.ErrNotFound)
	case 1:
		return list[0], loadNames(ctx, tx, list)
	}
	var digests []string
	for i := range list {
		digests = append(digests, list[i].Digest.String())
	}
	return evidence.ArtifactRow{}, fmt.Errorf("artifact %s: %w: it may be %s", prefix, evidence.ErrAmbiguous, strings.Join(digests, ", "))
}

// Artifact finds an artifact with everything that was read from it.
func (a *Archive) Artifact(ctx context.Context, digest evidence.Digest) (evidence.ArtifactDetail, error) {
	var d evidence.ArtifactDetail
	err := a.read(ctx, "find artifact", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT "+artifactColumns+" FROM artifact a CROSS JOIN reading g ON g.artifact_id = a.id WHERE a.sha256 = ?", digest[:])
		if err != nil {
			return err
		}
		list, err := collect(rows, scanArtifact)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return fmt.Errorf("artifact %s: %w", digest, evidence.ErrNotFound)
		}
		if err := loadNames(ctx, tx, list); err != nil {
			return err
		}
		o, err := a.overlay(ctx, tx)
		if err != nil {
			return err
		}
		if err := o.countNameFindings(ctx, tx, list); err != nil {
			return err
		}
		d.ArtifactRow = list[0]
		return loadDetail(ctx, tx, o, &d)
	})
	return d, err
}

func loadDetail(ctx context.Context, tx *sql.Tx, o *overlay, d *evidence.ArtifactDetail) error {
	came, err := arrivals(ctx, tx, "WHERE v.artifact_id = ? ORDER BY v.id", d.ID)
	if err != nil {
		return err
	}
	for _, o := range came {
		d.Arrivals = append(d.Arrivals, o.row)
	}
	found, err := findingsOf(ctx, tx, o, []int64{d.ID})
	if err != nil {
		return err
	}
	d.Findings = found[d.ID]
	f := evidence.Filter{Artifact: d.Digest.String()}
	if d.Documents, err = loadDocuments(ctx, tx, o, f); err != nil {
		return err
	}
	notLifted, err := notLiftedRows.list(ctx, tx, f)
	if err != nil {
		return err
	}
	for _, o := range notLifted {
		d.NotLifted = append(d.NotLifted, o.row)
	}
	err = eachFact(ctx, tx, o, f, func(f evidence.FactRow) error {
		d.Facts = append(d.Facts, f)
		return nil
	})
	if err != nil {
		return err
	}
	ids, err := runIDs(ctx, tx, o, f)
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(ids, runChunk) {
		runs, err := loadHeads(ctx, tx, chunk)
		if err != nil {
			return err
		}
		err = measurements(ctx, tx, &clauses{}, runs, func(_ *loaded, m evidence.MeasurementRow) error {
			d.Measurements = append(d.Measurements, m)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
