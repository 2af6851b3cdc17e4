package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"assay/store/account"
	"assay/store/evidence"
	"assay/web"
)

// TestPrivileges: every route with every role, with nobody, and with tokens. Whoever has
// no right is refused, and whoever has it is not.
func TestPrivileges(t *testing.T) {
	h := newHouse(t, nil)
	tokens := map[string]string{}
	for _, rights := range []string{"read", "hand-in"} {
		secret, err := evidence.NewToken(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := evidence.TokenDigest(secret)
		if err := h.people.AddScopedToken(t.Context(), evidence.TokenRow{Name: rights, Rights: rights}, d); err != nil {
			t.Fatal(err)
		}
		tokens[rights] = secret
	}
	checked := 0
	in := map[string]*visit{}
	for _, role := range account.Roles {
		in[string(role)] = h.as(string(role))
	}
	for _, route := range h.server.Routes() {
		if route.Method == "HEAD" || route.Path == "/signout" || route.Path == "/account/sessions/close" || route.Method+route.Path == "POST/signin" {
			continue // ends or begins a session, or is held back: tests of their own
		}
		path := someWhere(route.Path)
		for _, who := range []string{"", "viewer", "reviewer", "promoter", "admin", "token read", "token hand-in"} {
			v, may := h.visit(), route.Right == ""
			v.headers.Set("Accept", "application/json")
			switch kind, rights, _ := strings.Cut(who, " "); {
			case kind == "token":
				v.headers.Set("Authorization", "Bearer "+tokens[rights])
				may = may || rights == string(route.Right)
			case who != "":
				v = in[who]
				v.headers.Set("Accept", "application/json")
				may = may || account.Role(who).May(route.Right)
			}
			v.headers.Set("X-CSRF-Token", v.csrf)
			r := v.do(route.Method, path, "")
			checked++
			switch {
			case !may && !refusedStatus(r.code):
				t.Errorf("%s %s (%s) as %q: %d, want a refusal: %.200s", route.Method, path, route.Right, who, r.code, r.body)
			case may && refusedStatus(r.code) && !route.Personal && !ownRefusal(route, who):
				t.Errorf("%s %s (%s) as %q: %d, and the right is there: %.200s", route.Method, path, route.Right, who, r.code, r.body)
			case r.code >= 500:
				t.Errorf("%s %s as %q: %d %.200s", route.Method, path, who, r.code, r.body)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d combinations were tried", checked)
	}
	t.Logf("%d combinations", checked)
}

// ownRefusal are routes that refuse for a reason of their own: they are about a person,
// and a token or nobody is none.
func ownRefusal(route web.Route, who string) bool {
	if strings.HasPrefix(route.Path, "/account") {
		return strings.HasPrefix(who, "token") || who == ""
	}
	return strings.HasPrefix(route.Path, "/signin") || strings.HasPrefix(route.Path, "/welcome")
}

// TestForeignForms: a request that another site made the browser send is refused, with
// and without a session, also when it knows everything but the code of the form.
func TestForeignForms(t *testing.T) {
	h := newHouse(t, nil)
	v := h.as("reviewer")
	form := "csrf=" + v.csrf + "&key=engine&spelling=a&meaning=b&reason=c"
	if r := v.do("POST", "/repair/alias", form); r.code != http.StatusSeeOther {
		t.Fatalf("the own form: %d %s", r.code, r.body)
	}
	other := h.as("promoter")
	for name, try := range map[string]func(*visit) string{
		"no code":        func(*visit) string { return "key=engine&spelling=a2&meaning=b&reason=c" },
		"another's code": func(*visit) string { return "csrf=" + other.csrf + "&key=engine&spelling=a2&meaning=b&reason=c" },
		"cross-site":     func(v *visit) string { v.headers.Set("Sec-Fetch-Site", "cross-site"); return form },
		"same-site":      func(v *visit) string { v.headers.Set("Sec-Fetch-Site", "same-site"); return form },
		"foreign origin": func(v *visit) string {
			v.headers.Del("Sec-Fetch-Site")
			v.headers.Set("Origin", "https://evil.example")
			return form
		},
		"null origin": func(v *visit) string { v.headers.Del("Sec-Fetch-Site"); v.headers.Set("Origin", "null"); return form },
	} {
		v := h.as("reviewer")
		body := strings.ReplaceAll(try(v), "csrf="+other.csrf, "csrf="+other.csrf)
		if strings.HasPrefix(body, "csrf="+form[5:10]) { // the code of this session
			body = strings.Replace(body, form[5:5+len(v.csrf)], v.csrf, 1)
		}
		if r := v.do("POST", "/repair/alias", body); r.code != http.StatusForbidden {
			t.Errorf("%s: %d, want 403", name, r.code)
		}
	}
	for _, path := range []string{"/signin", "/signout", "/welcome/x"} {
		v := h.visit()
		v.headers.Set("Sec-Fetch-Site", "cross-site")
		if r := v.do("POST", path, "name=reviewer&password="+url.QueryEscape(housePassword)); r.code != http.StatusForbidden {
			t.Errorf("%s from elsewhere: %d, want 403", path, r.code)
		}
	}
	up := h.as("reviewer")
	up.headers.Del("Sec-Fetch-Site")
	up.headers.Set("Content-Type", "multipart/form-data; boundary=x")
	if r := up.do("POST", "/intake", "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.json\"\r\n\r\n{}\r\n--x--\r\n"); r.code != http.StatusForbidden {
		t.Errorf("a file from a browser that does not say from where: %d, want 403", r.code)
	}
}

// TestSessions: no fixation, no life after its end.
func TestSessions(t *testing.T) {
	h := newHouse(t, nil)
	v := h.visit()
	v.headers.Set("Sec-Fetch-Site", "same-origin")
	planted, err := account.NewSecret(account.SessionPrefix, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	v.headers.Set("Cookie", "assay_session="+planted)
	v.do("POST", "/signin", "name=viewer&password="+url.QueryEscape(housePassword))
	if strings.Contains(v.headers.Get("Cookie"), planted) {
		t.Error("signing in kept the cookie that was there before")
	}
	ended := func(name string, v *visit) {
		t.Helper()
		v.headers.Set("Accept", "application/json")
		if r := v.do("GET", "/runs", ""); r.code != http.StatusUnauthorized {
			t.Errorf("%s: %d, want 401", name, r.code)
		}
	}
	first := h.as("viewer")
	before := first.headers.Get("Cookie")
	first.headers.Set("Sec-Fetch-Site", "same-origin")
	first.do("POST", "/signin", "name=viewer&password="+url.QueryEscape(housePassword))
	old := h.visit()
	old.headers.Set("Cookie", before)
	ended("the session before signing in again", old)

	out := h.as("viewer")
	stolen := out.headers.Get("Cookie")
	out.do("POST", "/signout", "")
	thief := h.visit()
	thief.headers.Set("Cookie", stolen)
	ended("after signing out", thief)

	changed := h.as("viewer")
	if err := h.people.SetRole(t.Context(), "viewer", account.Reviewer); err != nil {
		t.Fatal(err)
	}
	ended("after another role", changed)
	if err := h.people.SetRole(t.Context(), "viewer", account.Viewer); err != nil {
		t.Fatal(err)
	}
	disabled := h.as("reviewer")
	if err := h.people.DisableAccount(t.Context(), "reviewer"); err != nil {
		t.Fatal(err)
	}
	ended("after disabling", disabled)

	idle := h.as("viewer")
	h.now = h.now.Add(2*time.Hour + time.Minute)
	ended("after two idle hours", idle)
	busy := h.as("viewer")
	for range 8 {
		h.now = h.now.Add(100 * time.Minute)
		busy.do("GET", "/runs", "")
	}
	ended("after more than twelve busy hours", busy)
	if r := h.as("viewer").do("GET", "/account", ""); r.header.Get("Cache-Control") != "no-store" {
		t.Error("the page of an account may be kept by caches")
	}
}

// TestTokensEnd: revoked, expired, unknown tokens, and those of people who left.
func TestTokensEnd(t *testing.T) {
	h := newHouse(t, nil)
	make := func(row evidence.TokenRow) string {
		secret, err := evidence.NewToken(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		d, _ := evidence.TokenDigest(secret)
		row.Rights = "read"
		if err := h.people.AddScopedToken(t.Context(), row, d); err != nil {
			t.Fatal(err)
		}
		return secret
	}
	get := func(secret string) int {
		v := h.visit()
		v.headers.Set("Authorization", "Bearer "+secret)
		return v.do("GET", "/export/runs.csv", "").code
	}
	lasting, short, owned := make(evidence.TokenRow{Name: "a"}), make(evidence.TokenRow{Name: "b", ExpiresUS: h.now.Add(time.Hour).UnixMicro()}), make(evidence.TokenRow{Name: "c", Owner: "reviewer"})
	for _, s := range []string{lasting, short, owned} {
		if c := get(s); c != http.StatusOK {
			t.Errorf("a token that holds: %d", c)
		}
	}
	h.now = h.now.Add(2 * time.Hour)
	if err := h.people.RevokeToken(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if err := h.people.DisableAccount(t.Context(), "reviewer"); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{"revoked": lasting, "expired": short, "of somebody who left": owned, "none": "assay_x", "empty": "", "long": strings.Repeat("x", 5000)} {
		if c := get(s); c != http.StatusUnauthorized {
			t.Errorf("%s: %d, want 401", name, c)
		}
	}
}

func proxyAt(networks ...string) *web.Proxy {
	p := &web.Proxy{Header: "X-Forwarded-User"}
	for _, n := range networks {
		p.From = append(p.From, netip.MustParsePrefix(n))
	}
	return p
}

// TestProxyHeader: only the configured proxy names people.
func TestProxyHeader(t *testing.T) {
	from := func(networks ...string) func(*web.Config) {
		return func(c *web.Config) { c.Proxy = proxyAt(networks...) }
	}
	trusted, elsewhere, without := newHouse(t, from("127.0.0.0/8", "::1/128")), newHouse(t, from("10.0.0.0/8")), newHouse(t, nil)
	for _, tc := range []struct {
		name string
		h    *house
		set  func(http.Header)
		want int
	}{
		{"by the proxy", trusted, func(h http.Header) { h.Set("X-Forwarded-User", "viewer") }, http.StatusOK},
		{"somebody without an account", trusted, func(h http.Header) { h.Set("X-Forwarded-User", "mallory") }, http.StatusForbidden},
		{"two names", trusted, func(h http.Header) { h["X-Forwarded-User"] = []string{"viewer", "admin"} }, http.StatusForbidden},
		{"an empty name", trusted, func(h http.Header) { h.Set("X-Forwarded-User", "") }, http.StatusForbidden},
		{"from elsewhere", elsewhere, func(h http.Header) { h.Set("X-Forwarded-User", "admin") }, http.StatusForbidden},
		{"from elsewhere, saying otherwise", elsewhere, func(h http.Header) { h.Set("X-Forwarded-User", "admin"); h.Set("X-Forwarded-For", "10.0.0.1") }, http.StatusForbidden},
		{"without a proxy", without, func(h http.Header) { h.Set("X-Forwarded-User", "admin") }, http.StatusUnauthorized},
	} {
		v := tc.h.visit()
		v.headers.Set("Accept", "application/json")
		tc.set(v.headers)
		if r := v.do("GET", "/runs", ""); r.code != tc.want {
			t.Errorf("%s: %d, want %d", tc.name, r.code, tc.want)
		}
	}
}

// TestGuessing: a guesser is held back, by name and by address, and one text serves all
// failures.
func TestGuessing(t *testing.T) {
	h := newHouse(t, nil)
	v := h.visit()
	v.headers.Set("Sec-Fetch-Site", "same-origin")
	texts := map[string]bool{}
	codes := map[int]int{}
	for i := range 30 {
		name := []string{"viewer", "nobody", "admin"}[i%3]
		r := v.do("POST", "/signin", "name="+name+"&password=guess"+fmt.Sprint(i))
		codes[r.code]++
		if r.code == http.StatusUnauthorized {
			texts[strings.ReplaceAll(r.body, `value="`+name+`"`, "")] = true
		} else if r.header.Get("Retry-After") == "" {
			t.Errorf("%d does not say when to try again", r.code)
		}
	}
	if codes[http.StatusUnauthorized] > 10 || codes[http.StatusTooManyRequests] < 20 {
		t.Errorf("30 guesses: %v", codes)
	}
	if len(texts) != 1 {
		t.Errorf("%d different texts tell names apart", len(texts))
	}
	if r := v.do("POST", "/signin", "name=viewer&password="+url.QueryEscape(housePassword)); r.code != http.StatusTooManyRequests {
		t.Errorf("the right password in the middle of it: %d, want 429", r.code)
	}
	h.now = h.now.Add(time.Hour)
	if r := v.do("POST", "/signin", "name=viewer&password="+url.QueryEscape(housePassword)); r.code != http.StatusSeeOther {
		t.Errorf("the right password an hour later: %d", r.code)
	}
}

// TestRedirects: signing in leads to pages of this server and nowhere else.
func TestRedirects(t *testing.T) {
	h := newHouse(t, nil)
	for _, next := range []string{"//evil.example", `/\evil.example`, "https://evil.example/", "javascript:alert(1)", "/\t/evil.example", "\\\\evil.example", "/%0d%0aSet-Cookie:x", " //evil.example", "///evil.example", "evil.example", "/.//evil.example"} {
		v := h.visit()
		v.headers.Set("Sec-Fetch-Site", "same-origin")
		r := v.do("POST", "/signin", "name=viewer&password="+url.QueryEscape(housePassword)+"&next="+url.QueryEscape(next))
		to, err := h.url.Parse(r.header.Get("Location"))
		if r.code != http.StatusSeeOther || err != nil || to.Host != h.url.Host {
			t.Errorf("next=%q leads to %q (%d)", next, r.header.Get("Location"), r.code)
		}
	}
	v := h.visit()
	v.headers.Set("Accept", "text/html")
	r := v.do("GET", "/runs?engine=vllm", "")
	if r.code != http.StatusSeeOther || r.header.Get("Location") != "/signin?next="+url.QueryEscape("/runs?engine=vllm") {
		t.Errorf("%d %s", r.code, r.header.Get("Location"))
	}
}

// TestNoSecretsInLog: passwords, sessions, tokens and invitations stay out of the log.
func TestNoSecretsInLog(t *testing.T) {
	h := newHouse(t, nil)
	v := h.as("admin")
	secret, err := h.people.Invite(context.Background(), "viewer")
	if err != nil {
		t.Fatal(err)
	}
	v.do("GET", "/welcome/"+secret, "")
	v.do("POST", "/welcome/"+secret, "password=another+long+phrase&again=another+long+phrase")
	bad := h.visit()
	bad.headers.Set("Sec-Fetch-Site", "same-origin")
	bad.do("POST", "/signin", "name=viewer&password=a+wrong+password")
	bad.headers.Set("Authorization", "Bearer assay_sekret")
	bad.do("GET", "/runs", "")
	for _, s := range []string{housePassword, "another long phrase", "another+long+phrase", secret, "assay_s_", "assay_i_", "assay_sekret", "a wrong password", v.csrf} {
		if strings.Contains(h.log.String(), s) {
			t.Errorf("the log holds %q", s)
		}
	}
	if h.log.Len() == 0 {
		t.Error("the log is empty: the test proves nothing")
	}
}

// TestHostilePeople: what people are called is text, on every page that names them.
func TestHostilePeople(t *testing.T) {
	h := newHouse(t, nil)
	evil := `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`
	if _, err := h.people.AddAccount(t.Context(), "mallory", evil, account.Reviewer); err != nil {
		t.Fatal(err)
	}
	if err := h.people.Reset(t.Context(), "mallory", housePassword); err != nil {
		t.Fatal(err)
	}
	admin, mallory := h.as("admin"), h.as("mallory")
	for _, page := range []struct {
		v    *visit
		path string
	}{{admin, "/accounts"}, {mallory, "/account"}, {admin, "/log"}, {mallory, "/"}} {
		r := page.v.do("GET", page.path, "")
		if r.code != http.StatusOK || strings.Contains(r.body, "<script>alert") || strings.Contains(r.body, "<img src=x") {
			t.Errorf("%s: %d, or the name is markup there", page.path, r.code)
		}
	}
	if r := admin.do("GET", "/accounts.csv", ""); strings.Contains(r.body, "\n=") {
		t.Error("a name starts a formula")
	}
}

// TestLargeForms: a form has a bound.
func TestLargeForms(t *testing.T) {
	h := newHouse(t, nil)
	v := h.as("admin")
	for _, path := range []string{"/signin", "/accounts/add", "/account/password"} {
		if r := v.do("POST", path, "csrf="+v.csrf+"&name="+strings.Repeat("x", 1<<20)); r.code != http.StatusRequestEntityTooLarge {
			t.Errorf("%s with a megabyte: %d, want 413", path, r.code)
		}
	}
}
