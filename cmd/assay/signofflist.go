package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
)

// signoffJSON is a sign-off with what it is worth today, as --json writes it.
type signoffJSON struct {
	Number    string          `json:"number"`
	Campaign  string          `json:"campaign"`
	Candidate string          `json:"candidate"`
	Target    string          `json:"target"`
	Decision  string          `json:"decision"`
	Preparer  string          `json:"preparer"`
	Signer    string          `json:"signer"`
	Signed    string          `json:"signed"`
	Digest    string          `json:"statement_sha256"`
	Key       string          `json:"key"`
	LogIndex  int64           `json:"log_index"`
	State     string          `json:"state"`
	Reasons   []string        `json:"reasons"`
	Checks    []signoff.Check `json:"checks,omitempty"`
	Statement string          `json:"statement,omitempty"`
}

func signoffOf(s *signoff.SignOff, st *signoff.Standing) signoffJSON {
	out := signoffJSON{
		Number: s.Number, Campaign: s.Campaign, Candidate: s.Candidate, Target: string(s.Target), Decision: string(s.Decision), Preparer: s.Preparer, Signer: s.Signer,
		Signed: time.UnixMicro(s.SignedUS).UTC().Format(time.RFC3339), Digest: s.Digest, Key: string(s.Claim.Kind) + " " + s.Claim.Fingerprint, LogIndex: s.LogIndex,
		State: string(st.State), Reasons: st.Reasons,
	}
	if out.Reasons == nil {
		out.Reasons = []string{}
	}
	return out
}

func (r *root) signoffList() *cobra.Command {
	var f signoff.Filter
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List sign-offs, the latest first, each with what it is worth today",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, p people) error {
				if f.Campaign != "" {
					var err error
					if f.Campaign, err = p.ResolveCampaign(ctx, f.Campaign); err != nil {
						return err
					}
				}
				return r.listSignOffs(ctx, d, f, asJSON)
			})
		},
	}
	cmd.Flags().StringVar(&f.Campaign, "campaign", "", "of one campaign")
	cmd.Flags().StringVar((*string)(&f.Decision), "decision", "", "promote, reject, hold or rollback")
	cmd.Flags().StringVar(&f.Person, "person", "", "prepared or signed by one account")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON array")
	return cmd
}

func (r *root) listSignOffs(ctx context.Context, d *review.Desk, f signoff.Filter, asJSON bool) error {
	list, err := d.SignOffs(ctx, f)
	if err != nil {
		return err
	}
	lines := []signoffJSON{}
	for i := range list {
		st, err := d.Known(ctx, &list[i])
		if err != nil {
			return err
		}
		lines = append(lines, signoffOf(&list[i], &st))
	}
	if asJSON {
		return json.NewEncoder(r.env.Stdout).Encode(lines)
	}
	for _, x := range lines {
		text := fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s", x.Number, x.State, x.Decision, x.Target, x.Candidate, x.Signer, x.Signed)
		if len(x.Reasons) > 0 {
			text += "\t" + strings.Join(x.Reasons, "; ")
		}
		if _, err := fmt.Fprintln(r.env.Stdout, keepTabs(text)); err != nil {
			return err
		}
	}
	return nil
}

// keepTabs makes each field of a line safe to draw.
func keepTabs(text string) string {
	fields := strings.Split(text, "\t")
	for i := range fields {
		fields[i] = oneLine(fields[i])
	}
	return strings.Join(fields, "\t")
}

func (r *root) signoffShow() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show NUMBER",
		Short: "Show a sign-off: the signed text, whose key, and what it is worth today",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, _ people) error {
				s, err := d.SignOff(ctx, args[0])
				if err != nil {
					return noSignOff(err, args[0])
				}
				st, err := d.Known(ctx, &s)
				if err != nil {
					return err
				}
				x := signoffOf(&s, &st)
				if asJSON {
					x.Checks, x.Statement = st.Checks, s.Statement
					enc := json.NewEncoder(r.env.Stdout)
					enc.SetIndent("", "  ")
					return enc.Encode(x)
				}
				fmt.Fprintf(r.env.Stdout, "%s is %s; signed %s by %s with %s; record %d of the log\n", x.Number, x.State, x.Signed, x.Signer, x.Key, x.LogIndex)
				for _, why := range x.Reasons {
					fmt.Fprintf(r.env.Stdout, "  %s\n", oneLine(why))
				}
				_, err = fmt.Fprintf(r.env.Stdout, "\n%s", s.Statement) // escaped line by line, as it was signed
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON object, with the checks and the text")
	return cmd
}

func noSignOff(err error, ref string) error {
	if errors.Is(err, evidence.ErrNotFound) {
		return fmt.Errorf("there is no sign-off %.80q; \"assay signoff list\" lists them", ref)
	}
	return err
}

func (r *root) signoffCheck() *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use:   "check NUMBER | check --all",
		Short: "Hold a sign-off against the archive of today, check by check; exit code 3 when it is not current",
		Args: func(_ *cobra.Command, args []string) error {
			if all == (len(args) > 0) || len(args) > 1 {
				return usagef("signoff check: name one sign-off, or --all")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, _ people) error {
				list := []signoff.SignOff{{}}
				var err error
				if all {
					list, err = d.SignOffs(ctx, signoff.Filter{})
				} else if list[0], err = d.SignOff(ctx, args[0]); err != nil {
					err = noSignOff(err, args[0])
				}
				if err != nil {
					return err
				}
				return r.checkSignOffs(ctx, d, list)
			})
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every sign-off")
	return cmd
}

func (r *root) checkSignOffs(ctx context.Context, d *review.Desk, list []signoff.SignOff) error {
	stale := 0
	for i := range list {
		st, err := d.Standing(ctx, &list[i])
		if err != nil {
			return err
		}
		fmt.Fprintf(r.env.Stdout, "%s is %s: %d checks at log size %d\n", list[i].Number, st.State, len(st.Checks), st.LogSize)
		if w := list[i].Withdrawn; w.OK {
			fmt.Fprintf(r.env.Stdout, "  %s withdrew it: %s\n", oneLine(w.V.By), oneLine(w.V.Reason))
		}
		for _, c := range st.Checks {
			mark := "ok"
			if !c.OK {
				mark = "NO"
			}
			if _, err := fmt.Fprintf(r.env.Stdout, "  %s  %-18s %s: %s\n", mark, c.ID, c.Title, oneLine(c.Says)); err != nil {
				return err
			}
		}
		if st.State != signoff.Current {
			stale++
		}
	}
	if stale > 0 {
		return refusedError{fmt.Errorf("signoff check: %d of %d are not current", stale, len(list))}
	}
	return nil
}

func (r *root) signoffWithdraw() *cobra.Command {
	var as, reason string
	cmd := &cobra.Command{
		Use:   "withdraw NUMBER --reason TEXT",
		Short: "Take a sign-off back; it stays listed, and the withdrawal is a record of the log",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needName("signoff withdraw", as); err != nil {
				return err
			}
			if reason == "" {
				return usagef("signoff withdraw: --reason is missing")
			}
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, _ people) error {
				s, err := d.Withdraw(ctx, args[0], as, reason)
				if err != nil {
					return noSignOff(err, args[0])
				}
				fmt.Fprintf(r.env.Stdout, "%s is withdrawn, record %d of the log\n", s.Number, s.Withdrawn.V.LogIndex)
				return nil
			})
		},
	}
	r.asFlag(cmd, &as)
	cmd.Flags().StringVar(&reason, "reason", "", "why, for whoever reads it later (required)")
	return cmd
}
