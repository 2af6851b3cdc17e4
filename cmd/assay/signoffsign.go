package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"
	"golang.org/x/term"

	"assay/store/account"
	"assay/store/review"
	"assay/store/signoff"
)

func (r *root) signoffPreview() *cobra.Command {
	return r.previewCommand("preview DRAFT", "Show the statement of a draft as it would be signed, and everything that stands against it", func(p *review.Preview) error {
		if _, err := io.WriteString(r.env.Stdout, p.Statement); err != nil || len(p.Refusals) == 0 {
			return err
		}
		fmt.Fprintln(r.env.Stdout)
		return &review.Refused{Decision: p.Draft.Decision, Refusals: p.Refusals}
	})
}

// signoffStatement writes the text alone: what is signed elsewhere has to be these bytes.
func (r *root) signoffStatement() *cobra.Command {
	return r.previewCommand("statement DRAFT", "Write the statement of a draft alone, to be signed offline with ssh-keygen", func(p *review.Preview) error {
		if len(p.Refusals) > 0 {
			if err := printRefusals(r.env.Stderr, p.Refusals); err != nil {
				return err
			}
			return refusedError{fmt.Errorf("signoff statement: it could not be signed: %d reasons", len(p.Refusals))}
		}
		_, err := io.WriteString(r.env.Stdout, p.Statement)
		return err
	})
}

func (r *root) previewCommand(use, short string, show func(*review.Preview) error) *cobra.Command {
	var as, key string
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "signoff " + strings.Fields(use)[0]
			if err := needName(name, as); err != nil {
				return err
			}
			id, err := draftNumber(name, args[0])
			if err != nil {
				return err
			}
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, p people) error {
				k, err := keyOf(ctx, p, as, key)
				if err != nil {
					return err
				}
				shown, err := d.Preview(ctx, id, as, k)
				if err != nil {
					return err
				}
				return show(shown)
			})
		},
	}
	r.asFlag(cmd, &as)
	cmd.Flags().StringVar(&key, "key", "", "fingerprint of the key to sign with (default: the one that the server keeps)")
	return cmd
}

// keyOf is a key that a person signs with now. Without a fingerprint it is the one that
// the server keeps for them, else their only one.
func keyOf(ctx context.Context, p people, name, fingerprint string) (account.AccountKey, error) {
	x, err := p.Account(ctx, name)
	if err != nil {
		return account.AccountKey{}, err
	}
	var holds []account.AccountKey
	for _, k := range x.Keys {
		if k.RevokedUS == 0 && (fingerprint == "" || k.Fingerprint == fingerprint) {
			holds = append(holds, k)
		}
	}
	for _, k := range holds {
		if k.Kind == account.KeyNote || len(holds) == 1 {
			return k, nil
		}
	}
	if len(holds) == 0 {
		return account.AccountKey{}, fmt.Errorf("%s has no such key to sign with; \"assay user list --json\" has the keys of a person", name)
	}
	return account.AccountKey{}, fmt.Errorf("%s has several keys; name one with --key", name)
}

type signFlags struct {
	as, sshKey, statement, signature string
	stdin                            bool
}

func (r *root) signoffSign() *cobra.Command {
	var fl signFlags
	cmd := &cobra.Command{
		Use:   "sign DRAFT | sign --statement FILE --signature FILE.sig",
		Short: "Sign a draft's statement: with your password, an SSH key file, or a signature made offline",
		Long: "Without further flags your password is asked for; it opens the key that the server keeps for you.\n" +
			"--ssh-key signs with a private key file of yours. --statement and --signature bring in what\n" +
			"\"assay signoff statement\" wrote and \"ssh-keygen -Y sign -n assay-statement\" signed.\n" +
			"The key must be among those of your account. What stands against it is listed; exit code 3.",
		Args: func(_ *cobra.Command, args []string) error {
			offline := fl.statement != "" || fl.signature != ""
			switch {
			case offline && (fl.statement == "" || fl.signature == ""):
				return usagef("signoff sign: --statement and --signature belong together")
			case offline && fl.sshKey != "":
				return usagef("signoff sign: --ssh-key signs here and now; it goes without --signature")
			case !offline && len(args) != 1, len(args) > 1:
				return usagef("signoff sign: name one draft; \"assay signoff drafts\" lists them")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needName("signoff sign", fl.as); err != nil {
				return err
			}
			var id int64
			if len(args) == 1 {
				var err error
				if id, err = draftNumber("signoff sign", args[0]); err != nil {
					return err
				}
			}
			return r.withDesk(cmd.Context(), func(ctx context.Context, d *review.Desk, p people) error { return r.sign(ctx, d, p, id, &fl) })
		},
	}
	r.asFlag(cmd, &fl.as)
	cmd.Flags().StringVar(&fl.sshKey, "ssh-key", "", "private SSH key file to sign with")
	cmd.Flags().StringVar(&fl.statement, "statement", "", "file with the statement that was signed offline")
	cmd.Flags().StringVar(&fl.signature, "signature", "", "file with its signature, as ssh-keygen writes it")
	cmd.Flags().BoolVar(&fl.stdin, "password-stdin", false, "read the password, or the key file's passphrase, from standard input, one line")
	return cmd
}

func (r *root) sign(ctx context.Context, d *review.Desk, p people, id int64, fl *signFlags) error {
	make := r.signHere
	switch {
	case fl.statement != "":
		make = r.signedElsewhere
	case fl.sshKey != "":
		make = r.signSSH
	}
	request, err := make(ctx, d, p, id, fl)
	if err != nil {
		return err
	}
	request.Signer = fl.as
	s, err := d.Sign(ctx, request)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.env.Stdout, "%s: %s of %s for %s, signed by %s with %s; statement sha256:%s, record %d of the log\n",
		s.Number, s.Decision, oneLine(s.Candidate), s.Target, s.Signer, s.Claim.Fingerprint, s.Digest, s.LogIndex)
	return err
}

// signHere signs with the key that the server keeps under the person's password.
func (r *root) signHere(ctx context.Context, d *review.Desk, p people, id int64, fl *signFlags) (review.SignRequest, error) {
	k, err := keyOf(ctx, p, fl.as, "")
	if err != nil {
		return review.SignRequest{}, err
	}
	preview, err := d.Preview(ctx, id, fl.as, k)
	if err != nil {
		return review.SignRequest{}, err
	}
	if len(preview.Refusals) > 0 { // no password for what would be refused
		return review.SignRequest{}, &review.Refused{Decision: preview.Draft.Decision, Refusals: preview.Refusals}
	}
	password, err := r.secret(ctx, fl.stdin, "password of "+fl.as)
	if err != nil {
		return review.SignRequest{}, err
	}
	signer, k, err := p.Unlock(ctx, fl.as, password)
	if err != nil {
		return review.SignRequest{}, err
	}
	claim, err := signoff.SignNote(fl.as, signer, k.Public, preview.Statement)
	return review.SignRequest{Draft: id, Statement: preview.Statement, Claim: claim}, err
}

// signSSH signs with a private key file.
func (r *root) signSSH(ctx context.Context, d *review.Desk, _ people, id int64, fl *signFlags) (review.SignRequest, error) {
	raw, err := readBounded(fl.sshKey, longestSigned)
	if err != nil {
		return review.SignRequest{}, err
	}
	signer, err := ssh.ParsePrivateKey(raw)
	var locked *ssh.PassphraseMissingError
	if errors.As(err, &locked) {
		phrase, perr := r.secret(ctx, fl.stdin, "passphrase of "+fl.sshKey)
		if perr != nil {
			return review.SignRequest{}, perr
		}
		signer, err = ssh.ParsePrivateKeyWithPassphrase(raw, []byte(phrase))
	}
	if err != nil {
		return review.SignRequest{}, fmt.Errorf("key %s: %w", fl.sshKey, err)
	}
	public, err := signoff.NormalSSH(string(ssh.MarshalAuthorizedKey(signer.PublicKey())))
	if err != nil {
		return review.SignRequest{}, err
	}
	k := account.AccountKey{Kind: account.KeySSH, Public: public, Fingerprint: ssh.FingerprintSHA256(signer.PublicKey())}
	preview, err := d.Preview(ctx, id, fl.as, k)
	if err != nil {
		return review.SignRequest{}, err
	}
	claim, err := signoff.SignSSH(fl.as, signer, preview.Statement, rand.Reader)
	return review.SignRequest{Draft: id, Statement: preview.Statement, Claim: claim}, err
}

// signedElsewhere brings in a statement with a signature that was made offline.
func (r *root) signedElsewhere(ctx context.Context, d *review.Desk, p people, id int64, fl *signFlags) (review.SignRequest, error) {
	text, err := readBounded(fl.statement, longestSigned)
	if err != nil {
		return review.SignRequest{}, err
	}
	armored, err := readBounded(fl.signature, longestSigned)
	if err != nil {
		return review.SignRequest{}, err
	}
	st, err := signoff.ParseStatement(string(text))
	if err != nil {
		return review.SignRequest{}, fmt.Errorf("%s: %w", fl.statement, err)
	}
	if id == 0 {
		if id, err = draftOf(ctx, d, st); err != nil {
			return review.SignRequest{}, err
		}
	}
	k, err := keyOf(ctx, p, fl.as, st.KeyFingerprint)
	if err != nil {
		return review.SignRequest{}, err
	}
	claim := signoff.Claim{Account: fl.as, Kind: account.KeySSH, Fingerprint: k.Fingerprint, Public: k.Public, Signature: armored}
	return review.SignRequest{Draft: id, Statement: string(text), Claim: claim}, nil
}

// draftOf is the open draft that a statement was made of.
func draftOf(ctx context.Context, d *review.Desk, st *signoff.Statement) (int64, error) {
	list, err := d.Drafts(ctx, signoff.Filter{Campaign: st.Campaign, Open: true})
	if err != nil {
		return 0, err
	}
	for i := range list {
		x := &list[i]
		if x.Candidate == st.Candidate.ArmID && x.Preparer == st.Preparer && x.ChangedUS == st.PreparedUS && x.Decision == st.Decision {
			return x.ID, nil
		}
	}
	return 0, refusedError{errors.New("signoff sign: no open draft is the one that this statement was made of: it was changed, signed or given up since; make a new statement")}
}

// longestSigned bounds files that are read for a signature.
const longestSigned = 4 << 20

// secret asks for one on the terminal, or reads a line from standard input.
func (r *root) secret(ctx context.Context, stdin bool, what string) (string, error) {
	if stdin {
		return r.secretLine(what)
	}
	f, ok := r.env.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return "", fmt.Errorf("there is no terminal to ask for the %s on; use --password-stdin", what)
	}
	return r.hidden(ctx, f, what)
}
