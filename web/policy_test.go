package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"assay/store"
	"assay/store/signoff"
	"assay/web"
)

var _ web.PolicyReader = (*store.Archive)(nil)

// policySite is a server over an archive with a policy in hostile words.
func policySite(t *testing.T) (*web.Server, *store.Archive) {
	t.Helper()
	_, a := logged(t)
	s, err := web.New(web.Config{Archive: a, Assets: plainAssets{}, Listen: "127.0.0.1:8321", Policies: a, Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	return s, a
}

const hostilePolicy = `name = "house"
version = 3
note = '''<script>alert("note")</script>'''
max_age_days = 7
narrowing = ['<b>partly</b>']
[targets]
challenger = []
promotion = ["tools"]
[[gate]]
id = "tools"
title = '''=cmd|' /C calc'!A0 <img src=x onerror=alert(1)>'''
rule = "C-OVERLOAD"
want = '''"><script>alert("want")</script>'''
names = ['<i>tools</i>']
waivable = true
`

func TestPolicyPage(t *testing.T) {
	s, a := policySite(t)
	own := signoff.Default().Ref()
	body := ask(s, http.MethodGet, "/policy").Body.String()
	for _, want := range []string{"the one that the program brings", "at least 3 GiB left free", own.Digest, "/guardrails#c-reserve", "Preparer and signer are two people for: promote", "90 days", "need"} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	for _, g := range signoff.Default().Gates {
		if !strings.Contains(body, `id="`+g.ID+`"`) || !strings.Contains(body, g.Title) {
			t.Errorf("gate %s is not on the page", g.ID)
		}
	}
	if got := ask(s, http.MethodGet, "/policy/"+own.Digest); got.Body.String() != string(signoff.DefaultPolicy()) || !strings.Contains(got.Header().Get("Content-Disposition"), "policy-default-1.toml") {
		t.Error("the file of the program's own is another one")
	}
	p, err := a.SetPolicy(t.Context(), []byte(hostilePolicy), `<b>ada</b>`, `<script>alert("why")</script>`)
	if err != nil {
		t.Fatal(err)
	}
	body = ask(s, http.MethodGet, "/policy").Body.String()
	for _, bad := range []string{"<script>alert", "<img src=x", "<b>ada", "<b>partly", "<i>tools"} {
		if strings.Contains(body, bad) {
			t.Errorf("%q goes through", bad)
		}
	}
	for _, want := range []string{"house", "version 3", "7 days", "One person may prepare", "needs no gate", "by a person, with a reason", own.Digest[:12], p.Ref().Digest} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not on the page", want)
		}
	}
	if got := ask(s, http.MethodGet, "/policy/"+p.Ref().Digest); got.Body.String() != hostilePolicy || !strings.HasPrefix(got.Header().Get("Content-Type"), "text/plain") {
		t.Errorf("the file is %q, %s", got.Body.String(), got.Header().Get("Content-Type"))
	}
	for _, path := range []string{"/policy/" + strings.Repeat("0", 64), "/policy/x", "/policy/..%2f", "/policy.xml"} {
		if got := ask(s, http.MethodGet, path); got.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.Code)
		}
	}
	if got := ask(s, http.MethodGet, "/policy.csv?x=1"); got.Code != http.StatusBadRequest {
		t.Errorf("an unknown parameter: %d", got.Code)
	}
}

func TestPolicyTable(t *testing.T) {
	s, a := policySite(t)
	if _, err := a.SetPolicy(t.Context(), []byte(hostilePolicy), "ada", "why"); err != nil {
		t.Fatal(err)
	}
	if csv := ask(s, http.MethodGet, "/policy.csv").Body.String(); !strings.HasPrefix(csv, "gate,title,rule,targets,want,answered_by,to_clear,waivable,policy_sha256") || strings.Contains(csv, ",=cmd") || !strings.Contains(csv, "'=cmd") {
		t.Errorf("%s", csv)
	}
	var rows []map[string]any
	if err := json.Unmarshal(ask(s, http.MethodGet, "/policy.json").Body.Bytes(), &rows); err != nil || len(rows) != 1 || rows[0]["gate"] != "tools" || rows[0]["targets"] != "promotion" || rows[0]["waivable"] != "yes" {
		t.Errorf("%v %v", rows, err)
	}
	if md := ask(s, http.MethodGet, "/policy.md").Body.String(); !strings.Contains(md, "| tools |") && !strings.Contains(md, "tools") {
		t.Errorf("%s", md)
	}
}
