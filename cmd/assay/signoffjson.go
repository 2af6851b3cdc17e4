package main

import (
	"encoding/json"
	"io"

	"assay/store/signoff"
)

// The JSON of "signoff survey --json".
type groundJSON struct {
	Digest        string            `json:"digest"`
	Campaign      string            `json:"campaign"`
	Title         string            `json:"title"`
	Target        string            `json:"target"`
	Candidate     armJSON           `json:"candidate"`
	Control       *armJSON          `json:"control"`
	Rollback      *armJSON          `json:"rollback"`
	RollbackNote  string            `json:"rollback_note"`
	Ruleset       int               `json:"ruleset"`
	Policy        string            `json:"policy"`
	PolicyVersion int               `json:"policy_version"`
	PolicyDigest  string            `json:"policy_sha256"`
	LogSize       int64             `json:"log_size"`
	Readers       []string          `json:"readers"`
	Artifacts     []artifactUseJSON `json:"artifacts"`
	Comparison    *comparisonJSON   `json:"comparison"`
	Gates         []gateJSON        `json:"gates"`
	Items         []itemJSON        `json:"items"`
	SourceSays    []string          `json:"source_says"`
	Changes       []string          `json:"changes"`
	Waivers       []int64           `json:"waivers"`
	Claims        map[string]int    `json:"claims"`
	Retained      int               `json:"files_retained"`
	References    int               `json:"files_named"`
}

type armJSON struct {
	Name     string   `json:"name"`
	ArmID    string   `json:"arm"`
	Runs     []string `json:"runs"`
	Rejected string   `json:"rejected"`
}

type artifactUseJSON struct {
	SHA256 string   `json:"sha256"`
	Name   string   `json:"name"`
	Uses   []string `json:"uses"`
}

type comparisonJSON struct {
	Spec         string          `json:"spec"`
	SpecDigest   string          `json:"spec_sha256"`
	ExportDigest string          `json:"export_sha256"`
	Counts       map[string]int  `json:"verdicts"`
	Figures      []statedFigJSON `json:"figures"`
}

type statedFigJSON struct {
	Figure  string   `json:"figure"`
	Verdict string   `json:"verdict"`
	Says    string   `json:"says"` // "" unless the verdict is ok or caveat
	Rules   []string `json:"rules"`
}

type gateJSON struct {
	ID       string       `json:"id"`
	Title    string       `json:"title"`
	State    string       `json:"state"`
	Required bool         `json:"required"`
	Stops    bool         `json:"stops"`
	Rule     string       `json:"rule"`
	Want     string       `json:"want"`
	Says     string       `json:"says"`
	Quoted   string       `json:"quoted"`
	Clear    string       `json:"clear"`
	Sources  []sourceJSON `json:"sources"`
}

type itemJSON struct {
	ID     string `json:"id"`
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Reason bool   `json:"needs_reason"`
}

func writeGroundJSON(w io.Writer, g *signoff.Ground) error {
	out := groundJSON{
		Digest: g.Digest(), Campaign: g.Campaign, Title: g.Title, Target: string(g.Target), Candidate: armJSONOf(&g.Candidate), RollbackNote: g.BackNote,
		Ruleset: g.Ruleset, Policy: g.Policy.Name, PolicyVersion: g.Policy.Version, PolicyDigest: g.Policy.Digest, LogSize: g.LogSize, Readers: listOf(g.Readers),
		Artifacts: []artifactUseJSON{}, Gates: []gateJSON{}, Items: []itemJSON{}, SourceSays: []string{}, Changes: []string{}, Waivers: listOf(g.Waivers),
		Claims:   map[string]int{"holds": g.Claims.Holds, "holds_unrounded": g.Claims.Unrounded, "does_not_hold": g.Claims.Wrong, "base_not_found": g.Claims.NoBase},
		Retained: g.Retained, References: g.References,
	}
	if g.Control.OK {
		a := armJSONOf(&g.Control.V)
		out.Control = &a
	}
	if g.Back.OK {
		a := armJSONOf(&g.Back.V)
		out.Rollback = &a
	}
	for _, a := range g.Artifacts {
		out.Artifacts = append(out.Artifacts, artifactUseJSON{a.Digest.String(), a.Name, listOf(a.Uses)})
	}
	if g.Comparison.OK {
		out.Comparison = comparisonJSONOf(&g.Comparison.V)
	}
	for i := range g.Gates {
		out.Gates = append(out.Gates, gateJSONOf(&g.Gates[i]))
	}
	for _, i := range g.Items() {
		out.Items = append(out.Items, itemJSON{i.ID, string(i.Kind), i.Text, i.Reason})
	}
	for _, x := range g.SourceSays {
		out.SourceSays = append(out.SourceSays, x.Text)
	}
	for _, x := range g.Changes {
		out.Changes = append(out.Changes, x.Text)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// listOf is a list that JSON writes as one when it is empty.
func listOf[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func armJSONOf(a *signoff.Arm) armJSON { return armJSON{a.Name, a.ArmID, listOf(a.Runs), a.Rejected} }

func comparisonJSONOf(c *signoff.Comparison) *comparisonJSON {
	out := &comparisonJSON{Spec: c.Spec, SpecDigest: c.SpecDigest, ExportDigest: c.ExportDigest, Counts: c.Counts, Figures: []statedFigJSON{}}
	for i := range c.Figures {
		f := &c.Figures[i]
		out.Figures = append(out.Figures, statedFigJSON{f.Figure, f.Verdict, f.Stated(), listOf(f.Reasons)})
	}
	return out
}

func gateJSONOf(g *signoff.GateResult) gateJSON {
	out := gateJSON{ID: g.ID, Title: g.Title, State: string(g.State), Required: g.Required, Stops: g.Stops(), Rule: g.Rule, Want: g.Want, Says: g.Says, Quoted: g.Quoted, Clear: g.Clear, Sources: []sourceJSON{}}
	for _, s := range g.Sources {
		out.Sources = append(out.Sources, sourceJSON{Artifact: s.Artifact.String(), Pointer: string(s.Pointer)})
	}
	return out
}
