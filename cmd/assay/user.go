package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/crypto/ssh"

	"assay/store/account"
)

func (r *root) userCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "user",
		Short: "People who may sign in: add, invite, role, passwd, disable, enable, list, keys, sessions",
		Long: "Roles: a viewer reads; a reviewer also hands in, repairs, waives and prepares statements; a promoter also\n" +
			"signs; an admin keeps accounts, tokens and the gates policy and signs nothing. Changes are records of the log.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(r.userAdd(), r.userInvite(), r.userPasswd(), r.userRole(), r.userList(), r.userKey(), r.userSessions(),
		r.userChange("disable NAME", "Take a person's sign-in away, at once; what they did stays", "disabled", people.DisableAccount),
		r.userChange("enable NAME", "Let a person sign in again", "enabled", people.EnableAccount))
	return cmd
}

// withPeople opens the archive with its keys.
func (r *root) withPeople(ctx context.Context, f func(context.Context, people) error) (err error) {
	archive, err := r.openExisting(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	return f(ctx, people{archive, r.ring()})
}

func (r *root) userAdd() *cobra.Command {
	var role, full string
	var stdin, invite bool
	cmd := &cobra.Command{
		Use:   "add NAME --role ROLE",
		Short: "Add a person; their password is asked for, read with --password-stdin, or set by them with --invite",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !account.Role(role).Known() {
				return usagef("user add: --role %.40q: want one of %v", role, account.Roles)
			}
			if stdin && invite {
				return usagef("user add: --password-stdin and --invite exclude each other")
			}
			return r.addUser(cmd.Context(), args[0], full, account.Role(role), stdin, invite)
		},
	}
	cmd.Flags().StringVar(&role, "role", "", "viewer, reviewer, promoter or admin (required)")
	cmd.Flags().StringVar(&full, "full-name", "", "as statements and printed sheets name them (default: the name)")
	cmd.Flags().BoolVar(&stdin, "password-stdin", false, "read the password from standard input, one line")
	cmd.Flags().BoolVar(&invite, "invite", false, "print a one-time secret with which they set the password at /welcome")
	return cmd
}

// addUser makes the archive where there is none: people may come before evidence.
func (r *root) addUser(ctx context.Context, name, full string, role account.Role, stdin, invite bool) (err error) {
	if err := account.CheckName(name); err != nil { // before a password is typed
		return err
	}
	password := ""
	if !invite {
		if password, err = r.password(ctx, stdin, "password of "+name); err != nil {
			return err
		}
		if err := account.CheckPassword(name, password); err != nil {
			return err
		}
	}
	archive, err := r.open(ctx)
	if err != nil {
		return err
	}
	defer closing(archive, &err)
	p := people{archive, r.ring()}
	x, err := p.AddAccount(ctx, name, cmp.Or(full, name), role)
	if err != nil {
		return err
	}
	if invite { // standard output has the secret alone
		fmt.Fprintf(r.env.Stderr, "assay: added %s, %s\n", x.Name, x.Role)
		return r.invite(ctx, p, name)
	}
	if err := p.Reset(ctx, name, password); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.env.Stdout, "added %s, %s\n", x.Name, x.Role)
	return err
}

func (r *root) invite(ctx context.Context, p people, name string) error {
	secret, err := p.Invite(ctx, name)
	if err != nil {
		return err
	}
	fmt.Fprintf(r.env.Stderr, "assay: the invitation of %s holds 24 hours and works once: open /welcome/ and this on the server\n", name)
	_, err = fmt.Fprintln(r.env.Stdout, secret)
	return err
}

func (r *root) userInvite() *cobra.Command {
	return &cobra.Command{
		Use: "invite NAME", Short: "Print a one-time secret with which a person sets a password (a lost one, too)", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.withPeople(cmd.Context(), func(ctx context.Context, p people) error { return r.invite(ctx, p, args[0]) })
		},
	}
}

func (r *root) userPasswd() *cobra.Command {
	var stdin bool
	cmd := &cobra.Command{
		Use: "passwd NAME", Short: "Set a person's password; their sessions end and they get a new signing key", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.withPeople(cmd.Context(), func(ctx context.Context, p people) error {
				if _, err := p.Account(ctx, args[0]); err != nil {
					return err
				}
				password, err := r.password(ctx, stdin, "new password of "+args[0])
				if err != nil {
					return err
				}
				if err := p.Reset(ctx, args[0], password); err != nil {
					return err
				}
				_, err = fmt.Fprintf(r.env.Stdout, "the password of %s is set\n", args[0])
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&stdin, "password-stdin", false, "read the password from standard input, one line")
	return cmd
}

func (r *root) userRole() *cobra.Command {
	return &cobra.Command{
		Use: "role NAME ROLE", Short: "Give a person another role; their sessions end", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.withPeople(cmd.Context(), func(ctx context.Context, p people) error {
				if err := p.SetRole(ctx, args[0], account.Role(args[1])); err != nil {
					return err
				}
				_, err := fmt.Fprintf(r.env.Stdout, "%s is a %s\n", args[0], args[1])
				return err
			})
		},
	}
}

func (r *root) userChange(use, short, done string, change func(people, context.Context, string) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.withPeople(cmd.Context(), func(ctx context.Context, p people) error {
				if err := change(p, ctx, args[0]); err != nil {
					return err
				}
				_, err := fmt.Fprintf(r.env.Stdout, "%s is %s\n", args[0], done)
				return err
			})
		},
	}
}

// userLine is a person as list --json prints them; times are null where there are none.
type userLine struct {
	Name     string     `json:"name"`
	FullName string     `json:"full_name"`
	Role     string     `json:"role"`
	State    string     `json:"state"` // "enabled", "invited", "disabled"
	Passkeys int        `json:"passkeys"`
	LastIn   *time.Time `json:"last_in"`
	Keys     []keyLine  `json:"keys"`
}

type keyLine struct {
	Kind        string     `json:"kind"`
	Fingerprint string     `json:"fingerprint"`
	Public      string     `json:"public"`
	Added       *time.Time `json:"added"`
	Revoked     *time.Time `json:"revoked"`
}

func userLineOf(x *account.Account) userLine {
	l := userLine{Name: x.Name, FullName: x.FullName, Role: string(x.Role), State: "enabled", Passkeys: x.Passkeys, LastIn: moment(x.LastInUS), Keys: []keyLine{}}
	switch {
	case !x.Holds():
		l.State = "disabled"
	case !x.Password:
		l.State = "invited"
	}
	for _, k := range x.Keys {
		l.Keys = append(l.Keys, keyLine{string(k.Kind), k.Fingerprint, k.Public, moment(k.AddedUS), moment(k.RevokedUS)})
	}
	return l
}

func (r *root) userList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List people with role, state, last sign-in and signing keys", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return r.withPeople(cmd.Context(), func(ctx context.Context, p people) error { return r.listUsers(ctx, p, asJSON) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

func (r *root) listUsers(ctx context.Context, p people, asJSON bool) error {
	list, err := p.Accounts(ctx)
	if err != nil {
		return err
	}
	lines := make([]userLine, len(list))
	for i := range list {
		lines[i] = userLineOf(&list[i])
	}
	if asJSON {
		return json.NewEncoder(r.env.Stdout).Encode(lines)
	}
	if len(lines) == 0 {
		_, err := fmt.Fprintln(r.env.Stdout, "no accounts; add one with \"assay user add NAME --role admin\"")
		return err
	}
	w := tabwriter.NewWriter(r.env.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "name\trole\tstate\tlast sign-in\tkeys")
	for _, l := range lines {
		var keys []string
		for _, k := range l.Keys {
			if k.Revoked == nil {
				keys = append(keys, k.Kind+" "+k.Fingerprint)
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", l.Name, l.Role, l.State, inWords(l.LastIn), strings.Join(keys, ", "))
	}
	return w.Flush()
}

func (r *root) userKey() *cobra.Command {
	cmd := &cobra.Command{Use: "key", Short: "SSH keys with which people sign offline", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(
		&cobra.Command{Use: "add NAME FILE.pub", Short: "Register the public half of a person's SSH key", Args: cobra.ExactArgs(2),
			RunE: func(cmd *cobra.Command, args []string) error {
				return r.withPeople(cmd.Context(), func(ctx context.Context, p people) error { return r.addSSHKey(ctx, p, args[0], args[1]) })
			}},
		&cobra.Command{Use: "revoke NAME FINGERPRINT", Short: "End a key; what it signed before stays verifiable", Args: cobra.ExactArgs(2),
			RunE: func(cmd *cobra.Command, args []string) error {
				return r.withPeople(cmd.Context(), func(ctx context.Context, p people) error {
					if err := p.RevokeKey(ctx, args[0], args[1]); err != nil {
						return err
					}
					_, err := fmt.Fprintf(r.env.Stdout, "revoked %s of %s\n", args[1], args[0])
					return err
				})
			}},
	)
	return cmd
}

func (r *root) addSSHKey(ctx context.Context, p people, name, path string) error {
	data, err := readBounded(path, 16<<10)
	if err != nil {
		return fmt.Errorf("public key: %w", err)
	}
	public, comment, _, _, err := ssh.ParseAuthorizedKey(data)
	if err != nil {
		return fmt.Errorf("public key %s: is no line of an authorized_keys file (name the .pub file)", path)
	}
	k := account.AccountKey{Kind: account.KeySSH, Public: strings.TrimSpace(string(ssh.MarshalAuthorizedKey(public))),
		Fingerprint: ssh.FingerprintSHA256(public), Label: comment}
	if err := p.AddKey(ctx, name, k); err != nil {
		return err
	}
	_, err = fmt.Fprintf(r.env.Stdout, "%s signs with %s\n", name, k.Fingerprint)
	return err
}
