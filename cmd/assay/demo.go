package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"assay/assets/example"
	"assay/ingest"
	"assay/store/account"
	"assay/store/evidence"
)

func (r *root) demoCommand() *cobra.Command {
	var fl serveFlags
	var files string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Serve the example evidence from a temporary archive",
		Long: "Takes the example evidence into a temporary archive, which is removed at the end, and serves\n" +
			"it: documents of several campaigns, and a made-up one that can be signed. With --db FILE it\n" +
			"goes into that archive instead, and stays. Reading is free; two people may sign in, whose\n" +
			"passwords are printed. With --files DIR the files are written to a folder\n" +
			"and nothing is served; later/ in it holds what supersedes one of them.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if files != "" {
				return writeExamples(files)
			}
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
	cmd.Flags().StringVar(&files, "files", "", "write the example files to this folder and end")
	return cmd
}

func (r *root) demo(ctx context.Context, fl serveFlags, what string) (err error) {
	archive, err := r.open(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	var both errgroup.Group // hashing passwords takes as long as reading the evidence
	both.Go(func() error { return r.takeExamples(ctx, archive) })
	who := ""
	both.Go(func() (err error) { who, err = r.demoPeople(ctx, people{archive, r.ring()}); return err })
	if err := both.Wait(); err != nil {
		return err
	}
	if _, err := fmt.Fprint(r.env.Stdout, who); err != nil {
		return err
	}
	fl.publicRead = true // it is example evidence
	return r.serve(ctx, archive, fl, what)
}

// takeExamples takes the example evidence in: documents of several campaigns, and the
// files of one that can be signed, which belong to it by declaration.
func (r *root) takeExamples(ctx context.Context, archive ingest.Archive) error {
	total := ingest.Report{}
	n := 0
	for _, x := range []struct {
		read     func() ([]example.Document, error)
		campaign string
	}{{example.Documents, ""}, {example.Complete, example.Campaign}} {
		docs, err := x.read()
		if err != nil {
			return err
		}
		sources := make([]ingest.Source, len(docs))
		for i, d := range docs {
			sources[i] = ingest.Blob(d.Name, "example", d.Data)
		}
		report, err := ingest.Take(ctx, archive, sources, ingest.Options{Now: r.env.Now, Campaign: x.campaign})
		if err != nil {
			return err
		}
		n += len(docs)
		total.Accepted += report.Accepted + report.Archived
		total.Duplicate += report.Duplicate
	}
	_, err := fmt.Fprintf(r.env.Stdout, "%d example documents: %d accepted, %d there before\n", n, total.Accepted, total.Duplicate)
	return err
}

// demoPeople adds one person to prepare a sign-off and another to sign it. Their passwords
// are random and printed once.
func (r *root) demoPeople(ctx context.Context, p people) (said string, err error) {
	for _, x := range []struct {
		name, full string
		role       account.Role
	}{{"reviewer", "Example Reviewer", account.Reviewer}, {"promoter", "Example Promoter", account.Promoter}} {
		_, err := p.AddAccount(ctx, x.name, x.full, x.role)
		if errors.Is(err, evidence.ErrTaken) {
			continue // an archive that was used before
		}
		if err != nil {
			return "", err
		}
		password := rand.Text()
		if err := p.Reset(ctx, x.name, password); err != nil {
			return "", err
		}
		said += fmt.Sprintf("sign in as %s with the password %s\n", x.name, password)
	}
	return said, nil
}

// writeExamples writes the example files to a folder: those that are taken in, and those
// that are kept for later.
func writeExamples(dir string) error {
	for _, x := range []struct {
		read func() ([]example.Document, error)
		sub  string
	}{{example.Documents, "."}, {example.Complete, "complete"}, {example.Later, "later"}} {
		docs, err := x.read()
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(dir, x.sub), 0o755); err != nil {
			return fmt.Errorf("folder for the example files: %w", err)
		}
		for _, d := range docs {
			if err := os.WriteFile(filepath.Join(dir, x.sub, d.Name), d.Data, 0o644); err != nil {
				return fmt.Errorf("write example file: %w", err)
			}
		}
	}
	return nil
}
