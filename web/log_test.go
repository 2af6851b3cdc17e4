package web_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"assay/assets/example"
	"assay/ingest"
	"assay/store"
	"assay/store/evidence"
	"assay/store/signoff"
	"assay/web"
)

var _ web.LogReader = (*store.Archive)(nil)

// logged is a server over a real archive that signs its log: example evidence, repairs
// with hostile words, so many that the tree has several levels.
func logged(t *testing.T) (*web.Server, *store.Archive) {
	t.Helper()
	secret, public, err := note.GenerateKey(rand.Reader, "web-test")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	a, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "assay.db"), store.Options{Now: clock, Signers: []note.Signer{signer}, Verifier: public})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	docs, err := example.Documents()
	if err != nil {
		t.Fatal(err)
	}
	var sources []ingest.Source
	for _, d := range docs {
		sources = append(sources, ingest.Blob(d.Name, "example", d.Data))
	}
	if _, err := ingest.Take(t.Context(), a, sources, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	for i, words := range []string{"plain", `<script>alert(1)</script>`, `=cmd|' /C calc'!A0`, `" onmouseover="alert(1)`, `\u{202e} kind: policy`, "é and e\u0301", "a", "b"} {
		_, err := a.AddRepair(t.Context(), evidence.Repair{Kind: evidence.RepairAlias, Key: evidence.KeyEngine, Target: fmt.Sprintf("engine-%d", i),
			Value: "engine", Author: words, Reason: words})
		if err != nil {
			t.Fatal(err)
		}
	}
	return logSite(t, a, a), a
}

func logSite(t *testing.T, a web.Archive, log web.LogReader) *web.Server {
	t.Helper()
	s, err := web.New(web.Config{Archive: a, Assets: plainAssets{}, Listen: "127.0.0.1:8321", TransparencyLog: log, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// treeRoot is the hash of a tree as RFC 6962 writes it, without the library that made it.
func treeRoot(leaves [][]byte) [32]byte {
	switch len(leaves) {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return sha256.Sum256(append([]byte{0}, leaves[0]...))
	}
	k := split(len(leaves))
	return inner(treeRoot(leaves[:k]), treeRoot(leaves[k:]))
}

func inner(l, r [32]byte) [32]byte {
	return sha256.Sum256(append(append([]byte{1}, l[:]...), r[:]...))
}

func split(n int) int {
	k := 1
	for k*2 < n {
		k *= 2
	}
	return k
}

// prefixProof is PROOF(m, D[n]) of RFC 6962.
func prefixProof(m int, leaves [][]byte, whole bool) [][32]byte {
	n := len(leaves)
	if m == n {
		if whole {
			return nil
		}
		return [][32]byte{treeRoot(leaves)}
	}
	k := split(n)
	if m <= k {
		return append(prefixProof(m, leaves[:k], whole), treeRoot(leaves[k:]))
	}
	return append(prefixProof(m-k, leaves[k:], false), treeRoot(leaves[:k]))
}

func body(t *testing.T, s http.Handler, path string) string {
	t.Helper()
	w := ask(s, http.MethodGet, path)
	if w.Code != http.StatusOK {
		t.Fatalf("GET %s: %d %s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

// records reads every record over HTTP, as another machine would.
func records(t *testing.T, s http.Handler, n int64) [][]byte {
	t.Helper()
	var out [][]byte
	for i := range n {
		out = append(out, []byte(body(t, s, "/log/"+strconv.FormatInt(i, 10)+"/body")))
	}
	return out
}

// opened is the checkpoint of a note, checked with the keys that the server names.
func opened(t *testing.T, s http.Handler, signed string) signoff.Checkpoint {
	t.Helper()
	var known []note.Verifier
	for k := range strings.Lines(body(t, s, "/log/keys")) {
		v, err := note.NewVerifier(strings.TrimSpace(k))
		if err != nil {
			t.Fatal(err)
		}
		known = append(known, v)
	}
	c, _, err := signoff.OpenCheckpoint([]byte(signed), note.VerifierList(known...))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestLogOverHTTP makes the whole tree again from what HTTP gives and holds the signed
// checkpoint and every proof between two sizes against it.
func TestLogOverHTTP(t *testing.T) {
	s, _ := logged(t)
	c := opened(t, s, body(t, s, "/log/checkpoint"))
	if c.Size < 12 {
		t.Fatalf("the log has only %d records", c.Size)
	}
	leaves := records(t, s, c.Size)
	if c.Root != tlog.Hash(treeRoot(leaves)) {
		t.Fatal("the signed root is not that of the records")
	}
	for to := 1; to <= len(leaves); to++ {
		for from := 1; from <= to; from++ {
			proof, err := signoff.ParseProof(body(t, s, fmt.Sprintf("/log/consistency?from=%d&to=%d", from, to)))
			if err != nil {
				t.Fatal(err)
			}
			want := prefixProof(from, leaves[:to], true)
			if len(proof) != len(want) {
				t.Fatalf("%d to %d: %d hashes, want %d", from, to, len(proof), len(want))
			}
			for i := range want {
				if proof[i] != tlog.Hash(want[i]) {
					t.Errorf("%d to %d: hash %d is another", from, to, i)
				}
			}
			old, now := tlog.Hash(treeRoot(leaves[:from])), tlog.Hash(treeRoot(leaves[:to]))
			if err := tlog.CheckTree(proof, int64(to), now, int64(from), old); err != nil {
				t.Errorf("%d to %d: %v", from, to, err)
			}
			if from < to && tlog.CheckTree(proof, int64(to), now, int64(from), tlog.Hash{1}) == nil {
				t.Errorf("%d to %d: another beginning has the same proof", from, to)
			}
		}
	}
}

// TestRecordPages: every page of a record shows it, and its path leads to the signed root.
func TestRecordPages(t *testing.T) {
	s, _ := logged(t)
	c := opened(t, s, body(t, s, "/log/checkpoint"))
	for n, leaf := range records(t, s, c.Size) {
		d := get(t, s, fmt.Sprintf("/log/%d", n))
		sound(t, d)
		inert(t, d)
		if shown := d.one("body").FirstChild.Data; shown != string(leaf) {
			t.Errorf("record %d is shown as\n%s\nand is\n%s", n, shown, leaf)
		}
		proof := d.one("proof")
		contains(t, "proof", text(proof), "holds")
		var path tlog.RecordProof
		for _, h := range under(proof, tag("li")) {
			x, err := tlog.ParseHash(text(h))
			if err != nil {
				t.Fatal(err)
			}
			path = append(path, x)
		}
		if err := tlog.CheckRecord(path, c.Size, c.Root, int64(n), tlog.RecordHash(leaf)); err != nil {
			t.Errorf("record %d: the path of the page: %v", n, err)
		}
		if r, err := signoff.ParseRecord(leaf); err != nil {
			t.Errorf("record %d: %v", n, err)
		} else if r.Kind == signoff.RecordArtifact {
			if w := ask(s, http.MethodGet, link(t, d.root, "the artifact")); w.Code != http.StatusOK {
				t.Errorf("record %d leads to an artifact that is not there: %d", n, w.Code)
			}
		}
	}
}

func TestLogPage(t *testing.T) {
	s, _ := logged(t)
	c := opened(t, s, body(t, s, "/log/checkpoint"))
	d := get(t, s, "/log")
	sound(t, d)
	inert(t, d)
	if rows := under(under(d.one("log"), tag("tbody"))[0], tag("tr")); int64(len(rows)) != c.Size {
		t.Errorf("%d rows of %d records", len(rows), c.Size)
	}
	if shown := opened(t, s, under(d.one("checkpoint"), tag("pre"))[0].FirstChild.Data); shown != c {
		t.Errorf("the page shows %+v, the latest is %+v", shown, c)
	}
	only := get(t, s, "/log?kind=artifact")
	for _, r := range under(under(only.one("log"), tag("tbody"))[0], tag("tr")) {
		contains(t, "row", text(r), "artifact")
	}
	contains(t, "a kind that is not there", get(t, s, "/log?kind=statement").body, "No record of this kind")
	foot := d.one("foot-log")
	if want := fmt.Sprintf("log size %d", c.Size); text(foot) != want || attr(foot, "href") != "/log" {
		t.Errorf("the foot says %q, want %q", text(foot), want)
	}
	var rows []struct {
		Record int64  `json:"record"`
		Hash   string `json:"hash"`
		Body   string `json:"body"`
	}
	if err := json.Unmarshal([]byte(body(t, s, "/log.json")), &rows); err != nil {
		t.Fatal(err)
	}
	leaves := records(t, s, c.Size)
	for _, r := range rows {
		if r.Body != string(leaves[r.Record]) || r.Hash != tlog.Hash(treeRoot(leaves[r.Record:r.Record+1])).String() {
			t.Errorf("row %d of the table is not the record", r.Record)
		}
	}
	if got := body(t, s, "/log.csv"); strings.Contains(got, "\n=cmd") || len(rows) != len(leaves) {
		t.Errorf("%d rows in JSON; CSV:\n%s", len(rows), got)
	}
}

func TestLogRefusals(t *testing.T) {
	s, a := logged(t)
	size, err := a.LogSize(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		"/log/-1": 404, "/log/01": 404, "/log/+1": 404, "/log/1e3": 404, "/log/x": 404, "/log/9223372036854775808": 404, "/log/9223372036854775807": 404,
		fmt.Sprintf("/log/%d", size): 404, fmt.Sprintf("/log/%d/body", size): 404, "/log/0x0/body": 404, "/log/%3Cscript%3E": 404,
		"/log?kind=%3Cb%3E": 400, "/log?page=0": 400, "/log?page=-1": 400, "/log.csv?kind=x": 400, "/log.csv?other=1": 400,
		"/log/consistency": 400, "/log/consistency?from=0&to=1": 400, "/log/consistency?from=3&to=2": 400, "/log/consistency?from=a&to=2": 400,
		"/log/consistency?from=1&to=2&x=1": 400, fmt.Sprintf("/log/consistency?from=1&to=%d", size+1): 404, "/log/consistency?from=1&to=9223372036854775807": 404,
	} {
		w := ask(s, http.MethodGet, path)
		if w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
		if strings.Contains(w.Body.String(), "<script>alert") || strings.Contains(w.Body.String(), "<b>") {
			t.Errorf("%s: the answer has what was asked as markup", path)
		}
	}
	if w := ask(site(t, laboratory()), http.MethodGet, "/log"); w.Code != http.StatusNotFound {
		t.Errorf("without a log: %d", w.Code)
	}
	if d := get(t, site(t, laboratory()), "/"); len(d.ids("foot-log")) != 0 {
		t.Error("without a log the foot has the size of one")
	}
}

// TestDownloadsCarryTheCheckpoint: every download has the latest checkpoint beside it,
// its bytes are what they are without, and what fails has none.
func TestDownloadsCarryTheCheckpoint(t *testing.T) {
	s, a := logged(t)
	bare := site(t, a)
	latest := body(t, s, "/log/checkpoint")
	runs, err := a.Runs(t.Context(), evidence.Filter{Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{
		"/export/measurements.csv", "/export/runs.json", "/export/facts.md", "/export/measurements.bench", "/metrics.csv", "/metrics.json", "/metrics.md",
		"/artifact/" + runs[0].Artifact.String() + "/raw",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := ask(s, method, path)
			got, err := base64.StdEncoding.DecodeString(w.Header().Get("Assay-Checkpoint"))
			if w.Code != http.StatusOK || err != nil || string(got) != latest {
				t.Errorf("%s %s: %d, checkpoint %q (%v), want %q", method, path, w.Code, got, err, latest)
			}
			without := ask(bare, method, path)
			if without.Header().Get("Assay-Checkpoint") != "" || without.Body.String() != w.Body.String() {
				t.Errorf("%s %s: the log changes the bytes", method, path)
			}
		}
	}
	for _, path := range []string{"/metrics", "/export/nothing.csv", "/artifact/" + strings.Repeat("0", 64) + "/raw", "/export/runs.csv?limit=x"} {
		if w := ask(s, http.MethodGet, path); w.Header().Get("Assay-Checkpoint") != "" {
			t.Errorf("%s: %d carries a checkpoint", path, w.Code)
		}
	}
}

// rotten is a log in which somebody wrote.
type rotten struct {
	web.LogReader
	body []byte
	kind signoff.RecordKind
}

func (r rotten) LogRecord(ctx context.Context, n int64) (signoff.Proved, error) {
	p, err := r.LogReader.LogRecord(ctx, n)
	p.Body, p.Kind = r.body, r.kind
	return p, err
}

func (r rotten) LogRecords(ctx context.Context, f signoff.LogFilter) ([]signoff.Entry, int, error) {
	list, n, err := r.LogReader.LogRecords(ctx, f)
	for i := range list {
		list[i].Body, list[i].Kind = r.body, r.kind
	}
	return list, n, err
}

// TestRottenRecords: records that nobody could have appended stay text, and the page does
// not say that they hold.
func TestRottenRecords(t *testing.T) {
	_, a := logged(t)
	for _, s := range hostileStrings {
		for _, data := range [][]byte{[]byte(s), []byte("assay-record/v1\nkind: artifact\nsha256: " + s + "\n"), signoff.NewRecord("artifact", "sha256", s, "time", s).Bytes(),
			signoff.NewRecord("statement", "number", s).Bytes(), signoff.NewRecord("waiver", "waiver", s).Bytes()} {
			srv := logSite(t, a, rotten{a, data, signoff.RecordKind(s)})
			for _, path := range []string{"/log", "/log/3"} {
				w := ask(srv, http.MethodGet, path)
				if w.Code != http.StatusOK {
					t.Fatalf("%s: %d %s", path, w.Code, w.Body)
				}
				d := parse(t, path, w.Body.String())
				sound(t, d)
				inert(t, d)
				if path != "/log" && (!strings.Contains(text(d.one("proof")), "does not hold") || w.Body.Len() > 400<<10) {
					t.Errorf("%.60q: the page of %d bytes says %s", data, w.Body.Len(), text(d.one("proof")))
				}
				for _, n := range d.all(tag("a")) {
					if h := attr(n, "href"); !strings.HasPrefix(h, "/") && !strings.HasPrefix(h, "#") || strings.HasPrefix(h, "//") || strings.Contains(h, "..") {
						t.Errorf("%.60q: a link leads to %.80q", data, h)
					}
				}
			}
		}
	}
}
