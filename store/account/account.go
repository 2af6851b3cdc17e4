// Package account says who may do what: people, their roles and rights, their keys and
// sessions, and how passwords and secrets are kept. It is a leaf: the store keeps its
// values, the web asks them.
package account

import (
	"errors"
	"slices"
)

// Role is what a person may do. A person has one.
type Role string

// Roles. Who hands out roles does not sign: an admin has no right to.
const (
	Viewer   Role = "viewer"   // reads
	Reviewer Role = "reviewer" // and hands in, repairs, waives, prepares statements
	Promoter Role = "promoter" // and signs
	Admin    Role = "admin"    // a reviewer's rights, accounts, tokens and the gates policy; signs nothing
)

// Roles in the order of what they may do.
var Roles = []Role{Viewer, Reviewer, Promoter, Admin}

// Right is one thing that a request may need.
type Right string

// Rights.
const (
	MayRead     Right = "read"
	MayHandIn   Right = "hand-in"  // artifacts
	MayRepair   Right = "repair"   // aliases, declared facts, moves, waivers, standings
	MayPrepare  Right = "prepare"  // drafts of a sign-off
	MaySign     Right = "sign"     // and withdraw a sign-off
	MayRun      Right = "run"      // start and stop campaigns of the runner
	MayAccounts Right = "accounts" // people, tokens of others, the policy
)

// Rights there are.
var Rights = []Right{MayRead, MayHandIn, MayRepair, MayPrepare, MaySign, MayRun, MayAccounts}

var rightsOf = map[Role][]Right{
	Viewer:   {MayRead},
	Reviewer: {MayRead, MayHandIn, MayRepair, MayPrepare},
	Promoter: {MayRead, MayHandIn, MayRepair, MayPrepare, MaySign, MayRun},
	Admin:    {MayRead, MayHandIn, MayRepair, MayPrepare, MayRun, MayAccounts},
}

// May reports whether the role has a right. A role that does not exist has none.
func (r Role) May(x Right) bool { return slices.Contains(rightsOf[r], x) }

// Known reports whether the role exists.
func (r Role) Known() bool { return slices.Contains(Roles, r) }

// Account is a person who may sign in. Times are Unix microseconds, 0 for never.
type Account struct {
	ID         int64
	Name       string // what is typed at sign-in and stands in records; unique, for good
	FullName   string // for statements and printed sheets
	Role       Role
	CreatedUS  int64
	DisabledUS int64
	LastInUS   int64 // the last sign-in
	Password   bool  // has one; false until an invitation is used
	Passkeys   int
	Keys       []AccountKey // with which the person signs
}

// Holds reports whether the person may sign in.
func (a *Account) Holds() bool { return a.DisabledUS == 0 }

// AccountKey is the public half of a key that a person signs with. A revoked key stays
// listed: what it signed before stays verifiable.
type AccountKey struct {
	ID          int64
	Kind        KeyKind
	Public      string // a note verifier key, or an SSH public key in the form of authorized_keys without comment
	Fingerprint string // how pages and statements name it
	Label       string
	AddedUS     int64
	RevokedUS   int64
}

// KeyKind says how a signature by a key is made and checked.
type KeyKind string

// Kinds of keys.
const (
	KeyNote    KeyKind = "note"    // Ed25519, kept by the server under the person's password
	KeySSH     KeyKind = "ssh"     // the person's own, used offline
	KeyPasskey KeyKind = "passkey" // an authenticator that signs the statement's digest as its challenge
)

// Session is a person at a browser.
type Session struct {
	ID       int64
	Account  Account
	CSRF     string // what forms of this session carry
	MadeUS   int64
	SeenUS   int64
	ProvedUS int64 // when the person last proved who they are: password or passkey
	Remote   string
	Agent    string // what the browser calls itself; hostile text
}

// Errors of signing in. Pages show one text for all of them: which one it was is for the
// log of the server alone.
var (
	ErrNoEntry = errors.New("name and password do not fit together")
)
