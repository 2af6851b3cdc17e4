package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"assay/store/review"
	"assay/store/signoff"
)

// draftFlags are what a preparer fills in.
type draftFlags struct {
	as, decision, scope, reason string
	ready                       bool
	draft                       int64
}

func (r *root) signoffPrepare() *cobra.Command {
	var q review.Query
	var fl draftFlags
	cmd := &cobra.Command{
		Use:   "prepare CAMPAIGN | prepare --draft NUMBER",
		Short: "Open a draft of a statement, or change one of yours: decision, scope, reason, ready to sign",
		Args: func(cmd *cobra.Command, args []string) error {
			if (fl.draft == 0) == (len(args) == 0) || len(args) > 1 {
				return usagef("signoff prepare: name a campaign for a new draft, or --draft NUMBER for one that there is")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needName("signoff prepare", fl.as); err != nil {
				return err
			}
			if len(args) == 1 {
				q.Campaign = args[0]
			}
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, _ people) error { return r.prepare(ctx, d, q, &fl, cmd) })
		},
	}
	queryFlags(cmd, &q)
	r.asFlag(cmd, &fl.as)
	cmd.Flags().Int64Var(&fl.draft, "draft", 0, "number of a draft to change")
	cmd.Flags().StringVar(&fl.decision, "decision", "", "promote, reject, hold or rollback")
	cmd.Flags().StringVar(&fl.scope, "scope", "", "what the candidate is meant for")
	cmd.Flags().StringVar(&fl.reason, "reason", "", "why")
	cmd.Flags().BoolVar(&fl.ready, "ready", false, "hand it over to a signer")
	return cmd
}

func (r *root) prepare(ctx context.Context, d *review.Desk, q review.Query, fl *draftFlags, cmd *cobra.Command) error {
	var x signoff.Draft
	var g *signoff.Ground
	var err error
	if fl.draft == 0 {
		x, g, err = d.Open(ctx, q, fl.as)
	} else if x, err = d.Draft(ctx, fl.draft); err == nil {
		g, err = d.Ground(ctx, &x)
	}
	if err != nil {
		return err
	}
	for name, set := range map[string]func(){
		"decision": func() { x.Decision = signoff.Decision(fl.decision) }, "scope": func() { x.Scope = fl.scope },
		"reason": func() { x.Reason = fl.reason }, "ready": func() { x.Ready = fl.ready },
	} {
		if cmd.Flags().Changed(name) {
			set()
		}
	}
	if was := x.Ground; fl.draft != 0 && was != g.Digest() {
		fmt.Fprintf(r.env.Stderr, "assay: the ground moved since draft %d was looked at last; what is open below is new\n", x.ID)
	}
	x.Ground = g.Digest() // what is listed below is what the person sees
	if x, err = d.Save(ctx, x, fl.as); err != nil {
		return err
	}
	fmt.Fprintf(r.env.Stdout, "draft %d: %s of %s for %s, prepared by %s\n", x.ID, orDash(string(x.Decision)), oneLine(g.Candidate.Name), x.Target, x.Preparer)
	return writeItems(r.env.Stdout, g.Items(), x.Acks)
}

func orDash(s string) string {
	if s == "" {
		return "no decision yet"
	}
	return s
}

func draftNumber(command, text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return 0, usagef("%s: %q is no number of a draft; \"assay signoff drafts\" lists them", command, text)
	}
	return id, nil
}

func (r *root) signoffAck() *cobra.Command {
	var as, reason string
	var undo bool
	cmd := &cobra.Command{
		Use:   "ack DRAFT ITEM --reason TEXT",
		Short: "Acknowledge one item of a draft: a gate, a limitation, a failure, a contradiction, something untested",
		Args:  cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needName("signoff ack", as); err != nil {
				return err
			}
			id, err := draftNumber("signoff ack", args[0])
			if err != nil {
				return err
			}
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, _ people) error {
				say := "acknowledged"
				var err error
				if undo {
					say = "no longer acknowledged"
					_, err = d.Unacknowledge(ctx, id, as, args[1])
				} else {
					_, err = d.Acknowledge(ctx, id, as, args[1], reason)
				}
				if err == nil {
					fmt.Fprintf(r.env.Stdout, "draft %d: %s is %s\n", id, args[1], say)
				}
				return err
			})
		},
	}
	r.asFlag(cmd, &as)
	cmd.Flags().StringVar(&reason, "reason", "", "why the decision stands all the same; needed for gates, limitations, failures and contradictions")
	cmd.Flags().BoolVar(&undo, "undo", false, "take the acknowledgement back")
	return cmd
}

func (r *root) signoffDrafts() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "drafts",
		Short: "List the drafts that are open, the latest changed first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, _ people) error {
				list, err := d.Drafts(ctx, signoff.Filter{Open: !all})
				if err != nil {
					return err
				}
				for i := range list {
					x := &list[i]
					state := "open"
					switch {
					case x.ClosedUS != 0:
						state = "closed"
					case x.Ready:
						state = "ready"
					}
					fmt.Fprintf(r.env.Stdout, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", x.ID, state, orDash(string(x.Decision)), x.Target, x.Preparer, time.UnixMicro(x.ChangedUS).UTC().Format(time.DateTime), oneLine(x.Campaign))
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "those that were signed or given up too")
	return cmd
}

func (r *root) signoffDiscard() *cobra.Command {
	var as string
	cmd := &cobra.Command{
		Use:   "discard DRAFT",
		Short: "Give a draft of yours up; it stays listed",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needName("signoff discard", as); err != nil {
				return err
			}
			id, err := draftNumber("signoff discard", args[0])
			if err != nil {
				return err
			}
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, _ people) error {
				if err := d.Discard(ctx, id, as); err != nil {
					return err
				}
				fmt.Fprintf(r.env.Stdout, "draft %d is given up\n", id)
				return nil
			})
		},
	}
	r.asFlag(cmd, &as)
	return cmd
}
