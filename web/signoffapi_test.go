package web_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"assay/assets/example"
	"assay/store/review"
	"assay/store/signoff"
	"assay/web/view"
)

// apiClaim and apiSign are what scripts send.
type apiClaim struct {
	Kind        string `json:"kind"`
	Fingerprint string `json:"fingerprint"`
	Public      string `json:"public"`
	Signature   []byte `json:"signature"`
}

type apiSign struct {
	Draft     int64    `json:"draft"`
	Statement string   `json:"statement"`
	Claim     apiClaim `json:"claim"`
}

type apiAnswer struct {
	Number   string `json:"number"`
	State    string `json:"state"`
	Error    string `json:"error"`
	Refusals []struct{ Kind, ID, Text, Clear string }
}

func (v *visitor) post(t *testing.T, body any) (*httptest.ResponseRecorder, apiAnswer) {
	t.Helper()
	b, ok := body.([]byte)
	if !ok {
		var err error
		if b, err = json.Marshal(body); err != nil {
			t.Fatal(err)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8321/api/v1/signoffs", bytes.NewReader(b))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Cookie", v.cookie)
	r.Header.Set("X-CSRF-Token", v.csrf)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	w := httptest.NewRecorder()
	v.site.ServeHTTP(w, r)
	var a apiAnswer
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return w, a
}

// claimed is the statement of a draft as the API gives it, signed.
func (v *visitor) claimed(t *testing.T, name, draft string) apiSign {
	t.Helper()
	w := v.do(http.MethodGet, "/api/v1"+draft, nil)
	var p struct {
		Draft     int64
		Statement string
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); w.Code != http.StatusOK || err != nil {
		t.Fatalf("preview: %d %s", w.Code, w.Body)
	}
	key := v.account(name).Keys[0]
	claim, err := signoff.SignNote(name, v.people.keys[name], key.Public, p.Statement)
	v.ok(err)
	return apiSign{p.Draft, p.Statement, apiClaim{string(claim.Kind), claim.Fingerprint, claim.Public, claim.Signature}}
}

// TestSignByAPI: a script signs what a person may sign, and is refused as the page is,
// with every refusal by kind.
func TestSignByAPI(t *testing.T) {
	d := newDesk(t)
	ada, grace := d.as("ada"), d.as("grace")
	path := ada.prepare(signoff.Promotion, signoff.Hold)
	good := grace.claimed(t, "grace", path)
	for name, tc := range map[string]struct {
		who  *visitor
		body func() any
		code int
		kind review.RefusalKind
	}{
		"a reviewer":    {ada, func() any { return ada.claimed(t, "ada", path) }, http.StatusForbidden, ""},
		"no JSON":       {grace, func() any { return []byte("{") }, http.StatusBadRequest, ""},
		"two values":    {grace, func() any { return []byte(`{"draft":1}{}`) }, http.StatusBadRequest, ""},
		"unknown field": {grace, func() any { return []byte(`{"draft":1,"decision":"promote"}`) }, http.StatusBadRequest, ""},
		"no draft":      {grace, func() any { x := good; x.Draft = 99; return x }, http.StatusNotFound, ""},
		"another text": {grace, func() any {
			x := good
			x.Statement = strings.Replace(x.Statement, "decision: hold", "decision: promote", 1)
			return x
		}, http.StatusUnprocessableEntity, review.RefuseStatement},
		"no signature":     {grace, func() any { x := good; x.Claim.Signature = nil; return x }, http.StatusUnprocessableEntity, review.RefuseSignature},
		"somebody's claim": {d.as("linus"), func() any { return good }, http.StatusUnprocessableEntity, review.RefuseSignature},
		"nothing at all":   {grace, func() any { return apiSign{Draft: good.Draft} }, http.StatusUnprocessableEntity, review.RefuseStatement},
	} {
		w, a := tc.who.post(t, tc.body())
		if w.Code != tc.code {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		found := tc.kind == ""
		for _, r := range a.Refusals {
			found = found || r.Kind == string(tc.kind)
		}
		if !found {
			t.Errorf("%s: not refused as %s: %s", name, tc.kind, w.Body)
		}
	}
	if list, err := d.review.SignOffs(t.Context(), signoff.Filter{}); err != nil || len(list) > 0 {
		t.Fatalf("signed: %v %v", list, err)
	}
	w, a := grace.post(t, good)
	if w.Code != http.StatusCreated || a.Number != "S-0001" || a.State != "current" || w.Header().Get("Location") != "/api/v1/signoffs/S-0001" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w, _ := grace.post(t, good); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("signed twice: %d", w.Code)
	}
	if w, a := d.as("").post(t, good); w.Code != http.StatusUnauthorized || a.Error == "" {
		t.Errorf("nobody signs: %d", w.Code)
	}
}

// TestPromote: what the page says of a promotion and what the desk answers are one; here
// the evidence carries it, and the two-person rule is asked of page and API alike.
func TestPromote(t *testing.T) {
	d := newDesk(t)
	ada, grace := d.as("ada"), d.as("grace")
	verdict := text(d.as("").page(view.CampaignURL(example.Campaign) + "/decide").one("verdict"))
	if !strings.Contains(verdict, "Nothing in the evidence stops it") {
		t.Fatalf("the example cannot be promoted: %s", verdict)
	}
	alone := grace.prepare(signoff.Promotion, signoff.Promote)
	w := grace.sign(alone)
	contains(t, "alone", refusedWords(t, w), "wants two people")
	if _, a := grace.post(t, grace.claimed(t, "grace", alone)); len(a.Refusals) != 1 || a.Refusals[0].Kind != string(review.RefusePeople) {
		t.Errorf("%+v", a)
	}
	if w := grace.sign(ada.prepare(signoff.Promotion, signoff.Promote)); w.Code != http.StatusSeeOther {
		t.Fatal(refusedWords(t, w))
	}
	contains(t, "overview", text(d.as("").page("/").one("promotions")), "S-0001 : promote of qwen38-27b-fp8 as promotion")
	contains(t, "sheet", text(d.as("").page("/signoffs/S-0001/sheet").one("sheet")), "PROMOTED")
}

// TestDraftHostile: whatever a person or a source writes stays text, in the statement and
// around it.
func TestDraftHostile(t *testing.T) {
	d := newDesk(t)
	ada, grace := d.as("ada"), d.as("grace")
	path := ada.open(signoff.Challenger)
	const bad = "\"><script>alert(1)</script>\u202e\nsigner: mallory\ndecision: promote"
	in := fill(ada.page(path), signoff.Hold)
	in.Set("scope", bad)
	in.Set("reason", bad)
	for name := range in {
		if strings.HasPrefix(name, "r.") {
			in.Set(name, bad)
		}
	}
	in.Set("do", "ready")
	if w := ada.do(http.MethodPost, path, in); w.Code != http.StatusSeeOther {
		t.Fatal(refusedWords(t, w))
	}
	if w := grace.sign(path); w.Code != http.StatusSeeOther {
		t.Fatal(refusedWords(t, w))
	}
	for _, p := range []string{path, "/signoffs", "/signoffs/S-0001", "/signoffs/S-0001/sheet", "/"} {
		x := grace.page(p)
		if n := len(x.all(tag("script"))); strings.Contains(x.body, "<script>alert") || n > 3 {
			t.Errorf("%s: %d scripts", p, n)
		}
		if strings.ContainsRune(x.body, '\u202e') {
			t.Errorf("%s: a mark that turns the text round is not shown", p)
		}
	}
	s, err := d.review.SignOff(t.Context(), "S-0001")
	d.ok(err)
	if s.Signer != "grace" || strings.Count(s.Statement, "\nsigner: ") != 1 || strings.Count(s.Statement, "\ndecision: ") != 1 {
		t.Errorf("a text of somebody poses as another line:\n%s", s.Statement)
	}
	if w := grace.do(http.MethodGet, "/signoffs.csv", nil); strings.Contains(w.Body.String(), "\n=") {
		t.Error("a formula in a cell")
	}
}

// TestPreviewRefresh: the script of the page saves what changed and gets the statement as
// it would be signed, the same as a page that is opened anew.
func TestPreviewRefresh(t *testing.T) {
	d := newDesk(t)
	ada := d.as("ada")
	path := ada.open(signoff.Promotion)
	in := fill(ada.page(path), signoff.Reject)
	w := ada.do(http.MethodPost, path+"/preview", in)
	var a struct {
		Statement, Left, Saved string
		Rows                   map[string]string
	}
	if err := json.Unmarshal(w.Body.Bytes(), &a); w.Code != http.StatusOK || err != nil {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if !strings.Contains(a.Statement, "\ndecision: reject\n") && !strings.HasPrefix(a.Statement, "assay-statement/v1\ndecision: reject\n") || !strings.HasPrefix(a.Saved, "Saved ") {
		t.Errorf("%+v", a)
	}
	for id, words := range a.Rows {
		if !strings.HasPrefix(words, "read 20") {
			t.Errorf("%s: %s", id, words)
		}
	}
	// Somebody who only signs changes nothing by it.
	in = fill(d.as("grace").page(path), signoff.Promote)
	if w := d.as("grace").do(http.MethodPost, path+"/preview", in); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "decision: promote") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
