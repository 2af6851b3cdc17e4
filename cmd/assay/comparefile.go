package main

import (
	"context"
	"fmt"

	"assay/store"
	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
	"assay/web/view"
)

// compareFile writes a comparison as the page's downloads do: a table, or the runs of the
// pairs that may be compared in the Go benchmark format. Every REF must lead to one run.
func (r *root) compareFile(ctx context.Context, archive *store.Archive, refs []string, q compare.Question, format export.Format) error {
	runs := make([]*evidence.RunRow, len(refs))
	for i, ref := range refs {
		p, err := findPlace(ctx, archive, ref)
		if err != nil {
			return err
		}
		if runs[i], err = compare.FindRun(p.runs, p.pointer, q.Metric, q.Stat); err != nil {
			return fmt.Errorf("%s: %w", ref, err)
		}
	}
	if len(refs)-1 > compare.MaxArms {
		return usagef("compare: %d arms; at most %d are compared at once", len(refs)-1, compare.MaxArms)
	}
	spec := compare.Spec{
		Control: []string{runs[0].ID}, Axes: q.Axes, Figures: []compare.Figure{{Metric: q.Metric, Stat: statOf(runs[0], runs[1], q)}},
	}
	var arms []compare.Repeats
	for _, run := range runs[1:] {
		arms = append(arms, compare.Repeats{run})
		spec.Arms = append(spec.Arms, []string{run.ID})
	}
	c := compare.Compare(spec, compare.Repeats{runs[0]}, arms)
	if format == export.Bench {
		shown, keep := view.ComparedMeasurements(&c)
		if err := export.BenchRuns(r.env.Stdout, shown, keep); err != nil {
			return err
		}
	} else {
		t := view.CompareTable(&c)
		if err := t.Write(format, r.env.Stdout); err != nil {
			return err
		}
	}
	for _, v := range []compare.Verdict{compare.Blocked, compare.Unknown} {
		if c.Counts[v] > 0 {
			return refusedError{fmt.Errorf("compare: %s", v)}
		}
	}
	return nil
}
