package view

import (
	"net/url"
	"strings"
	"time"

	"assay/store/account"
	"assay/store/evidence"
	"assay/store/export"
)

// SignIn is the form of signing in.
type SignIn struct {
	Name, Next, Fault string
	Public            bool
}

// WaitWords is a wait for people.
func WaitWords(d time.Duration) string {
	if d < time.Minute {
		return Plural(int64(d.Seconds())+1, "second", "seconds")
	}
	return Plural(int64(d.Minutes())+1, "minute", "minutes")
}

// roleMay says what a role may do.
var roleMay = map[account.Role]string{
	account.Viewer:   "You may read.",
	account.Reviewer: "You may read, hand evidence in, repair, open exploratory views and prepare sign-offs.",
	account.Promoter: "You may do all that a reviewer may, sign statements, and start campaigns of the runner.",
	account.Admin:    "You may do all that a reviewer may, and keep accounts, tokens and the gates policy. You sign nothing.",
}

// Welcome is the page of an invitation.
type Welcome struct {
	Name, FullName, Role, May string
	Action, Fault             string
}

// BuildWelcome is the page of an invitation.
func BuildWelcome(x *account.Account, secret, fault string) Welcome {
	return Welcome{Name: x.Name, FullName: plain(x.FullName, maxName), Role: string(x.Role), May: roleMay[x.Role],
		Action: "/welcome/" + url.PathEscape(secret), Fault: plain(fault, maxValue)}
}

// Account is the page of whoever is signed in.
type Account struct {
	Name, FullName, Role, May string
	Keys                      []SigningKey
	Passkeys                  []PasskeyLine
	PasskeyWhyNot             string
	Tokens                    []TokenLine
	TokenRights, TokenLasts   []Choice
	TokenSecret               string // of one that was made just now
	KeepsAccounts             bool
	Sessions                  []SessionLine
	Done, Fault               string
}

// SigningKey is a key that a person signs with.
type SigningKey struct{ Fingerprint, Kind, When string }

// PasskeyLine is an authenticator.
type PasskeyLine struct{ ID, Label, When string }

// TokenLine is a token of a script.
type TokenLine struct{ Name, Rights, Owner, When string }

// tokenLasts is how long a token made on the page may last.
var tokenLasts = []struct {
	days  int
	label string
}{{7, "7 days"}, {30, "30 days"}, {90, "90 days"}, {365, "a year"}}

// TokenDays reads how long a token shall last.
func TokenDays(s string) (int, bool) {
	for _, x := range tokenLasts {
		if s == Int(int64(x.days)) {
			return x.days, true
		}
	}
	return 0, false
}

func tokenLine(t *evidence.TokenRow, here string, now time.Time) TokenLine {
	l := TokenLine{Name: plain(t.Name, maxName), Rights: strings.ReplaceAll(t.Rights, " ", ", "), When: "ends never"}
	if t.Owner != here {
		l.Owner = orWord(plain(t.Owner, maxName), "nobody")
	}
	switch {
	case t.ExpiresUS != 0 && t.ExpiresUS <= now.UnixMicro():
		l.When = "ended " + Moment(t.ExpiresUS)
	case t.ExpiresUS != 0:
		l.When = "ends " + Moment(t.ExpiresUS)
	}
	if t.UsedUS == 0 {
		l.When += ", not used yet"
	} else {
		l.When += ", used " + Moment(t.UsedUS)
	}
	return l
}

// SessionLine is one session.
type SessionLine struct {
	Agent, Remote, Since, Seen string
	Here                       bool
}

var keyKinds = map[account.KeyKind]string{
	account.KeyNote: "kept by the server under your password", account.KeySSH: "your own SSH key", account.KeyPasskey: "a passkey",
}

// BuildAccount is the page of whoever is signed in.
func BuildAccount(x *account.Account, passkeys []account.Passkey, sessions []account.Session, tokens []evidence.TokenRow, here int64, now time.Time) Account {
	v := Account{Name: x.Name, FullName: plain(x.FullName, maxName), Role: string(x.Role), May: roleMay[x.Role], KeepsAccounts: x.Role.May(account.MayAccounts)}
	for i := range tokens {
		v.Tokens = append(v.Tokens, tokenLine(&tokens[i], x.Name, now))
	}
	v.TokenRights = []Choice{{string(account.MayRead), "read pages and exports", true}}
	if x.Role.May(account.MayHandIn) {
		v.TokenRights = append(v.TokenRights, Choice{string(account.MayHandIn), "hand files in", false})
	}
	for _, l := range tokenLasts {
		v.TokenLasts = append(v.TokenLasts, Choice{Int(int64(l.days)), l.label, l.days == 90})
	}
	for _, k := range x.Keys {
		l := SigningKey{plain(k.Fingerprint, maxName), keyKinds[k.Kind], "since " + Moment(k.AddedUS)}
		if k.RevokedUS != 0 {
			l.When = "revoked " + Moment(k.RevokedUS)
		}
		v.Keys = append(v.Keys, l)
	}
	for _, p := range passkeys {
		used := "not used yet"
		if p.UsedUS != 0 {
			used = "used " + Moment(p.UsedUS)
		}
		v.Passkeys = append(v.Passkeys, PasskeyLine{Int(p.ID), plain(p.Label, maxName), "added " + Moment(p.AddedUS) + ", " + used})
	}
	for _, s := range sessions {
		v.Sessions = append(v.Sessions, SessionLine{Agent: orWord(plain(s.Agent, maxName), "a browser that does not say which"),
			Remote: plain(s.Remote, maxName), Since: Moment(s.MadeUS), Seen: Moment(s.SeenUS), Here: s.ID == here})
	}
	return v
}

// Accounts is the list of all people.
type Accounts struct {
	Count       string
	Rows        []PersonLine
	Roles       []Choice
	Secret, For string
	Fault       string
	people      []account.Account
}

// PersonLine is one person.
type PersonLine struct {
	ID, Name, FullName, Role, State, LastIn, Factors string
	Disabled, HasPasskeys                            bool
	Roles                                            []Choice
}

func personState(x *account.Account) string {
	switch {
	case !x.Holds():
		return "disabled"
	case !x.Password:
		return "invited, has set no password yet"
	}
	return "may sign in"
}

// BuildAccounts is the list of all people.
func BuildAccounts(list []account.Account) Accounts {
	v := Accounts{Count: Plural(int64(len(list)), "person", "people"), people: list}
	for _, r := range account.Roles {
		v.Roles = append(v.Roles, Choice{string(r), string(r) + ": " + strings.TrimPrefix(roleMay[r], "You may "), r == account.Viewer})
	}
	for i := range list {
		x := &list[i]
		l := PersonLine{ID: "a-" + x.Name, Name: x.Name, FullName: plain(x.FullName, maxName), Role: string(x.Role), State: personState(x),
			LastIn: "never", Disabled: !x.Holds(), Factors: "No passkey."}
		if x.LastInUS != 0 {
			l.LastIn = Moment(x.LastInUS)
		}
		if x.Passkeys > 0 {
			l.HasPasskeys = true
			l.Factors = Plural(int64(x.Passkeys), "passkey", "passkeys") + "."
		}
		for _, r := range account.Roles {
			l.Roles = append(l.Roles, Choice{string(r), string(r), r == x.Role})
		}
		v.Rows = append(v.Rows, l)
	}
	return v
}

// Table is the list as a file.
func (v Accounts) Table() export.Table {
	t := export.Table{Title: "Accounts", Columns: []export.Column{
		{Name: "name", Form: export.Code, Help: "as records name the person"},
		{Name: "full_name", Form: export.Prose, Help: "as statements name them"},
		{Name: "role", Form: export.Code, Help: "viewer, reviewer, promoter or admin"},
		{Name: "state", Form: export.Prose, Help: "whether they may sign in"},
		{Name: "passkeys", Form: export.Figure, Help: "authenticators that hold"},
		{Name: "last_in", Form: export.Code, Help: "last sign-in, UTC; absent when never"},
	}}
	for i := range v.people {
		x := &v.people[i]
		last := ""
		if x.LastInUS != 0 {
			last = time.UnixMicro(x.LastInUS).UTC().Format(time.RFC3339)
		}
		t.Rows = append(t.Rows, []export.Cell{export.Text(x.Name), export.Text(x.FullName), export.Text(x.Role), export.Text(personState(x)),
			export.Integer(x.Passkeys), export.Optional(last)})
	}
	return t
}

// Sentence is an error as a sentence on a page: the first letter large, a full stop.
func Sentence(s string) string {
	s = plain(s, maxValue)
	if s == "" {
		return s
	}
	return recased(s, upper) + "."
}
