package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"assay/store"
	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
)

type compareFlags struct {
	metric, stat string
	axes         []string
	rank, json   bool
	format       string
}

func (r *root) compareCommand() *cobra.Command {
	var fl compareFlags
	cmd := &cobra.Command{
		Use:   "compare --metric ID REF REF...",
		Short: "Say whether figures may be compared, and only then by how much they differ",
		Long: "Holds every REF after the first against the first. A REF is a run id, or\n" +
			"PATH-or-SHA256-prefix with an optional #JSON-POINTER: the run read from that place, lying under\n" +
			"it or containing it. The verdict is ok, caveat, unknown or blocked; values and their difference\n" +
			"are written only for ok and caveat. Exit code 0 for ok and caveat, 3 for unknown and blocked.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("compare: want two REFs or more, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return r.compare(cmd.Context(), args, fl) },
	}
	f := cmd.Flags()
	f.StringVar(&fl.metric, "metric", "", "metric id, see assay metrics (required)")
	f.StringVar(&fl.stat, "stat", "", "statistic: p50, p95, mean, total, single, ... (default: what each side has, p50 first)")
	f.StringArrayVar(&fl.axes, "axis", nil, "fact key that is the question and may differ, for example tp; may be repeated")
	f.BoolVar(&fl.rank, "rank", false, "ask for a winner: rules about ranking stop as well")
	f.BoolVar(&fl.json, "json", false, "write JSON")
	f.StringVar(&fl.format, "format", "", "csv, md or bench (Go benchmark lines of what may be compared): a row a pair, as the compare page downloads it")
	return cmd
}

func (fl *compareFlags) question() (compare.Question, error) {
	q := compare.Question{Metric: evidence.MetricID(fl.metric), Stat: evidence.Stat(fl.stat), Rank: fl.rank}
	var faults []error
	if fl.metric == "" {
		faults = append(faults, errors.New("--metric is missing"))
	} else if _, ok := evidence.LookupMetric(q.Metric); !ok {
		faults = append(faults, fmt.Errorf("--metric %.40q: not in the registry; \"assay metrics\" lists it", fl.metric))
	}
	if fl.stat != "" && !slices.Contains(evidence.Stats, q.Stat) {
		faults = append(faults, fmt.Errorf("--stat %.40q: want one of %s", fl.stat, statWords()))
	}
	for _, a := range fl.axes {
		k, ok := axisKey(a)
		if !ok {
			faults = append(faults, fmt.Errorf("--axis %.40q: not a fact key; the column key of \"assay export facts\" has them", a))
		}
		q.Axes = append(q.Axes, k)
	}
	if err := joined(faults); err != nil {
		return q, usagef("compare: %w", err)
	}
	return q, nil
}

func statWords() string {
	words := make([]string, len(evidence.Stats))
	for i, s := range evidence.Stats {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

// axisNames are the short names that people give to factors.
var axisNames = map[string]evidence.FactKey{
	"mtp": evidence.KeyMTPDepth, "tensor_parallel": evidence.KeyTP, "context": evidence.KeyContextTarget,
	"quantization": evidence.KeyQuantisation, "gpu": evidence.KeyGPUProduct,
}

func axisKey(name string) (evidence.FactKey, bool) {
	if k, ok := axisNames[name]; ok {
		return k, true
	}
	k := evidence.FactKey(name)
	for i := range evidence.Keys {
		if evidence.Keys[i].Key == k {
			return k, true
		}
	}
	return k, false
}

func (r *root) compare(ctx context.Context, refs []string, fl compareFlags) (err error) {
	q, err := fl.question()
	if err != nil {
		return err
	}
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	if fl.format != "" {
		format, err := compareFormat(fl)
		if err != nil {
			return err
		}
		return r.compareFile(ctx, archive, refs, q, format)
	}
	var pairs []compared
	err = archive.Snapshot(ctx, func(ctx context.Context) error {
		pairs, err = comparison(ctx, archive, refs, q)
		return err
	})
	if err != nil {
		return err
	}
	if fl.json {
		err = writeCompareJSON(r.env.Stdout, q, pairs)
	} else {
		err = writeCompareText(r.env.Stdout, q, pairs)
	}
	if err != nil {
		return err
	}
	if v := worst(pairs); !v.Shows() {
		return refusedError{fmt.Errorf("compare: %s", v)} // it was answered, and the answer stands on standard output
	}
	return nil
}

func compareFormat(fl compareFlags) (export.Format, error) {
	format, err := export.ParseFormat(fl.format)
	switch {
	case err != nil || format != export.CSV && format != export.Markdown && format != export.Bench:
		return "", usagef("compare: --format %.40q: want csv, md or bench; --json writes JSON", fl.format)
	case fl.json || fl.rank:
		return "", usagef("compare: --format goes with neither --json nor --rank")
	}
	return format, nil
}

func worst(pairs []compared) compare.Verdict {
	out := compare.OK
	for _, v := range []compare.Verdict{compare.Caution, compare.Unknown, compare.Blocked} {
		for i := range pairs {
			if pairs[i].Verdict == v {
				out = v
			}
		}
	}
	return out
}

// compared is one pair with what the command line called its sides.
type compared struct {
	compare.Effect
	refs [2]string
}

// comparison judges every place against the first.
func comparison(ctx context.Context, a *store.Archive, refs []string, q compare.Question) ([]compared, error) {
	places := make([]place, len(refs))
	for i, ref := range refs {
		p, err := findPlace(ctx, a, ref)
		if err != nil {
			return nil, err
		}
		places[i] = p
	}
	var out []compared
	for i := range places[1:] {
		c, err := comparePlaces(&places[0], &places[i+1], q)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func comparePlaces(left, right *place, q compare.Question) (compared, error) {
	c := compared{refs: [2]string{left.ref, right.ref}}
	control, errL := compare.FindRun(left.runs, left.pointer, q.Metric, q.Stat)
	arm, errR := compare.FindRun(right.runs, right.pointer, q.Metric, q.Stat)
	if errL == nil && errR == nil {
		c.Effect = compare.EffectOf(control, arm, q)
		return c, nil
	}
	// Where a place leads to several runs, the pair is refused only if it would be with
	// any of them; else the one that is meant must be named.
	if runs, ok := meant(control, errL); ok {
		if others, ok := meant(arm, errR); ok {
			if j, ok := compare.JudgeSeveral(runs, others, q); ok {
				c.Judgement = j
				return c, nil
			}
		}
	}
	var faults []error
	for _, x := range []struct {
		ref string
		err error
	}{{left.ref, errL}, {right.ref, errR}} {
		if x.err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", x.ref, x.err))
		}
	}
	return c, joined(faults)
}

// meant are the runs that a place could mean.
func meant(r *evidence.RunRow, err error) ([]*evidence.RunRow, bool) {
	var several *compare.Candidates
	switch {
	case err == nil:
		return []*evidence.RunRow{r}, true
	case errors.As(err, &several) && len(several.Runs) > 0:
		return several.Runs, true
	case errors.As(err, &several) && len(several.Here) > 0:
		return several.Here, true // none carries the metric, so the pair is refused
	}
	return nil, false
}
