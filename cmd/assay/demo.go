package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"assay/assets/example"
	"assay/ingest"
)

func (r *root) demoCommand() *cobra.Command {
	var fl serveFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Serve the example evidence from a temporary archive",
		Long: "Takes three example documents into a temporary archive, which is removed at the end, and\n" +
			"serves it. With --db FILE they go into that archive instead, and stay.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := fl.check(); err != nil {
				return err
			}
			what := r.db
			if !cmd.Flags().Changed("db") {
				dir, err := os.MkdirTemp("", "assay-demo-")
				if err != nil {
					return fmt.Errorf("temporary archive: %w", err)
				}
				defer os.RemoveAll(dir)
				r.db, what = filepath.Join(dir, "demo.db"), "the example evidence"
			}
			return r.demo(cmd.Context(), fl, what)
		},
	}
	fl.add(cmd)
	return cmd
}

func (r *root) demo(ctx context.Context, fl serveFlags, what string) (err error) {
	docs, err := example.Documents()
	if err != nil {
		return err
	}
	archive, err := r.open(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	sources := make([]ingest.Source, len(docs))
	for i, d := range docs {
		sources[i] = ingest.Blob(d.Name, "example", d.Data)
	}
	report, err := ingest.Take(ctx, archive, sources, ingest.Options{Now: r.env.Now})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(r.env.Stdout, "%d example documents: %d accepted, %d there before\n",
		len(docs), report.Accepted, report.Duplicate); err != nil {
		return err
	}
	return r.serve(ctx, archive, fl, what)
}
