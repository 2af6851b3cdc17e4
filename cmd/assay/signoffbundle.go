package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"assay/store/review"
	"assay/store/signoff"
)

func (r *root) signoffBundle() *cobra.Command {
	return &cobra.Command{
		Use:   "bundle NUMBER OUT.zip",
		Short: "Write all that proves a sign-off into one file, which 'assay verify' checks on any machine",
		Long: "The zip holds the statement, the signature with the public half of its key, the records of the log with\n" +
			"their proofs and a checkpoint, every artifact that the statement names, the gates policy and tables.\n" +
			"OUT.zip is written whole or not at all, and only when it holds; - writes to standard output.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, p people) error {
				b, err := d.Bundle(ctx, p.Archive, args[0])
				if err != nil {
					return err
				}
				if err := r.writeBundle(b, args[1]); err != nil {
					return err
				}
				if args[1] != "-" {
					_, err = fmt.Fprintf(r.env.Stdout, "%s: %s with %d artifacts; check it anywhere with: assay verify %s\n", args[1], b.Number, len(b.Artifacts), args[1])
				}
				return err
			})
		},
	}
}

// writeBundle writes a bundle to a file, checks it there, and gives it its name last.
func (r *root) writeBundle(b *signoff.Bundle, path string) error {
	if path == "-" {
		return signoff.WriteBundle(r.env.Stdout, b)
	}
	return r.output(path, func(w io.Writer) error {
		held, err := os.CreateTemp("", "assay-bundle-")
		if err != nil {
			return fmt.Errorf("bundle: %w", err)
		}
		defer os.Remove(held.Name())
		defer held.Close()
		if err := signoff.WriteBundle(held, b); err != nil {
			return err
		}
		size, err := held.Seek(0, io.SeekEnd)
		if err != nil {
			return fmt.Errorf("bundle: %w", err)
		}
		if report := signoff.VerifyBundle(held, size, b.ServerKeys...); !report.OK() {
			var faults bytes.Buffer
			for _, c := range report.Checks {
				if !c.OK {
					fmt.Fprintf(&faults, "\n%s: %s", c.ID, oneLine(c.Says))
				}
			}
			return fmt.Errorf("bundle of %s: would not hold and is not written; \"assay signoff check %s\" says more%s", b.Number, b.Number, faults.String())
		}
		_, err = io.Copy(w, io.NewSectionReader(held, 0, size))
		return err
	})
}
