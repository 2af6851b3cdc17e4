package signoff

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"assay/store/account"
	"assay/store/evidence"
)

// checkSignature holds the person's signature, and who it is by, against the statement.
func (b *bundleReader) checkSignature() (faults []error) {
	s := b.Statement
	if b.Claim.Account != s.Signer {
		faults = append(faults, fmt.Errorf("signed by %.80q, and the statement names %.80q", b.Claim.Account, s.Signer))
	}
	if b.Claim.Kind != s.KeyKind || b.Claim.Fingerprint != s.KeyFingerprint {
		faults = append(faults, fmt.Errorf("signed with the %s key %.120q, and the statement names the %s key %.120q", b.Claim.Kind, b.Claim.Fingerprint, s.KeyKind, s.KeyFingerprint))
	}
	if err := b.Claim.Verify(b.Text); err != nil {
		faults = append(faults, err)
	}
	return faults
}

// serverSays is how far the key of the checkpoint is known.
func (b *bundleReader) serverSays(known []string) string {
	if len(known) > 0 {
		return "with a key that you gave"
	}
	return "with the key that the bundle brings along: compare it with one from elsewhere, --key KEY"
}

// checkCheckpoint opens the checkpoint. Every signature on it must be by a key of the
// list beside it, and the other way round, so that nothing stands there unproved.
func (b *bundleReader) checkCheckpoint(known []string) (faults []error) {
	listed := strings.Split(strings.TrimSuffix(string(b.texts[memberServerKeys]), "\n"), "\n")
	if strings.Join(listed, "\n")+"\n" != string(b.texts[memberServerKeys]) || len(listed) > 8 {
		return []error{fmt.Errorf("%s: want a key a line", memberServerKeys)}
	}
	var verifiers []note.Verifier
	for _, key := range listed {
		v, err := note.NewVerifier(key)
		if err != nil {
			return []error{fmt.Errorf("%s: %.80q: %w", memberServerKeys, key, err)}
		}
		verifiers = append(verifiers, v)
	}
	point, n, err := OpenCheckpoint(b.texts[memberCheckpoint], note.VerifierList(verifiers...))
	if err != nil {
		return []error{err}
	}
	if len(n.Sigs) != len(listed) || len(n.UnverifiedSigs) > 0 {
		faults = append(faults, fmt.Errorf("%s: %d signatures hold of %d, and %d keys are listed", memberCheckpoint, len(n.Sigs), len(n.Sigs)+len(n.UnverifiedSigs), len(listed)))
	}
	b.Point, b.ServerKey = point, listed[0]
	if len(known) == 0 {
		return faults
	}
	i := slices.IndexFunc(listed, func(key string) bool { return slices.Contains(known, key) })
	if i < 0 {
		return append(faults, fmt.Errorf("%s: signed with %s, which is no key that you gave", memberCheckpoint, strings.Join(listed, " and ")))
	}
	b.ServerKey, b.Pinned = listed[i], true
	return faults
}

func (b *bundleReader) checkEntries() (faults []error) {
	for i := range b.entries {
		e := &b.entries[i]
		if err := CheckRecord(b.Point, e.Index, e.Record, e.Proof); err != nil {
			faults = append(faults, err)
		}
	}
	return faults
}

// checkArtifacts: exactly those that the statement names. Their bytes were held against
// their names with the manifest.
func (b *bundleReader) checkArtifacts() (faults []error) {
	has := map[string]bool{}
	for i := range b.members {
		if name, ok := strings.CutPrefix(b.members[i].name, folderArtifacts); ok {
			has[name] = true
		}
	}
	for _, a := range b.Statement.Artifacts {
		name := a.Digest.String()
		if !has[name] {
			faults = append(faults, fmt.Errorf("artifact %s (%.80q) is missing", a.Digest.Short(), a.Name))
		}
		delete(has, name)
	}
	for name := range has {
		faults = append(faults, fmt.Errorf("artifact %.12s: the statement does not name it", name))
	}
	return faults
}

// checkPolicy holds a policy's file against the digest that the statement gives.
func (s *Statement) checkPolicy(file []byte) error {
	if s.Policy.Digest == "" && len(file) == 0 {
		return nil // no policy was in force
	}
	if got := sha256Hex(file); got != s.Policy.Digest {
		return fmt.Errorf("the policy's file has the SHA-256 %s, the statement says %q", got, s.Policy.Digest)
	}
	return nil
}

// checkMade makes the tables again.
func (b *bundleReader) checkMade() (faults []error) {
	tables, err := bundleTables(b.Statement)
	if err != nil {
		return []error{err}
	}
	for name, want := range tables {
		if !bytes.Equal(b.texts[folderTables+name], want) {
			faults = append(faults, fmt.Errorf("%s%s: is not what the statement says", folderTables, name))
		}
	}
	if string(b.texts[memberReadme]) != bundleReadme {
		faults = append(faults, fmt.Errorf("%s: is not the text of a bundle", memberReadme))
	}
	return faults
}

// recordAt is the record of the log that a bundle has at a place.
func (b *bundleReader) recordAt(index int64) (Record, error) {
	for i := range b.entries {
		if b.entries[i].Index == index {
			return ParseRecord(b.entries[i].Record)
		}
	}
	return Record{}, fmt.Errorf("record %d: %w", index, evidence.ErrNotFound)
}

// checkRecord: the record at the place that the manifest gives is that of this statement.
func (b *bundleReader) checkRecord() []error {
	r, err := b.recordAt(b.manifest.LogIndex)
	if err != nil {
		return []error{err}
	}
	var faults []error
	says := func(key, want string) {
		if got := r.Get(key); got != want {
			faults = append(faults, fmt.Errorf("record %d says %s %.120q, the bundle %.120q", b.manifest.LogIndex, key, got, want))
		}
	}
	if r.Kind != RecordStatement {
		return []error{fmt.Errorf("record %d is of the kind %s", b.manifest.LogIndex, r.Kind)}
	}
	st := b.Statement
	says("number", b.Number)
	says("sha256", Digest(b.Text))
	says("text", b.Text)
	says("campaign", st.Campaign)
	says("candidate", st.Candidate.Name)
	says("arm", st.Candidate.ArmID)
	says("target", string(st.Target))
	says("decision", string(st.Decision))
	says("preparer", st.Preparer)
	says("signer", b.Claim.Account)
	says("key-kind", string(b.Claim.Kind))
	says("fingerprint", b.Claim.Fingerprint)
	says("public", b.Claim.Public)
	says("signature", base64.StdEncoding.EncodeToString(b.Claim.Signature))
	return faults
}

// GivenBy reports whether a record gives the key of a claim to the person of the claim.
func (c *Claim) GivenBy(record []byte) bool {
	r, err := ParseRecord(record)
	return err == nil && r.Kind == RecordKey && r.Get("public") == c.Public && r.Get("owner") == c.Account && r.Get("kind") == string(c.Kind)
}

// EmpoweredBy reports whether a record gives the person of the claim a role that signs.
func (c *Claim) EmpoweredBy(record []byte) bool {
	r, err := ParseRecord(record)
	return err == nil && r.Kind == RecordAccount && r.Get("account") == c.Account && r.Get("state") == "enabled" && account.Role(r.Get("role")).May(account.MaySign)
}

// checkBefore: a record before the statement's is of the wanted kind.
func (b *bundleReader) checkBefore(is func(record []byte) bool, wanted string) error {
	for i := range b.entries {
		if e := &b.entries[i]; e.Index < b.manifest.LogIndex && is(e.Record) {
			return nil
		}
	}
	return fmt.Errorf("no record before %d gives %s %s", b.manifest.LogIndex, b.Claim.Account, wanted)
}
