package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"assay/ingest"
	"assay/store"
)

// readerRefs are the readers of this build with their versions.
func readerRefs() []string {
	var refs []string
	for _, reader := range ingest.Registered() {
		refs = append(refs, fmt.Sprintf("%s@%d", reader.ID(), reader.Version()))
	}
	for _, reader := range ingest.RegisteredText() {
		refs = append(refs, fmt.Sprintf("%s@%d", reader.ID(), reader.Version()))
	}
	return refs
}

// resume reads what an earlier process kept and did not come to read.
func resume(ctx context.Context, a *store.Archive) error {
	_, err := ingest.Resume(ctx, a, ingest.Options{})
	return err
}

func (r *root) reindexCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "reindex",
		Short: "Drop every derived row and read all artifacts again",
		Long: "Nothing derived is the only copy of anything: the same bytes give the same rows. Stopped\n" +
			"half way, the archive stays sound; the next reindex, ingest or serve completes it.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			ctx := cmd.Context()
			archive, err := r.openExisting(ctx)
			if err != nil {
				return err
			}
			defer closing(archive, &err)
			bar := r.newBar("reading again")
			err = ingest.Reindex(ctx, archive, ingest.Options{Progress: bar.progress(), Now: r.env.Now})
			bar.finish()
			if err != nil {
				return err
			}
			n, err := archive.Counts(ctx)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(r.env.Stdout, "%d artifacts read again: %d campaigns, %d runs, %d measurements, %d facts\n",
				n.Artifacts, n.Campaigns, n.Runs, n.Measurements, n.Facts)
			return err
		},
	}
}

func (r *root) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup OUT",
		Short: "Write a compact copy of the archive, as of one moment, to a new file",
		Long: "The copy has everything but the keys, which are no part of the archive: the folder of keys (--keys) wants a\n" +
			"backup of its own, in another place. Without it a restored archive reads and verifies, and a new key signs on.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			archive, err := r.openExisting(cmd.Context())
			if err != nil {
				return err
			}
			defer closing(archive, &err)
			if err := archive.Backup(cmd.Context(), args[0]); err != nil {
				return err
			}
			_, err = fmt.Fprintf(r.env.Stdout, "%s is a copy of %s\nthe keys in %s are not in it: back that folder up apart, and not to the same place\n", args[0], r.db, r.ring().Dir())
			return err
		},
	}
}
