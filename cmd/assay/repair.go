package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assay/store"
	"assay/store/account"
	"assay/store/evidence"
)

// saidBy is who repairs and why.
type saidBy struct{ author, reason string }

func (r *root) saidFlags(cmd *cobra.Command, s *saidBy) {
	cmd.Flags().StringVar(&s.author, "author", r.env.lookup("ASSAY_AUTHOR"), "who says so; ASSAY_AUTHOR sets the default (required)")
	cmd.Flags().StringVar(&s.reason, "reason", "", "why, for whoever reads it later (required)")
}

func (s *saidBy) check(command string) error {
	var faults []error
	if s.author == "" {
		faults = append(faults, errors.New("--author is missing; ASSAY_AUTHOR can set it"))
	}
	if s.reason == "" {
		faults = append(faults, errors.New("--reason is missing"))
	}
	if err := joined(faults); err != nil {
		return usagef("%s: %w", command, err)
	}
	return nil
}

// allowed holds the author against the archive's accounts, where it has any: a name in the
// log must be that of somebody who may do this. Without accounts anybody is who they say.
func (s *saidBy) allowed(ctx context.Context, a *store.Archive, right account.Right) error {
	list, err := a.Accounts(ctx)
	if err != nil || len(list) == 0 {
		return err
	}
	i := slices.IndexFunc(list, func(x account.Account) bool { return x.Name == s.author })
	switch {
	case i < 0:
		return usagef("--author %q: this archive has accounts, and none of that name; \"assay user list\" lists them, \"assay user add\" makes one", s.author)
	case !list[i].Holds():
		return usagef("--author %s: the account is disabled; \"assay user enable %s\" opens it", s.author, s.author)
	case !list[i].Role.May(right):
		return usagef("--author %s: a %s has no right to do this (%s); \"assay user role\" gives another role", s.author, list[i].Role, right)
	}
	return nil
}

func (r *root) aliasCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "alias",
		Short: "Say that a spelling in evidence means the same as another word",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var s saidBy
	add := &cobra.Command{
		Use:   "add KEY SPELLING MEANING",
		Short: "Add an alias; it holds for every fact of the key in the archive, now and later",
		Long: "Artifacts keep what they say; the meaning stands beside it and comparisons go by it. The meaning\n" +
			"of a card may name its power class too. \"assay withdraw\" takes an alias back. For example\n" +
			"  assay alias add gpu_product big-card 'NVIDIA RTX PRO 6000 Blackwell Max-Q' --author ada --reason 'our name for it'",
		Args: cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check("alias add"); err != nil {
				return err
			}
			return r.repair(cmd.Context(), &s, func(context.Context, *store.Archive) (evidence.Repair, error) {
				return evidence.Repair{Kind: evidence.RepairAlias, Key: evidence.FactKey(args[0]), Target: args[1], Value: args[2], Author: s.author, Reason: s.reason}, nil
			})
		},
	}
	r.saidFlags(add, &s)
	cmd.AddCommand(add)
	return cmd
}

func (r *root) declareCommand() *cobra.Command {
	var s saidBy
	cmd := &cobra.Command{
		Use:   "declare TARGET KEY VALUE",
		Short: "Declare a fact that evidence does not record",
		Long: "TARGET is PATH-or-SHA256[#POINTER] for an artifact or the runs and arms read from a place of it,\n" +
			"a run id, or campaign:ID. Numbers may carry a unit (\"96 GiB\"). Where the evidence says something\n" +
			"else the fact becomes a conflict and both values show; nothing is overwritten. \"assay keys\" lists\n" +
			"the keys, \"assay queue\" what is worth declaring, \"assay withdraw\" takes a declaration back.",
		Args: cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check("declare"); err != nil {
				return err
			}
			return r.repair(cmd.Context(), &s, func(ctx context.Context, a *store.Archive) (evidence.Repair, error) {
				scope, err := factScope(ctx, a, args[0])
				return evidence.Repair{Kind: evidence.RepairFact, Key: evidence.FactKey(args[1]), Target: scope.String(), Value: args[2], Author: s.author, Reason: s.reason}, err
			})
		},
	}
	r.saidFlags(cmd, &s)
	return cmd
}

func (r *root) moveCommand() *cobra.Command {
	var s saidBy
	cmd := &cobra.Command{
		Use:   "move ARTIFACT CAMPAIGN",
		Short: "Move an artifact into another campaign",
		Long: "ARTIFACT is a file or six or more digits of its SHA-256. The latest move that holds wins over the\n" +
			"campaign that came with the file; withdrawing it moves the artifact back.",
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check("move"); err != nil {
				return err
			}
			return r.repair(cmd.Context(), &s, func(ctx context.Context, a *store.Archive) (evidence.Repair, error) {
				digest, err := findDigest(ctx, a, strings.TrimPrefix(args[0], "artifact:"))
				return evidence.Repair{Kind: evidence.RepairMove, Target: digest.String(), Value: args[1], Author: s.author, Reason: s.reason}, err
			})
		},
	}
	r.saidFlags(cmd, &s)
	return cmd
}

// repair files what somebody says, and says what holds now.
func (r *root) repair(ctx context.Context, s *saidBy, say func(context.Context, *store.Archive) (evidence.Repair, error)) (err error) {
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	if err := s.allowed(ctx, archive, account.MayRepair); err != nil {
		return err
	}
	wanted, err := say(ctx, archive)
	if err != nil {
		return err
	}
	made, err := archive.AddRepair(ctx, wanted)
	if refused := (*evidence.RepairError)(nil); errors.As(err, &refused) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.env.Stdout, "repair %d: %s\n", made.ID, oneLine(inWordsOf(&made)))
	return err
}

// inWordsOf is what a repair says, in a sentence without its end.
func inWordsOf(r *evidence.Repair) string {
	switch r.Kind {
	case evidence.RepairAlias:
		return fmt.Sprintf("%s %q means %q", r.Key, r.Target, r.Value)
	case evidence.RepairMove:
		return fmt.Sprintf("artifact %.12s is in campaign %s", r.Target, r.Value)
	}
	return fmt.Sprintf("%s is %s for %s", r.Key, r.Value, r.Target)
}

func (r *root) withdrawCommand() *cobra.Command {
	var s saidBy
	cmd := &cobra.Command{
		Use:   "withdraw REPAIR",
		Short: "Take a repair back; it stays listed, and what it changed is as before",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := s.check("withdraw"); err != nil {
				return err
			}
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil {
				return usagef("withdraw %.40q: want the number of a repair; \"assay repairs\" lists them", args[0])
			}
			archive, err := r.openExisting(cmd.Context())
			if err != nil {
				return err
			}
			defer closing(archive, &err)
			if err := s.allowed(cmd.Context(), archive, account.MayRepair); err != nil {
				return err
			}
			err = archive.WithdrawRepair(cmd.Context(), id, s.author, s.reason)
			if errors.Is(err, evidence.ErrNotFound) {
				return fmt.Errorf("%w; \"assay repairs --all\" lists them", err)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(r.env.Stdout, "repair %d is withdrawn\n", id)
			return err
		},
	}
	r.saidFlags(cmd, &s)
	return cmd
}
