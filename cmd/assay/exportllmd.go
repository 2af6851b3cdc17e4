package main

import (
	"context"
	"io"

	"assay/store/evidence"
	"assay/store/export"
)

// exportReports writes runs as llm-d benchmark reports.
func (r *root) exportReports(ctx context.Context, kindName string, fl exportFlags) (err error) {
	kind, err := export.ParseKind(kindName)
	if err != nil {
		return usageError{err}
	}
	switch {
	case kind != export.Runs:
		return usagef("format llmd: a report is of a run, not of %s; use: assay export runs --format llmd", kind)
	case fl.wide:
		return usagef("format llmd: --wide adds columns, and a report has none; it always has everything that is known")
	}
	filter, err := export.ParseFilter(kind, fl.filter)
	if err != nil {
		return usageError{err}
	}
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	point := exportPoint{file: fl.checkpoint}
	err = r.output(fl.output, func(out io.Writer) error {
		w := export.NewReports(out, fl.private)
		w.Where(filter)
		if err := w.Pour(ctx, archive, filter.Narrow(evidence.Filter{})); err != nil {
			return err
		}
		return point.read(ctx, archive)
	})
	if err != nil {
		return err
	}
	return point.leave(r)
}
