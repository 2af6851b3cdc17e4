package store

import (
	"context"
	"database/sql"
	"errors"
	"path"
	"strings"

	"assay/store/evidence"
)

// Keep commits inputs whose bytes are in memory, in one transaction and in order:
// bytes that are new become a pending artifact, and every input becomes an arrival.
// The same bytes twice in one batch are one artifact; the second is Known.
func (a *Archive) Keep(ctx context.Context, in []evidence.Incoming) ([]evidence.Kept, error) {
	if len(in) == 0 {
		return nil, nil
	}
	digests := make([]evidence.Digest, len(in))
	chunks := map[evidence.Digest][]packed{}
	for i := range in {
		digests[i] = evidence.DigestOf(in[i].Data)
		if _, done := chunks[digests[i]]; done {
			continue
		}
		known, err := a.known(ctx, digests[i])
		if err != nil {
			return nil, err
		}
		if known { // an archive never forgets an artifact: its bytes are not needed
			chunks[digests[i]] = nil
			continue
		}
		chunks[digests[i]] = packAll(in[i].Data) // outside the transaction: it takes time
	}
	kept := make([]evidence.Kept, len(in))
	err := a.write(ctx, "keep artifacts", func(w *writing) error {
		for i := range in {
			var err error
			kept[i], err = w.keep(in[i], digests[i], int64(len(in[i].Data)), feedOf(chunks[digests[i]]))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return kept, nil
}

// feed hands out the compressed chunks of one artifact in order.
type feed func(func(packed) error) error

func feedOf(chunks []packed) feed {
	return func(f func(packed) error) error {
		for _, c := range chunks {
			if err := f(c); err != nil {
				return err
			}
		}
		return nil
	}
}

// known reports whether the bytes are in the archive.
func (a *Archive) known(ctx context.Context, d evidence.Digest) (bool, error) {
	var id int64
	err := a.reader.QueryRowContext(ctx, "SELECT id FROM artifact WHERE sha256 = ?", d[:]).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, a.fail("look for "+d.Short(), err)
}

// keep files one input: the artifact when its bytes are new, the name, the arrival.
func (w *writing) keep(in evidence.Incoming, d evidence.Digest, size int64, src feed) (evidence.Kept, error) {
	k := evidence.Kept{Digest: d, Size: size, State: evidence.Pending}
	before := ""
	err := w.scan("SELECT a.id, r.state FROM artifact a JOIN reading r ON r.artifact_id = a.id WHERE a.sha256 = ?",
		[]any{d[:]}, &k.ArtifactID, &k.State)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		if k.ArtifactID, err = w.keepBytes(d, size, src); err != nil {
			return k, err
		}
	case err != nil:
		return k, err
	default:
		k.Known = true
		if before, err = w.inForce(k.ArtifactID); err != nil {
			return k, err
		}
	}
	if err := w.keepName(k.ArtifactID, in.Name); err != nil {
		return k, err
	}
	if k.ArrivalID, err = w.keepArrival(k, in); err != nil {
		return k, err
	}
	if k.Known {
		if err := w.seen(k.ArtifactID); err != nil {
			return k, err
		}
	}
	if k.Campaign, err = w.inForce(k.ArtifactID); err != nil { // a move wins over what this arrival declares
		return k, err
	}
	if k.Known && k.Campaign != before { // what was derived stands under the old campaign until it is read again
		err = w.exec("UPDATE reading SET unread = 1 WHERE artifact_id = ?", k.ArtifactID)
	}
	return k, err
}

func (w *writing) keepBytes(d evidence.Digest, size int64, src feed) (int64, error) {
	id, err := w.insert("INSERT INTO artifact (sha256, size, stored_us) VALUES (?, ?, ?)", d[:], size, w.us)
	if err != nil {
		return 0, err
	}
	err = src(func(c packed) error {
		return w.exec("INSERT INTO artifact_chunk (artifact_id, start, size, body) VALUES (?, ?, ?, ?)",
			id, c.start, c.size, c.body)
	})
	if err != nil {
		return 0, err
	}
	if _, err := w.record(id, recordOfArtifact(d, size, w.us)); err != nil {
		return 0, err
	}
	return id, w.exec("INSERT INTO reading (artifact_id, state, unread) VALUES (?, 'pending', 1)", id)
}

// keepName notes a name the first time an artifact comes under it.
func (w *writing) keepName(artifactID int64, name string) error {
	var id int64
	err := w.scan("SELECT id FROM artifact_name WHERE artifact_id = ? AND name = ?", []any{artifactID, name}, &id)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	id, err = w.insert("INSERT INTO artifact_name (artifact_id, name, base) VALUES (?, ?, ?)", artifactID, name, baseName(name))
	if err != nil {
		return err
	}
	return w.exec("INSERT INTO search_name (rowid, name) VALUES (?, ?)", id, name)
}

// keepArrival notes the coming-in. It is open until Commit, unless the artifact has
// its end state already.
func (w *writing) keepArrival(k evidence.Kept, in evidence.Incoming) (int64, error) {
	outcome := "open"
	if k.Known && k.State != evidence.Pending {
		outcome = "duplicate"
	}
	id, err := w.insert("INSERT INTO arrival (artifact_id, name, origin, campaign, at_us, outcome) VALUES (?, ?, ?, ?, ?, ?)",
		k.ArtifactID, in.Name, in.Origin, in.Campaign, w.us, outcome)
	if err != nil {
		return 0, err
	}
	_, err = w.record(id, recordOfArrival(id, k.Digest, in, w.us))
	return id, err
}

// baseName is the last part of a path of any operating system.
func baseName(name string) string {
	return path.Base(strings.ReplaceAll(name, `\`, "/"))
}
