package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"assay/store/account"
	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/signoff"
)

// checker holds one sign-off against the archive of a snapshot. The checks of the paper
// come first: they say whether the sign-off was ever one. Those of the ground follow: they
// say whether it still stands.
type checker struct {
	d      *Desk
	ctx    context.Context
	s      *signoff.SignOff
	now    time.Time
	st     *signoff.Statement
	today  *survey
	checks []signoff.Check
}

func (c *checker) run() error {
	st, err := signoff.ParseStatement(c.s.Statement)
	c.paper("statement-form", "The statement reads as one", err == nil, "its text is in the form of statements", fmt.Sprintf("its text is no statement: %v", err))
	if err != nil {
		return nil // there is nothing further to hold it against
	}
	c.st = st
	for _, check := range []func() error{c.signature, c.logged, c.people, c.artifacts, c.ground} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// paper is a check that makes a sign-off invalid.
func (c *checker) paper(id, title string, ok bool, good, bad string) {
	c.add(id, title, ok, false, good, bad)
}

// stands is a check that makes a sign-off stale.
func (c *checker) stands(id, title string, ok bool, good, bad string) {
	c.add(id, title, ok, true, good, bad)
}

func (c *checker) add(id, title string, ok, stale bool, good, bad string) {
	says := good
	if !ok {
		says = bad
	}
	c.checks = append(c.checks, signoff.Check{ID: id, Title: title, OK: ok, Stale: stale, Says: says})
}

func (c *checker) signature() error {
	err := c.s.Claim.Verify(c.s.Statement)
	c.paper("signature", "The signature holds", err == nil, "by key "+c.s.Claim.Fingerprint, fmt.Sprintf("the signature does not hold: %v", err))
	same := c.st.Signer == c.s.Signer && c.st.Preparer == c.s.Preparer && c.st.Decision == c.s.Decision && c.st.Target == c.s.Target && c.st.Campaign == c.s.Campaign &&
		c.st.Candidate.ArmID == c.s.ArmID && c.st.KeyKind == c.s.Claim.Kind && c.st.KeyFingerprint == c.s.Claim.Fingerprint && signoff.Digest(c.s.Statement) == c.s.Digest
	c.paper("statement-filed", "It is filed as what it says", same, "the archive's row and the text agree", "the archive's row says something else than the signed text")
	return nil
}

// logged checks the record in the log, its proof, and the checkpoint over it.
func (c *checker) logged() error {
	p, err := c.d.Records.LogRecord(c.ctx, c.s.LogIndex)
	if err != nil && !isNotFound(err) {
		return err
	}
	found := err == nil
	record, perr := signoff.ParseRecord(p.Body)
	same := found && perr == nil && record.Kind == signoff.RecordStatement && record.Get("sha256") == c.s.Digest && record.Get("text") == recorded(c.s.Statement)
	c.paper("statement-logged", "The log holds the very text", same, fmt.Sprintf("record %d", c.s.LogIndex), fmt.Sprintf("record %d of the log is not this statement", c.s.LogIndex))
	covered := found && p.Signed.Size > c.s.LogIndex
	c.stands("checkpoint-covers", "A signed checkpoint covers it", covered, fmt.Sprintf("of %d records", p.Signed.Size), "no signed checkpoint covers its record yet")
	if !covered {
		c.paper("log-proof", "The log's proof holds", found, "there is no checkpoint yet to prove it by", "its record is not in the log")
		return nil
	}
	keys, err := c.d.Records.ServerKeys(c.ctx)
	if err != nil {
		return err
	}
	check, err := openCheckpoint(p.Signed.Note, keys)
	if err == nil {
		err = signoff.CheckRecord(check, c.s.LogIndex, p.Body, p.Proof)
	}
	c.paper("log-proof", "The log's proof holds", err == nil, fmt.Sprintf("record %d stands in the log of %d records", c.s.LogIndex, check.Size), fmt.Sprintf("the proof of its record does not hold: %v", err))
	return nil
}

// recorded is a text as a record gives it back.
func recorded(text string) string {
	r := signoff.NewRecord(signoff.RecordStatement, "text", text)
	if x, err := signoff.ParseRecord(r.Bytes()); err == nil {
		return x.Get("text")
	}
	return text
}

func openCheckpoint(signed []byte, keys []string) (signoff.Checkpoint, error) {
	var known []note.Verifier
	for _, k := range keys {
		v, err := note.NewVerifier(k)
		if err != nil {
			return signoff.Checkpoint{}, fmt.Errorf("key of the server: %w", err)
		}
		known = append(known, v)
	}
	check, _, err := signoff.OpenCheckpoint(signed, note.VerifierList(known...))
	return check, err
}

// people checks who signed and prepared: what they were at the time, by the log.
func (c *checker) people() error {
	for _, x := range []struct {
		id, title, name string
		right           account.Right
		us              int64
	}{
		{"signer-role", "The signer had the right to sign then", c.s.Signer, account.MaySign, c.s.SignedUS},
		{"preparer-role", "The preparer had the right to prepare then", c.s.Preparer, account.MayPrepare, c.st.PreparedUS},
	} {
		role, err := c.d.People.RoleAt(c.ctx, x.name, x.us)
		if err != nil && !isNotFound(err) {
			return err
		}
		c.paper(x.id, x.title, role.May(x.right), fmt.Sprintf("%s was %s", x.name, role), fmt.Sprintf("%s had no right to %s at that time", x.name, x.right))
	}
	two := c.st.Decision != signoff.Promote || !c.st.TwoPeople || c.st.Preparer != c.st.Signer
	c.paper("two-people", "Two people, where the policy wants two", two, "prepared by "+c.st.Preparer+", signed by "+c.st.Signer, c.st.Signer+" prepared and signed it alone")
	a, err := c.d.People.Account(c.ctx, c.s.Signer)
	if err != nil && !isNotFound(err) {
		return err
	}
	held := slices.ContainsFunc(a.Keys, func(k account.AccountKey) bool {
		return k.Kind == c.s.Claim.Kind && k.Public == c.s.Claim.Public && holdsAt(&k, c.s.SignedUS)
	})
	c.paper("signer-key", "The key was the signer's then", held, "key "+c.s.Claim.Fingerprint, "the key "+c.s.Claim.Fingerprint+" was not "+c.s.Signer+"'s at that time")
	return nil
}

// artifacts checks that the evidence is there, whole, and was not taken back.
func (c *checker) artifacts() error {
	var missing, broken []string
	digests := make([]evidence.Digest, len(c.st.Artifacts))
	for i, a := range c.st.Artifacts {
		digests[i] = a.Digest
		switch err := c.d.Records.CheckArtifact(c.ctx, a.Digest); {
		case isNotFound(err):
			missing = append(missing, a.Digest.Short())
		case err != nil:
			broken = append(broken, err.Error())
		}
	}
	n := len(digests)
	c.paper("artifacts-present", "Every artifact is here", len(missing) == 0 && slices.Equal(digests, c.s.Artifacts), fmt.Sprintf("%d of %d", n, n), "not in the archive: "+strings.Join(missing, ", "))
	c.paper("artifacts-whole", "Every artifact has its digest", len(broken) == 0, fmt.Sprintf("%d read again", n-len(missing)), strings.Join(broken, "; "))
	marks, err := c.d.Records.Marks(c.ctx, signoff.MarkFilter{Artifacts: digests, Holds: true})
	if err != nil {
		return err
	}
	said := map[signoff.MarkKind][]string{}
	for _, m := range marks {
		text := fmt.Sprintf("artifact %s was %s by %s: %s", m.Artifact.Short(), m.Kind, m.Author, m.Reason)
		if m.By.OK {
			text = fmt.Sprintf("artifact %s was superseded by %s, says %s: %s", m.Artifact.Short(), m.By.V.Short(), m.Author, m.Reason)
		}
		said[m.Kind] = append(said[m.Kind], text)
	}
	c.stands("not-superseded", "Nothing it names was superseded", len(said[signoff.Superseded]) == 0, "nobody says so", strings.Join(said[signoff.Superseded], "; "))
	c.stands("not-invalidated", "Nothing it names was invalidated", len(said[signoff.Invalidated]) == 0, "nobody says so", strings.Join(said[signoff.Invalidated], "; "))
	newer, err := c.d.Records.Successors(c.ctx, c.st.Campaign, digests, c.s.SignedUS)
	if err != nil {
		return err
	}
	var came []string
	for _, x := range newer {
		came = append(came, fmt.Sprintf("%s came in as %s after %s of that name", x.New.Short(), x.Name, x.Old.Short()))
	}
	c.stands("no-newer-file", "No newer file of the same name came in", len(came) == 0, "none in campaign "+c.st.Campaign, strings.Join(came, "; "))
	return nil
}

// specLine reads one line of a comparison's spec.
func specLine(s *compare.Spec, l string) error {
	word, rest, _ := strings.Cut(l, " ")
	switch word {
	case "assay", "ruleset":
	case "control":
		s.Control = strings.Split(rest, "+")
	case "arm":
		s.Arms = append(s.Arms, strings.Split(rest, "+"))
	case "figure":
		f, err := compare.ParseFigure(rest)
		if err != nil {
			return err
		}
		s.Figures = append(s.Figures, f)
	case "axis":
		s.Axes = append(s.Axes, evidence.FactKey(rest))
	default:
		return fmt.Errorf("%.40q is not expected", l)
	}
	return nil
}
