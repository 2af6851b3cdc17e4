package review

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/signoff"
)

// ground surveys again what the statement was made on, with the very runs, figures and
// factors of its comparison, and holds the answers against the signed ones.
func (c *checker) ground() error {
	q := Query{Campaign: c.st.Campaign, Candidate: c.st.Candidate.ArmID, Control: none, Back: none, Target: c.st.Target}
	if c.st.Control.OK {
		q.Control = c.st.Control.V.ArmID
	}
	if c.st.Back.OK {
		q.Back = c.st.Back.V.ArmID
	}
	var pins *compare.Spec
	if c.st.Comparison.OK {
		var err error
		if pins, err = parseSpec(c.st.Comparison.V.Spec); err != nil {
			c.paper("comparison-spec", "The comparison is the one that was signed", false, "", err.Error())
			return nil
		}
		digest := signoff.Digest(c.st.Comparison.V.SpecText())
		c.paper("comparison-spec", "The comparison is the one that was signed", digest == c.st.Comparison.V.SpecDigest, "its question has the signed digest", "its question has another digest than was signed")
	}
	today, err := c.d.survey(c.ctx, q, pins)
	switch {
	case errors.Is(err, evidence.ErrNotFound) || errors.Is(err, evidence.ErrAmbiguous):
		c.stands("arms-present", "Its arms are still here", false, "", "what it was signed on is no longer read from the evidence: "+err.Error())
		return nil
	case err != nil:
		return err
	}
	c.stands("arms-present", "Its arms are still here", true, "candidate, control and rollback target", "")
	c.today = today
	for _, check := range []func(){c.comparison, c.judged, c.said, c.declared, c.versions, c.age, c.rest} {
		check()
	}
	return nil
}

// comparison holds verdicts and values against those that were signed.
func (c *checker) comparison() {
	if !c.st.Comparison.OK {
		c.stands("verdicts", "The verdicts are unchanged", true, "nothing was compared", "")
		c.stands("values", "The values are unchanged", true, "nothing was compared", "")
		return
	}
	signed, now := &c.st.Comparison.V, &c.today.ground.Comparison
	var verdicts, values []string
	if !now.OK {
		verdicts = append(verdicts, "the runs of the comparison are no longer there")
	} else {
		verdicts, values = figuresMoved(signed, &now.V)
	}
	c.stands("verdicts", "The verdicts are unchanged", len(verdicts) == 0, fmt.Sprintf("%d figures", len(signed.Figures)), strings.Join(verdicts, "; "))
	if now.OK && len(values) == 0 && now.V.Ruleset == c.st.Ruleset && now.V.ExportDigest != signed.ExportDigest {
		values = append(values, "the comparison as a file has another digest than was signed")
	}
	c.stands("values", "The values are unchanged", len(values) == 0, "the comparison gives the signed figures", strings.Join(values, "; "))
}

func figuresMoved(signed *signoff.StatedComparison, now *signoff.Comparison) (verdicts, values []string) {
	if len(signed.Figures) != len(now.Figures) {
		return []string{fmt.Sprintf("%d figures were signed and %d are given", len(signed.Figures), len(now.Figures))}, nil
	}
	for i := range signed.Figures {
		was, is := &signed.Figures[i], &now.Figures[i]
		if was.Figure != is.Figure || was.Verdict != is.Verdict {
			text := fmt.Sprintf("%s was %s and is %s", was.Figure, was.Verdict, is.Verdict)
			if len(is.Reasons) > 0 {
				text += " (" + strings.Join(is.Reasons, ", ") + ")"
			}
			verdicts = append(verdicts, text)
		}
		if text := is.Stated(); was.Text != text {
			values = append(values, fmt.Sprintf("%s was %q and is %q", was.Figure, was.Text, text))
		}
	}
	return verdicts, values
}

// judged holds the gates against those that were signed.
func (c *checker) judged() {
	was := map[string]signoff.StatedGate{}
	for _, g := range c.st.Gates {
		was[g.ID] = g
	}
	var moved []string
	for i := range c.today.ground.Gates {
		g := &c.today.ground.Gates[i]
		w, known := was[g.ID]
		delete(was, g.ID)
		switch {
		case !known && !g.Stops():
		case !known:
			moved = append(moved, fmt.Sprintf("gate %s is new and %s", g.ID, g.State))
		case w.State != g.State:
			moved = append(moved, fmt.Sprintf("gate %s was %s and is %s", g.ID, w.State, g.State))
		}
	}
	for _, g := range c.st.Gates {
		if _, gone := was[g.ID]; gone {
			moved = append(moved, fmt.Sprintf("gate %s is no longer asked for", g.ID))
		}
	}
	c.stands("gates", "The gates are unchanged", len(moved) == 0, fmt.Sprintf("%d gates", len(c.st.Gates)), strings.Join(moved, "; "))
	rejected := c.today.ground.Candidate.Rejected
	c.stands("not-rejected", "No source rejects the candidate", rejected == "" || c.st.Decision != signoff.Promote, "none does", "a source rejects it: "+rejected)
}

// said holds the sentences of the sources against those that were acknowledged.
func (c *checker) said() {
	g := c.today.ground
	acked := map[string]bool{}
	was := map[signoff.ItemKind]int{}
	for _, a := range c.st.Acknowledged {
		acked[string(a.Kind)+"\n"+a.Text] = true
		was[a.Kind]++
	}
	fresh, now := map[signoff.ItemKind][]string{}, map[signoff.ItemKind]int{}
	for _, i := range g.Items() {
		now[i.Kind]++
		if !acked[string(i.Kind)+"\n"+i.Text] {
			fresh[i.Kind] = append(fresh[i.Kind], i.Text)
		}
	}
	for _, x := range []struct {
		kind          signoff.ItemKind
		id, title, as string
	}{
		{signoff.ItemLimitation, "limitations", "The limitations are unchanged", "limitation"},
		{signoff.ItemFailure, "failures", "The failures are unchanged", "failure"},
		{signoff.ItemContradiction, "not-contradicted", "No other evidence contradicts it", "contradiction"},
		{signoff.ItemNotTested, "not-tested", "What nobody tested is unchanged", "untested matter"},
	} {
		var bad []string
		for _, text := range fresh[x.kind] {
			bad = append(bad, fmt.Sprintf("a new %s: %s", x.as, text))
		}
		if gone := was[x.kind] - (now[x.kind] - len(fresh[x.kind])); gone > 0 && x.kind != signoff.ItemContradiction {
			bad = append(bad, fmt.Sprintf("%d that were acknowledged are no longer said", gone))
		}
		c.stands(x.id, x.title, len(bad) == 0, fmt.Sprintf("%d were acknowledged", was[x.kind]), strings.Join(bad, "; "))
	}
	var says []string
	for _, r := range g.SourceSays {
		says = append(says, clean(r.Text))
	}
	c.stands("source-decision", "The sources decide what they decided", slices.Equal(says, c.st.SourceSays), fmt.Sprintf("%d lines", len(says)), "what the sources say of the decision is no longer what was signed")
}

// declared holds what people declared against what was relied on, and looks for
// exploratory views.
func (c *checker) declared() {
	g := c.today.ground
	var now []signoff.StatedRepair
	for _, r := range g.Repairs {
		now = append(now, signoff.StatedRepair{ID: r.ID, Author: clean(r.Author), Text: clean(r.Text)})
	}
	var moved []string
	for _, r := range c.st.Declared {
		if !slices.Contains(now, r) {
			moved = append(moved, fmt.Sprintf("what %s declared is withdrawn or changed: %s", r.Author, r.Text))
		}
	}
	for _, r := range now {
		if !slices.Contains(c.st.Declared, r) {
			moved = append(moved, fmt.Sprintf("%s declared: %s", r.Author, r.Text))
		}
	}
	c.stands("declared-facts", "The declared facts are unchanged", len(moved) == 0, fmt.Sprintf("%d", len(now)), strings.Join(moved, "; "))
	var opened []string
	for _, id := range g.Waivers {
		if !slices.Contains(c.st.Waivers, id) {
			opened = append(opened, fmt.Sprintf("waiver %d opens a pair of the comparison for looking", id))
		}
	}
	c.stands("no-waiver", "No exploratory view is part of it", len(opened) == 0, "none", strings.Join(opened, "; "))
	back, note := c.st.Back.OK, "none was named"
	if back {
		note = g.BackNote
	}
	here := !back || c.today.back != nil && slices.ContainsFunc(c.today.back.runs, func(r *evidence.RunRow) bool { return r.Status == evidence.Measured })
	c.stands("rollback-evidence", "The evidence of the rollback target is here", here, note, "no measured run of the rollback target is in the archive")
}

// versions says whether rules, policy and readers of today are those of the statement, or
// give the same answer.
func (c *checker) versions() {
	g := c.today.ground
	failed := func(ids ...string) bool {
		return slices.ContainsFunc(c.checks, func(x signoff.Check) bool { return !x.OK && slices.Contains(ids, x.ID) })
	}
	answer := func(same bool) string {
		if same {
			return "unchanged"
		}
		return "another version, the same answer"
	}
	rules := g.Ruleset == c.st.Ruleset
	c.stands("ruleset", "The rules give the same answer", rules || !failed("verdicts", "values"), answer(rules), fmt.Sprintf("version %d of the rules gives another answer than version %d, which was signed", g.Ruleset, c.st.Ruleset))
	policy := g.Policy == c.st.Policy
	c.stands("policy", "The policy gives the same answer", policy || !failed("gates"), answer(policy),
		fmt.Sprintf("%s@%d gives another answer than %s@%d, which was signed", g.Policy.Name, g.Policy.Version, c.st.Policy.Name, c.st.Policy.Version))
	readers := slices.Equal(g.Readers, c.st.Readers)
	c.stands("readers", "The readers give the same answer", readers || !failed("verdicts", "values", "gates", "limitations", "failures"), answer(readers),
		"the evidence is read by "+strings.Join(g.Readers, ", ")+" now and gives another answer")
}

func (c *checker) age() {
	days := c.st.MaxAgeDays
	old := days > 0 && c.now.UnixMicro() > c.s.SignedUS && c.d.aged(c.s, c.s.SignedUS)
	good := "the policy sets no limit"
	if days > 0 {
		good = fmt.Sprintf("within the %d days of the policy", days)
	}
	c.stands("age", "It is not too old", !old, good, fmt.Sprintf("it was signed more than %d days ago, the policy's limit", days))
}

// rest notices whatever none of the other checks names, as long as rules, policy and
// readers are those of the statement: then the ground has to be the same, digest for digest.
func (c *checker) rest() {
	g := c.today.ground
	same := g.Digest() == c.st.GroundDigest
	moved := slices.ContainsFunc(c.checks, func(x signoff.Check) bool { return !x.OK })
	versions := g.Ruleset == c.st.Ruleset && g.Policy == c.st.Policy && slices.Equal(g.Readers, c.st.Readers)
	c.stands("ground", "Nothing else in the ground moved", same || moved || !versions, "it has the signed digest, or what moved stands above", "something in the ground is no longer what was signed")
}
