package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

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

// verifyResult is what verify found, as --json prints it.
type verifyResult struct {
	Holds bool `json:"holds"`
	ingest.VerifyReport
	File []string `json:"file"` // what SQLite says is wrong with the file
}

func (r *root) verifyCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check the archive: every digest, the file's structure, every row against a fresh reading",
		Long:  "Changes nothing. The exit code is 0 only if all holds.",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return r.verify(cmd.Context(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

func (r *root) verify(ctx context.Context, asJSON bool) (err error) {
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	bar := r.newBar("verifying")
	report, err := ingest.Verify(ctx, archive, ingest.VerifyOptions{
		Options: ingest.Options{Progress: bar.progress(), Now: r.env.Now}, Derive: store.Derived,
	})
	bar.finish()
	if err != nil {
		return err
	}
	file, err := archive.CheckFile(ctx)
	if err != nil {
		return err
	}
	result := verifyResult{Holds: report.Holds() && len(file) == 0, VerifyReport: report, File: file}
	if asJSON {
		err = result.json(r.env.Stdout)
	} else {
		err = result.text(r.env.Stdout)
	}
	if err == nil && !result.Holds {
		err = fmt.Errorf("archive %s: %d faults; keep a copy of the file, then 'assay reindex' mends rows, a backup mends bytes",
			r.db, len(report.Faults)+len(file))
	}
	return err
}

func (v *verifyResult) json(w io.Writer) error {
	if v.File == nil {
		v.File = []string{}
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("verification: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

func (v *verifyResult) text(w io.Writer) error {
	var errs []error
	say := func(format string, args ...any) {
		_, err := fmt.Fprintf(w, format, args...)
		errs = append(errs, err)
	}
	for _, f := range v.Faults {
		say("fault  %s %s: %s\n", f.What, f.SHA256, oneLine(f.Detail))
	}
	for _, f := range v.File {
		say("fault  file: %s\n", oneLine(f))
	}
	bytes, rows := 0, 0
	for _, f := range v.Faults {
		if f.What == "bytes" {
			bytes++
		} else {
			rows++
		}
	}
	say("artifacts  %d, %d bytes\n", v.Artifacts, v.Bytes)
	say("digests    %d hold, %d do not\n", v.Artifacts-bytes, bytes)
	say("rows       %d artifacts as read again, %d not, %d not read yet\n", v.Artifacts-bytes-rows-v.Pending, rows, v.Pending)
	say("file       %d faults\n", len(v.File))
	return errors.Join(errs...)
}

func (r *root) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "backup OUT",
		Short: "Write a compact copy of the archive, as of one moment, to a new file",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			archive, err := r.openExisting(cmd.Context())
			if err != nil {
				return err
			}
			defer closing(archive, &err)
			if err := archive.Backup(cmd.Context(), args[0]); err != nil {
				return err
			}
			_, err = fmt.Fprintf(r.env.Stdout, "%s is a copy of %s\n", args[0], r.db)
			return err
		},
	}
}
