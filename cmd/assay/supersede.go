package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
)

func (r *root) supersedeCommand() *cobra.Command {
	var s saidBy
	cmd := &cobra.Command{
		Use:   "supersede OLD NEW",
		Short: "Say that an artifact took another's place: what was signed on the old one turns stale",
		Long: "OLD and NEW are files, names or digits of a SHA-256. Both stay in the archive as they are.\n" +
			"--author is an account that may repair. \"assay marks withdraw NUMBER\" takes it back.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.mark(cmd.Context(), "supersede", s, func(ctx context.Context, d *review.Desk, p people) (signoff.Mark, error) {
				old, err := digestOf(ctx, p.Archive, args[0])
				if err != nil {
					return signoff.Mark{}, err
				}
				by, err := digestOf(ctx, p.Archive, args[1])
				if err != nil {
					return signoff.Mark{}, err
				}
				return d.Supersede(ctx, old, by, s.author, s.reason)
			})
		},
	}
	r.saidFlags(cmd, &s)
	return cmd
}

func (r *root) invalidateCommand() *cobra.Command {
	var s saidBy
	cmd := &cobra.Command{
		Use:   "invalidate ARTIFACT",
		Short: "Say that an artifact is no evidence: its runs are compared with nothing, what was signed on it turns stale",
		Long: "ARTIFACT is a file, a name or digits of a SHA-256. It stays in the archive as it is.\n" +
			"--author is an account that may repair. \"assay marks withdraw NUMBER\" takes it back.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.mark(cmd.Context(), "invalidate", s, func(ctx context.Context, d *review.Desk, p people) (signoff.Mark, error) {
				a, err := digestOf(ctx, p.Archive, args[0])
				if err != nil {
					return signoff.Mark{}, err
				}
				return d.Invalidate(ctx, a, s.author, s.reason)
			})
		},
	}
	r.saidFlags(cmd, &s)
	return cmd
}

func (r *root) mark(ctx context.Context, command string, s saidBy, say func(context.Context, *review.Desk, people) (signoff.Mark, error)) error {
	if err := s.check(command); err != nil {
		return err
	}
	return r.withDesk(ctx, func(ctx context.Context, d *review.Desk, p people) error {
		m, err := say(ctx, d, p)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(r.env.Stdout, "mark %d: %s is %s, record %d of the log\n", m.ID, m.Artifact.Short(), m.Kind, m.LogIndex)
		return err
	})
}

func (r *root) marksCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "marks",
		Short: "List the artifacts that people superseded or invalidated",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, _ people) error {
				list, err := d.Marks(ctx, signoff.MarkFilter{})
				if err != nil {
					return err
				}
				for i := range list {
					if err := r.markLine(&list[i]); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	var s saidBy
	withdraw := &cobra.Command{
		Use:   "withdraw NUMBER",
		Short: "Take a mark back; it stays listed",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check("marks withdraw"); err != nil {
				return err
			}
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return usagef("marks withdraw: %q is no number of a mark", args[0])
			}
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, _ people) error {
				if _, err := d.WithdrawMark(ctx, id, s.author, s.reason); errors.Is(err, evidence.ErrNotFound) {
					return fmt.Errorf("marks withdraw: there is no mark %d; \"assay marks\" lists them", id)
				} else if err != nil {
					return err
				}
				fmt.Fprintf(r.env.Stdout, "mark %d is withdrawn\n", id)
				return nil
			})
		},
	}
	r.saidFlags(withdraw, &s)
	cmd.AddCommand(withdraw)
	return cmd
}

func (r *root) markLine(m *signoff.Mark) error {
	by, state := "", "holds"
	if m.By.OK {
		by = m.By.V.String()
	}
	if !m.Holds() {
		state = "withdrawn by " + m.WithdrawnBy + ": " + m.WithdrawnReason
	}
	_, err := fmt.Fprintln(r.env.Stdout, keepTabs(fmt.Sprintf("%d\t%s\t%s\t%s\t%s\t%s\t%s", m.ID, m.Kind, m.Artifact, by, m.Author, m.Reason, state)))
	return err
}
