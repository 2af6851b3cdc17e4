package signoff

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

const none = "none"

func (s *Statement) head(w *statementWriter) {
	w.put("decision", string(s.Decision))
	w.put("target", string(s.Target))
	w.put("campaign", s.Campaign)
	w.put("title", s.Title)
	w.put("scope", s.Scope)
	w.put("reason", s.Reason)
	w.arm("candidate", &s.Candidate)
	if s.Control.OK {
		w.arm("control", &s.Control.V)
	}
	if s.Back.OK {
		w.arm("rollback", &s.Back.V)
	}
	w.put("rollback-evidence", s.BackNote)
}

func (w *statementWriter) arm(key string, a *StatedArm) {
	w.put(key, a.Name)
	w.put(key+"-arm", a.ArmID)
	w.put(key+"-runs", words(a.Runs))
}

// words joins what holds no space; none without any.
func words(list []string) string {
	if len(list) == 0 {
		return none
	}
	return strings.Join(list, " ")
}

func (s *Statement) ground(w *statementWriter) {
	for _, a := range s.Artifacts {
		w.put("artifact", "sha256:"+a.Digest.String())
		w.put("artifact-uses", words(a.Uses))
		w.put("artifact-name", a.Name)
	}
	w.put("files-named-by-source", fmt.Sprintf("%d retained of %d", s.Retained, s.References))
	for _, r := range s.Readers {
		w.put("reader", r)
	}
	w.put("ruleset", strconv.Itoa(s.Ruleset))
	w.put("policy", fmt.Sprintf("%d sha256:%s", s.Policy.Version, s.Policy.Digest))
	w.put("policy-name", s.Policy.Name)
	w.put("two-people", strconv.FormatBool(s.TwoPeople))
	w.put("max-age-days", strconv.Itoa(s.MaxAgeDays))
	if !s.Comparison.OK {
		w.put("comparison", none)
		return
	}
	c := &s.Comparison.V
	w.put("comparison", "sha256:"+c.SpecDigest)
	for _, l := range c.Spec {
		w.put("comparison-spec", l)
	}
	w.put("comparison-export", "sha256:"+c.ExportDigest)
	w.put("verdicts", counts(verdicts[:], c.Verdicts[:]))
	for _, f := range c.Figures {
		w.put("figure", f.Figure+" "+f.Verdict)
		w.maybe("figure-says", f.Text)
	}
}

// counts is "ok 3, caveat 2": every word with its number.
func counts(names []string, n []int) string {
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = fmt.Sprintf("%s %d", name, n[i])
	}
	return strings.Join(parts, ", ")
}

// claimWords are the answers that a statement counts published figures by.
var claimWords = []string{"holds", "holds-unrounded", "fails", "no-base"}

func (s *Statement) judged(w *statementWriter) {
	for i := range s.Gates {
		g := &s.Gates[i]
		need := "optional"
		if g.Required {
			need = "required"
		}
		w.put("gate", fmt.Sprintf("%s %s %s", g.State, need, g.ID))
		w.maybe("gate-says", g.Says)
		w.maybe("gate-waived-by", g.By)
		w.maybe("gate-waived-reason", g.Reason)
	}
	w.put("published-figures", counts(claimWords, s.Claims[:]))
	for _, says := range s.SourceSays {
		w.put("source-says", says)
	}
	for i := range s.Acknowledged {
		a := &s.Acknowledged[i]
		w.put("acknowledged", fmt.Sprintf("%s %s %s", a.Kind, a.ID, instant(a.AtUS)))
		w.put("acknowledged-text", a.Text)
		w.maybe("acknowledged-reason", a.Reason)
	}
	for _, r := range s.Declared {
		w.put("declared", strconv.FormatInt(r.ID, 10)+" "+r.Text)
		w.put("declared-by", r.Author)
	}
	for _, id := range s.Waivers {
		w.put("exploratory-waiver", strconv.FormatInt(id, 10))
	}
	if len(s.Waivers) == 0 {
		w.put("exploratory-waiver", none)
	}
}

func (s *Statement) signed(w *statementWriter) {
	w.put("ground", "sha256:"+s.GroundDigest)
	w.put("log-size", strconv.FormatInt(s.LogSize, 10))
	w.put("preparer", s.Preparer)
	w.put("prepared", instant(s.PreparedUS))
	w.put("signer", s.Signer)
	w.put("key", string(s.KeyKind)+" "+s.KeyFingerprint)
	w.put("time", instant(s.TimeUS))
}

const instantForm = "2006-01-02T15:04:05.000000Z"

// instant is a time as statements write it: UTC, to the microsecond.
func instant(us int64) string { return time.UnixMicro(us).UTC().Format(instantForm) }

func parseInstant(s string) (int64, error) {
	t, err := time.Parse(instantForm, s)
	if err != nil || t.Year() < 1970 || t.Year() > 9999 {
		return 0, fmt.Errorf("%.60q is no time such as 2026-09-30T10:20:00.000000Z", s)
	}
	return t.UnixMicro(), nil
}

// specLines are the lines of a spec's text.
func specLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// SpecText is the text of the spec that a statement was made on.
func (c *StatedComparison) SpecText() string { return strings.Join(c.Spec, "\n") + "\n" }
