package signoff

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"assay/store/evidence"
)

// chance is randomness that is the same in every run.
func chance(seed uint64) io.Reader { return rand.NewChaCha8(sha256.Sum256([]byte{byte(seed)})) }

func noteKey(t *testing.T, name string, seed uint64) (note.Signer, string) {
	t.Helper()
	secret, public, err := note.GenerateKey(chance(seed), name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	return signer, public
}

// testLog is a log in memory.
type testLog struct {
	hashes  []tlog.Hash
	records [][]byte
}

func (l *testLog) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, at := range indexes {
		out[i] = l.hashes[at]
	}
	return out, nil
}

func (l *testLog) add(t *testing.T, r Record) int64 {
	t.Helper()
	n := int64(len(l.records))
	hashes, err := tlog.StoredHashes(n, r.Bytes(), l)
	if err != nil {
		t.Fatal(err)
	}
	l.records, l.hashes = append(l.records, r.Bytes()), append(l.hashes, hashes...)
	return n
}

func (l *testLog) checkpoint(t *testing.T, signers ...note.Signer) (Checkpoint, []byte) {
	t.Helper()
	size := int64(len(l.records))
	root, err := tlog.TreeHash(size, l)
	if err != nil {
		t.Fatal(err)
	}
	point := Checkpoint{Origin: Origin("test"), Size: size, Root: root}
	signed, err := SignCheckpoint(point, signers...)
	if err != nil {
		t.Fatal(err)
	}
	return point, signed
}

func (l *testLog) entry(t *testing.T, n int64) BundleEntry {
	t.Helper()
	proof, err := tlog.ProveRecord(int64(len(l.records)), n, l)
	if err != nil {
		t.Fatal(err)
	}
	return BundleEntry{Index: n, Record: l.records[n], Proof: proof}
}

// keyRecordOf and statementRecordOf are what the log says of a key and of a statement, as
// far as bundles look.
func keyRecordOf(c *Claim) Record {
	return NewRecord(RecordKey, "owner", c.Account, "kind", string(c.Kind), "public", c.Public)
}

func statementRecordOf(t *testing.T, number, text string, c *Claim) Record {
	t.Helper()
	s, err := ParseStatement(text)
	if err != nil {
		t.Fatal(err)
	}
	return NewRecord(RecordStatement, "number", number, "sha256", Digest(text), "campaign", s.Campaign, "candidate", s.Candidate.Name, "arm", s.Candidate.ArmID,
		"target", string(s.Target), "decision", string(s.Decision), "preparer", s.Preparer, "signer", c.Account, "key-kind", string(c.Kind),
		"fingerprint", c.Fingerprint, "public", c.Public, "signature", base64.StdEncoding.EncodeToString(c.Signature), "text", text)
}

func testArtifact(text string) BundleArtifact {
	return BundleArtifact{Digest: sha256.Sum256([]byte(text)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(text)), nil
	}}
}

var (
	testPolicy     = []byte("name = \"test\"\n")
	testComparison = []byte("figure,verdict\nttft,ok\n")
)

// testStatement is a statement on two artifacts, in hostile words.
func testStatement(signer, fingerprint string, artifacts []BundleArtifact) *Statement {
	s := &Statement{
		Decision: Promote, Target: Promotion, Campaign: "campaign", Title: "=1+1\nIt may serve", Scope: "one card", Reason: "all gates passed",
		Candidate: StatedArm{Name: "candidate", ArmID: "a-1", Runs: []string{"r-1", "r-2"}}, BackNote: "none was named",
		Readers: []string{"anvil/capacity@3"}, Ruleset: 3, Policy: PolicyRef{Name: "test", Version: 1, Digest: Digest(string(testPolicy))},
		TwoPeople: true, MaxAgeDays: 90, GroundDigest: Digest("ground"), LogSize: 3,
		Gates:        []StatedGate{{ID: "tools", State: GatePassed, Required: true, Says: "@20/20"}, {ID: "licence", State: GateWaived, By: "bob", Reason: "inside the house"}},
		Acknowledged: []StatedAck{{ID: "0123456789abcdef", Kind: ItemLimitation, Text: "-one, card\r\nonly", Reason: "so it serves", AtUS: 1_700_000_000_000_000}},
		Preparer:     "bob", PreparedUS: 1_700_000_000_000_000, Signer: signer, KeyKind: "note", KeyFingerprint: fingerprint, TimeUS: 1_700_000_100_000_000,
	}
	for i, a := range artifacts {
		s.Artifacts = append(s.Artifacts, StatedArtifact{Digest: a.Digest, Name: fmt.Sprintf("+file %d.json", i), Uses: []string{"candidate"}})
	}
	s.Comparison = evidence.Some(StatedComparison{Spec: []string{"control=r-0"}, SpecDigest: Digest("spec"), ExportDigest: Digest(string(testComparison)),
		Verdicts: [4]int{1, 0, 0, 0}, Figures: []StatedFigure{{Figure: "ttft:p50", Verdict: "ok", Text: "1 s against 2 s"}}})
	return s
}

// testBundle is a bundle that holds, with the key of its server.
func testBundle(t *testing.T) (*Bundle, string) {
	t.Helper()
	server, serverKey := noteKey(t, "server", 1)
	person, personKey := noteKey(t, "ada", 2)
	print, err := Fingerprint("note", personKey)
	if err != nil {
		t.Fatal(err)
	}
	artifacts := []BundleArtifact{testArtifact(`{"schema": "one"}`), testArtifact(strings.Repeat("raw\x00", 700))}
	text := testStatement("ada", print, artifacts).Text()
	claim, err := SignNote("ada", person, personKey, text)
	if err != nil {
		t.Fatal(err)
	}
	l := &testLog{}
	l.add(t, NewRecord(RecordServerKey, "public", serverKey))
	key := l.add(t, keyRecordOf(&claim))
	role := l.add(t, NewRecord(RecordAccount, "account", "ada", "role", "promoter", "state", "enabled"))
	for i := range 5 {
		l.add(t, NewRecord(RecordArtifact, "sha256", fmt.Sprint(i)))
	}
	at := l.add(t, statementRecordOf(t, "S-0001", text, &claim))
	l.add(t, NewRecord(RecordWaiver, "waiver", "1"))
	_, signed := l.checkpoint(t, server)
	return &Bundle{Number: "S-0001", Statement: text, Claim: claim, Index: at, Entries: []BundleEntry{l.entry(t, key), l.entry(t, role), l.entry(t, at)},
		Checkpoint: signed, ServerKeys: []string{serverKey}, Artifacts: artifacts, Comparison: testComparison, Policy: testPolicy}, serverKey
}

func bundleBytes(t *testing.T, b *Bundle) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := WriteBundle(&out, b); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func verifyBytes(data []byte, known ...string) *BundleReport {
	return VerifyBundle(bytes.NewReader(data), int64(len(data)), known...)
}

// failed lists the checks that do not hold.
func failed(r *BundleReport) string {
	var out []string
	for _, c := range r.Checks {
		if !c.OK {
			out = append(out, c.ID+": "+c.Says)
		}
	}
	return strings.Join(out, "\n")
}

func TestBundleHolds(t *testing.T) {
	b, serverKey := testBundle(t)
	data := bundleBytes(t, b)
	if !bytes.Equal(data, bundleBytes(t, b)) {
		t.Error("the same bundle, other bytes")
	}
	r := verifyBytes(data)
	if !r.OK() || r.Pinned || r.ServerKey != serverKey || r.Number != "S-0001" || r.Statement.Signer != "ada" {
		t.Errorf("%+v\n%s", r, failed(r))
	}
	if r := verifyBytes(data, "other+00000000+AAAA", serverKey); !r.OK() || !r.Pinned {
		t.Errorf("pinned: %s", failed(r))
	}
	_, other := noteKey(t, "server", 9)
	if r := verifyBytes(data, other); r.OK() || !strings.Contains(failed(r), "no key that you gave") {
		t.Errorf("another server's key: %s", failed(r))
	}
	b.Comparison = nil
	if r := verifyBytes(bundleBytes(t, b)); !r.OK() {
		t.Errorf("without the table of the comparison: %s", failed(r))
	}
}

// TestBundleTables: what people open in a spreadsheet starts no formula, and a line of a
// text is no row.
func TestBundleTables(t *testing.T) {
	b, _ := testBundle(t)
	s, err := ParseStatement(b.Statement)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := bundleTables(s)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"gates.csv":        "gate,state,required,says,waived_by,waived_reason\ntools,passed,true,'@20/20,,\nlicence,waived,false,,bob,inside the house\n",
		"acknowledged.csv": "kind,item,text,reason,acknowledged\nlimitation,0123456789abcdef,\"'-one, card\r\nonly\",so it serves,2023-11-14T22:13:20.000000Z\n",
		"figures.csv":      "figure,verdict,says\nttft:p50,ok,1 s against 2 s\n",
	} {
		if got := string(tables[name]); got != want {
			t.Errorf("%s:\n%q, want\n%q", name, got, want)
		}
	}
	if !strings.Contains(string(tables["artifacts.csv"]), ",'+file 0.json,candidate\n") {
		t.Errorf("%s", tables["artifacts.csv"])
	}
}

// TestBundleTamper turns bits at 5,000 places and at every place of the structure around
// the members; none is taken.
func TestBundleTamper(t *testing.T) {
	b, serverKey := testBundle(t)
	data := bundleBytes(t, b)
	r := rand.New(rand.NewPCG(5, 5))
	flips := 5000
	if testing.Short() {
		flips = 300
	}
	changed := bytes.Clone(data)
	for i := range flips {
		at := i * len(data) / flips
		bit := byte(1) << r.IntN(8)
		changed[at] ^= bit
		if got := verifyBytes(changed, serverKey); got.OK() {
			t.Fatalf("byte %d of %d with bit %08b turned is taken", at, len(data), bit)
		}
		changed[at] ^= bit
	}
	for at := range data {
		if at%7 == 0 && verifyBytes(append(data[:at:at], data[at+1:]...)).OK() {
			t.Fatalf("without byte %d it is taken", at)
		}
	}
}

// TestBundleSwapped writes bundles that are well made and do not fit together.
func TestBundleSwapped(t *testing.T) {
	base, _ := testBundle(t)
	s, err := ParseStatement(base.Statement)
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]struct {
		change func(texts map[string][]byte)
		says   string
	}{
		"other decision": {func(m map[string][]byte) {
			m[memberStatement] = bytes.Replace(m[memberStatement], []byte("decision: promote"), []byte("decision: reject"), 1)
		}, "signature: is of another text"},
		"a gate":         {func(m map[string][]byte) { m["tables/gates.csv"] = []byte("gate,state\n") }, "gates.csv: is not what the statement says"},
		"the comparison": {func(m map[string][]byte) { m[memberComparison] = []byte("figure\n") }, "the table of the comparison has the SHA-256"},
		"the policy":     {func(m map[string][]byte) { m[memberPolicy] = []byte("name = \"kind\"\n") }, "the policy's file has the SHA-256"},
		"the readme":     {func(m map[string][]byte) { m[memberReadme] = []byte("All is well.") }, "is not the text of a bundle"},
		"another signer": {func(m map[string][]byte) {
			m[memberClaim] = bytes.Replace(m[memberClaim], []byte(`"ada"`), []byte(`"eve"`), 1)
		}, "the statement names"},
		"a further file": {func(m map[string][]byte) { m["evil.sh"] = []byte("rm") }, "has no place in a bundle"},
		"no checkpoint":  {func(m map[string][]byte) { delete(m, memberCheckpoint) }, "checkpoint.txt: is missing"},
		"two signatures": {func(m map[string][]byte) { m["signature.sshsig"] = []byte("x") }, "is no signature of the claim"},
		"a claim with more": {func(m map[string][]byte) {
			m[memberClaim] = bytes.Replace(m[memberClaim], []byte(`{`), []byte(`{"more": 1,`), 1)
		}, "claim.json"},
		"a proof":       {func(m map[string][]byte) { m[entryName(base.Index)+".proof"] = nil }, "is not what the log"},
		"no key record": {func(m map[string][]byte) { delete(m, entryName(1)+".record"); delete(m, entryName(1)+".proof") }, "gives ada the key"},
		"no role record": {func(m map[string][]byte) {
			delete(m, entryName(2)+".record")
			delete(m, entryName(2)+".proof")
		}, "gives ada a role that signs"},
		"no record": {func(m map[string][]byte) {
			delete(m, entryName(base.Index)+".record")
			delete(m, entryName(base.Index)+".proof")
		}, "not found"},
	} {
		texts, err := base.texts(s)
		if err != nil {
			t.Fatal(err)
		}
		x.change(texts)
		r := verifyBytes(rezip(t, base, texts))
		if r.OK() || !strings.Contains(failed(r), x.says) {
			t.Errorf("%s: %q, want %q", name, failed(r), x.says)
		}
	}
}

// rezip makes a bundle of other members, with a manifest that fits them.
func rezip(t *testing.T, b *Bundle, texts map[string][]byte) []byte {
	t.Helper()
	m := manifest{Format: BundleFormat, Number: b.Number, Statement: sha256Hex(texts[memberStatement]), LogIndex: b.Index}
	var members []zipMember
	for name, data := range texts {
		members = append(members, textMember(name, data))
	}
	for i := range b.Artifacts {
		a, err := artifactMember(&b.Artifacts[i])
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, a)
	}
	sortMembers(members)
	for i := range members {
		sum, err := members[i].sha256()
		if err != nil {
			t.Fatal(err)
		}
		m.Members = append(m.Members, manifestMember{members[i].name, members[i].size, sum})
	}
	data, err := m.bytes()
	if err != nil {
		t.Fatal(err)
	}
	members = append(members, textMember(memberManifest, data))
	sortMembers(members)
	return zipOf(t, members...)
}

// TestBundleRefusesToWrite: a bundle that would not hold is not handed out.
func TestBundleRefusesToWrite(t *testing.T) {
	for want, change := range map[string]func(*Bundle){
		"is missing":                            func(b *Bundle) { b.Artifacts = b.Artifacts[:1] },
		"comes twice":                           func(b *Bundle) { b.Artifacts = append(b.Artifacts, b.Artifacts[0]) },
		"does not name":                         func(b *Bundle) { b.Artifacts = append(b.Artifacts, testArtifact("more")) },
		"its bytes have the SHA-256":            func(b *Bundle) { b.Artifacts[0].Open = testArtifact("other").Open },
		"the policy's file has":                 func(b *Bundle) { b.Policy = nil },
		"the table of the comparison has":       func(b *Bundle) { b.Comparison = []byte("x") },
		"the record of the statement":           func(b *Bundle) { b.Entries = b.Entries[:2] },
		"a claim of the kind":                   func(b *Bundle) { b.Claim.Kind = "seal" },
		"statement: line 1":                     func(b *Bundle) { b.Statement = "decision: promote\n" },
		"more than the 16777216 that such a me": func(b *Bundle) { b.Claim.Signature = make([]byte, maxMemberText+1) },
	} {
		b, _ := testBundle(t)
		change(b)
		if err := WriteBundle(io.Discard, b); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

func FuzzVerifyBundle(f *testing.F) {
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if r := verifyBytes(data); r.OK() {
			t.Fatal("made up, and taken")
		}
	})
}
