package main

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay/assets"
	"assay/store"
	"assay/store/account"
	"assay/store/keyring"
	"assay/web"
)

// house is a server with the example evidence and a person of every role.
type house struct {
	t      *testing.T
	server *web.Server
	people people
	url    *url.URL
	log    *bytes.Buffer
	now    time.Time
	public bool
}

const housePassword = "a long pass phrase 77"

func newHouse(t *testing.T, change func(*web.Config)) *house {
	t.Helper()
	h := &house{t: t, log: &bytes.Buffer{}, now: time.Date(2026, 9, 4, 10, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return h.now }
	dir := t.TempDir()
	archive, err := store.Open(t.Context(), filepath.Join(dir, "a.db"), store.Options{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { archive.Close() })
	r := &root{env: &env{Stdout: io.Discard, Stderr: io.Discard, Now: clock}}
	if err := r.takeExamples(t.Context(), archive); err != nil {
		t.Fatal(err)
	}
	h.people = people{archive, keyring.New(filepath.Join(dir, "keys"))}
	for _, role := range account.Roles {
		if _, err := h.people.AddAccount(t.Context(), string(role), "Person "+string(role), role); err != nil {
			t.Fatal(err)
		}
		if err := h.people.Reset(t.Context(), string(role), housePassword); err != nil {
			t.Fatal(err)
		}
	}
	files, err := assets.New()
	if err != nil {
		t.Fatal(err)
	}
	cfg := r.webConfig(archive, h.people)
	cfg.Assets, cfg.Listen, cfg.Now = files, "127.0.0.1:0", clock
	cfg.Log = slog.New(slog.NewTextHandler(h.log, nil))
	if change != nil {
		change(&cfg)
	}
	h.public = cfg.PublicRead
	if h.server, err = web.New(cfg); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h.server)
	t.Cleanup(s.Close)
	h.url, _ = url.Parse(s.URL)
	return h
}

// visit is a browser or a script.
type visit struct {
	h       *house
	client  *http.Client
	headers http.Header
	csrf    string
	host    string // under which the server is asked; "" for its address
}

func (h *house) visit() *visit {
	return &visit{h: h, headers: http.Header{}, client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

var csrfField = regexp.MustCompile(`name="csrf" value="([0-9a-f]+)"`)

// as signs a person in.
func (h *house) as(name string) *visit {
	h.t.Helper()
	v := h.visit()
	v.headers.Set("Sec-Fetch-Site", "same-origin")
	r := v.do("POST", "/signin", "name="+name+"&password="+url.QueryEscape(housePassword))
	if r.code != http.StatusSeeOther {
		h.t.Fatalf("sign in as %s: %d %s", name, r.code, r.body)
	}
	m := csrfField.FindStringSubmatch(v.do("GET", "/account", "").body)
	if m == nil {
		h.t.Fatalf("no form of %s carries a code", name)
	}
	v.csrf = m[1]
	return v
}

type answer struct {
	code   int
	body   string
	header http.Header
}

func (v *visit) do(method, path, form string) answer {
	v.h.t.Helper()
	var body io.Reader
	if method != "GET" && method != "HEAD" {
		body = strings.NewReader(form)
	}
	req, err := http.NewRequest(method, v.h.url.String()+path, body)
	if err != nil {
		v.h.t.Fatal(err)
	}
	for k, list := range v.headers {
		req.Header[k] = list
	}
	req.Host = v.host
	if body != nil && req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	resp, err := v.client.Do(req)
	if err != nil {
		v.h.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		v.h.t.Fatal(err)
	}
	for _, c := range resp.Cookies() {
		v.setCookie(c)
	}
	return answer{resp.StatusCode, string(data), resp.Header}
}

func (v *visit) setCookie(c *http.Cookie) {
	var kept []string
	for _, pair := range strings.Split(v.headers.Get("Cookie"), "; ") {
		if pair != "" && !strings.HasPrefix(pair, c.Name+"=") {
			kept = append(kept, pair)
		}
	}
	if c.MaxAge >= 0 && c.Value != "" {
		kept = append(kept, c.Name+"="+c.Value)
	}
	v.headers.Set("Cookie", strings.Join(kept, "; "))
}

func refusedStatus(code int) bool {
	return code == http.StatusUnauthorized || code == http.StatusForbidden
}

// someWhere fills the parameters of a route in. What is there does not matter: whoever
// may is told that it is not there.
func someWhere(path string) string {
	path = strings.TrimSuffix(path, "*")
	return regexp.MustCompile(`:[a-z_]+`).ReplaceAllString(path, "1")
}
