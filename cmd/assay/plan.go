package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"assay/store/compare"
)

func (r *root) planCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Plan the smallest campaign that would make a pair comparable",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var fl compareFlags
	pair := &cobra.Command{
		Use:   "pair --metric ID CONTROL ARM",
		Short: "Write a campaign file for both arms under one shape, with repeats enough for an interval",
		Long: "The workload is the control's, and the arm's where the control is silent. What neither side records\n" +
			"is left open in the file and has to be stated before it is run. GPU minutes are estimated from what\n" +
			"the sides' own runs took. CONTROL and ARM are REFs as \"assay compare\" takes them.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error { return r.planPair(cmd.Context(), args, fl) },
	}
	pair.Flags().StringVar(&fl.metric, "metric", "", "metric id, see assay metrics (required)")
	pair.Flags().StringVar(&fl.stat, "stat", "", "statistic: p50, p95, mean, total, single, ...")
	cmd.AddCommand(pair)
	return cmd
}

func (r *root) planPair(ctx context.Context, refs []string, fl compareFlags) (err error) {
	q, err := fl.question()
	if err != nil {
		return err
	}
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	control, arm, err := pairOf(ctx, archive, refs, q)
	if err != nil {
		return err
	}
	p := compare.PlanFor(control, arm, compare.Figure{Metric: q.Metric, Stat: statOf(control, arm, q)})
	_, err = fmt.Fprint(r.env.Stdout, p.TOML())
	return err
}
