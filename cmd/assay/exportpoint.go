package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"assay/store"
	"assay/store/export"
	"assay/store/signoff"
)

// exportPoint is the checkpoint that leaves with an export. It is read behind the rows,
// so that it covers whatever the rows came from.
type exportPoint struct {
	signed signoff.Signed
	file   string // where it is written to, "" for nowhere
}

// checkPointFile refuses places for the checkpoint that would harm the export.
func checkPointFile(fl exportFlags) error {
	switch {
	case fl.checkpoint == "":
		return nil
	case fl.checkpoint == "-":
		return usagef("export: --checkpoint-out wants a file: standard output has the rows")
	case fl.output != "" && filepath.Clean(fl.checkpoint) == filepath.Clean(fl.output):
		return usagef("export: --checkpoint-out and -o name the same file")
	}
	return nil
}

// read takes the latest checkpoint. Without one nothing can be written to a file.
func (p *exportPoint) read(ctx context.Context, archive *store.Archive) (err error) {
	if p.signed, err = archive.LatestCheckpoint(ctx); err != nil {
		return err
	}
	if len(p.signed.Note) == 0 && p.file != "" {
		return fmt.Errorf("archive %s: no checkpoint was signed yet, so there is none for --checkpoint-out", archive.Path())
	}
	return nil
}

// markdown ends a Markdown export in a paragraph with the checkpoint. The note stands in
// an indented block, which nothing in it can end.
func (p *exportPoint) markdown(format export.Format, out io.Writer) error {
	if format != export.Markdown || len(p.signed.Note) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, "\nCheckpoint: the log of the archive had %s. Kept elsewhere, these lines show whether any was changed since (`assay verify --checkpoint FILE`):\n\n%s",
		records(p.signed.Size), indented(string(p.signed.Note)))
	return err
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if line != "" {
			b.WriteString("    " + line)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// leave writes the checkpoint to its file and says on standard error how long the log is.
func (p *exportPoint) leave(r *root) error {
	if len(p.signed.Note) == 0 {
		return nil
	}
	where := "\"assay log checkpoint\" prints it"
	if p.file != "" {
		err := r.output(p.file, func(out io.Writer) error {
			_, err := out.Write(p.signed.Note)
			return err
		})
		if err != nil {
			return err
		}
		where = "written to " + p.file
	}
	_, err := fmt.Fprintf(r.env.Stderr, "checkpoint: the log has %s; %s\n", records(p.signed.Size), where)
	return err
}

func records(n int64) string {
	if n == 1 {
		return "1 record"
	}
	return fmt.Sprintf("%d records", n)
}
