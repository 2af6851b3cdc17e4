package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"assay/store/evidence"
)

func (r *root) tokenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Tokens with which scripts and other machines hand files in or read",
		Long: "A token lets its holder hand files in over HTTP (POST /api/v1/artifacts), read, or both; nothing else, and it\n" +
			"never signs. Its secret has 256 random bits and is shown once; the archive keeps its SHA-256 only. A token of an\n" +
			"owner ends with the owner's account and has no right that its owner lost.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var asJSON bool
	list := &cobra.Command{
		Use: "list", Short: "List tokens: when they were made, used last and revoked", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.listTokens(cmd.Context(), asJSON) },
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	revoke := &cobra.Command{
		Use: "revoke NAME", Short: "End a token; it stays listed", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			archive, err := r.openExisting(cmd.Context())
			if err != nil {
				return err
			}
			defer closing(archive, &err)
			if err := archive.RevokeToken(cmd.Context(), args[0]); err != nil {
				return err
			}
			_, err = fmt.Fprintf(r.env.Stdout, "revoked %s\n", args[0])
			return err
		},
	}
	cmd.AddCommand(r.tokenAdd(), list, revoke)
	return cmd
}

func (r *root) tokenAdd() *cobra.Command {
	var rights []string
	var expires, owner string
	cmd := &cobra.Command{
		Use: "add NAME", Short: "Make a token and print it, once", Args: cobra.ExactArgs(1),
		Long: "Prints the secret of a new token on standard output, for example\n  ASSAY_TOKEN=$(assay token add nightly --expires 90d)",
		RunE: func(cmd *cobra.Command, args []string) error {
			t := evidence.TokenRow{Name: args[0], Rights: strings.Join(rights, " "), Owner: owner}
			if expires != "" {
				end, err := tokenEnd(expires, r.env.Now())
				if err != nil {
					return usagef("token add: --expires: %v", err)
				}
				t.ExpiresUS = end.UnixMicro()
			}
			return r.addToken(cmd.Context(), t)
		},
	}
	cmd.Flags().StringSliceVar(&rights, "rights", []string{"hand-in"}, "what the token may: read, hand-in or both, with a comma between")
	cmd.Flags().StringVar(&expires, "expires", "", "when the token ends: days (90d), hours (12h), or the last day it holds (2027-03-31, UTC); never by default")
	cmd.Flags().StringVar(&owner, "owner", "", "the account whose token it is")
	return cmd
}

// mostTokenDays bounds --expires: a number that large is a slip of the hand.
const mostTokenDays = 3660

// tokenEnd reads when a token ends: "90d", "12h", "2027-03-31".
func tokenEnd(s string, now time.Time) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		end := day.AddDate(0, 0, 1)
		if !end.After(now) {
			return end, fmt.Errorf("%s is over", s)
		}
		return end, nil
	}
	for unit, long := range map[string]time.Duration{"d": 24 * time.Hour, "h": time.Hour} {
		digits, ok := strings.CutSuffix(s, unit)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(digits, 10, 16)
		if err != nil || n == 0 || time.Duration(n)*long > mostTokenDays*24*time.Hour {
			break
		}
		return now.Add(time.Duration(n) * long), nil
	}
	return time.Time{}, fmt.Errorf("%.40q: want days (90d, at most %d), hours (12h) or a day (2027-03-31)", s, mostTokenDays)
}

func (r *root) addToken(ctx context.Context, t evidence.TokenRow) (err error) {
	archive, err := r.open(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	secret, err := evidence.NewToken(rand.Reader)
	if err != nil {
		return err
	}
	digest, _ := evidence.TokenDigest(secret)
	if err := archive.AddScopedToken(ctx, t, digest); err != nil {
		return err
	}
	fmt.Fprintln(r.env.Stderr, "assay: this is shown once; revoke it with \"assay token revoke "+t.Name+"\"")
	_, err = fmt.Fprintln(r.env.Stdout, secret)
	return err
}

// tokenLine is a token as list --json prints it; times are null where there are none.
type tokenLine struct {
	Name     string     `json:"name"`
	Created  *time.Time `json:"created"`
	LastUsed *time.Time `json:"last_used"`
	Revoked  *time.Time `json:"revoked"`
	Expires  *time.Time `json:"expires"`
	Rights   []string   `json:"rights"`
	Owner    string     `json:"owner"` // "" for none
}

func (l *tokenLine) state(now time.Time) string {
	switch {
	case l.Revoked != nil:
		return "revoked " + inWords(l.Revoked)
	case l.Expires == nil:
		return "holds"
	case !l.Expires.After(now):
		return "ended " + inWords(l.Expires)
	}
	return "holds until " + inWords(l.Expires)
}

func moment(us int64) *time.Time {
	if us == 0 {
		return nil
	}
	t := time.UnixMicro(us).UTC()
	return &t
}

func (r *root) listTokens(ctx context.Context, asJSON bool) (err error) {
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	tokens, err := archive.Tokens(ctx)
	if err != nil {
		return err
	}
	lines := make([]tokenLine, len(tokens))
	for i, t := range tokens {
		lines[i] = tokenLine{t.Name, moment(t.CreatedUS), moment(t.UsedUS), moment(t.RevokedUS), moment(t.ExpiresUS), strings.Fields(t.Rights), t.Owner}
	}
	if asJSON {
		b, err := json.Marshal(lines)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(r.env.Stdout, "%s\n", b)
		return err
	}
	if len(lines) == 0 {
		_, err := fmt.Fprintln(r.env.Stdout, "no tokens; make one with \"assay token add NAME\"")
		return err
	}
	w := tabwriter.NewWriter(r.env.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "name\tmay\towner\tmade\tused last\tstate")
	for _, l := range lines {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", l.Name, strings.Join(l.Rights, ", "), cmp.Or(l.Owner, "-"), inWords(l.Created), inWords(l.LastUsed), l.state(r.env.Now()))
	}
	return w.Flush()
}

func inWords(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.Format("2006-01-02 15:04 UTC")
}
