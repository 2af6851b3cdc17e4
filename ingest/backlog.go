package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"

	"assay/store/evidence"

	"golang.org/x/sync/errgroup"
)

// interpret makes the readings of a batch, several at a time. A large input is read
// and committed while no other waits in memory. What cannot be read stays pending.
func (t *take) interpret(ctx context.Context, b batch, pass func(batch) error) error {
	heavy := b.heavy()
	if heavy {
		t.inHand.Wait()
	}
	t.fault.set(t.readAll(ctx, t.archive, b, t.opt.Workers))
	t.inHand.Add(1)
	if err := pass(b); err != nil {
		return err
	}
	if heavy {
		t.inHand.Wait()
	}
	return nil
}

// readAll makes the reading of every entry that wants one. The error joins those of
// all entries that stay without.
func (p *interpreter) readAll(ctx context.Context, a Keeper, b batch, workers int) error {
	faults := make([]error, len(b))
	var g errgroup.Group
	g.SetLimit(workers)
	for i, e := range b {
		if !e.read {
			continue
		}
		g.Go(func() error {
			e.reading, faults[i] = p.entry(ctx, a, e)
			e.in.Data = nil
			return nil
		})
	}
	g.Wait()
	return errors.Join(faults...)
}

// entry reads one artifact, from memory when its bytes are still there.
func (p *interpreter) entry(ctx context.Context, a Keeper, e *entry) (*evidence.Reading, error) {
	if e.in.Data != nil {
		return p.bytes(e.kept, e.in.Data), nil
	}
	return p.kept(ctx, a, e.kept, nil)
}

// kept reads an artifact from the archive. Every byte that is read also goes to
// through, when there is one.
func (p *interpreter) kept(ctx context.Context, a Keeper, k evidence.Kept, through io.Writer) (*evidence.Reading, error) {
	r, err := a.OpenArtifact(ctx, k.ArtifactID)
	if err != nil {
		return nil, fmt.Errorf("open artifact %s: %w", k.Digest.Short(), err)
	}
	defer r.Close()
	var src io.Reader = r
	if through != nil {
		src = io.TeeReader(r, through)
	}
	reading, err := p.from(k, src)
	if err == nil && through != nil {
		_, err = io.Copy(through, r)
	}
	if err != nil {
		return nil, fmt.Errorf("read artifact %s: %w", k.Digest.Short(), err)
	}
	return reading, nil
}

func (p *interpreter) from(k evidence.Kept, r io.Reader) (*evidence.Reading, error) {
	if k.Size >= streamFrom {
		return p.stream(k, r)
	}
	data := make([]byte, k.Size)
	if n, err := io.ReadFull(r, data); err != nil {
		return nil, fmt.Errorf("%d of %d bytes are there: %w", n, k.Size, err)
	}
	return p.bytes(k, data), nil
}

// commitAll files the readings of a batch. A reading that the archive refuses is a
// fault of its reader: it is replaced by one that says so, and the others stand.
func commitAll(ctx context.Context, a Readings, b batch) error {
	var results []evidence.Result
	var from []*entry
	for _, e := range b {
		if e.kept.ArtifactID != 0 && (e.reading != nil || !e.read) {
			results = append(results, evidence.Result{Kept: e.kept, Reading: e.reading})
			from = append(from, e)
		}
	}
	if len(results) == 0 {
		return nil
	}
	err := a.Commit(ctx, results)
	if err != nil && ctx.Err() != nil {
		return err
	}
	for i, e := range from {
		if err != nil {
			if err := commitOne(ctx, a, results[i:i+1], e); err != nil {
				return err
			}
		}
		e.filed = true
	}
	return nil
}

// commitOne files one reading, or the refusal of it.
//
// Note: whether the reading or the archive is at fault is found out by trying: when
// the refusal can be stored and the reading still cannot, it is the reading.
func commitOne(ctx context.Context, a Readings, one []evidence.Result, e *entry) error {
	err := a.Commit(ctx, one)
	if err == nil || e.reading == nil || archiveFailed(err) {
		return err
	}
	instead := []evidence.Result{{Kept: e.kept, Reading: refused(e.reading, err)}}
	if a.Commit(ctx, instead) != nil {
		return err
	}
	if a.Commit(ctx, one) != nil {
		e.reading = instead[0].Reading
	}
	return nil
}

// archiveFailed reports whether SQLite says that the archive is at fault: a full disk
// takes the refusal of a reading, which is small, and says nothing about the reading.
func archiveFailed(err error) bool {
	var coded interface{ Code() int }
	if !errors.As(err, &coded) {
		return false
	}
	switch coded.Code() & 0xff {
	case 18, 19, 20: // too big, constraint, mismatch: about what is stored
		return false
	}
	return true
}

// refused is what remains of a reading that cannot be stored.
func refused(r *evidence.Reading, err error) *evidence.Reading {
	out := &evidence.Reading{
		State: evidence.Quarantined, Schema: r.Schema, Family: r.Family, Reader: r.Reader,
		Encoding: r.Encoding, Values: r.Values, Text: r.Text,
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner // the cause, without the way it came
	}
	out.Findings = []evidence.Finding{{
		Severity: evidence.Error, Code: CodeNotStored, Offset: -1,
		Message: clip("the reader's result cannot be stored: "+err.Error(), 500),
	}}
	return out
}

// Resume reads what is kept and not read: what an intake that was killed left behind.
// The reports have no path; an artifact may have come in under many.
func Resume(ctx context.Context, a Archive, opt Options) ([]FileReport, error) {
	opt = opt.orDefaults()
	done, err := readPending(ctx, a, opt, newMeter(opt, 0, 0))
	return done, err
}

// readPending reads everything that is pending, in batches. An artifact that cannot
// be read stays pending and does not keep the others waiting.
func readPending(ctx context.Context, a Archive, opt Options, m *meter) ([]FileReport, error) {
	p := newInterpreter(opt)
	var done []FileReport
	var faults error
	for after := int64(0); ; {
		page, err := a.Pending(ctx, after, batchFiles)
		if err != nil || len(page) == 0 {
			return done, errors.Join(faults, err)
		}
		after = page[len(page)-1].ArtifactID
		for _, part := range split(page) {
			b := make(batch, len(part))
			for i, k := range part {
				b[i] = &entry{kept: k, read: true}
			}
			faults = errors.Join(faults, p.readAll(ctx, a, b, opt.Workers))
			if err := ctx.Err(); err != nil {
				return done, err
			}
			if err := commitAll(ctx, a, b); err != nil {
				return done, err
			}
			for _, e := range b {
				m.add(e.kept.Digest.Short(), e.kept.Size)
				if e.reading != nil {
					r := FileReport{SHA256: e.kept.Digest.String()}
					r.fill(e.reading)
					done = append(done, r)
				}
			}
		}
	}
}

// split cuts a page of artifacts into parts whose bytes fit into memory.
func split(page []evidence.Kept) [][]evidence.Kept {
	var parts [][]evidence.Kept
	from, size := 0, int64(0)
	for i, k := range page {
		if k.Size >= heavyFrom && i > from { // a large one goes alone
			parts = append(parts, page[from:i])
			from, size = i, 0
		}
		if size += k.Size; size >= batchBytes {
			parts = append(parts, page[from:i+1])
			from, size = i+1, 0
		}
	}
	if from < len(page) {
		parts = append(parts, page[from:])
	}
	return parts
}
