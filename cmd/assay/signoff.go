package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"assay/store"
	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
	"assay/web/view"
)

func (r *root) signoffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "signoff",
		Short: "Decisions: survey, prepare, ack, preview, sign, list, show, check, bundle, withdraw",
		Long: "A reviewer prepares a statement on a campaign's candidate and acknowledges what is failed, missing or\n" +
			"limited, one by one. A promoter signs it, with the key that the server keeps under their password, or\n" +
			"offline with an SSH key of their own:\n\n" +
			"  assay signoff statement 7 --as ada --key SHA256:... > statement.txt\n" +
			"  ssh-keygen -Y sign -n assay-statement -f ~/.ssh/id_ed25519 statement.txt\n" +
			"  assay signoff sign --as ada --statement statement.txt --signature statement.txt.sig\n\n" +
			"What stands against a signature is listed in full, and the exit code is 3.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(r.signoffSurvey(), r.signoffPrepare(), r.signoffAck(), r.signoffDrafts(), r.signoffDiscard(),
		r.signoffPreview(), r.signoffStatement(), r.signoffSign(), r.signoffList(), r.signoffShow(), r.signoffCheck(), r.signoffBundle(), r.signoffWithdraw())
	return cmd
}

// withDesk opens the archive with its keys and the desk over it. What the desk refuses is
// an answer: exit code 3.
func (r *root) withDesk(ctx context.Context, f func(context.Context, *review.Desk, people) error) (err error) {
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	err = f(ctx, r.desk(archive), people{archive, r.ring()})
	var refused *review.Refused
	if errors.As(err, &refused) {
		if perr := printRefusals(r.env.Stdout, refused.Refusals); perr != nil {
			return perr
		}
		return refusedError{fmt.Errorf("signoff: refused: %d reasons, listed on standard output", len(refused.Refusals))}
	}
	return err
}

// desk is where decisions are made on an archive.
func (r *root) desk(archive *store.Archive) *review.Desk {
	return review.Over(archive, view.CompareTable, r.env.Now)
}

// asFlag says who is asking. Whoever can open the archive's file may prepare in anybody's
// name; signing takes the person's key.
func (r *root) asFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "as", r.env.lookup("ASSAY_AUTHOR"), "account name of who does this; ASSAY_AUTHOR sets the default (required)")
}

func needName(command, name string) error {
	if name == "" {
		return usagef("%s: --as is missing: the account name of who does this; ASSAY_AUTHOR can set it", command)
	}
	return nil
}

func queryFlags(cmd *cobra.Command, q *review.Query) {
	f := cmd.Flags()
	f.StringVar(&q.Candidate, "candidate", "", "arm the decision is on, by name or id (default: the one that the source selects, else the first it does not reject)")
	f.StringVar(&q.Control, "control", "", "arm it is held against, or none (default: the one that differs in the fewest factors)")
	f.StringVar(&q.Back, "rollback", "", "arm that is gone back to, of any campaign by its id, or none (default: the one signed last)")
	f.StringVar((*string)(&q.Target), "target", string(signoff.Promotion), "challenger, rollback or promotion")
	f.StringArrayVar(&q.Figures, "figure", nil, "figure of the frozen comparison, METRIC:STATISTIC; may be repeated (default: one of each metric that both sides have)")
}

func (r *root) signoffSurvey() *cobra.Command {
	var q review.Query
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "survey CAMPAIGN",
		Short: "Say what a decision on a campaign would rest on: gates, comparison, limits, contradictions, what nobody tested",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Campaign = args[0]
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, _ people) error {
				g, err := d.Survey(ctx, q)
				if err != nil {
					return err
				}
				if asJSON {
					return writeGroundJSON(r.env.Stdout, g)
				}
				return writeGround(r.env.Stdout, g)
			})
		},
	}
	queryFlags(cmd, &q)
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON object: the ground, its digest and the items to acknowledge")
	return cmd
}

// writeGround writes a ground for a terminal, a line each.
func writeGround(w io.Writer, g *signoff.Ground) error {
	var b strings.Builder
	line := func(key, format string, args ...any) {
		fmt.Fprintf(&b, "%-14s %s\n", key, oneLine(fmt.Sprintf(format, args...)))
	}
	line("campaign", "%s (%s)", g.Campaign, g.Title)
	line("target", "%s", g.Target)
	line("candidate", "%s (%s)", g.Candidate.Name, g.Candidate.ArmID)
	if g.Candidate.Rejected != "" {
		line("", "rejected by the source: %s", g.Candidate.Rejected)
	}
	if g.Control.OK {
		line("control", "%s (%s)", g.Control.V.Name, g.Control.V.ArmID)
	}
	line("rollback", "%s", g.BackNote)
	if g.Comparison.OK {
		c := &g.Comparison.V
		line("comparison", "spec %s, export %s", c.SpecDigest, c.ExportDigest)
		for i := range c.Figures {
			line("", "%s: %s %s %s", c.Figures[i].Figure, c.Figures[i].Verdict, c.Figures[i].Stated(), strings.Join(c.Figures[i].Reasons, " "))
		}
	}
	for i := range g.Gates {
		x := &g.Gates[i]
		line("gate "+string(x.State), "%s: %s", x.ID, x.Says)
	}
	for _, s := range g.SourceSays {
		line("source says", "%s", s.Text)
	}
	for _, c := range g.Changes {
		line("changed", "%s", c.Text)
	}
	for _, id := range g.Waivers {
		line("waiver", "%d opens a pair of the comparison for looking", id)
	}
	line("evidence", "%d artifacts, %d of %d named files retained, log size %d", len(g.Artifacts), g.Retained, g.References, g.LogSize)
	line("policy", "%s@%d, rules %d", g.Policy.Name, g.Policy.Version, g.Ruleset)
	line("ground", "sha256:%s", g.Digest())
	_, err := io.WriteString(w, b.String())
	if err != nil {
		return err
	}
	return writeItems(w, g.Items(), nil)
}

// writeItems lists what is to be acknowledged, and what was.
func writeItems(w io.Writer, items []signoff.Item, acks []signoff.Ack) error {
	given := map[string]signoff.Ack{}
	for _, a := range acks {
		given[a.Item] = a
	}
	for _, i := range items {
		state := "open"
		if _, ok := given[i.ID]; ok {
			state = "read"
		}
		if _, err := fmt.Fprintf(w, "%-5s %s %-13s %s\n", state, i.ID, i.Kind, oneLine(i.Text)); err != nil {
			return err
		}
	}
	return nil
}

func printRefusals(w io.Writer, list []review.Refusal) error {
	for _, x := range list {
		text := fmt.Sprintf("refused %-10s", x.Kind)
		if x.ID != "" {
			text += " " + x.ID
		}
		if x.Rule != "" {
			text += " (" + x.Rule + ")"
		}
		if text += ": " + x.Text; x.Clear != "" {
			text += "; to clear it: " + x.Clear
		}
		if _, err := fmt.Fprintln(w, oneLine(text)); err != nil {
			return err
		}
	}
	return nil
}

// digestOf finds the artifact that a REF of the command line names.
func digestOf(ctx context.Context, a *store.Archive, ref string) (evidence.Digest, error) {
	return findDigest(ctx, a, ref)
}
