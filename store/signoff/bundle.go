package signoff

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"assay/store/evidence"
)

// BundleFormat names the format of a bundle in its manifest.
const BundleFormat = "assay-bundle/v1"

// Bundle is all that proves a sign-off away from its archive: the signed text, the
// person's signature with the public half of the key, the records of the log with their
// proofs and the checkpoint that they are proved against, the artifacts as they came in,
// and the tables that people read. It is a zip of plain files:
//
//	artifacts/SHA256    each artifact that the statement names, verbatim
//	checkpoint.txt      a signed checkpoint of the log
//	claim.json          who signed, with which kind of key, and its public half
//	entries/N.record    a record of the log, and N.proof that the checkpoint has it at N
//	keys/server.txt     the keys that checkpoints are signed with
//	manifest.json       every other member with its size and SHA-256
//	policy.toml         the gates policy of the day
//	readme.txt          how to check it
//	signature.*         the person's signature of statement.txt
//	statement.txt       the signed text
//	tables/*.csv        the comparison with all its figures, as long as the archive gives the one
//	                    that was signed; figures, gates, acknowledgements and artifacts of the statement
//
// Nothing in it is to be believed for standing there: what is not signed is bound to what
// is, by a digest in the statement, by a proof, or as it is made of the statement again.
type Bundle struct {
	Number     string
	Statement  string
	Claim      Claim
	Index      int64 // of the statement's record
	Entries    []BundleEntry
	Checkpoint []byte
	ServerKeys []string // verifier keys
	Artifacts  []BundleArtifact
	Comparison []byte // CSV, as it was when the statement was signed; nil where there is none any more
	Policy     []byte
}

// BundleEntry is a record of the log with the proof that a checkpoint has it.
type BundleEntry struct {
	Index  int64
	Record []byte
	Proof  tlog.RecordProof
}

// BundleArtifact is an artifact and where its bytes come from. They are read twice.
type BundleArtifact struct {
	Digest evidence.Digest
	Open   func() (io.ReadCloser, error)
}

// Names of members.
const (
	memberCheckpoint = "checkpoint.txt"
	memberClaim      = "claim.json"
	memberServerKeys = "keys/server.txt"
	memberManifest   = "manifest.json"
	memberPolicy     = "policy.toml"
	memberReadme     = "readme.txt"
	memberStatement  = "statement.txt"
	memberComparison = "tables/comparison.csv"
	folderArtifacts  = "artifacts/"
	folderTables     = "tables/"
)

// signatureMembers are the names that signatures have by their kind.
var signatureMembers = map[ClaimKind]string{"note": "signature.note", "ssh": "signature.sshsig", "passkey": "signature.json"}

const bundleReadme = `This is the evidence bundle of a signed decision.

Check it with the program that wrote it, on any machine; neither the archive
nor any key is needed:

    assay verify BUNDLE.zip

That proves that the bundle fits together and that whoever holds the keys in it
signed it. That the keys are the right ones is for you to know: compare the
server's key with one that you have from elsewhere,

    assay verify --key KEY BUNDLE.zip

and the fingerprint of the person's key with what that person tells you.

statement.txt is what was signed. artifacts/ holds the evidence as it came in,
each file under its SHA-256. The tables are for reading and are made of the
statement.
`

// manifest lists the members of a bundle.
type manifest struct {
	Format    string           `json:"format"`
	Number    string           `json:"number"`
	Statement string           `json:"statement_sha256"`
	LogIndex  int64            `json:"log_index"`
	Members   []manifestMember `json:"members"`
}

type manifestMember struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

func (m *manifest) bytes() ([]byte, error) { return indented(m) }

// indented is JSON as bundles write it.
func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("bundle: %w", err)
	}
	return b.Bytes(), nil
}

// claimFile is the claim without its signature.
type claimFile struct {
	Account     string    `json:"account"`
	Kind        ClaimKind `json:"kind"`
	Fingerprint string    `json:"fingerprint"`
	Public      string    `json:"public"`
}

func (c *claimFile) bytes() ([]byte, error) { return indented(c) }

// WriteBundle writes a bundle. It refuses one whose parts do not belong to its statement.
func WriteBundle(w io.Writer, b *Bundle) error {
	members, err := b.members()
	if err != nil {
		return err
	}
	return writeZip(w, members)
}

// members are the members of the bundle in the order of their names, the manifest among
// them.
func (b *Bundle) members() ([]zipMember, error) {
	s, err := ParseStatement(b.Statement)
	if err != nil {
		return nil, err
	}
	texts, err := b.texts(s)
	if err != nil {
		return nil, err
	}
	m := manifest{Format: BundleFormat, Number: b.Number, Statement: sha256Hex([]byte(b.Statement)), LogIndex: b.Index}
	var members []zipMember
	for name, data := range texts {
		members = append(members, textMember(name, data))
		m.Members = append(m.Members, manifestMember{name, int64(len(data)), sha256Hex(data)})
	}
	for i := range b.Artifacts {
		a := &b.Artifacts[i]
		member, err := artifactMember(a)
		if err != nil {
			return nil, err
		}
		members = append(members, member)
		m.Members = append(m.Members, manifestMember{member.name, member.size, a.Digest.String()})
	}
	slices.SortFunc(m.Members, func(x, y manifestMember) int { return strings.Compare(x.Name, y.Name) })
	data, err := m.bytes()
	if err != nil {
		return nil, err
	}
	members = append(members, textMember(memberManifest, data))
	sortMembers(members)
	return members, b.complete(s)
}

func sortMembers(members []zipMember) {
	slices.SortFunc(members, func(x, y zipMember) int { return strings.Compare(x.name, y.name) })
}

// texts are the members that are no artifact.
func (b *Bundle) texts(s *Statement) (map[string][]byte, error) {
	signature, ok := signatureMembers[b.Claim.Kind]
	if !ok {
		return nil, fmt.Errorf("bundle: a claim of the kind %q", b.Claim.Kind)
	}
	claim, err := (&claimFile{b.Claim.Account, b.Claim.Kind, b.Claim.Fingerprint, b.Claim.Public}).bytes()
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{
		memberReadme: []byte(bundleReadme), memberStatement: []byte(b.Statement), memberClaim: claim, signature: b.Claim.Signature,
		memberCheckpoint: b.Checkpoint, memberServerKeys: []byte(strings.Join(b.ServerKeys, "\n") + "\n"), memberPolicy: b.Policy,
	}
	for _, e := range b.Entries {
		name := entryName(e.Index)
		texts[name+".record"], texts[name+".proof"] = e.Record, []byte(FormatProof(e.Proof))
	}
	if b.Comparison != nil {
		texts[memberComparison] = b.Comparison
	}
	tables, err := bundleTables(s)
	if err != nil {
		return nil, err
	}
	for name, data := range tables {
		texts[folderTables+name] = data
	}
	for name, data := range texts {
		if len(data) > maxMemberText {
			return nil, fmt.Errorf("bundle: %s has %d bytes, more than the %d that such a member may have", name, len(data), maxMemberText)
		}
	}
	return texts, nil
}

// complete reports what a bundle of this statement must have and this one lacks.
func (b *Bundle) complete(s *Statement) error {
	if !slices.ContainsFunc(b.Entries, func(e BundleEntry) bool { return e.Index == b.Index }) {
		return errors.New("bundle: the record of the statement is missing")
	}
	has := map[evidence.Digest]bool{}
	for _, a := range b.Artifacts {
		if has[a.Digest] {
			return fmt.Errorf("bundle: artifact %s comes twice", a.Digest.Short())
		}
		has[a.Digest] = true
	}
	for _, a := range s.Artifacts {
		if !has[a.Digest] {
			return fmt.Errorf("bundle: artifact %s, which the statement names, is missing", a.Digest.Short())
		}
		delete(has, a.Digest)
	}
	if len(has) > 0 {
		return fmt.Errorf("bundle: %d artifacts that the statement does not name", len(has))
	}
	if err := s.checkPolicy(b.Policy); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	if err := s.checkComparison(b.Comparison); err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	return nil
}

// artifactMember reads an artifact once, for its size and sums.
func artifactMember(a *BundleArtifact) (zipMember, error) {
	m := zipMember{name: folderArtifacts + a.Digest.String(), open: a.Open}
	r, err := a.Open()
	if err != nil {
		return m, fmt.Errorf("bundle: artifact %s: %w", a.Digest.Short(), err)
	}
	defer r.Close()
	sum, check := sha256.New(), crc32.NewIEEE()
	if m.size, err = io.Copy(io.MultiWriter(sum, check), r); err != nil {
		return m, fmt.Errorf("bundle: artifact %s: %w", a.Digest.Short(), err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != a.Digest.String() {
		return m, fmt.Errorf("bundle: artifact %s: its bytes have the SHA-256 %s", a.Digest.Short(), got)
	}
	m.crc = check.Sum32()
	return m, nil
}

func sha256Hex(data []byte) string { return Digest(string(data)) }
