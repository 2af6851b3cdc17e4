package web_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"assay/store/evidence"
	"assay/web"
)

func TestSecurityHeaders(t *testing.T) {
	s := site(t, laboratory())
	want := map[string]string{
		"Content-Security-Policy":      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
		"X-Frame-Options":              "DENY",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
	}
	for _, path := range []string{"/", "/nowhere", "/export/runs.csv", "/assets/0123/assay.css", "/metrics.json"} {
		h := ask(s, http.MethodGet, path).Header()
		for name, value := range want {
			if h.Get(name) != value {
				t.Errorf("GET %s: %s is %q, want %q", path, name, h.Get(name), value)
			}
		}
		if h.Get("X-Request-Id") == "" {
			t.Errorf("GET %s: no request id", path)
		}
	}
	if id := ask(s, http.MethodGet, "/", "X-Request-Id", "evil\nline").Header().Get("X-Request-Id"); strings.Contains(id, "evil") {
		t.Error("a request id that came in is taken over")
	}
}

func TestHosts(t *testing.T) {
	server := func(listen string, hosts ...string) *web.Server {
		s, err := web.New(web.Config{Archive: laboratory(), Assets: plainAssets{}, Listen: listen, Hosts: hosts, Now: clock})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	tests := []struct {
		s    *web.Server
		host string
		want int
	}{
		{server("127.0.0.1:8321"), "localhost:8321", http.StatusOK},
		{server("127.0.0.1:8321"), "127.0.0.1:8321", http.StatusOK},
		{server("127.0.0.1:8321"), "[::1]:8321", http.StatusOK},
		{server("127.0.0.1:8321"), "LOCALHOST", http.StatusOK},
		{server("127.0.0.1:8321"), "rebound.example:8321", http.StatusMisdirectedRequest},
		{server("127.0.0.1:8321"), "127.0.0.1.rebound.example", http.StatusMisdirectedRequest},
		{server("127.0.0.1:8321"), "", http.StatusMisdirectedRequest},
		{server("[::1]:8321"), "rebound.example", http.StatusMisdirectedRequest},
		{server("localhost:8321"), "rebound.example", http.StatusMisdirectedRequest},
		{server("127.0.0.1:8321", "archive.lan"), "archive.lan:80", http.StatusOK},
		{server("0.0.0.0:8321"), "anything.example", http.StatusOK},
		{server("0.0.0.0:8321", "archive.lan"), "anything.example", http.StatusMisdirectedRequest},
		{server("0.0.0.0:8321", "archive.lan"), "archive.lan", http.StatusOK},
	}
	for _, tt := range tests {
		r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		r.Host = tt.host
		w := httptest.NewRecorder()
		tt.s.ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("Host %q: %d, want %d", tt.host, w.Code, tt.want)
		}
	}
}

func TestMethods(t *testing.T) {
	s := site(t, laboratory())
	w := ask(s, http.MethodDelete, "/runs")
	if w.Code != http.StatusMethodNotAllowed || !strings.Contains(w.Header().Get("Allow"), "GET") {
		t.Errorf("DELETE /runs: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
	if w := ask(s, http.MethodGet, "/theme"); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("GET /theme: %d", w.Code)
	}
	for _, path := range []string{"/", "/campaigns/" + tabledID, "/export/measurements.csv", "/metrics.md"} {
		full, head := ask(s, http.MethodGet, path), ask(s, http.MethodHead, path)
		if head.Code != http.StatusOK || head.Body.Len() != 0 {
			t.Errorf("HEAD %s: %d with %d bytes", path, head.Code, head.Body.Len())
		}
		if a, b := full.Header().Get("Content-Type"), head.Header().Get("Content-Type"); a != b {
			t.Errorf("HEAD %s: Content-Type %q, GET %q", path, b, a)
		}
	}
	big := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/theme", strings.NewReader("theme="+strings.Repeat("x", 1<<20)))
	big.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, big)
	if rec.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a megabyte of form: %d", rec.Code)
	}
}

func TestValidators(t *testing.T) {
	s := site(t, laboratory())
	w := ask(s, http.MethodGet, "/campaigns/"+tabledID)
	tag := w.Header().Get("ETag")
	if tag == "" || w.Header().Get("Cache-Control") != "private, no-cache" {
		t.Errorf("ETag %q, Cache-Control %q", tag, w.Header().Get("Cache-Control"))
	}
	w = ask(s, http.MethodGet, "/campaigns/"+tabledID, "If-None-Match", `"other", `+tag)
	if w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("unchanged page: %d with %d bytes", w.Code, w.Body.Len())
	}
	w = ask(s, http.MethodGet, "/campaigns/"+tabledID, "If-None-Match", tag, "Cookie", "theme=dark")
	if w.Code != http.StatusOK {
		t.Errorf("another theme is another page: %d", w.Code)
	}
	if got := ask(s, http.MethodGet, "/nowhere").Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("an error is kept: %q", got)
	}
}

func TestGzip(t *testing.T) {
	s := site(t, laboratory())
	for _, path := range []string{"/", "/export/measurements.json"} {
		w := ask(s, http.MethodGet, path, "Accept-Encoding", "gzip")
		if w.Header().Get("Content-Encoding") != "gzip" {
			t.Errorf("GET %s: not compressed", path)
			continue
		}
		z, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := read(t, z), ask(s, http.MethodGet, path).Body.String(); got != want {
			t.Errorf("GET %s: compressed and plain differ", path)
		}
	}
	if got := ask(s, http.MethodGet, "/assets/0123/assay.css", "Accept-Encoding", "gzip").Header().Get("Content-Encoding"); got != "" {
		t.Errorf("an asset is compressed a second time: %q", got)
	}
}

func TestErrorsTellNothingOfTheInside(t *testing.T) {
	f := laboratory()
	f.fail = errDisk
	s := site(t, f)
	for _, path := range []string{"/", "/runs", "/campaigns/x", "/search?q=abcdef", "/intake", "/export/runs.csv", "/campaigns.csv"} {
		w := ask(s, http.MethodGet, path)
		if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "secret") || strings.Contains(w.Body.String(), "fire") {
			t.Errorf("GET %s: %d, %s", path, w.Code, w.Body)
		}
		if got := w.Header().Get("Content-Disposition"); got != "" {
			t.Errorf("GET %s: an error is sent as a file: %q", path, got)
		}
	}
	w := ask(s, http.MethodGet, "/runs", "Accept", "application/json")
	var got struct {
		Status                  int
		Error, Message, Request string
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Status != 500 || got.Request == "" {
		t.Errorf("as JSON: %v, %+v", err, got)
	}
	f.fail = context.DeadlineExceeded
	if w := ask(s, http.MethodGet, "/runs"); w.Code != http.StatusServiceUnavailable {
		t.Errorf("too slow: %d", w.Code)
	}
}

// panicking is an archive with a fault in it.
type panicking struct{ *fake }

func (panicking) CountRuns(context.Context, evidence.Filter) (int, error) { panic("secret") }

func TestPanic(t *testing.T) {
	s := site(t, panicking{laboratory()})
	w := ask(s, http.MethodGet, "/runs")
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d, %s", w.Code, w.Body)
	}
	sound(t, parse(t, "panic", w.Body.String()))
}

func TestTheme(t *testing.T) {
	s := site(t, laboratory())
	post := func(theme, back string, header ...string) *httptest.ResponseRecorder {
		form := url.Values{"theme": {theme}, "back": {back}}
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8321/theme", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	w := post("dark", "/runs?page=2")
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/runs?page=2" {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
	if c := w.Result().Cookies(); len(c) != 1 || c[0].Value != "dark" || !c[0].HttpOnly || c[0].SameSite != http.SameSiteLaxMode {
		t.Errorf("cookie %+v", c)
	}
	for _, back := range []string{"//evil.example/", "https://evil.example/", `/\evil.example`, "evil", "", "/x\r\nSet-Cookie: a=b", "/\t/evil.example"} {
		if got := post("light", back).Header().Get("Location"); got != "/" {
			t.Errorf("back to %q leads to %q", back, got)
		}
	}
	if got := post("pink", "/").Code; got != http.StatusBadRequest {
		t.Errorf("unknown theme: %d", got)
	}
	if got := post("dark", "/", "Sec-Fetch-Site", "cross-site").Code; got != http.StatusForbidden {
		t.Errorf("from another site: %d", got)
	}
	dark := parse(t, "/", ask(s, http.MethodGet, "/", "Cookie", "theme=dark").Body.String())
	if got := attr(dark.all(tag("html"))[0], "data-theme"); got != "dark" {
		t.Errorf("data-theme %q", got)
	}
	odd := parse(t, "/", ask(s, http.MethodGet, "/", "Cookie", `theme="><script>`).Body.String())
	if has(odd.all(tag("html"))[0], "data-theme") {
		t.Error("a theme of somebody else's making is taken over")
	}
}

func TestServeFinishesRequests(t *testing.T) {
	started, release := make(chan struct{}), make(chan struct{})
	s := site(t, slow{laboratory(), started, release})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	answer := make(chan int, 1)
	go func() {
		resp, err := http.Get("http://" + l.Addr().String() + "/runs")
		if err != nil {
			answer <- 0
			return
		}
		defer resp.Body.Close()
		_, _ = io.Copy(io.Discard, resp.Body)
		answer <- resp.StatusCode
	}()
	<-started
	stop()
	time.AfterFunc(50*time.Millisecond, func() { close(release) })
	if got := <-answer; got != http.StatusOK {
		t.Errorf("a running request ended with %d", got)
	}
	if err := <-done; err != nil {
		t.Errorf("serve ended with %v", err)
	}
}

// slow is an archive that answers when it is told to.
type slow struct {
	*fake
	started, release chan struct{}
}

func (s slow) CountRuns(ctx context.Context, f evidence.Filter) (int, error) {
	close(s.started)
	select {
	case <-s.release:
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	return s.fake.CountRuns(ctx, f)
}

func TestConfig(t *testing.T) {
	if _, err := web.New(web.Config{}); err == nil {
		t.Error("a server without archive and assets is made")
	}
}
