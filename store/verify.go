package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"

	"assay/store/evidence"
)

// verifyPage is how many artifacts are listed at a time.
const verifyPage = 256

// VerifyDigests hashes every artifact again from its chunks and compares digest and
// size. bad lists the artifacts that do not hold; progress, when given, is called
// after each one.
func (a *Archive) VerifyDigests(ctx context.Context, progress func(done, total int)) (checked int, bad []evidence.Digest, err error) {
	var total int
	if err := a.reader.QueryRowContext(ctx, "SELECT count(*) FROM artifact").Scan(&total); err != nil {
		return 0, nil, a.fail("verify", err)
	}
	for after := int64(0); ; {
		page, err := a.All(ctx, after, verifyPage)
		if err != nil {
			return checked, bad, err
		}
		if len(page) == 0 {
			return checked, bad, nil
		}
		for _, k := range page {
			holds, err := a.verifyArtifact(ctx, k)
			if err != nil {
				return checked, bad, a.fail("verify artifact "+k.Digest.Short(), err)
			}
			if !holds {
				bad = append(bad, k.Digest)
			}
			after = k.ArtifactID
			checked++
			if progress != nil {
				progress(checked, max(total, checked))
			}
		}
	}
}

// verifyArtifact reports whether the chunks follow each other without a gap and hash
// to the digest. A frame that does not unpack is a broken artifact, not an error.
func (a *Archive) verifyArtifact(ctx context.Context, k evidence.Kept) (bool, error) {
	rows, err := a.reader.QueryContext(ctx, "SELECT start, size, body FROM artifact_chunk WHERE artifact_id = ? ORDER BY start", k.ArtifactID)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	hash := sha256.New()
	var at int64
	var chunk []byte
	for rows.Next() {
		var start, size int64
		var body sql.RawBytes
		if err := rows.Scan(&start, &size, &body); err != nil {
			return false, err
		}
		if start != at {
			return false, nil
		}
		part, err := unpack(chunk, body, int(size))
		if err != nil {
			return false, nil
		}
		hash.Write(part)
		chunk = part
		at += size
	}
	if err := rows.Err(); err != nil {
		return false, err
	}
	return at == k.Size && evidence.Digest(hash.Sum(nil)) == k.Digest, nil
}

// CheckFile lets SQLite check the structure of the file and the foreign keys. The
// texts say what is wrong; there are none in a sound archive.
func (a *Archive) CheckFile(ctx context.Context) ([]string, error) {
	var faults []string
	err := a.read(ctx, "check the file", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT integrity_check FROM pragma_integrity_check")
		if err != nil {
			return err
		}
		lines, err := texts(rows)
		if err != nil {
			return err
		}
		for _, line := range lines {
			if line != "ok" {
				faults = append(faults, line)
			}
		}
		rows, err = tx.QueryContext(ctx, `SELECT 'a row of ' || "table" || ' refers to a row of ' || parent || ' that is not there'
			FROM pragma_foreign_key_check`)
		if err != nil {
			return err
		}
		lines, err = texts(rows)
		faults = append(faults, lines...)
		return err
	})
	var step *stepError
	if isDamage(err) && errors.As(err, &step) {
		return append(faults, step.err.Error()), nil
	}
	return faults, err
}
