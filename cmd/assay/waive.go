package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"assay/store"
	"assay/store/account"
	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
)

func (r *root) waiveCommand() *cobra.Command {
	var fl compareFlags
	var s saidBy
	cmd := &cobra.Command{
		Use:   "waive --metric ID CONTROL ARM",
		Short: "Open one stopped pair for looking, with a person and a reason",
		Long: "The pair stays blocked or unknown. A waiver opens an exploratory view of it, marked as such on the\n" +
			"page and in every file, that is never a ground for a sign-off. It names what both sides say now and\n" +
			"lapses when that changes. A pair without a value to show cannot be opened. CONTROL and ARM are REFs\n" +
			"as \"assay compare\" takes them; \"assay waivers withdraw\" takes a waiver back.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check("waive"); err != nil {
				return err
			}
			return r.waive(cmd.Context(), args, fl, s)
		},
	}
	cmd.Flags().StringVar(&fl.metric, "metric", "", "metric id, see assay metrics (required)")
	cmd.Flags().StringVar(&fl.stat, "stat", "", "statistic: p50, p95, mean, total, single, ...")
	r.saidFlags(cmd, &s)
	return cmd
}

func (r *root) waive(ctx context.Context, refs []string, fl compareFlags, s saidBy) (err error) {
	q, err := fl.question()
	if err != nil {
		return err
	}
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	if err := s.allowed(ctx, archive, account.MayRepair); err != nil {
		return err
	}
	control, arm, err := pairOf(ctx, archive, refs, q)
	if err != nil {
		return err
	}
	q.Stat = statOf(control, arm, q)
	j := compare.Judge(control, arm, q)
	if j.Verdict.Shows() {
		return fmt.Errorf("waive: the pair is %s: there is nothing to waive", j.Verdict)
	}
	if rule, ok := j.Waivable(); !ok {
		return fmt.Errorf("waive: %s stops the pair and no waiver opens it: there is no value to show", rule)
	}
	w, err := archive.AddWaiver(ctx, evidence.Waiver{
		Control: control.ID, Arm: arm.ID, Metric: q.Metric, Stat: q.Stat, Stops: j.Stops(), Person: s.author, Reason: s.reason,
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(r.env.Stdout, "waiver %d: %s:%s of %s against %s; it sets %d aside and the pair stays %s\n", w.ID, w.Metric, w.Stat, w.Arm, w.Control, len(w.Stops), j.Verdict)
	return nil
}

// pairOf finds two runs; what a REF leaves open is an error that lists the candidates.
func pairOf(ctx context.Context, a *store.Archive, refs []string, q compare.Question) (control, arm *evidence.RunRow, err error) {
	var runs [2]*evidence.RunRow
	for i, ref := range refs[:2] {
		p, err := findPlace(ctx, a, ref)
		if err != nil {
			return nil, nil, err
		}
		if runs[i], err = compare.FindRun(p.runs, p.pointer, q.Metric, q.Stat); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", ref, err)
		}
	}
	return runs[0], runs[1], nil
}

// statOf is the statistic asked for, or the one that the control has of the metric, a
// median before a mean before the rest.
func statOf(control, arm *evidence.RunRow, q compare.Question) evidence.Stat {
	if q.Stat != "" {
		return q.Stat
	}
	for _, s := range append([]evidence.Stat{evidence.P50, evidence.Mean, evidence.Total, evidence.Single}, evidence.Stats...) {
		if _, ok := control.Primary(q.Metric, s); ok {
			if _, ok := arm.Primary(q.Metric, s); ok {
				return s
			}
		}
	}
	return evidence.P50
}

func (r *root) waiversCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "waivers",
		Short: "List the pairs that were opened for looking",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return r.waivers(cmd.Context(), format) },
	}
	cmd.Flags().StringVar(&format, "format", "md", "csv, json or md")
	var s saidBy
	withdraw := &cobra.Command{
		Use:   "withdraw NUMBER",
		Short: "Take a waiver back; it stays listed",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check("waivers withdraw"); err != nil {
				return err
			}
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return usagef("waivers withdraw: %q is no number of a waiver", args[0])
			}
			return r.withdrawWaiver(cmd.Context(), id, s)
		},
	}
	r.saidFlags(withdraw, &s)
	cmd.AddCommand(withdraw)
	return cmd
}

func (r *root) withdrawWaiver(ctx context.Context, id int64, s saidBy) (err error) {
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	if err := s.allowed(ctx, archive, account.MayRepair); err != nil {
		return err
	}
	if err := archive.WithdrawWaiver(ctx, id, s.author, s.reason); err != nil {
		if errors.Is(err, evidence.ErrNotFound) {
			return fmt.Errorf("waivers withdraw: there is no waiver %d; \"assay waivers\" lists them", id)
		}
		return err
	}
	fmt.Fprintf(r.env.Stdout, "waiver %d is withdrawn\n", id)
	return nil
}

func (r *root) waivers(ctx context.Context, format string) (err error) {
	f, err := export.ParseFormat(format)
	if err != nil {
		return usagef("waivers: %w", err)
	}
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	list, _, err := archive.Waivers(ctx, evidence.WaiverFilter{})
	if err != nil {
		return err
	}
	t := export.WaiverTable(list)
	return t.Write(f, r.env.Stdout)
}
