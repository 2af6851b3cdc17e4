package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"assay/store/evidence"
	"assay/web"
)

// basket is an intake that keeps what came to its end.
type basket struct {
	mu    sync.Mutex
	kept  map[string]string // by name
	camps map[string]string
	block chan struct{} // Take waits for it when it is set
}

func (b *basket) Take(ctx context.Context, u web.Upload) (evidence.Taken, error) {
	body, err := io.ReadAll(u.Body)
	if b.block != nil {
		<-b.block
	}
	t := evidence.Taken{Path: u.Name, State: "lost"}
	if len(body) > 1000 {
		err = errors.New("the input is larger than 1000 bytes")
	}
	if err != nil {
		t.Findings = []evidence.Finding{{Severity: evidence.Error, Code: "unreadable", Offset: -1, Message: err.Error()}}
		return t, ctx.Err()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.kept == nil {
		b.kept, b.camps = map[string]string{}, map[string]string{}
	}
	b.kept[u.Name], b.camps[u.Name] = string(body), u.Campaign
	t.State, t.SHA256, t.Schema, t.Runs = evidence.Accepted, evidence.DigestOf(body).String(), "lab.x/v1", 2
	return t, nil
}

type ring map[string]string

func (r ring) CheckToken(_ context.Context, secret string) (string, bool, error) {
	if secret == "broken" {
		return "", false, errDisk
	}
	name, ok := r[secret]
	return name, ok, nil
}

func taking(t testing.TB, b *basket, local bool) *web.Server {
	t.Helper()
	s, err := web.New(web.Config{
		Archive: laboratory(), Assets: plainAssets{}, Listen: "127.0.0.1:8321", Hosts: []string{"archive.lan"}, Now: clock,
		Intake: b, Tokens: ring{"good": "nightly"}, MaxUpload: 1000, LocalWrites: local,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sending is a request with a body from a machine.
func sending(s http.Handler, path, from string, body io.Reader, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8321"+path, body)
	r.RemoteAddr = from
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

const (
	here  = "127.0.0.1:50000"
	there = "192.0.2.7:50000"
)

// piece is a part of a form; a file when it has a name.
type piece struct{ field, file, body string }

func form(t testing.TB, parts ...piece) (io.Reader, string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, p := range parts {
		h := textproto.MIMEHeader{}
		h.Set("Content-Disposition", fmt.Sprintf(`form-data; name=%q`, p.field))
		if p.file != "-" {
			h.Set("Content-Disposition", fmt.Sprintf(`form-data; name=%q; filename=%q`, p.field, p.file))
		}
		part, err := w.CreatePart(h)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(part, p.body)
	}
	_ = w.Close()
	return &b, w.FormDataContentType()
}

type answer struct {
	Accepted, Lost int
	Files          []evidence.Taken
	Resumed        []evidence.Taken
	Status         int
	Error, Message string
	Request        string
}

func answered(t *testing.T, w *httptest.ResponseRecorder, status int) answer {
	t.Helper()
	var a answer
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		t.Fatalf("%d, %v: %s", w.Code, err, w.Body)
	}
	if w.Code != status {
		t.Fatalf("status %d, want %d: %s", w.Code, status, w.Body)
	}
	return a
}

const bearer = "Bearer good"

func TestArtifactsAPI(t *testing.T) {
	b := &basket{}
	s := taking(t, b, true)
	w := sending(s, "/api/v1/artifacts?name=a/b.json&campaign=night+1", there, strings.NewReader("{}"), "Authorization", bearer, "Host", "archive.lan")
	a := answered(t, w, http.StatusOK)
	if a.Accepted != 1 || len(a.Files) != 1 || a.Files[0].Path != "a/b.json" || b.camps["a/b.json"] != "night 1" || a.Resumed == nil {
		t.Errorf("one file as the body: %s", w.Body)
	}
	// What curl sends by default says that it is a form, and is not one.
	sending(s, "/api/v1/artifacts", there, strings.NewReader("x=1"), "Authorization", bearer, "Content-Type", "application/x-www-form-urlencoded", "Assay-Name", "curl.json")
	if b.kept["curl.json"] != "x=1" {
		t.Errorf("a body that calls itself a form: %v", b.kept)
	}
	body, media := form(t, piece{"campaign", "-", "c7"}, piece{"f", "one.json", "1"}, piece{"f", "dir/two.json", ""}, piece{"f", "", ""})
	a = answered(t, sending(s, "/api/v1/artifacts", there, body, "Authorization", bearer, "Content-Type", media), http.StatusOK)
	if len(a.Files) != 2 || b.kept["one.json"] != "1" || b.camps["dir/two.json"] != "c7" {
		t.Errorf("a form of two files: %+v %v", a, b.kept)
	}
}

func TestArtifactsAPIRefuses(t *testing.T) {
	files, media := form(t, piece{"f", "one.json", "1"}, piece{"f", "big.json", strings.Repeat("x", 1<<20)}, piece{"f", "three.json", "3"})
	noFile, noFileMedia := form(t, piece{"campaign", "-", "c"})
	stray, strayMedia := form(t, piece{"colour", "-", "red"})
	text := func(n int) io.Reader { return strings.NewReader(strings.Repeat("x", n)) }
	tests := []struct {
		name    string
		body    io.Reader
		header  []string
		query   string
		status  int
		message string
		files   int
	}{
		{"no token", text(2), nil, "", 401, "takes a token", 0},
		{"no token on the machine itself", text(2), []string{"Sec-Fetch-Site", "same-origin"}, "", 401, "takes a token", 0},
		{"unknown token", text(2), []string{"Authorization", "Bearer guess"}, "", 401, "not known", 0},
		{"another scheme", text(2), []string{"Authorization", "Basic Z29vZA=="}, "", 401, "Bearer TOKEN", 0},
		{"archive fails", text(2), []string{"Authorization", "Bearer broken"}, "", 500, "", 0},
		{"empty body", text(0), []string{"Authorization", bearer}, "", 400, "empty", 0},
		{"too large", text(1001), []string{"Authorization", bearer}, "", 413, "1001 bytes", 0},
		{"compressed", text(2), []string{"Authorization", bearer, "Content-Encoding", "gzip"}, "", 415, "as they are", 0},
		{"stray parameter", text(2), []string{"Authorization", bearer}, "?nmae=x", 400, "nmae", 0},
		{"long campaign", text(2), []string{"Authorization", bearer}, "?campaign=" + strings.Repeat("c", 300), 400, "campaign", 0},
		{"no boundary", text(2), []string{"Authorization", bearer, "Content-Type", "multipart/form-data"}, "", 415, "boundary", 0},
		{"not a form", text(20), []string{"Authorization", bearer, "Content-Type", "multipart/form-data; boundary=b"}, "", 400, "byte 20", 0},
		{"second part too large", files, []string{"Authorization", bearer, "Content-Type", media}, "", 413, `Part 2, file "big.json"`, 2},
		{"no file", noFile, []string{"Authorization", bearer, "Content-Type", noFileMedia}, "", 400, "No file came", 0},
		{"stray field", stray, []string{"Authorization", bearer, "Content-Type", strayMedia}, "", 400, "colour", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &basket{}
			w := sending(taking(t, b, true), "/api/v1/artifacts"+tt.query, here, tt.body, tt.header...)
			a := answered(t, w, tt.status)
			if !strings.Contains(a.Message, tt.message) || a.Request == "" || a.Error == "" || len(a.Files) != tt.files {
				t.Errorf("%s, want %q in the message and %d files", w.Body, tt.message, tt.files)
			}
			if w.Code == 401 && !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer") {
				t.Error("the answer does not name the scheme")
			}
			for name := range b.kept {
				if name != "one.json" {
					t.Errorf("%s is kept", name)
				}
			}
		})
	}
}

// TestIntakeForm says who may send the form without a token.
func TestIntakeForm(t *testing.T) {
	same := []string{"Sec-Fetch-Site", "same-origin"}
	tests := []struct {
		name   string
		local  bool
		from   string
		header []string
		first  []piece
		status int
	}{
		{"our page on the machine", true, here, same, nil, 200},
		{"our page, by its origin", true, here, []string{"Origin", "http://127.0.0.1:8321"}, nil, 200},
		{"another site", true, here, []string{"Sec-Fetch-Site", "cross-site"}, nil, 403},
		{"another port of the machine", true, here, []string{"Origin", "http://127.0.0.1:9999"}, nil, 403},
		{"another site that hides its origin", true, here, []string{"Origin", "null"}, nil, 403},
		{"nobody says where it comes from", true, here, nil, nil, 403},
		{"another machine", true, there, same, nil, 401},
		{"another machine with a token", true, there, same, []piece{{"token", "-", "good"}}, 200},
		{"another machine with a wrong token", true, there, same, []piece{{"token", "-", "bad"}}, 401},
		{"another machine with a bearer token", true, there, []string{"Authorization", bearer}, nil, 200},
		{"through a proxy", true, here, append([]string{"X-Forwarded-For", "192.0.2.7"}, same...), nil, 401},
		{"under another name", true, here, append([]string{"Host", "archive.lan"}, same...), nil, 401},
		{"where all may read", false, here, same, nil, 401},
		{"where all may read, with a token", false, here, same, []piece{{"token", "-", "good"}}, 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := &basket{}
			body, media := form(t, append(tt.first, piece{"file", "one.json", "1"})...)
			w := sending(taking(t, b, tt.local), "/intake", tt.from, body, append([]string{"Content-Type", media}, tt.header...)...)
			if w.Code != tt.status || (len(b.kept) > 0) != (tt.status == 200) {
				t.Errorf("status %d with %d files kept, want %d\n%.300s", w.Code, len(b.kept), tt.status, w.Body)
			}
		})
	}
}

func TestIntakeFormShows(t *testing.T) {
	s := taking(t, &basket{}, true)
	parts := []piece{{"campaign", "-", ""}, {"file", "", ""}, {"file", `<b>"x".json`, "1"}, {"file", "two.json", strings.Repeat("2", 1001)}}
	body, media := form(t, parts...)
	w := sending(s, "/intake", here, body, "Content-Type", media, "Sec-Fetch-Site", "same-origin")
	d := parse(t, "/intake", w.Body.String())
	sound(t, d)
	rows := d.ids("taken")
	if w.Code != http.StatusRequestEntityTooLarge || len(rows) != 2 || !strings.Contains(d.body, "role=\"alert\"") {
		t.Fatalf("%d with %d rows", w.Code, len(rows))
	}
	if got := text(rows[0]); !strings.Contains(got, `<b>"x".json`) || !strings.Contains(got, "accepted") {
		t.Errorf("row %q", got)
	}
	if got := text(rows[1]); !strings.Contains(got, "lost") || !strings.Contains(got, "nothing of it is kept") {
		t.Errorf("row %q", got)
	}
	body, media = form(t, piece{"file", "one.json", "1"})
	w = sending(s, "/intake?view=rows", here, body, "Content-Type", media, "Sec-Fetch-Site", "same-origin")
	if d := parse(t, "/intake?view=rows", w.Body.String()); len(d.ids("taken")) != 1 || len(d.all(tag("header"))) != 0 {
		t.Errorf("rows for the script: %s", w.Body)
	}
}

func TestIntakePageOffersTheForm(t *testing.T) {
	d := get(t, taking(t, &basket{}, true), "/intake") // asked from 192.0.2.1
	if len(d.ids("upload")) != 1 || len(d.all(func(n *html.Node) bool { return attr(n, "name") == "token" })) != 1 {
		t.Error("from another machine the form has to ask for a token")
	}
	if d := get(t, site(t, laboratory()), "/intake"); len(d.ids("upload")) != 0 {
		t.Error("a server that takes nothing in shows a form")
	}
	if w := sending(site(t, laboratory()), "/api/v1/artifacts", here, strings.NewReader("x"), "Authorization", bearer); w.Code != http.StatusNotFound {
		t.Errorf("a server that takes nothing in answers %d", w.Code)
	}
}

// TestUploadBreaksOff cuts connections in the middle: nothing of the file is kept, and
// the place in the queue is free again.
func TestUploadBreaksOff(t *testing.T) {
	b := &basket{}
	srv := httptest.NewServer(taking(t, b, true))
	defer srv.Close()
	for i := range 6 {
		conn, err := net.Dial("tcp", srv.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "POST /api/v1/artifacts?name=cut HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer good\r\nContent-Length: 900\r\n\r\n%s", strings.Repeat("x", 100*i))
		time.Sleep(20 * time.Millisecond)
		conn.Close()
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+"/api/v1/artifacts?name=whole", strings.NewReader("1"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", bearer)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if _, cut := b.kept["cut"]; cut || b.kept["whole"] != "1" || res.StatusCode != 200 {
		t.Errorf("%d, kept %v", res.StatusCode, b.kept)
	}
}

func TestUploadsAreBounded(t *testing.T) {
	b := &basket{block: make(chan struct{})}
	s := taking(t, b, true)
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			sending(s, fmt.Sprintf("/api/v1/artifacts?name=%d", i), here, strings.NewReader("1"), "Authorization", bearer)
		})
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, errors.New("waited"))
	defer cancel()
	time.Sleep(100 * time.Millisecond)
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1:8321/api/v1/artifacts?name=fifth", strings.NewReader("1"))
	r.Header.Set("Authorization", bearer)
	s.ServeHTTP(httptest.NewRecorder(), r)
	close(b.block)
	wait.Wait()
	if _, ok := b.kept["fifth"]; ok || len(b.kept) != 4 {
		t.Errorf("kept %v", b.kept)
	}
}
