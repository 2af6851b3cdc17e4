package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/assets/example"
	"assay/ingest"
	"assay/store"
	"assay/store/evidence"
)

// token makes a token with the command and gives its secret.
func token(t *testing.T, db, name string) string {
	t.Helper()
	var out bytes.Buffer
	if code, stderr := call(t.Context(), &out, "--db", db, "token", "add", name); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	return strings.TrimSpace(out.String())
}

func post(t *testing.T, address, secret, media string, body io.Reader) (int, ingest.Report) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+secret)
	if media != "" {
		req.Header.Set("Content-Type", media)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var r ingest.Report
	if err := json.NewDecoder(res.Body).Decode(&r); err != nil {
		t.Fatalf("%s: %v", res.Status, err)
	}
	return res.StatusCode, r
}

// TestUploadReportsLikeIngest hands the example documents in over HTTP and on the
// command line: the two reports are equal, up to the names.
func TestUploadReportsLikeIngest(t *testing.T) {
	dir := t.TempDir()
	docs, err := example.Documents()
	if err != nil {
		t.Fatal(err)
	}
	blobs := map[string][]byte{"broken.json": []byte(`{"a": 1,`), "other.json": []byte(`{"a": 1}`)}
	var names []string
	for _, d := range docs {
		blobs[d.Name] = d.Data
		names = append(names, d.Name)
	}
	names = append(names, "broken.json", "other.json")
	db := filepath.Join(dir, "http.db")
	secret := token(t, db, "nightly")
	address, stop := serving(t, "--db", db, "serve", "--public-read", "--listen", "127.0.0.1:0")
	defer stop()

	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	args := []string{"--db", filepath.Join(dir, "cli.db"), "ingest", "--json"}
	for _, n := range names {
		part, err := w.CreateFormFile("file", n)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write(blobs[n])
		put(t, filepath.Join(dir, n), blobs[n])
		args = append(args, filepath.Join(dir, n))
	}
	w.Close()
	status, got := post(t, address+"api/v1/artifacts", secret, w.FormDataContentType(), &form)
	if status != http.StatusOK {
		t.Fatalf("status %d", status)
	}
	var out bytes.Buffer
	if code, stderr := call(t.Context(), &out, args...); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	var want ingest.Report
	if err := json.Unmarshal(out.Bytes(), &want); err != nil {
		t.Fatal(err)
	}
	for i := range want.Files {
		want.Files[i].Path = filepath.Base(want.Files[i].Path)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("reports differ (-ingest +http):\n%s", d)
	}
	status, got = post(t, address+"api/v1/artifacts?name=again", secret, "", bytes.NewReader(docs[0].Data))
	if status != http.StatusOK || got.Duplicate != 1 || got.Files[0].Path != "again" {
		t.Errorf("the same bytes again: %d %+v", status, got)
	}
}

// TestUploadStreams hands in more than the memory that is set aside for one file, and
// cuts one off in the middle.
func TestUploadStreams(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "http.db")
	secret := token(t, db, "nightly")
	address, stop := serving(t, "--db", db, "serve", "--public-read", "--listen", "127.0.0.1:0", "--max-upload", "64MiB")
	large := func(n int64) io.Reader { return io.LimitReader(&filler{}, n) }

	const size = 40 << 20
	// A reader without a length is sent in chunks: the server does not know what comes.
	status, got := post(t, address+"api/v1/artifacts?name=large.bin", secret, "", struct{ io.Reader }{large(size)})
	if status != http.StatusOK || got.Archived != 1 {
		t.Fatalf("%d %+v", status, got)
	}
	status, got = post(t, address+"api/v1/artifacts?name=too-large.bin", secret, "", struct{ io.Reader }{large(64<<20 + 1)})
	if status != http.StatusRequestEntityTooLarge || got.Lost != 1 || got.Files[0].Findings[0].Code != ingest.CodeInputLimit {
		t.Errorf("too large: %d %+v", status, got)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST /api/v1/artifacts?name=cut.bin HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n", u.Host, secret, size)
	_, _ = io.CopyN(conn, &filler{at: 7}, 20<<20)
	conn.Close()
	// The slot of a sender that is gone is free, and nothing of it is kept.
	status, _ = post(t, address+"api/v1/artifacts?name=after", secret, "", strings.NewReader("after"))
	if status != http.StatusOK {
		t.Errorf("after a cut: %d", status)
	}
	if code, stderr := stop(); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	a, err := store.Open(t.Context(), db, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	arrivals, n, err := a.Arrivals(t.Context(), 0, 10)
	if err != nil || n != 2 {
		t.Errorf("%d arrivals, %v: %+v", n, err, arrivals)
	}
	left, err := os.ReadDir(dir)
	for _, e := range left {
		if strings.HasPrefix(e.Name(), ".assay-spool") {
			t.Errorf("%s is left behind", e.Name())
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// filler is bytes that do not compress to nothing.
type filler struct{ at uint32 }

func (f *filler) Read(p []byte) (int, error) {
	for i := range p {
		f.at = f.at*1664525 + 1013904223
		p[i] = byte(f.at >> 24)
	}
	return len(p), nil
}

func TestTokens(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "a.db")
	secret := token(t, db, "nightly")
	if len(secret) < 40 {
		t.Errorf("the secret %q is short", secret)
	}
	var out bytes.Buffer
	if code, stderr := call(t.Context(), &out, "--db", db, "token", "add", "nightly"); code != exitError || !strings.Contains(stderr, "taken") {
		t.Errorf("a name twice: %d %s", code, stderr)
	}
	out.Reset()
	if code, _ := call(t.Context(), &out, "--db", db, "token", "list", "--json"); code != exitOK {
		t.Fatal(code)
	}
	var list []struct {
		Name                       string
		Created, LastUsed, Revoked *time.Time
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil || len(list) != 1 || list[0].Name != "nightly" || list[0].Revoked != nil {
		t.Errorf("%v: %s", err, out.String())
	}
	if strings.Contains(out.String(), secret) {
		t.Error("the list shows the secret")
	}
	address, stop := serving(t, "--db", db, "serve", "--public-read", "--listen", "127.0.0.1:0")
	defer stop()
	if status, _ := post(t, address+"api/v1/artifacts", secret, "", strings.NewReader("{}")); status != http.StatusOK {
		t.Errorf("with the token: %d", status)
	}
	if code, stderr := call(t.Context(), io.Discard, "--db", db, "token", "revoke", "nightly"); code != exitOK {
		t.Fatalf("revoke: %d %s", code, stderr)
	}
	if status, _ := post(t, address+"api/v1/artifacts", secret, "", strings.NewReader("{}")); status != http.StatusUnauthorized {
		t.Errorf("after it was revoked: %d", status)
	}
	if code, stderr := call(t.Context(), io.Discard, "--db", db, "token", "revoke", "nightly"); code != exitError || !strings.Contains(stderr, "not found") {
		t.Errorf("revoked twice: %d %s", code, stderr)
	}
	b, err := os.ReadFile(db)
	if err != nil || bytes.Contains(b, []byte(secret)) {
		t.Errorf("the archive's file holds the secret, %v", err)
	}
	if _, ok := evidence.TokenDigest(secret); !ok {
		t.Error("the secret has another form")
	}
}
