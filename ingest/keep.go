package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"assay/store/evidence"
)

// open reads an input into memory when it is small, and finds out that it is not when
// its size is unknown.
func (t *take) open(it item) *entry {
	e := &entry{item: it, report: FileReport{Path: it.name}}
	e.in = evidence.Incoming{Name: it.name, Origin: it.origin, Campaign: t.opt.Campaign}
	if e.in.Name == "" {
		e.in.Name = nameOf(it.path)
		e.report.Path = e.in.Name
	}
	fault := t.fault.get()
	switch {
	case it.state != "":
		e.report.end(it.state, it.code, it.why)
	case fault != nil:
		e.lose(CodeNotKept, "the archive failed before this input was read: "+reason(fault))
	case it.data != nil:
		e.in.Data = it.data
	case it.r == nil:
		t.openFile(e)
	default:
		it.r = &stoppable{stop: t.stop, r: it.r}
		head, err := readSome(it.r, streamFrom)
		if err != nil {
			e.lose(CodeUnreadable, why(err))
		} else if int64(len(head)) < streamFrom {
			e.in.Data = head
		} else {
			e.r = io.MultiReader(bytes.NewReader(head), it.r)
		}
	}
	return e
}

func (t *take) openFile(e *entry) {
	f, err := os.Open(e.path)
	if err != nil {
		e.lose(codeOf(err), why(err))
		return
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		e.lose(CodeUnreadable, why(err))
	case !info.Mode().IsRegular():
		e.lose(CodeNotAFile, fmt.Sprintf("%s has become %s since it was listed", e.path, modeName(info.Mode())))
	case info.Size() >= streamFrom:
		e.size = info.Size()
	default:
		e.size = info.Size()
		data, err := readSome(f, streamFrom)
		if err != nil {
			e.lose(CodeUnreadable, why(err))
		} else if int64(len(data)) < streamFrom {
			e.in.Data = data
		}
	}
}

// readSome reads up to limit bytes. The result is never nil.
func readSome(r io.Reader, limit int64) ([]byte, error) {
	var b bytes.Buffer
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			b.Grow(int(min(info.Size(), limit)) + bytes.MinRead)
		}
	}
	_, err := b.ReadFrom(io.LimitReader(r, limit))
	if b.Len() == 0 {
		return []byte{}, err
	}
	return b.Bytes(), err
}

// lose ends an input of which there are no bytes.
func (e *entry) lose(code, message string) { e.report.end(Lost, code, message) }

// streamed reports whether the bytes do not fit into a batch.
func (e *entry) streamed() bool { return e.report.State == "" && e.in.Data == nil }

// keep commits the bytes of a batch before anything looks into them. When the archive
// fails, the inputs that it does not have are lost.
func (t *take) keep(ctx context.Context, b batch, pass func(batch) error) error {
	err := t.fault.get()
	if err == nil {
		err = t.keepAll(ctx, b)
		t.fault.set(err)
	}
	for _, e := range b {
		if err != nil && e.report.State == "" && e.kept.ArtifactID == 0 {
			e.lose(CodeNotKept, "the archive failed and has no bytes of this input: "+reason(err))
			e.in.Data = nil
		}
	}
	return pass(b)
}

func (t *take) keepAll(ctx context.Context, b batch) error {
	var in []evidence.Incoming
	var from []*entry
	for _, e := range b {
		switch {
		case e.report.State != "":
		case e.streamed():
			if err := t.keepStream(ctx, e); err != nil {
				return err
			}
		case int64(len(e.in.Data)) > t.opt.MaxInput:
			e.lose(CodeInputLimit, tooLarge(t.opt.MaxInput).Error())
		default:
			in, from = append(in, e.in), append(from, e)
		}
	}
	if len(in) > 0 {
		kept, err := t.archive.Keep(ctx, in)
		if err != nil {
			return fmt.Errorf("keep %d inputs from %s on: %w", len(in), in[0].Name, err)
		}
		for i, e := range from {
			e.kept = kept[i]
		}
	}
	var faults error
	for _, e := range b {
		faults = errors.Join(faults, t.plan(ctx, e))
	}
	return faults
}

// plan decides whether an input is to be read. Bytes that are known were read before,
// or are on their way in this run, unless a campaign that is declared now moves them.
func (t *take) plan(ctx context.Context, e *entry) error {
	k := e.kept
	switch {
	case k.ArtifactID == 0:
		return nil
	case k.State == evidence.Pending:
		_, ours := t.taken[k.ArtifactID]
		e.read, e.first = !ours, !ours
		t.taken[k.ArtifactID] = struct{}{}
	case e.in.Campaign != "":
		unread, err := t.archive.Pending(ctx, k.ArtifactID-1, 1)
		if err != nil {
			e.read = true // for all we know
			return err
		}
		e.read = len(unread) > 0 && unread[0].ArtifactID == k.ArtifactID
	}
	if !e.read {
		e.in.Data = nil
	}
	return nil
}

// keepStream keeps one long input. An error of the input loses the input, an error of
// the archive ends the intake.
func (t *take) keepStream(ctx context.Context, e *entry) error {
	src := &guardedReader{stop: t.stop, r: e.r, left: t.opt.MaxInput, limit: t.opt.MaxInput}
	if e.r == nil {
		f, err := os.Open(e.path)
		if err != nil {
			e.lose(codeOf(err), why(err))
			return nil
		}
		defer f.Close()
		src.r = f
	}
	var err error
	e.kept, err = t.archive.KeepStream(ctx, e.in, src)
	e.r = nil
	switch {
	case err == nil:
		return nil
	case src.err == nil:
		return fmt.Errorf("keep %s: %w", e.in.Name, err)
	case errors.Is(src.err, errStopped):
		e.lose(CodeUnreadable, "intake was stopped before the input was read to its end; take it in again")
	case errors.As(src.err, new(tooLarge)):
		e.lose(CodeInputLimit, src.err.Error())
	default:
		e.lose(CodeUnreadable, why(src.err))
	}
	e.kept = evidence.Kept{}
	return nil
}
