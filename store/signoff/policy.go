package signoff

import (
	_ "embed" // the default policy
	"slices"

	"assay/store/evidence"
)

// Policy says which gates a target needs, what counts as passed, who signs, and how long
// a sign-off lasts. It is a file (TOML) that the archive keeps with its digest.
type Policy struct {
	Name      string              `toml:"name"`
	Version   int                 `toml:"version"`
	Note      string              `toml:"note"`
	MaxAge    int                 `toml:"max_age_days"` // 0: a sign-off does not age
	TwoPeople []Decision          `toml:"two_people"`   // decisions whose preparer must not sign them
	Targets   map[Target][]string `toml:"targets"`      // ids of required gates
	Others    bool                `toml:"other_gates_stop"`
	// Narrowing are phrases that make a pass under a name, or with a detail, that has one
	// a pass of something narrower than the gate.
	Narrowing []string `toml:"narrowing"`
	Gates     []Gate   `toml:"gate"`

	digest string
}

// Gate is one gate of a policy: what it asks, and the ways in which evidence answers it.
// Everything that speaks of it is weighed, and the worst counts.
type Gate struct {
	ID       string `toml:"id"`
	Title    string `toml:"title"`
	Rule     string `toml:"rule"`  // of the catalogue
	Want     string `toml:"want"`  // what counts as passed, in words
	Clear    string `toml:"clear"` // what would clear it
	Waivable bool   `toml:"waivable"`

	// Names are phrases: a gate of a source answers when one stands in its name as whole
	// words, unless a phrase of Not does. Where Parts are given, gates whose names have a
	// phrase of each part answer together.
	Names []string   `toml:"names"`
	Not   []string   `toml:"not"`
	Parts [][]string `toml:"parts"`
	// A pass under a name with a phrase of Scoped is narrower than what is asked; one
	// with a phrase of Against in its detail contradicts itself. Both are unresolved.
	Scoped  []string `toml:"scoped"`
	Against []string `toml:"against"`
	// Back says that the gate is about what ran before or what is gone back to: words that
	// name another arm are expected there.
	Back bool `toml:"back"`
	// Score is how many attempts a gate of a source must speak of, all passed ("20/20").
	Score int `toml:"score"`
	// Canaries holds what came back of the candidate's measured load against what was sent.
	Canaries bool `toml:"canaries"`

	// Metric is held against AtLeast or AtMost, quantities with a unit. Text reads such a
	// quantity out of the detail of a source's gate: "2354 MiB free" for the word "free".
	Metric  evidence.MetricID `toml:"metric"`
	AtLeast string            `toml:"at_least"`
	AtMost  string            `toml:"at_most"`
	Text    string            `toml:"text"`

	// Fact must be known of the candidate or of the campaign as a whole, in the Form
	// "digest" where that is asked. StatusFact is one whose value is a status word.
	Fact       evidence.FactKey `toml:"fact"`
	Form       string           `toml:"form"`
	StatusFact evidence.FactKey `toml:"status_fact"`
	// Class asks for runs of the candidate, Repeats for how often each item was tried, and
	// PassRate for the share that has to pass; all of them where it is "".
	Class    string `toml:"class"`
	Repeats  int    `toml:"repeats"`
	PassRate string `toml:"pass_rate"`
	// Path asks for checks of the candidate that took it: routed, client, direct.
	Path string `toml:"path"`
	// Tokens is how many actual prompt tokens tool calls must have been tried with.
	Tokens int64 `toml:"prompt_tokens"`
	// References asks that the files which the decision names are in the archive.
	References bool `toml:"references"`
	// Limitation are phrases: a limitation that has one says that the gate is open.
	Limitation []string `toml:"limitation"`

	least, most, rate evidence.Opt[float64]
}

//go:embed policy_default.toml
var defaultPolicy []byte

// DefaultPolicy is the file of the policy that holds where none was set.
func DefaultPolicy() []byte { return slices.Clone(defaultPolicy) }

// Default is the policy that holds where none was set.
func Default() *Policy {
	p, err := ParsePolicy(defaultPolicy)
	if err != nil {
		panic("signoff: the default policy: " + err.Error()) // a test reads it
	}
	return p
}

// Ref names this version of the policy.
func (p *Policy) Ref() PolicyRef {
	return PolicyRef{Name: p.Name, Version: p.Version, Digest: p.digest}
}

// Required are the gates that a target needs.
func (p *Policy) Required(t Target) []string { return p.Targets[t] }

// NeedsTwo reports whether a decision has to be signed by somebody else than who
// prepared it.
func (p *Policy) NeedsTwo(d Decision) bool { return slices.Contains(p.TwoPeople, d) }

// Terms are whether a promotion takes two people, and after how many days a sign-off is
// stale; 0 for never.
func (p *Policy) Terms() (twoPeople bool, maxAgeDays int) { return p.NeedsTwo(Promote), p.MaxAge }

// Gate is a gate of the policy by its id; nil without one.
func (p *Policy) Gate(id string) *Gate {
	for i := range p.Gates {
		if p.Gates[i].ID == id {
			return &p.Gates[i]
		}
	}
	return nil
}

// SetPolicy is a policy that was put in force: who, why, when.
type SetPolicy struct {
	PolicyRef
	Body           []byte
	Author, Reason string
	AtUS           int64
}
