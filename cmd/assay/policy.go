package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"assay/store"
	"assay/store/account"
	"assay/store/review"
	"assay/store/signoff"
)

func (r *root) policyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "The gates policy: show, check, set, list; what it answers for a campaign; gates that a person sets aside",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(r.policyShow(), r.policyCheck(), r.policySet(), r.policyList(), r.policyGates(), r.policyWaive(), r.policyWaivers(), r.policyWithdraw())
	return cmd
}

func (r *root) policyShow() *cobra.Command {
	var builtIn bool
	cmd := &cobra.Command{
		Use: "show", Short: "Print the policy in force, as a file that can be changed and set", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if builtIn {
				_, err := r.env.Stdout.Write(signoff.DefaultPolicy())
				return err
			}
			return r.withLog(cmd.Context(), func(ctx context.Context, a *store.Archive) error {
				list, err := a.Policies(ctx)
				if err != nil {
					return err
				}
				body := signoff.DefaultPolicy()
				if len(list) > 0 {
					body = list[0].Body
				}
				_, err = r.env.Stdout.Write(body)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&builtIn, "default", false, "print the one that the program brings")
	return cmd
}

// readPolicy reads a file; - is standard input.
func (r *root) readPolicy(path string) ([]byte, error) {
	data, err := r.readInput(path, 1<<20)
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	return data, nil
}

func (r *root) policyCheck() *cobra.Command {
	return &cobra.Command{
		Use: "check FILE", Short: "Say everything that is wrong with a policy file", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := r.readPolicy(args[0])
			if err != nil {
				return err
			}
			p, err := signoff.ParsePolicy(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			ref := p.Ref()
			_, err = fmt.Fprintf(r.env.Stdout, "policy %s version %d, %d gates, sha256 %s\n", ref.Name, ref.Version, len(p.Gates), ref.Digest)
			return err
		},
	}
}

func (r *root) policySet() *cobra.Command {
	var s saidBy
	cmd := &cobra.Command{
		Use: "set FILE", Short: "Put a policy in force; statements name it by its digest", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check("policy set"); err != nil {
				return err
			}
			data, err := r.readPolicy(args[0])
			if err != nil {
				return err
			}
			return r.withLog(cmd.Context(), func(ctx context.Context, a *store.Archive) error {
				if err := s.allowed(ctx, a, account.MayAccounts); err != nil {
					return err
				}
				p, err := a.SetPolicy(ctx, data, s.author, s.reason)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(r.env.Stdout, "policy %s version %d is in force\n", p.Name, p.Version)
				return err
			})
		},
	}
	r.saidFlags(cmd, &s)
	return cmd
}

// policyLine is a policy as list --json prints it.
type policyLine struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
	SHA256  string `json:"sha256"`
	BuiltIn bool   `json:"built_in"` // the program brings it, and nobody set it
	AtUS    int64  `json:"set_us"`
	Author  string `json:"author"`
	Reason  string `json:"reason"`
	InForce bool   `json:"in_force"`
}

func policyLines(list []signoff.SetPolicy) []policyLine {
	lines := []policyLine{}
	for i := range list {
		p := &list[i]
		lines = append(lines, policyLine{p.Name, p.Version, p.Digest, false, p.AtUS, p.Author, p.Reason, i == 0})
	}
	d := signoff.Default().Ref()
	return append(lines, policyLine{Name: d.Name, Version: d.Version, SHA256: d.Digest, BuiltIn: true, InForce: len(list) == 0})
}

func (r *root) policyList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the policies that were in force, the latest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.withLog(cmd.Context(), func(ctx context.Context, a *store.Archive) error {
				list, err := a.Policies(ctx)
				if err != nil {
					return err
				}
				lines := policyLines(list)
				if asJSON {
					return json.NewEncoder(r.env.Stdout).Encode(lines)
				}
				w := tabwriter.NewWriter(r.env.Stdout, 0, 8, 2, ' ', 0)
				fmt.Fprintln(w, "policy\tversion\tsha256\tset\tby\twhy")
				for _, p := range lines {
					set := "brought by the program"
					if !p.BuiltIn {
						set = time.UnixMicro(p.AtUS).UTC().Format("2006-01-02 15:04 UTC")
					}
					fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\n", p.Name, p.Version, p.SHA256[:12], set, oneLine(p.Author), oneLine(p.Reason))
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

// gateLine is a gate as gates --json prints it.
type gateLine struct {
	ID       string       `json:"id"`
	Title    string       `json:"title"`
	Required bool         `json:"required"`
	State    string       `json:"state"`
	Stops    bool         `json:"stops"`
	Rule     string       `json:"rule"`
	Want     string       `json:"want"`
	Says     string       `json:"says"`
	Quoted   string       `json:"quoted"`
	Clear    string       `json:"clear"`
	WaivedBy string       `json:"waived_by"`
	Reason   string       `json:"waiver_reason"`
	Sources  []sourceLine `json:"sources"`
}

type sourceLine struct {
	Artifact string `json:"artifact"`
	Pointer  string `json:"pointer"`
}

func gateLineOf(g *signoff.GateResult) gateLine {
	l := gateLine{ID: g.ID, Title: g.Title, Required: g.Required, State: string(g.State), Stops: g.Stops(), Rule: g.Rule, Want: g.Want,
		Says: g.Says, Quoted: g.Quoted, Clear: g.Clear, WaivedBy: g.By, Reason: g.Reason, Sources: []sourceLine{}}
	for _, s := range g.Sources {
		l.Sources = append(l.Sources, sourceLine{s.Artifact.String(), string(s.Pointer)})
	}
	return l
}

func (r *root) policyGates() *cobra.Command {
	var arm, target string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "gates CAMPAIGN", Short: "What the policy in force answers for a campaign's candidate; exit code 3 when something stops", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.withLog(cmd.Context(), func(ctx context.Context, a *store.Archive) error {
				return r.gates(ctx, a, args[0], arm, signoff.Target(target), asJSON)
			})
		},
	}
	cmd.Flags().StringVar(&arm, "arm", "", "the candidate: an arm's name or id (default: the one that the source selects)")
	cmd.Flags().StringVar(&target, "target", string(signoff.Promotion), "challenger, rollback or promotion")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

func (r *root) gates(ctx context.Context, a *store.Archive, campaign, arm string, target signoff.Target, asJSON bool) error {
	g, err := r.desk(a).Survey(ctx, review.Query{Campaign: campaign, Candidate: arm, Target: target})
	if err != nil {
		return err
	}
	lines := make([]gateLine, len(g.Gates))
	stops := 0
	for i := range g.Gates {
		if lines[i] = gateLineOf(&g.Gates[i]); lines[i].Stops {
			stops++
		}
	}
	if asJSON {
		if err := json.NewEncoder(r.env.Stdout).Encode(lines); err != nil {
			return err
		}
	} else if err := r.printGates(g, lines); err != nil {
		return err
	}
	if stops > 0 {
		return refusedError{fmt.Errorf("policy gates: %d gates keep %s from the target %s", stops, oneLine(g.Candidate.Name), target)}
	}
	return nil
}

func (r *root) printGates(g *signoff.Ground, lines []gateLine) error {
	fmt.Fprintf(r.env.Stdout, "%s of %s, target %s, policy %s version %d\n", oneLine(g.Candidate.Name), oneLine(g.Campaign), g.Target, g.Policy.Name, g.Policy.Version)
	w := tabwriter.NewWriter(r.env.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "state\trequired\tgate\twhat was found")
	for _, l := range lines {
		required := "no"
		if l.Required {
			required = "yes"
		}
		says := l.Says
		if l.Quoted != "" {
			says += "; the source: " + strconv.Quote(oneLine(l.Quoted))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", l.State, required, l.ID, oneLine(says))
	}
	return w.Flush()
}

func (r *root) policyWaive() *cobra.Command {
	var s saidBy
	cmd := &cobra.Command{
		Use: "waive CAMPAIGN GATE", Short: "Set one gate of a campaign aside, where the policy lets a person", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.check("policy waive"); err != nil {
				return err
			}
			return r.withLog(cmd.Context(), func(ctx context.Context, a *store.Archive) error {
				if err := s.allowed(ctx, a, account.MayRepair); err != nil {
					return err
				}
				x, err := a.WaiveGate(ctx, signoff.GateWaiver{Campaign: args[0], Gate: args[1], Author: s.author, Reason: s.reason})
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(r.env.Stdout, "waiver %d: gate %s of %s\n", x.ID, x.Gate, oneLine(x.Campaign))
				return err
			})
		},
	}
	r.saidFlags(cmd, &s)
	return cmd
}

func (r *root) policyWaivers() *cobra.Command {
	return &cobra.Command{
		Use: "waivers", Short: "List gates that people set aside, withdrawn ones too", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.withLog(cmd.Context(), func(ctx context.Context, a *store.Archive) error {
				list, err := a.GateWaivers(ctx, "")
				if err != nil {
					return err
				}
				w := tabwriter.NewWriter(r.env.Stdout, 0, 8, 2, ' ', 0)
				fmt.Fprintln(w, "waiver\tstate\tcampaign\tgate\tby\twhy")
				for i := range list {
					x, state := &list[i], "holds"
					if !x.Holds() {
						state = "withdrawn"
					}
					fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\t%s\n", x.ID, state, oneLine(x.Campaign), x.Gate, oneLine(x.Author), oneLine(x.Reason))
				}
				return w.Flush()
			})
		},
	}
}

func (r *root) policyWithdraw() *cobra.Command {
	var s saidBy
	cmd := &cobra.Command{
		Use: "withdraw NUMBER", Short: "Take a waiver of a gate back; it stays listed", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := strconv.ParseInt(args[0], 10, 64)
			if err = errors.Join(err, s.check("policy withdraw")); err != nil {
				return usagef("policy withdraw: %w", err)
			}
			return r.withLog(cmd.Context(), func(ctx context.Context, a *store.Archive) error {
				if err := s.allowed(ctx, a, account.MayRepair); err != nil {
					return err
				}
				if err := a.WithdrawGateWaiver(ctx, id, s.author, s.reason); err != nil {
					return err
				}
				_, err := fmt.Fprintf(r.env.Stdout, "waiver %d is withdrawn\n", id)
				return err
			})
		},
	}
	r.saidFlags(cmd, &s)
	return cmd
}
