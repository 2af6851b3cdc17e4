package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"assay/store/evidence"
)

// OpenArtifact reads the bytes of an artifact, one chunk at a time. It holds no
// transaction: the bytes of an artifact never change.
func (a *Archive) OpenArtifact(ctx context.Context, artifactID int64) (io.ReadSeekCloser, error) {
	r := &artifactReader{ctx: ctx, a: a, id: artifactID}
	err := a.reader.QueryRowContext(ctx, "SELECT size FROM artifact WHERE id = ?", artifactID).Scan(&r.size)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("artifact %d: %w", artifactID, evidence.ErrNotFound)
	}
	if err != nil {
		return nil, a.fail("open artifact", err)
	}
	return r, nil
}

type artifactReader struct {
	ctx    context.Context
	a      *Archive
	id     int64
	size   int64
	offset int64
	start  int64  // of the chunk at hand
	chunk  []byte // unpacked
	closed bool
}

var errClosed = errors.New("artifact is closed")

func (r *artifactReader) Read(p []byte) (int, error) {
	if r.closed {
		return 0, errClosed
	}
	if len(p) == 0 {
		return 0, nil
	}
	if r.offset >= r.size {
		return 0, io.EOF
	}
	if r.offset < r.start || r.offset >= r.start+int64(len(r.chunk)) {
		if err := r.load(); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.chunk[r.offset-r.start:])
	r.offset += int64(n)
	return n, nil
}

// load unpacks the chunk that holds the offset.
func (r *artifactReader) load() error {
	var size int64
	var body []byte
	err := r.a.reader.QueryRowContext(r.ctx, `SELECT start, size, body FROM artifact_chunk
		WHERE artifact_id = ? AND start <= ? ORDER BY start DESC LIMIT 1`, r.id, r.offset).Scan(&r.start, &size, &body)
	if errors.Is(err, sql.ErrNoRows) || err == nil && r.offset >= r.start+size {
		return fmt.Errorf("artifact %d: no bytes at offset %d; run 'assay verify'", r.id, r.offset)
	}
	if err != nil {
		return r.a.fail("read artifact", err)
	}
	r.chunk, err = unpack(r.chunk, body, int(size))
	if err != nil {
		r.chunk = nil
		return fmt.Errorf("artifact %d at offset %d: %w; run 'assay verify'", r.id, r.start, err)
	}
	return nil
}

func (r *artifactReader) Seek(offset int64, whence int) (int64, error) {
	if r.closed {
		return 0, errClosed
	}
	switch whence {
	case io.SeekStart:
	case io.SeekCurrent:
		offset += r.offset
	case io.SeekEnd:
		offset += r.size
	default:
		return 0, fmt.Errorf("seek artifact %d: whence %d is not known", r.id, whence)
	}
	if offset < 0 {
		return 0, fmt.Errorf("seek artifact %d: offset %d is before the start", r.id, offset)
	}
	r.offset = offset
	return offset, nil
}

func (r *artifactReader) Close() error {
	r.closed, r.chunk = true, nil
	return nil
}
