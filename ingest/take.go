package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"assay/store/evidence"
	"assay/store/evidence/mask"

	"golang.org/x/sync/errgroup"
)

// Take takes in what the sources hold. It first reads what an earlier intake kept and
// did not come to read, so that a second run completes a first one that was killed,
// unless the options leave that to somebody else.
//
// When ctx ends, the batches in hand are finished and Take returns what it has done
// and the context's error; inputs that are not in the report are not begun. Another
// error means that the archive cannot go on. Then every input is in the report all the
// same: what was committed before with its end state, what is kept as pending, and the
// others as lost.
func Take(ctx context.Context, a Archive, sources []Source, opt Options) (Report, error) {
	opt = opt.orDefaults()
	var resumed []FileReport
	var resumeErr error
	if !opt.NoResume {
		resumed, resumeErr = Resume(ctx, a, Options{Readers: opt.Readers, Texts: opt.Texts, Limits: opt.Limits, Workers: opt.Workers})
	}
	items, err := list(ctx, sources, ownFiles(a, opt.Own))
	if err != nil {
		return Report{Resumed: resumed}, errors.Join(resumeErr, err)
	}
	t := &take{archive: a, opt: opt, interpreter: newInterpreter(opt), items: items, stop: ctx, taken: map[int64]struct{}{}}
	t.report.Resumed = resumed
	var total int64
	for _, it := range items {
		total += max(it.size, 0)
	}
	t.meter = newMeter(opt, len(items), total)
	err = t.run(context.WithoutCancel(ctx))
	t.meter.finish()
	return t.report, errors.Join(resumeErr, err, ctx.Err())
}

// ownFiles are the files of the archive itself: it must not swallow its own tail.
func ownFiles(a Archive, further []string) []fs.FileInfo {
	var own []fs.FileInfo
	for _, path := range further {
		if info, err := os.Stat(path); err == nil {
			own = append(own, info)
		}
	}
	p, ok := a.(interface{ Path() string })
	if !ok {
		return own
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if info, err := os.Stat(p.Path() + suffix); err == nil {
			own = append(own, info)
		}
	}
	return own
}

// take is one run of the pipeline
//
//	collect -> keep -> interpret -> commit
//
// Each stage is one goroutine with one batch in hand; batches stay in order, so that
// the report is in the order of the inputs.
type take struct {
	*interpreter
	archive Archive
	opt     Options
	items   []item
	taken   map[int64]struct{} // artifacts that this run reads; of the keep stage only
	stop    context.Context    // ends the collecting; what is in hand is finished
	report  Report             // of the commit stage only
	meter   *meter             // likewise
	stuck   error              // likewise: nothing more can be committed
	inHand  sync.WaitGroup     // batches that are read and not committed
	fault   fault
}

// fault is what ends the work on the archive. Batches go through all stages all the
// same, so that every input is reported.
type fault struct {
	mu    sync.Mutex
	first error
}

func (f *fault) set(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.first == nil && err != nil {
		f.first = err
	}
}

func (f *fault) get() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.first
}

// entry is one input on its way through the stages.
type entry struct {
	item
	in      evidence.Incoming
	kept    evidence.Kept
	read    bool // there is a reading to make
	first   bool // it is the first of these bytes
	reading *evidence.Reading
	filed   bool // what is known of it is committed
	report  FileReport
}

type batch []*entry

// heavy reports whether the batch is one large input.
func (b batch) heavy() bool {
	return len(b) == 1 && (b[0].streamed() || max(b[0].kept.Size, int64(len(b[0].in.Data))) >= heavyFrom)
}

func (t *take) run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	collected := stage(ctx, g, nil, t.collect)
	kept := stage(ctx, g, collected, t.keep)
	read := stage(ctx, g, kept, t.interpret)
	stage(ctx, g, read, t.commit)
	err := g.Wait()
	return errors.Join(t.fault.get(), err)
}

// stage runs one step of the pipeline. The step gets the batches of the one before
// it and passes on what it has finished.
func stage(ctx context.Context, g *errgroup.Group, in <-chan batch, step func(context.Context, batch, func(batch) error) error) <-chan batch {
	out := make(chan batch)
	pass := func(b batch) error {
		select {
		case out <- b:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	g.Go(func() error {
		defer close(out)
		if in == nil {
			return step(ctx, nil, pass)
		}
		for b := range in {
			if err := step(ctx, b, pass); err != nil {
				return err
			}
		}
		return nil
	})
	return out
}

// stopped reports whether nothing new is to be begun.
func (t *take) stopped(ctx context.Context) bool {
	return t.stop.Err() != nil || ctx.Err() != nil
}

// collect reads inputs into batches.
func (t *take) collect(ctx context.Context, _ batch, pass func(batch) error) error {
	var b batch
	var size int64
	for _, it := range t.items {
		if t.stopped(ctx) {
			break
		}
		e := t.open(it)
		if alone := (batch{e}).heavy(); alone || len(b) >= batchFiles || size >= batchBytes {
			if len(b) > 0 { // a long one does not keep the others waiting
				if err := pass(b); err != nil {
					return err
				}
				b, size = nil, 0
			}
			if alone {
				if err := pass(batch{e}); err != nil {
					return err
				}
				continue
			}
		}
		b, size = append(b, e), size+int64(len(e.in.Data))
	}
	if len(b) > 0 {
		return pass(b)
	}
	return nil
}

// commit files the readings of a batch, and only then reports its inputs.
func (t *take) commit(ctx context.Context, b batch, _ func(batch) error) error {
	defer t.inHand.Done()
	if t.stuck == nil {
		t.stuck = commitAll(ctx, t.archive, b)
		t.fault.set(t.stuck)
	}
	for _, e := range b {
		t.settle(ctx, e)
		e.reading = nil
		t.report.add(e.report)
		t.meter.add(e.report.Path, max(e.kept.Size, 0))
		if t.opt.Done != nil {
			t.opt.Done(e.report)
		}
	}
	return nil
}

// settle completes the report of an input whose end state is committed.
func (t *take) settle(ctx context.Context, e *entry) {
	if e.kept.ArtifactID == 0 {
		return
	}
	e.report.SHA256 = e.kept.Digest.String()
	if !e.filed && (e.read || e.kept.State == evidence.Pending) {
		e.report.end(evidence.Pending, CodeUnfinished, "the bytes are kept and not read yet, the next intake reads them: "+reason(t.fault.get()))
		return
	}
	if e.reading != nil {
		e.report.fill(e.reading)
	}
	if e.first {
		return
	}
	e.report.State = evidence.Duplicate
	row, err := t.archive.FindArtifact(ctx, e.report.SHA256)
	if err != nil {
		return // the bytes are known and kept: that is what the report is about
	}
	e.report.Schema, e.report.Family, e.report.Reader, e.report.Runs = mask.Secrets(row.Schema), row.Family, row.Reader, row.Runs
	e.report.Findings = append(e.report.Findings, evidence.Finding{
		Severity: evidence.Info, Code: CodeKnown, Offset: -1,
		Message: fmt.Sprintf("the same bytes are in the archive already, as %s", row.State),
	})
}

// reason is an error as a report says it.
func reason(err error) string {
	if err == nil {
		return "another input of the same bytes was not read"
	}
	return clip(err.Error(), 500)
}
