package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
	"assay/web/view"
)

type matrixFlags struct {
	campaign, metric, stat, class, format string
}

func (r *root) matrixCommand() *cobra.Command {
	var fl matrixFlags
	cmd := &cobra.Command{
		Use:   "matrix --campaign ID --metric ID",
		Short: "Lay a campaign's runs out over checkpoint, context, TP and MTP, with matched effects",
		Long: "The figures of one metric and statistic, one workload class at a time. An effect stands only\n" +
			"where the pair may be compared; else its verdict does. csv, json and md have one row for each\n" +
			"place with its source, the same table as the page's; table is for reading at a terminal.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.matrix(cmd.Context(), fl) },
	}
	f := cmd.Flags()
	f.StringVar(&fl.campaign, "campaign", "", "campaign id, a unique beginning of it, or digits of an artifact's SHA-256 (required)")
	f.StringVar(&fl.metric, "metric", "", "metric id, see assay metrics (required)")
	f.StringVar(&fl.stat, "stat", "", "statistic: p50, p95, p99, mean, single, ... (default: what the campaign has, p50 first)")
	f.StringVar(&fl.class, "class", "", "workload class or its first word: short, long, ... (default: the first that has the metric)")
	f.StringVar(&fl.format, "format", formatTable, "table, json, csv or md")
	return cmd
}

func (fl *matrixFlags) check() error {
	var faults []error
	if fl.campaign == "" {
		faults = append(faults, errors.New("--campaign is missing"))
	}
	if fl.metric == "" {
		faults = append(faults, errors.New("--metric is missing"))
	} else if _, ok := evidence.LookupMetric(evidence.MetricID(fl.metric)); !ok {
		faults = append(faults, fmt.Errorf("--metric %.40q: not in the registry; \"assay metrics\" lists it", fl.metric))
	}
	if f, err := export.ParseFormat(fl.format); fl.format != formatTable && (err != nil || f == export.Bench) {
		faults = append(faults, fmt.Errorf("--format %.40q: want table, json, csv or md", fl.format))
	}
	if err := joined(faults); err != nil {
		return usagef("matrix: %w", err)
	}
	return nil
}

func (r *root) matrix(ctx context.Context, fl matrixFlags) (err error) {
	if err := fl.check(); err != nil {
		return err
	}
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	id, err := archive.ResolveCampaign(ctx, fl.campaign)
	if errors.Is(err, evidence.ErrNotFound) {
		return fmt.Errorf("%w; the column campaign of \"assay export runs\" has the ids", err)
	}
	if err != nil {
		return err
	}
	campaign, err := archive.Campaign(ctx, id)
	if err != nil {
		return err
	}
	runs, err := archive.Runs(ctx, evidence.Filter{Campaign: id})
	if err != nil {
		return err
	}
	page, err := view.BuildMatrixPage(&campaign, runs, view.MatrixQuery{
		Metric: evidence.MetricID(fl.metric), Stat: evidence.Stat(fl.stat), Class: fl.class,
	})
	if errors.As(err, new(*view.UnknownChoice)) {
		return noFigure(id, fl, runs)
	}
	if err != nil {
		return fmt.Errorf("matrix of %s: %w", id, err)
	}
	if page.None != nil {
		return fmt.Errorf("matrix of %s: %s %s", id, page.None.Reason, strings.Join(page.None.Lacks, "; "))
	}
	if fl.format == formatTable {
		return matrixText(r.env.Stdout, &page)
	}
	return writeTable(r.env.Stdout, page.Table(), fl.format)
}

// noFigure says which figures the campaign has where the one that was asked for is
// not among them.
func noFigure(id string, fl matrixFlags, runs []evidence.RunRow) error {
	asked := strings.TrimSpace(strings.Join([]string{fl.metric, fl.stat, fl.class}, " "))
	var have []string
	for _, c := range compare.Choices(runs, compare.TPxMTP("", "", "")) {
		have = append(have, fmt.Sprintf("%s %s %s", c.Metric, c.Stat, c.Class))
	}
	return fmt.Errorf("matrix of %s: no run has %s; it has %s", id, asked, strings.Join(have, ", "))
}

// joined puts all faults of a command line on one line.
func joined(faults []error) error {
	if len(faults) == 0 {
		return nil
	}
	words := make([]string, len(faults))
	for i, f := range faults {
		words[i] = f.Error()
	}
	return errors.New(strings.Join(words, "; "))
}
