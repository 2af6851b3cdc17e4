package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"assay/store"
	"assay/store/compare/claims"
	"assay/store/evidence"
)

type claimsFlags struct{ json, strict bool }

func (r *root) claimsCommand() *cobra.Command {
	var fl claimsFlags
	cmd := &cobra.Command{
		Use:   "claims [REF...]",
		Short: "Recompute published derived figures from the cells they name",
		Long: "Changes, percentages, ratios, medians of repeats, rounded repetitions, sums and implied rates\n" +
			"are recomputed from cells of the same document. The answer to each is one of: holds; holds\n" +
			"only from unrounded inputs; does not hold; base not found. What follows from the figures and\n" +
			"is not published is stated as such.\n\n" +
			"REF is a campaign id, a file or the name it came under, or digits of an artifact's SHA-256,\n" +
			"each with #POINTER for one part of it. Without REF all documents are answered.",
		RunE: func(cmd *cobra.Command, args []string) error { return r.claims(cmd.Context(), args, fl) },
	}
	cmd.Flags().BoolVar(&fl.json, "json", false, "print one JSON object; docs/claims.md describes it")
	cmd.Flags().BoolVar(&fl.strict, "strict", false, "exit with 3 when a published figure does not hold")
	return cmd
}

func (r *root) claims(ctx context.Context, args []string, fl claimsFlags) (err error) {
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	refs, err := claimRefs(ctx, archive, args)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(r.env.Stdout)
	w := &claimWriter{out: out, json: fl.json, counts: map[claims.Verdict]int{}}
	w.begin()
	err = archive.Snapshot(ctx, func(ctx context.Context) error { return eachClaim(ctx, archive, refs, w.claim) })
	if err != nil {
		return err
	}
	w.end()
	if err := out.Flush(); err != nil {
		return err
	}
	if n := w.counts[claims.Fails]; fl.strict && n > 0 {
		return refusedError{fmt.Errorf("%d published figures do not hold", n)}
	}
	return nil
}

// eachClaim answers the documents that refs name, each once; all of them without refs.
func eachClaim(ctx context.Context, archive *store.Archive, refs []claimRef, each func(claims.Claim) error) error {
	if len(refs) == 0 {
		refs = []claimRef{{}}
	}
	for i, ref := range refs {
		err := archive.EachDocument(ctx, ref.filter(), func(d evidence.DocumentDetail) error {
			for _, c := range claims.Check(&d) {
				if !ref.holds(&c) || slices.ContainsFunc(refs[:i], func(o claimRef) bool { return o.holds(&c) }) {
					continue
				}
				if err := each(c); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// claimWriter prints claims as they come.
type claimWriter struct {
	out    io.Writer
	json   bool
	n      int
	counts map[claims.Verdict]int
}

func (w *claimWriter) begin() {
	if w.json {
		io.WriteString(w.out, `{"claims":[`)
	}
}

func (w *claimWriter) claim(c claims.Claim) error {
	w.counts[c.Verdict]++
	w.n++
	if !w.json {
		_, err := io.WriteString(w.out, claimText(&c))
		return err
	}
	b, err := json.Marshal(c)
	if err != nil {
		return fmt.Errorf("claim at %s: %w", c.Place.Pointer, err)
	}
	if w.n > 1 {
		io.WriteString(w.out, ",")
	}
	_, err = w.out.Write(append([]byte("\n"), b...))
	return err
}

func (w *claimWriter) end() {
	if w.json {
		b, _ := json.Marshal(w.counts) // words and integers always marshal
		if w.n > 0 {
			io.WriteString(w.out, "\n")
		}
		fmt.Fprintf(w.out, "],\"counts\":%s}\n", b)
		return
	}
	var words []string
	for _, v := range claims.Verdicts {
		if n := w.counts[v]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, v))
		}
	}
	if len(words) == 0 {
		words = []string{"no derived figures"}
	}
	fmt.Fprintln(w.out, strings.Join(words, ", "))
}

// claimText is a claim for a terminal: the answer, the digits with their place, and how
// they were recomputed.
func claimText(c *claims.Claim) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-13s %s %s#%s\n", c.Verdict, oneLine(c.What), c.Artifact.Short(), oneLine(string(c.Place.Pointer)))
	if c.Text != "" {
		fmt.Fprintf(&b, "  published   %s %s\n", oneLine(c.Text), oneLine(c.Unit))
	}
	if s := claimValue(c.Recomputed); s != "" {
		fmt.Fprintf(&b, "  recomputed  %s %s by %s\n", s, oneLine(c.Unit), c.Formula)
	}
	for i, f := range c.Inputs {
		if i == 8 {
			fmt.Fprintf(&b, "  ... and %d more\n", len(c.Inputs)-i)
			break
		}
		fmt.Fprintf(&b, "  %-11s %s\n", f.Role, claimFigure(&f))
	}
	for _, x := range c.Candidates {
		fmt.Fprintf(&b, "  tried       %s to %s gives %s %s\n", claimFigure(&x.Base), claimFigure(&x.Subject), claimNumber(x.Recomputed), oneLine(x.Differs))
	}
	if c.Note != "" {
		fmt.Fprintf(&b, "  %s\n", oneLine(c.Note))
	}
	return b.String()
}

func claimFigure(f *claims.Figure) string {
	return strings.TrimSpace(oneLine(strings.Join([]string{f.Text, f.Unit, string(f.Place.Pointer)}, " ")))
}

func claimValue(v claims.Value) string {
	switch {
	case v.Point.OK:
		return claimNumber(v.Point.V)
	case v.Lower.OK && v.Upper.OK:
		return claimNumber(v.Lower.V) + " to " + claimNumber(v.Upper.V)
	case v.Lower.OK:
		return "at least " + claimNumber(v.Lower.V)
	case v.Upper.OK:
		return "at most " + claimNumber(v.Upper.V)
	}
	return ""
}

func claimNumber(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }

// claimRef is a part of the archive whose claims are asked for.
type claimRef struct {
	campaign string
	artifact evidence.Digest
	pointer  evidence.Pointer
}

func (c claimRef) filter() evidence.Filter {
	if c.campaign != "" {
		return evidence.Filter{Campaign: c.campaign}
	}
	if c.artifact == (evidence.Digest{}) {
		return evidence.Filter{}
	}
	return evidence.Filter{Artifact: c.artifact.String()}
}

// holds says whether a claim lies in the part.
func (c claimRef) holds(x *claims.Claim) bool {
	if c.campaign != "" && x.Campaign != c.campaign || c.campaign == "" && c.artifact != (evidence.Digest{}) && x.Artifact != c.artifact {
		return false
	}
	return x.Place.Pointer.Under(c.pointer)
}

func claimRefs(ctx context.Context, archive *store.Archive, args []string) ([]claimRef, error) {
	var refs []claimRef
	for _, arg := range args {
		ref, err := findClaimRef(ctx, archive, arg)
		if err != nil {
			return nil, err
		}
		refs = append(refs, ref)
	}
	return refs, nil
}

// findClaimRef reads a REF: a file here, a name or digits in the archive, a campaign.
func findClaimRef(ctx context.Context, archive *store.Archive, arg string) (ref claimRef, err error) {
	head, pointer := splitRef(arg)
	ref.pointer = pointer
	if ref.artifact, err = findDigest(ctx, archive, head); !errors.Is(err, evidence.ErrNotFound) || regular(head) {
		return ref, err
	}
	ref.campaign, err = archive.ResolveCampaign(ctx, head)
	if errors.Is(err, evidence.ErrNotFound) {
		return ref, fmt.Errorf("%.200q: %w: no campaign, file name or SHA-256 of the archive", head, evidence.ErrNotFound)
	}
	return ref, err
}
