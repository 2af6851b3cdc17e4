package compare

import (
	"fmt"
	"strings"

	"assay/store/evidence"
)

const (
	atSignOff = "decides at sign-off, not about a pair"
	ofWording = "a matter of wording"
)

// decisionRules are about decisions, promotion, claims and statistics. Most of them speak
// of a sign-off or of a page and not of a pair.
var decisionRules = []Rule{
	{ID: "C-CORRECTNESS", Scopes: []Scope{ScopeRank, ScopePromote}, Text: "An arm that is rejected for correctness never wins; its delta is shown struck through.", Source: "decision summary #/headline_results/2", Gives: "caveat; no ranking; stops promotion", decide: decideCorrectness},
	{ID: "C-GATE-MISSING", Scopes: []Scope{ScopePromote}, Text: "A gate that is missing or was not run stops a promotion.", Source: "decision summary #/gates", Gives: "stops promotion", Inert: atSignOff},
	{ID: "C-GATE-VOCAB", Scopes: []Scope{ScopePromote}, Text: "A status word that nobody knows is unresolved and never passed.", Source: "decision summary #/gates", Gives: "stops promotion", Inert: atSignOff},
	{ID: "C-HUMAN", Scopes: []Scope{ScopePromote}, Text: "Evidence never authorises. What a source says of authorisation is shown and never changed.", Source: "design", Gives: "stops promotion", Inert: atSignOff},
	{ID: "C-SCOPE", Scopes: []Scope{ScopeNote}, Text: "A qualification covers what it measured; limitations go with every export, verbatim.", Source: "design", Gives: "note", Inert: ofWording},
	{ID: "C-RESERVE", Scopes: []Scope{ScopePromote}, Text: "A narrower memory floor that was registered before never satisfies the ordinary one; both are shown.", Source: "decision narrative #/gates", Gives: "stops promotion", Inert: atSignOff},
	{ID: "C-OVERLOAD", Scopes: []Scope{ScopePromote}, Text: "Explicit admission failures fail the gate.", Source: "decision narrative #/gates", Gives: "stops promotion", Inert: atSignOff},
	{ID: "C-ENDURANCE", Scopes: []Scope{ScopePromote}, Text: "A transcript that was filled in is no multi-turn pass, and long tools need 100,000 actual prompt tokens.", Source: "method review", Gives: "stops promotion", Inert: atSignOff},
	{ID: "C-TELEMETRY", Scopes: []Scope{ScopeLabel}, Text: "Nothing is claimed of power, heat, cold start or energy unless it is retained for every arm.", Source: "decision summary #/limitations/5", Gives: "note", Inert: "a matter of wording; energy itself is H-ENERGY's"},
	{ID: "C-LICENSE", Scopes: []Scope{ScopePromote}, Text: "A licence review is a gate of its own.", Source: "method review", Gives: "stops promotion", Inert: atSignOff},
	{ID: "C-DIGEST-RUNTIME", Scopes: []Scope{ScopePromote}, Text: "A runtime pinned by digest is a gate of its own.", Source: "method review", Gives: "stops promotion", Inert: atSignOff},
	{ID: "C-RESTORE", Scopes: []Scope{ScopePromote}, Text: "Evidenced restoration is a gate of its own.", Source: "method review", Gives: "stops promotion", Inert: atSignOff},
	{ID: "C-SWE", Scopes: []Scope{ScopeLabel}, Text: "Only the official grader on the exact instance speaks of SWE tasks.", Source: "method review", Gives: "note", Inert: ofWording},
	{ID: "C-FRESH", Scopes: []Scope{ScopeLabel}, Text: "An external source is current for 60 days, ageing to 120, then history; without a date it is stale.", Source: "source registries", Gives: "note", Inert: "speaks of sources; external figures are stopped by P-EXTERNAL"},
	{ID: "C-CONFIDENCE", Scopes: []Scope{ScopeLabel}, Text: "One pass stays one pass, what is not retained stays incomplete, what failed stays failed.", Source: "method review", Gives: "note", Inert: ofWording},
	{ID: "T-UNIT", Scopes: []Scope{ScopeLabel}, Text: "The unit of a test is the repeat, not the request.", Source: "statistics", Gives: "note", Inert: "holds by construction: tests are given one number per repeat"},
	{ID: "T-N", Scopes: []Scope{ScopeLabel}, Text: "There is no test below four repeats a side, and a 95 % interval needs six.", Source: "statistics", Gives: "note", Inert: "speaks where repeats are compared, with how many more are needed"},
	{ID: "T-MULTI", Scopes: []Scope{ScopeNote}, Text: "The tests of a page are corrected together (Holm).", Source: "statistics", Gives: "note", Inert: "speaks where repeats are compared"},
	{ID: "T-SIZE", Scopes: []Scope{ScopeNote}, Text: "Beside every test stand the size of the effect and the least effect that matters.", Source: "statistics", Gives: "note", Inert: "speaks where repeats are compared"},
}

func decideCorrectness(p *pair, r *Rule) {
	if p.a.rejected() || p.b.rejected() {
		p.ranked(r, caution, ixCorrectness, sayRejected)
	}
}

func (p *Prepared) rejected() bool {
	return p.run.Rejected != "" || strings.HasPrefix(strings.ToLower(p.text(ixCorrectness)), "rejected")
}

func sayRejected(p *pair, _ *finding) words {
	var who []string
	for _, s := range []*Prepared{p.a, p.b} {
		if s.rejected() {
			who = append(who, s.run.Arm)
		}
	}
	w := words{message: fmt.Sprintf("%s is rejected by its source and cannot win", strings.Join(who, " and ")), key: evidence.KeyCorrectness}
	w.left, w.right = p.sides(ixCorrectness)
	return w
}
