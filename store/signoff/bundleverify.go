package signoff

import (
	"fmt"
	"io"
	"slices"
)

// BundleReport is what was found of a bundle.
type BundleReport struct {
	Number    string     // of the sign-off, as the bundle says
	Text      string     // the signed text, as far as it could be read
	Statement *Statement // nil where the text is no statement
	Claim     Claim
	Point     Checkpoint
	ServerKey string  // the key that the checkpoint was checked with
	Pinned    bool    // the caller knows that key
	Checks    []Check // those that were made; one that needs what failed before it is not made
}

// OK reports whether everything held.
func (r *BundleReport) OK() bool {
	return len(r.Checks) == len(bundleTitles) && !slices.ContainsFunc(r.Checks, func(c Check) bool { return !c.OK })
}

// Checks of a bundle by id.
const (
	bundleZip        = "zip"
	bundleMembers    = "members"
	bundleManifest   = "manifest"
	bundleStatement  = "statement"
	bundleSignature  = "signature"
	bundleCheckpoint = "checkpoint"
	bundleLog        = "log"
	bundleRecord     = "record"
	bundleKey        = "key"
	bundleRole       = "role"
	bundleArtifacts  = "artifacts"
	bundlePolicy     = "policy"
	bundleComparison = "comparison"
	bundleMade       = "tables"
)

var bundleTitles = map[string]string{
	bundleZip:        "The file is a bundle, to the last byte",
	bundleMembers:    "It has the members that a bundle has, and no others",
	bundleManifest:   "Every member has the SHA-256 that the manifest gives",
	bundleStatement:  "The statement is written as statements are",
	bundleSignature:  "The person's signature is of this statement",
	bundleCheckpoint: "The server's signature is of this checkpoint",
	bundleLog:        "The records stand in the log of the checkpoint",
	bundleRecord:     "The log names this statement, its signer and its signature",
	bundleKey:        "The log says that the key is the signer's",
	bundleRole:       "The log says that the signer may sign",
	bundleArtifacts:  "The artifacts are those that the statement names",
	bundlePolicy:     "The policy is the one that the statement names",
	bundleComparison: "The comparison is the one that the statement names",
	bundleMade:       "The other members are what follows from the statement",
}

// bundleReader is a bundle being looked at.
type bundleReader struct {
	*BundleReport
	members  []zipMember
	texts    map[string][]byte // of all members but artifacts
	manifest manifest
	entries  []BundleEntry
}

// VerifyBundle checks a bundle without its archive. known are verifier keys that the
// server's signature must be by; without any the key that the bundle brings along is used,
// and the report says so. Every fault is listed.
func VerifyBundle(r io.ReaderAt, size int64, known ...string) *BundleReport {
	b := &bundleReader{BundleReport: &BundleReport{}, texts: map[string][]byte{}}
	var faults []error
	b.members, faults = readZip(r, size)
	if !b.check(bundleZip, fmt.Sprintf("%d members, %d bytes", len(b.members), size), faults...) {
		return b.BundleReport
	}
	if !b.check(bundleMembers, "all of them, no others", b.readMembers()...) {
		return b.BundleReport
	}
	b.check(bundleManifest, fmt.Sprintf("%d members fit", len(b.manifest.Members)), b.checkManifest()...)
	b.Number, b.Text = b.manifest.Number, string(b.texts[memberStatement])
	var err error
	b.Statement, err = ParseStatement(b.Text)
	if !b.check(bundleStatement, "SHA-256 "+Digest(b.Text), err) {
		return b.BundleReport
	}
	b.check(bundleSignature, fmt.Sprintf("by %s with the key %s", b.Claim.Account, b.Claim.Fingerprint), b.checkSignature()...)
	if b.check(bundleCheckpoint, b.serverSays(known), b.checkCheckpoint(known)...) {
		b.check(bundleLog, fmt.Sprintf("%d records in a log of %d", len(b.entries), b.Point.Size), b.checkEntries()...)
		b.check(bundleRecord, fmt.Sprintf("record %d", b.manifest.LogIndex), b.checkRecord()...)
		b.check(bundleKey, "since before the statement", b.checkBefore(b.Claim.GivenBy, "the key "+b.Claim.Fingerprint))
		b.check(bundleRole, "since before the statement", b.checkBefore(b.Claim.EmpoweredBy, "a role that signs"))
	}
	b.check(bundleArtifacts, fmt.Sprintf("%d artifacts", len(b.Statement.Artifacts)), b.checkArtifacts()...)
	b.check(bundlePolicy, b.policySays(), b.Statement.checkPolicy(b.texts[memberPolicy]))
	b.check(bundleComparison, b.comparisonSays(), b.Statement.checkComparison(b.texts[memberComparison]))
	b.check(bundleMade, "tables and readme", b.checkMade()...)
	return b.BundleReport
}

// check notes a check: one line for each fault, or one that says what holds.
func (b *bundleReader) check(id, says string, faults ...error) bool {
	ok := true
	for _, err := range faults {
		if err != nil {
			ok = false
			b.Checks = append(b.Checks, Check{ID: id, Title: bundleTitles[id], Says: err.Error()})
		}
	}
	if ok {
		b.Checks = append(b.Checks, Check{ID: id, Title: bundleTitles[id], OK: true, Says: says})
	}
	return ok
}

func (b *bundleReader) comparisonSays() string {
	switch {
	case !b.Statement.Comparison.OK:
		return "the statement names none"
	case b.texts[memberComparison] == nil:
		return "its table is not here: the archive gave another one when the bundle was written; " + folderTables + "figures.csv has the figures of the statement"
	}
	return fmt.Sprintf("%d figures, SHA-256 %s", len(b.Statement.Comparison.V.Figures), b.Statement.Comparison.V.ExportDigest)
}

func (b *bundleReader) policySays() string {
	p := &b.Statement.Policy
	if p.Digest == "" {
		return "none was in force"
	}
	return fmt.Sprintf("%s, version %d, SHA-256 %s", p.Name, p.Version, p.Digest)
}
