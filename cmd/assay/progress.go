package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"assay/ingest"
)

// bar draws the progress of an intake on standard error when that is a terminal, and
// nothing anywhere else.
type bar struct {
	out  io.Writer
	name string
	bar  *progressbar.ProgressBar
}

// newBar is nil where no bar can be drawn; a nil bar takes calls and does nothing.
func (r *root) newBar(name string) *bar {
	if !r.env.terminal(r.env.Stderr) {
		return nil
	}
	return &bar{out: r.env.Stderr, name: name}
}

// progress is the callback of an intake, nil for a nil bar.
func (b *bar) progress() func(ingest.Progress) {
	if b == nil {
		return nil
	}
	return func(p ingest.Progress) {
		b.set(p.Files, p.TotalFiles)
		if p.Done {
			b.finish()
		}
	}
}

// set draws done of total.
func (b *bar) set(done, total int) {
	if b == nil || total == 0 {
		return
	}
	if b.bar == nil {
		b.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(b.out), progressbar.OptionSetDescription(b.name),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString("files"),
			progressbar.OptionSetWidth(30), progressbar.OptionThrottle(65*time.Millisecond), progressbar.OptionClearOnFinish())
	}
	_ = b.bar.Set(done) // a bar that cannot be drawn is no reason to stop
}

// finish takes the bar off the screen.
func (b *bar) finish() {
	if b == nil || b.bar == nil {
		return
	}
	_ = b.bar.Finish()
	b.bar = nil
}
