package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"assay/store"
	"assay/store/signoff"
)

func (r *root) logCommand() *cobra.Command {
	var kind string
	var limit int
	cmd := &cobra.Command{
		Use:   "log",
		Short: "The transparency log: list records, show one, print the checkpoint, prove a record, rotate the key",
		Long: "Every artifact taken in, repair, waiver, change of an account, key, policy, statement and withdrawal is a\n" +
			"record in a Merkle tree. Without a further word the latest records are listed.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.withLog(cmd.Context(), func(ctx context.Context, a *store.Archive) error { return r.listLog(ctx, a, kind, limit) })
		},
	}
	cmd.Flags().StringVar(&kind, "kind", "", "records of this kind only")
	cmd.Flags().IntVar(&limit, "limit", 50, "so many records, the latest first; 0 for all")
	cmd.AddCommand(
		r.logEntry("show N", "Print a record as it stands in the log", r.showRecord),
		r.logEntry("prove N", "Print a record with the proof that it stands in the log of the latest checkpoint", r.proveRecord),
		&cobra.Command{Use: "checkpoint", Short: "Print the latest signed checkpoint", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return r.withLog(cmd.Context(), r.printCheckpoint) }},
		&cobra.Command{Use: "keys", Short: "Print the public keys that signed checkpoints of this archive", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return r.withLog(cmd.Context(), r.printServerKeys) }},
		&cobra.Command{Use: "rotate", Short: "Replace the server's key; the old one and the new one sign a checkpoint together", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return r.withLog(cmd.Context(), r.rotateKey) }},
	)
	return cmd
}

func (r *root) withLog(ctx context.Context, f func(context.Context, *store.Archive) error) (err error) {
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	return f(ctx, archive)
}

func (r *root) logEntry(use, short string, f func(context.Context, *store.Archive, int64) error) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		n, err := strconv.ParseInt(args[0], 10, 64)
		if err != nil || n < 0 {
			return usagef("log: %.40q is no number of a record", args[0])
		}
		return r.withLog(cmd.Context(), func(ctx context.Context, a *store.Archive) error { return f(ctx, a, n) })
	}}
}

func (r *root) listLog(ctx context.Context, a *store.Archive, kind string, limit int) error {
	f, err := logFilterOf(kind)
	if err != nil {
		return err
	}
	f.Limit = max(limit, 0)
	list, total, err := a.LogRecords(ctx, f)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(r.env.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "record\ttime\tkind\twhat")
	for i := range list {
		rec := list[i].Record()
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", list[i].Index, recordTime(&rec), rec.Kind, oneLine(rec.Summary()))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.env.Stdout, "%d of %d records\n", len(list), total)
	return err
}

func recordTime(r *signoff.Record) string {
	us, err := r.TimeUS()
	if err != nil {
		return ""
	}
	return time.UnixMicro(us).UTC().Format("2006-01-02 15:04:05")
}

func (r *root) showRecord(ctx context.Context, a *store.Archive, n int64) error {
	p, err := a.LogRecord(ctx, n)
	if err != nil {
		return err
	}
	_, err = r.env.Stdout.Write(p.Body)
	return err
}

// proveRecord prints the proof in a form that "verify" of a bundle and other tools read.
func (r *root) proveRecord(ctx context.Context, a *store.Archive, n int64) error {
	p, err := a.LogRecord(ctx, n)
	if err != nil {
		return err
	}
	if p.Proof == nil && p.Signed.Size <= n {
		return fmt.Errorf("record %d: no checkpoint covers it yet; any command that opens the archive with its key signs one", n)
	}
	_, err = fmt.Fprintf(r.env.Stdout, "%s\nindex %d\nproof\n%s\n%s", p.Body, n, signoff.FormatProof(p.Proof), p.Signed.Note)
	return err
}

func (r *root) printCheckpoint(ctx context.Context, a *store.Archive) error {
	c, err := a.LatestCheckpoint(ctx)
	if err != nil {
		return err
	}
	_, err = r.env.Stdout.Write(c.Note)
	return err
}

func (r *root) printServerKeys(ctx context.Context, a *store.Archive) error {
	keys, err := a.ServerKeys(ctx)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if _, err := fmt.Fprintln(r.env.Stdout, k); err != nil {
			return err
		}
	}
	return nil
}

// rotateKey makes the next key, lets both sign, and puts it in use. Cut short before the
// last step, the old key stays in use and the next rotation goes on with the same new one.
func (r *root) rotateKey(ctx context.Context, a *store.Archive) error {
	ring := r.ring()
	next, err := ring.NextServer(serverKeyName, rand.Reader)
	if err != nil {
		return err
	}
	if err := a.RotateServerKey(ctx, next.Signer, next.Verifier); err != nil {
		return err
	}
	kept, err := ring.Promote()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.env.Stdout, "in use is %s\nthe old key is kept as %s; restart a server that is running\n", next.Verifier, kept)
	return err
}
