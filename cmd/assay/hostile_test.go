package main

import (
	"bufio"
	"bytes"
	"fmt"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"assay/web"
)

// TestPublicReading: what all may read is evidence, and not who the people are; and what
// a page sends is checked as ever.
func TestPublicReading(t *testing.T) {
	h := newHouse(t, func(c *web.Config) { c.PublicRead = true })
	nobody := h.visit()
	nobody.headers.Set("Accept", "application/json")
	if r := nobody.do("GET", "/export/runs.json", ""); r.code != http.StatusOK {
		t.Errorf("evidence: %d", r.code)
	}
	viewer := h.as("viewer")
	for _, path := range []string{"/accounts", "/accounts.csv", "/accounts.json", "/accounts.md"} {
		if r := nobody.do("GET", path, ""); !refusedStatus(r.code) {
			t.Errorf("%s for nobody: %d", path, r.code)
		}
		if r := viewer.do("GET", path, ""); !refusedStatus(r.code) {
			t.Errorf("%s for a viewer: %d", path, r.code)
		}
	}
	for _, path := range []string{"/account/password", "/account/sessions/close", "/account/passkeys/remove", "/account/tokens/add", "/account/tokens/revoke"} {
		if r := nobody.do("POST", path, ""); !refusedStatus(r.code) {
			t.Errorf("%s for nobody: %d", path, r.code)
		}
		if r := viewer.do("POST", path, "name=x&days=7&right=read"); r.code != http.StatusForbidden {
			t.Errorf("%s without the code of the form: %d, want 403", path, r.code)
		}
	}
}

// TestOpenRoutes: what nobody needs a right for is written down here a second time.
func TestOpenRoutes(t *testing.T) {
	h := newHouse(t, nil)
	open := map[string]bool{"POST /theme": true, "GET /signin": true, "POST /signin": true, "POST /signout": true, "POST /signin/passkey/begin": true,
		"POST /signin/passkey/finish": true, "GET /welcome/:secret": true, "POST /welcome/:secret": true, "GET /assets/*": true}
	writes := 0
	for _, r := range h.server.Routes() {
		address := r.Method + " " + r.Path
		if r.Right == "" && r.Method != "HEAD" && !open[address] {
			t.Errorf("%s needs nothing", address)
		}
		if r.Method == "POST" {
			writes++
		}
		delete(open, address)
	}
	for address := range open {
		t.Errorf("%s needs something, or is gone", address)
	}
	if writes < 25 {
		t.Errorf("%d routes write; there are more", writes)
	}
}

// TestTokensOnThePage: people make and end their own tokens, within their own rights.
func TestTokensOnThePage(t *testing.T) {
	h := newHouse(t, nil)
	reviewer, viewer, admin := h.as("reviewer"), h.as("viewer"), h.as("admin")
	add := func(v *visit, form string) answer {
		return v.do("POST", "/account/tokens/add", "csrf="+v.csrf+"&"+form)
	}
	r := add(reviewer, "name=nightly&right=read&right=hand-in&days=7")
	_, rest, _ := strings.Cut(r.body, `<code class="secret">`)
	secret, _, _ := strings.Cut(rest, "<")
	if r.code != http.StatusOK || secret == "" {
		t.Fatalf("a token: %d %s", r.code, r.body)
	}
	if again := reviewer.do("GET", "/account", ""); strings.Contains(again.body, secret) || !strings.Contains(again.body, "nightly") {
		t.Error("the token is shown again, or not listed")
	}
	script := h.visit()
	script.headers.Set("Authorization", "Bearer "+secret)
	if r := script.do("GET", "/export/runs.csv", ""); r.code != http.StatusOK {
		t.Errorf("the token reads: %d", r.code)
	}
	for form, want := range map[string]int{
		"name=a&right=sign&days=7": http.StatusUnprocessableEntity, "name=a&right=accounts&days=7": http.StatusUnprocessableEntity,
		"name=a&right=hand-in&days=7": http.StatusUnprocessableEntity, "name=a&days=7": http.StatusUnprocessableEntity,
		"name=nightly&right=read&days=7": http.StatusUnprocessableEntity, "name=%3Cb%3E&right=read&days=7": http.StatusUnprocessableEntity,
		"name=a&right=read&days=99999": http.StatusBadRequest, "name=a&right=read": http.StatusBadRequest,
	} {
		if r := add(viewer, form); r.code != want || strings.Contains(r.body, "assay_") && !strings.Contains(r.body, "assay_session") {
			t.Errorf("%s of a viewer: %d, want %d", form, r.code, want)
		}
	}
	end := func(v *visit) int {
		return v.do("POST", "/account/tokens/revoke", "csrf="+v.csrf+"&name=nightly").code
	}
	if c := end(viewer); c != http.StatusNotFound {
		t.Errorf("ending another's token: %d, want 404", c)
	}
	if c := end(admin); c != http.StatusSeeOther {
		t.Errorf("an admin ends a token: %d", c)
	}
	if r := script.do("GET", "/export/runs.csv", ""); r.code != http.StatusUnauthorized {
		t.Errorf("the ended token: %d", r.code)
	}
	h.now = h.now.Add(20 * time.Minute)
	if r := add(reviewer, "name=late&right=read&days=7"); r.code != http.StatusForbidden {
		t.Errorf("a token in a session of 20 minutes: %d, want 403", r.code)
	}
	lasts := 7 * 24 * time.Hour
	short := add(h.as("reviewer"), "name=short&right=read&days=7").body
	_, rest, _ = strings.Cut(short, `<code class="secret">`)
	secret, _, _ = strings.Cut(rest, "<")
	script.headers.Set("Authorization", "Bearer "+secret)
	if h.now = h.now.Add(lasts - time.Minute); script.do("GET", "/export/runs.csv", "").code != http.StatusOK {
		t.Error("the token ends too early")
	}
	if h.now = h.now.Add(2 * time.Minute); script.do("GET", "/export/runs.csv", "").code != http.StatusUnauthorized {
		t.Error("the token does not end")
	}
}

// TestUnauthenticated: a browser is led to sign in, a script is told.
func TestUnauthenticated(t *testing.T) {
	h := newHouse(t, nil)
	const browser = "text/html,application/xhtml+xml,*/*;q=0.8"
	for _, tc := range []struct {
		path, accept string
		want         int
	}{
		{"/runs", browser, 303}, {"/runs", "*/*", 303}, {"/runs", "application/json", 401},
		{"/campaigns.csv", browser, 303}, {"/campaigns.csv", "*/*", 401}, {"/campaigns.json", "*/*", 401}, {"/campaigns.md", "", 401},
		{"/export/runs.csv", "*/*", 401}, {"/api/v1/signoffs/1", "*/*", 401}, {"/nowhere", browser, 303}, {"/nowhere", "application/json", 401},
	} {
		v := h.visit()
		if v.headers.Set("Accept", tc.accept); tc.accept == "" {
			v.headers.Del("Accept")
		}
		r := v.do("GET", tc.path, "")
		if r.code != tc.want {
			t.Errorf("%s for %q: %d, want %d", tc.path, tc.accept, r.code, tc.want)
		}
		if tc.want == 401 && r.header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s: 401 without WWW-Authenticate", tc.path)
		}
	}
}

// TestBehindAProxy: with a proxy in front each client is held back by itself; nobody else
// can say where they come from; cookies are for TLS when the proxy has it.
func TestBehindAProxy(t *testing.T) {
	behind := newHouse(t, func(c *web.Config) { c.Proxy = proxyAt("127.0.0.0/8", "::1/128") })
	try := func(h *house, from string, i int) answer {
		v := h.visit()
		v.headers.Set("Sec-Fetch-Site", "same-origin")
		v.headers.Set("X-Forwarded-For", from)
		return v.do("POST", "/signin", fmt.Sprintf("name=somebody%d&password=guess", i))
	}
	for i := range 12 {
		try(behind, "1.2.3.4, 198.51.100.7, 127.0.0.9", i)
	}
	if r := try(behind, "9.9.9.9, 198.51.100.7", 100); r.code != http.StatusTooManyRequests {
		t.Errorf("a guesser who changes the part they write: %d, want 429", r.code)
	}
	if r := try(behind, "198.51.100.8", 101); r.code != http.StatusUnauthorized {
		t.Errorf("a neighbour of the guesser: %d, want 401", r.code)
	}
	direct := newHouse(t, nil)
	for i := range 12 {
		try(direct, fmt.Sprintf("203.0.113.%d", i), i)
	}
	if r := try(direct, "203.0.113.99", 102); r.code != http.StatusTooManyRequests {
		t.Errorf("without a proxy another address each time: %d, want 429", r.code)
	}

	for _, tc := range []struct {
		h    *house
		name string
	}{{behind, "__Host-assay"}, {direct, "assay_session"}} {
		v := tc.h.visit()
		tc.h.now = tc.h.now.Add(24 * time.Hour)
		v.headers.Set("Sec-Fetch-Site", "same-origin")
		v.headers.Set("X-Forwarded-Proto", "https")
		r := v.do("POST", "/signin", "name=viewer&password="+url.QueryEscape(housePassword))
		cookie := r.header.Get("Set-Cookie")
		for _, want := range []string{tc.name + "=", "Path=/", "HttpOnly", "SameSite=Lax"} {
			if !strings.Contains(cookie, want) {
				t.Errorf("the cookie has no %s: %.40s", want, cookie)
			}
		}
		if strings.Contains(cookie, "Secure") != (tc.h == behind) {
			t.Errorf("Secure: %.20s…", cookie)
		}
	}

	plain := newHouse(t, func(c *web.Config) { c.Proxy = proxyAt("127.0.0.0/8", "::1/128"); c.Proxy.Header = "" })
	v := plain.visit()
	v.headers.Set("Accept", "application/json")
	for _, name := range []string{"X-Forwarded-User", "X-Remote-User"} {
		v.headers.Set(name, "admin")
		if r := v.do("GET", "/runs", ""); r.code != http.StatusUnauthorized {
			t.Errorf("a proxy that signs nobody in names somebody in %s: %d, want 401", name, r.code)
		}
	}

	v = behind.visit()
	v.headers.Set("X-Forwarded-User", "viewer")
	v.headers.Set("Authorization", "Basic dmlld2VyOngK")
	if r := v.do("GET", "/runs", ""); r.code != http.StatusOK {
		t.Errorf("a proxy that passes the password on: %d", r.code)
	}
	v.headers.Del("X-Forwarded-User")
	if r := v.do("GET", "/runs", ""); r.code != http.StatusUnauthorized {
		t.Errorf("a password in the header without a name: %d", r.code)
	}
}

// TestStrayedSecretsAndTheLog: secrets in places where they do not belong.
func TestStrayedSecretsAndTheLog(t *testing.T) {
	h := newHouse(t, nil)
	const stray = "assay_i_AAAABBBBCCCCDDDDEEEEFFFFGGGGHHHHIIIIJJJJKKK"
	v := h.visit()
	v.headers.Set("Accept", "text/html")
	for _, path := range []string{"/welcome/" + stray, "/welcome/" + stray + "/", "//welcome/" + stray, "/search?q=" + stray, "/runs?token=" + stray,
		"/signin?next=%2Fwelcome%2F" + stray, "/search?q=assay%5Fi%5F" + stray[8:], "/signin?next=" + url.QueryEscape("/search?q=assay%5Fi%5F"+stray[8:])} {
		if r := v.do("GET", path, ""); r.code == http.StatusSeeOther {
			v.do("GET", r.header.Get("Location"), "")
		}
	}
	v.headers.Set("Sec-Fetch-Site", "same-origin")
	v.do("POST", "/signin", "name=my+secret+phrase+1&password=x")
	for _, s := range []string{stray[8:], "my secret phrase", "my+secret"} {
		if strings.Contains(h.log.String(), s) {
			t.Errorf("the log holds %q", s)
		}
	}
	if !strings.Contains(h.log.String(), "sign-in refused") || strings.Count(h.log.String(), "msg=request") < 9 {
		t.Error("the log has no requests: the test proves nothing")
	}
}

// hostileNames are names of files as a browser may send them.
var hostileNames = []string{"../../../../etc/passwd", `..\..\windows\win.ini`, "/etc/shadow", "a\x00b.json", "<script>alert(1)</script>.json", `"><img src=x onerror=alert(1)>.json`,
	"=cmd|' /C calc'!A1.json", "@SUM(1+1).json", "javascript:alert(1)", "\u202egnp.exe", "con", strings.Repeat("n", 5000) + ".json", "", "."}

// TestHostileFileNames: the name of a file that comes in is a word about it and nothing
// else.
func TestHostileFileNames(t *testing.T) {
	h := newHouse(t, nil)
	v := h.as("reviewer")
	for i, name := range hostileNames {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		part, err := w.CreatePart(map[string][]string{"Content-Disposition": {`form-data; name="file"; filename="` + strings.ReplaceAll(name, `"`, `\"`) + `"`}, "Content-Type": {"application/json"}})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(part, `{"n": %d}`, i)
		w.Close()
		v.headers.Set("Content-Type", w.FormDataContentType())
		if r := v.do("POST", "/intake", body.String()); r.code >= 500 || strings.Contains(r.body, "<script>alert") || strings.Contains(r.body, "<img src=x") {
			t.Errorf("%.40q: %d, or the name is markup", name, r.code)
		}
	}
	v.headers.Del("Content-Type")
	for _, path := range []string{"/intake", "/intake.csv", "/intake.json", "/intake.md", "/log", "/search?q=script", "/search?q=etc", "/export/artifacts.csv"} {
		r := v.do("GET", path, "")
		if r.code != http.StatusOK {
			t.Errorf("%s: %d", path, r.code)
		}
		page := strings.HasPrefix(r.header.Get("Content-Type"), "text/html")
		if page && (strings.Contains(r.body, "<script>alert") || strings.Contains(r.body, "<img src=x") || strings.Contains(r.body, `href="javascript:`)) {
			t.Errorf("%s: a name is markup", path)
		}
		if strings.HasSuffix(path, ".csv") && (strings.Contains(r.body, "\n=") || strings.Contains(r.body, ",=cmd") || strings.Contains(r.body, ",@SUM")) {
			t.Errorf("%s: a name is a formula", path)
		}
		if strings.Contains(r.body, "root:x:0") {
			t.Errorf("%s: a name was followed", path)
		}
	}
}

// TestPathTraversal sends addresses as no client of Go would.
func TestPathTraversal(t *testing.T) {
	h := newHouse(t, func(c *web.Config) { c.PublicRead = true })
	for _, path := range []string{"/assets/../../../../etc/passwd", "/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2f..%2fetc%2fpasswd", "/assets/....//....//etc/passwd",
		"/assets//etc/passwd", "/assets/%00", `/assets/..\..\etc\passwd`, "/artifact/..%2f..%2fetc%2fpasswd", "/artifact/..%2f..%2fetc%2fpasswd/raw", "/intake/..%2f..", "/campaigns/..%2f..%2fetc",
		"/signoffs/..%2f1", "/log/..%2f..", "/export/..%2f..%2fetc%2fpasswd", "/welcome/..%2f..%2fetc", "/runs/%00", "/%2e%2e/%2e%2e/etc/passwd", "/../../etc/passwd", "//etc/passwd"} {
		code, body := rawGet(t, h.url.Host, path)
		if code >= 500 || code == http.StatusOK || strings.Contains(body, "root:x:0") {
			t.Errorf("%s: %d", path, code)
		}
	}
	if strings.Contains(h.log.String(), "level=ERROR") {
		t.Errorf("one of them failed inside: %s", h.log)
	}
}

func rawGet(t *testing.T, host, path string) (int, string) {
	t.Helper()
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", path, host)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	defer resp.Body.Close()
	var b bytes.Buffer
	_, _ = b.ReadFrom(resp.Body)
	return resp.StatusCode, b.String()
}

// TestSlowClients: who sends a byte now and then is cut off, and others are served
// meanwhile.
func TestSlowClients(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the limits of a connection")
	}
	t.Parallel()
	h := newHouse(t, func(c *web.Config) { c.PublicRead = true })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = h.server.Serve(t.Context(), l) }()
	h.url.Host = l.Addr().String()
	type end struct {
		what string
		took time.Duration
	}
	ends := make(chan end)
	drip := func(what, head string) {
		began := time.Now()
		conn, err := net.Dial("tcp", l.Addr().String())
		if err == nil {
			defer conn.Close()
			fmt.Fprint(conn, head)
			for err == nil && time.Since(began) < 40*time.Second {
				time.Sleep(250 * time.Millisecond)
				_, err = conn.Write([]byte("x"))
			}
		}
		ends <- end{what, time.Since(began)}
	}
	go drip("headers", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
	go drip("a form", "POST /signin HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\n")
	if r := h.visit().do("GET", "/", ""); r.code != http.StatusOK {
		t.Errorf("others meanwhile: %d", r.code)
	}
	for range 2 {
		if e := <-ends; e.took > 25*time.Second {
			t.Errorf("%s: the connection was open for %s", e.what, e.took)
		}
	}
}
