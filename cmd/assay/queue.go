package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"assay/store/compare"
	"assay/store/evidence"
)

type queueFlags struct {
	campaign string
	limit    int
	asJSON   bool
}

func (r *root) queueCommand() *cobra.Command {
	var fl queueFlags
	cmd := &cobra.Command{
		Use:   "queue",
		Short: "List what is unknown or in conflict, what most comparisons wait for first",
		Long: "For every fact that alone keeps runs from being compared: where it is missing, how many\n" +
			"comparisons (one figure of two runs) wait for it, and what to do. \"assay declare\" and\n" +
			"\"assay alias add\" repair, \"assay withdraw\" takes back.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.queue(cmd.Context(), fl) },
	}
	f := cmd.Flags()
	f.StringVar(&fl.campaign, "campaign", "", "look at the runs of one campaign only")
	f.IntVar(&fl.limit, "limit", 50, "list at most that many; 0 lists all")
	f.BoolVar(&fl.asJSON, "json", false, "print one JSON object")
	return cmd
}

func (r *root) queue(ctx context.Context, fl queueFlags) (err error) {
	if fl.limit < 0 {
		return usagef("queue: --limit %d: want 0 or more", fl.limit)
	}
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	var filter evidence.Filter
	if fl.campaign != "" {
		if filter.Campaign, err = archive.ResolveCampaign(ctx, fl.campaign); err != nil {
			return err
		}
	}
	backlog := compare.NewBacklog(compare.QueueBounds{})
	err = archive.EachMeasuredRun(ctx, filter, func(run evidence.RunRow) error {
		backlog.Add(&run)
		return nil
	})
	if err != nil {
		return err
	}
	items := backlog.Items()
	total := len(items)
	if fl.limit > 0 {
		items = items[:min(fl.limit, len(items))]
	}
	if fl.asJSON {
		return queueJSON(r.env.Stdout, items, total, backlog.Bounded())
	}
	return queueText(r.env.Stdout, items, total, backlog.Bounded())
}

// queueLine is an item as queue --json prints it.
type queueLine struct {
	Key     string   `json:"key"`
	State   string   `json:"state"` // absent or conflict
	Targets []string `json:"targets"`
	Runs    int      `json:"runs"`
	Pairs   int64    `json:"pairs"`
	Example string   `json:"example"`
	Remedy  string   `json:"remedy"`
}

func queueJSON(w io.Writer, items []evidence.QueueItem, total int, bounded string) error {
	out := struct {
		Items   []queueLine `json:"items"`
		Total   int         `json:"total"`
		Bounded *string     `json:"bounded"` // what was left out, null when nothing was
	}{Items: make([]queueLine, len(items)), Total: total, Bounded: orNull(bounded)}
	for i, x := range items {
		out.Items[i] = queueLine{string(x.Key), string(x.State), x.Targets, x.Runs, x.Pairs, x.Example, x.Remedy}
	}
	b, err := json.Marshal(out)
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

func queueText(w io.Writer, items []evidence.QueueItem, total int, bounded string) error {
	var b strings.Builder
	if len(items) == 0 {
		b.WriteString("nothing that a declaration would open\n")
	}
	for _, x := range items {
		fmt.Fprintf(&b, "%d comparisons, %d runs: %s is %s\n  %s\n", x.Pairs, x.Runs, x.Key, x.State, oneLine(x.Remedy))
		if len(x.Targets) > 1 {
			for _, t := range x.Targets {
				fmt.Fprintf(&b, "    %s\n", oneLine(t))
			}
		}
		fmt.Fprintf(&b, "  for example run %s\n", x.Example)
	}
	if total > len(items) {
		fmt.Fprintf(&b, "%d more; --limit 0 lists all\n", total-len(items))
	}
	if bounded != "" {
		b.WriteString(bounded + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
