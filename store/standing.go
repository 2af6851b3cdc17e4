package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"assay/store/evidence"
	"assay/store/signoff"
)

// keptStandings is how many results of one sign-off are kept, the latest.
const keptStandings = 50

// Generation is the state of everything that a standing depends on. The version of the
// rules is for the caller to fill in: the archive does not know them.
func (a *Archive) Generation(ctx context.Context) (g signoff.Generation, err error) {
	err = a.read(ctx, "read the generation", func(tx *sql.Tx) error {
		g, err = generationOf(func(query string, dest ...any) error { return tx.QueryRowContext(ctx, query).Scan(dest...) }, 0)
		return err
	})
	return g, err
}

func generationOf(scan func(query string, dest ...any) error, ruleset int) (signoff.Generation, error) {
	g := signoff.Generation{Ruleset: ruleset}
	err := scan(`SELECT (SELECT coalesce(max(n) + 1, 0) FROM log_record), (SELECT generation FROM overlay), (SELECT generation FROM reading_generation)`,
		&g.LogSize, &g.Overlay, &g.Derived)
	return g, err
}

// SaveStanding keeps what was found of a sign-off at a state of the archive.
func (a *Archive) SaveStanding(ctx context.Context, ref string, at signoff.Generation, s signoff.Standing) error {
	id, err := signoff.ParseNumber(ref)
	if err != nil {
		return err
	}
	result, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return a.write(ctx, "keep a standing", func(w *writing) error {
		err := w.exec(`INSERT OR REPLACE INTO signoff_standing (signoff_id, log_size, overlay, derived, ruleset, at_us, result) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			id, at.LogSize, at.Overlay, at.Derived, at.Ruleset, s.AtUS, string(result))
		if err != nil {
			return err
		}
		return w.exec(`DELETE FROM signoff_standing WHERE signoff_id = ? AND id NOT IN
			(SELECT id FROM signoff_standing WHERE signoff_id = ? ORDER BY id DESC LIMIT ?)`, id, id, keptStandings)
	})
}

// LastStanding is what was found of a sign-off last.
func (a *Archive) LastStanding(ctx context.Context, ref string) (evidence.Opt[signoff.Known], error) {
	list, err := a.Standings(ctx, ref, 1)
	if err != nil || len(list) == 0 {
		return evidence.None[signoff.Known](), err
	}
	return evidence.Some(list[0]), nil
}

// Standings are what was found of a sign-off at different lengths of the log, the latest
// first.
func (a *Archive) Standings(ctx context.Context, ref string, limit int) (list []signoff.Known, err error) {
	id, err := signoff.ParseNumber(ref)
	if err != nil {
		return nil, err
	}
	err = a.read(ctx, "read standings", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT log_size, overlay, derived, ruleset, result FROM signoff_standing WHERE signoff_id = ? ORDER BY id DESC LIMIT ?", id, limitOrAll(limit))
		if err != nil {
			return err
		}
		list, err = collect(rows, func(rows *sql.Rows) (k signoff.Known, err error) {
			var result string
			if err := rows.Scan(&k.At.LogSize, &k.At.Overlay, &k.At.Derived, &k.At.Ruleset, &result); err != nil {
				return k, err
			}
			return k, json.Unmarshal([]byte(result), &k.Standing)
		})
		return err
	})
	return list, err
}

// Successors are artifacts that came into a campaign after a time under the file name of
// one of the given ones: a reason to look.
func (a *Archive) Successors(ctx context.Context, campaign string, of []evidence.Digest, afterUS int64) (list []signoff.Successor, err error) {
	hexes := make([]string, len(of))
	for i, d := range of {
		hexes[i] = d.String()
	}
	err = a.read(ctx, "look for successors", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT DISTINCT o.sha256, n.sha256, nn.base, n.stored_us
			FROM json_each(?) j
			JOIN artifact o ON o.sha256 = unhex(j.value)
			JOIN artifact_name oname ON oname.artifact_id = o.id
			JOIN artifact_name nn ON nn.base = oname.base AND nn.artifact_id <> o.id
			JOIN artifact n ON n.id = nn.artifact_id AND n.stored_us > ? AND n.stored_us >= o.stored_us
			WHERE EXISTS (SELECT 1 FROM document d WHERE d.sha256 = n.sha256 AND d.campaign = ?)
			ORDER BY o.sha256, n.stored_us, n.sha256`, jsonList(hexes), afterUS, campaign)
		if err != nil {
			return err
		}
		list, err = collect(rows, func(rows *sql.Rows) (s signoff.Successor, err error) {
			return s, rows.Scan(digestInto(&s.Old), digestInto(&s.New), &s.Name, &s.AtUS)
		})
		return err
	})
	return list, err
}

// CheckArtifact reads an artifact's bytes and holds them against its digest.
func (a *Archive) CheckArtifact(ctx context.Context, d evidence.Digest) (err error) {
	var id, size int64
	err = a.read(ctx, "look for "+d.Short(), func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, "SELECT id, size FROM artifact WHERE sha256 = ?", d[:]).Scan(&id, &size)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("artifact %s: %w", d, evidence.ErrNotFound)
		}
		return err
	})
	if err != nil {
		return err
	}
	r, err := a.OpenArtifact(ctx, id)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := r.Close(); err == nil {
			err = cerr
		}
	}()
	h := sha256.New()
	n, err := io.Copy(h, r)
	if err != nil {
		return fmt.Errorf("artifact %s: its bytes cannot be read: %w", d.Short(), err)
	}
	if evidence.Digest(h.Sum(nil)) != d || n != size {
		return fmt.Errorf("artifact %s: its bytes are others than its digest says", d.Short())
	}
	return nil
}
