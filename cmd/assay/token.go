package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"assay/store/evidence"
)

func (r *root) tokenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Tokens with which scripts and other machines hand files in",
		Long: "A token lets its holder hand files in over HTTP (POST /api/v1/artifacts) and nothing else.\n" +
			"Its secret has 256 random bits and is shown once; the archive keeps its SHA-256 only.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	add := &cobra.Command{
		Use: "add NAME", Short: "Make a token and print it, once", Args: cobra.ExactArgs(1),
		Long: "Prints the secret of a new token on standard output, for example\n  ASSAY_TOKEN=$(assay token add nightly)",
		RunE: func(cmd *cobra.Command, args []string) error { return r.addToken(cmd.Context(), args[0]) },
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
	cmd.AddCommand(add, list, revoke)
	return cmd
}

func (r *root) addToken(ctx context.Context, name string) (err error) {
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
	if err := archive.AddToken(ctx, name, digest); err != nil {
		return err
	}
	fmt.Fprintln(r.env.Stderr, "assay: this is shown once; revoke it with \"assay token revoke "+name+"\"")
	_, err = fmt.Fprintln(r.env.Stdout, secret)
	return err
}

// tokenLine is a token as list --json prints it; times are null where there are none.
type tokenLine struct {
	Name     string     `json:"name"`
	Created  *time.Time `json:"created"`
	LastUsed *time.Time `json:"last_used"`
	Revoked  *time.Time `json:"revoked"`
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
		lines[i] = tokenLine{t.Name, moment(t.CreatedUS), moment(t.UsedUS), moment(t.RevokedUS)}
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
	fmt.Fprintln(w, "name\tmade\tused last\tstate")
	for _, l := range lines {
		state := "holds"
		if l.Revoked != nil {
			state = "revoked " + inWords(l.Revoked)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", l.Name, inWords(l.Created), inWords(l.LastUsed), state)
	}
	return w.Flush()
}

func inWords(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.Format("2006-01-02 15:04 UTC")
}
