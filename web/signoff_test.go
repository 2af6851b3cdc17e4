package web_test

import (
	"archive/zip"
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"assay/assets/example"
	"assay/store/evidence"
	"assay/store/signoff"
	"assay/web/view"
)

// TestCeremony goes the whole way with two people and looks at every page where the
// decision shows, before and after its ground moved.
func TestCeremony(t *testing.T) {
	d := newDesk(t)
	ada, grace := d.as("ada"), d.as("grace")
	path := ada.prepare(signoff.Promotion, signoff.Hold)
	contains(t, "list", text(ada.page("/signoffs").one("drafts")), "waits for a signature")
	contains(t, "overview", text(ada.page("/").one("waits")), "a statement by ada")

	p := grace.page(path)
	sound(t, p)
	shown := rawText(p.all(func(n *html.Node) bool { return has(n, "data-statement") })[0])
	w := grace.sign(path)
	if w.Code != http.StatusSeeOther {
		t.Fatalf("sign: %d %s", w.Code, refusedWords(t, w))
	}
	s, err := d.review.SignOff(t.Context(), "S-0001")
	d.ok(err)
	// What is signed is what stood on the page, but for the time of the page that was sent.
	if a, b := cutTime(s.Statement), cutTime(shown); a != b {
		t.Errorf("signed\n%s\nshown\n%s", a, b)
	}
	if s.Signer != "grace" || s.Preparer != "ada" || s.Decision != signoff.Hold {
		t.Errorf("%+v", s)
	}
	p = grace.page("/signoffs/S-0001")
	sound(t, p)
	if rawText(p.all(func(n *html.Node) bool { return has(n, "data-statement") })[0]) != s.Statement {
		t.Error("the page does not show the statement as it was signed")
	}
	contains(t, "standing", text(p.one("standing")), "current")
	contains(t, "person", text(p.one("person")), "grace says: I judged this")
	if n := len(p.ids("check")); n < 15 {
		t.Errorf("%d checks", n)
	}
	if w := grace.do(http.MethodPost, path, fill(grace.page(path), signoff.Hold)); w.Code == http.StatusSeeOther {
		t.Error("a signed draft was changed")
	}
	d.everywhere("current")

	docs, err := example.Later()
	d.ok(err)
	d.take(example.Campaign, docs...)
	later, old := evidence.DigestOf(docs[0].Data), s.Artifacts[0]
	w = ada.do(http.MethodPost, "/standing/supersede", url.Values{"artifact": {old.String()}, "by": {later.String()}, "reason": {"measured anew <i>here</i>"}})
	if w.Code != http.StatusSeeOther {
		t.Fatalf("supersede: %d %s", w.Code, w.Body)
	}
	d.everywhere("stale")
	contains(t, "loud", text(grace.page("/signoffs/S-0001").one("loud")), "stale")
	contains(t, "artifact", text(grace.page(view.ArtifactURL(old)).one("artifact-standing")), "superseded")
	contains(t, "standing", text(grace.page("/standing").one("standings")), "measured anew <i>here</i>")
	contains(t, "waits", text(grace.page("/").one("waits")), "is stale")

	if w := grace.do(http.MethodPost, "/signoffs/S-0001/withdraw", url.Values{"reason": {" "}}); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("withdrawn without a reason: %d", w.Code)
	}
	if w := grace.do(http.MethodPost, "/signoffs/S-0001/withdraw", url.Values{"reason": {"superseded"}}); w.Code != http.StatusSeeOther {
		t.Fatalf("withdraw: %d %s", w.Code, w.Body)
	}
	d.everywhere("withdrawn")
}

// cutTime leaves out the last line, and the size of the log.
func cutTime(statement string) string {
	var out []string
	for _, l := range strings.Split(statement, "\n") {
		if !strings.HasPrefix(l, "time: ") && !strings.HasPrefix(l, "log-size: ") {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// everywhere checks the state of the sign-off on every page that shows the decision.
func (d *desk) everywhere(state string) {
	d.t.Helper()
	nobody := d.as("")
	base := view.CampaignURL(example.Campaign)
	g, err := d.review.SignOff(d.t.Context(), "S-0001")
	d.ok(err)
	st, err := signoff.ParseStatement(g.Statement)
	d.ok(err)
	compared := "/compare?c=" + strings.Join(st.Control.V.Runs, ".") + "&a=" + strings.Join(st.Candidate.Runs, ".")
	for _, path := range []string{"/", "/signoffs", base, base + "/arms", base + "/evidence", base + "/decide", compared, view.ArtifactURL(g.Artifacts[0])} {
		p := nobody.page(path)
		contains(d.t, path, text(p.root), "S-0001")
		contains(d.t, path, text(p.root), state)
		if path != "/artifact" {
			sound(d.t, p)
		}
	}
	for path, want := range map[string]string{"/signoffs.csv": "," + state + ",", "/api/v1/signoffs/S-0001": `"state":"` + state + `"`, "/export/signoffs.csv": "," + state + ",", "/signoffs.md": state} {
		if w := nobody.do(http.MethodGet, path, nil); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			d.t.Errorf("%s: %d, no %q in %s", path, w.Code, want, w.Body)
		}
	}
	if w := nobody.do(http.MethodGet, "/signoffs?state="+state, nil); !strings.Contains(w.Body.String(), `data-state="`+state+`"`) {
		d.t.Errorf("the filter %s leaves it out", state)
	}
}

// TestSignRefused: whatever is missing is named, linked to its place on the page, and what
// was typed is kept; nothing is signed.
func TestSignRefused(t *testing.T) {
	d := newDesk(t)
	ada, grace, linus := d.as("ada"), d.as("grace"), d.as("linus")
	path := ada.prepare(signoff.Promotion, signoff.Hold)
	whole := draftForm(grace.page(path))
	refused := func(name string, v *visitor, in url.Values, want ...string) doc {
		t.Helper()
		in.Set("do", "sign")
		w := v.do(http.MethodPost, path, in)
		if w.Code != http.StatusUnprocessableEntity {
			t.Fatalf("%s: %d %s", name, w.Code, w.Body)
		}
		p := parse(t, name, w.Body.String())
		box := p.one("refused")
		if !has(box, "data-focus") || attr(box, "tabindex") != "-1" {
			t.Errorf("%s: the answer does not take the focus", name)
		}
		for _, x := range want {
			contains(t, name, text(box), x)
		}
		for _, a := range under(box, tag("a")) {
			at, inside := strings.CutPrefix(attr(a, "href"), "#")
			if inside && len(p.all(func(n *html.Node) bool { return attr(n, "id") == at })) != 1 {
				t.Errorf("%s: a link leads to #%s, which is not there", name, at)
			}
		}
		return p
	}
	clone := func(change func(url.Values)) url.Values {
		in := url.Values{}
		for k, v := range whole {
			in[k] = append([]string(nil), v...)
		}
		in.Set("password", testPassword)
		change(in)
		return in
	}
	refused("no password", grace, clone(func(in url.Values) { in.Del("password") }), "password is missing")
	refused("wrong password", grace, clone(func(in url.Values) { in.Set("password", "another one entirely") }), "does not fit")
	refused("another digest", grace, clone(func(in url.Values) { in.Set("digest", strings.Repeat("0", 64)) }), "not the one that you read")
	refused("another time", grace, clone(func(in url.Values) { in.Set("time", "17") }), "not the one that you read")
	refused("a reviewer", ada, clone(func(in url.Values) {}), "prepares and does not sign")

	// The preparer takes an acknowledgement back: the signer is told which.
	in := fill(ada.page(path), signoff.Hold)
	first := in["ack"][0]
	in["ack"] = in["ack"][1:]
	if w := ada.do(http.MethodPost, path, in); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "without a tick") {
		t.Errorf("a reason without a tick is not spoken of: %d", w.Code)
	}
	p := refused("a tick is missing", linus, func() url.Values {
		in := draftForm(linus.page(path))
		in.Set("password", testPassword)
		return in
	}(), "is not acknowledged")
	if !strings.Contains(p.body, `href="#i-`+first+`"`) {
		t.Errorf("no link to the row of %s", first)
	}
	if list, err := d.review.SignOffs(t.Context(), signoff.Filter{}); err != nil || len(list) != 0 {
		t.Errorf("signed: %v %v", list, err)
	}

	// A promoter who prepares keeps all input when it is refused.
	path = grace.open(signoff.Promotion)
	in = draftForm(grace.page(path))
	in.Set("decision", "promote")
	in.Set("scope", "<b>scope</b> &amp; more")
	in.Set("password", testPassword)
	p = refused("promote", grace, in, "is saved, and the statement is another one now")
	if got := draftForm(p); got.Get("scope") != "<b>scope</b> &amp; more" || got.Get("decision") != "promote" {
		t.Errorf("the input is lost: %v", got)
	}
	in = draftForm(p)
	in.Set("password", testPassword)
	refused("promote again", grace, in, "wants two people", "is not acknowledged", "No reason is given")
}

// TestReadRights: who may do what at the pages of decisions.
func TestSignRights(t *testing.T) {
	d := newDesk(t)
	path := d.as("ada").prepare(signoff.Promotion, signoff.Hold)
	if w := d.as("").do(http.MethodGet, path, nil, "Accept", "text/html"); w.Code != http.StatusSeeOther || !strings.HasPrefix(w.Header().Get("Location"), "/signin?next=") {
		t.Errorf("nobody opens a draft: %d", w.Code)
	}
	if w := d.as("vera").do(http.MethodGet, path, nil); w.Code != http.StatusForbidden {
		t.Errorf("a viewer opens a draft: %d", w.Code)
	}
	grace := d.as("grace")
	in := fill(grace.page(path), signoff.Promote)
	in.Set("do", "save")
	if w := grace.do(http.MethodPost, path, in); w.Code != http.StatusForbidden {
		t.Errorf("somebody else's draft was changed: %d", w.Code)
	}
	in = draftForm(grace.page(path))
	in.Set("do", "sign")
	in.Set("password", testPassword)
	r := grace.do(http.MethodPost, path, in, "Sec-Fetch-Site", "cross-site")
	if r.Code != http.StatusForbidden {
		t.Errorf("another site's form signed: %d", r.Code)
	}
	grace.csrf = "0"
	if w := grace.do(http.MethodPost, path, in); w.Code != http.StatusForbidden {
		t.Errorf("a form without its code signed: %d", w.Code)
	}
	for _, p := range []string{"/signoffs/S-0001/withdraw", "/standing/supersede", "/standing/invalidate", "/signoffs/drafts"} {
		if w := d.as("vera").do(http.MethodPost, p, url.Values{}); w.Code != http.StatusForbidden {
			t.Errorf("a viewer posts to %s: %d", p, w.Code)
		}
		if w := d.as("").do(http.MethodPost, p, url.Values{}); w.Code != http.StatusUnauthorized {
			t.Errorf("nobody posts to %s: %d", p, w.Code)
		}
	}
	for _, p := range []string{"/signoffs/S-0099", "/signoffs/..%2f", "/signoffs/x", "/signoffs/drafts/0", "/signoffs/drafts/01", "/signoffs/S-0099/sheet", "/signoffs/S-0099/bundle.zip", "/api/v1/signoffs/S-0099"} {
		if w := d.as("grace").do(http.MethodGet, p, nil); w.Code != http.StatusNotFound {
			t.Errorf("GET %s: %d", p, w.Code)
		}
	}
}

// TestSheetAndBundle: what leaves the building.
func TestSheetAndBundle(t *testing.T) {
	d := newDesk(t)
	grace := d.as("grace")
	if w := grace.sign(d.as("ada").prepare(signoff.Promotion, signoff.Reject)); w.Code != http.StatusSeeOther {
		t.Fatal(refusedWords(t, w))
	}
	p := d.as("").page("/signoffs/S-0001/sheet")
	sound(t, p)
	sheet := text(p.one("sheet"))
	for _, want := range []string{"REJECTED", "Prepared by Ada (ada)", "Signed by Grace (grace)", "read; it does not touch this use", "assay-log/"} {
		contains(t, "sheet", sheet, want)
	}
	x, err := d.review.SignOff(t.Context(), "S-0001")
	d.ok(err)
	contains(t, "sheet", sheet, x.Digest)
	st, err := signoff.ParseStatement(x.Statement)
	d.ok(err)
	for _, a := range st.Acknowledged {
		if a.Kind == signoff.ItemLimitation {
			contains(t, "sheet", sheet, strings.Join(strings.Fields(a.Text), " "))
		}
	}
	for _, f := range st.Comparison.V.Figures {
		if before, _, ok := strings.Cut(f.Text, " against "); ok {
			contains(t, "sheet", sheet, before)
		}
	}
	// The code on the paper proves that the log was not changed since.
	permalink := ""
	for _, n := range p.all(tag("bdi")) {
		if s := rawText(n); strings.HasPrefix(s, "http://127.0.0.1:8321/signoffs/S-0001?log=") {
			permalink = strings.TrimPrefix(s, "http://127.0.0.1:8321")
		}
	}
	if permalink == "" {
		t.Fatalf("no permalink in %s", sheet)
	}
	d.as("ada").prepare(signoff.Challenger, signoff.Hold)
	contains(t, "printed", text(d.as("").page(permalink).one("printed")), "is the beginning of today's log")
	last := permalink[len(permalink)-1]
	other := byte('0')
	if last == other {
		other = '1'
	}
	contains(t, "printed", text(d.as("").page(permalink[:len(permalink)-1]+string(other)).one("printed")), "is not the beginning")
	if w := d.as("").do(http.MethodGet, "/signoffs/S-0001?log=x", nil); w.Code != http.StatusBadRequest {
		t.Errorf("log=x: %d", w.Code)
	}
	w := d.as("").do(http.MethodGet, "/signoffs/S-0001/bundle.zip", nil)
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/zip" {
		t.Fatalf("bundle: %d %s", w.Code, w.Body)
	}
	z, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	d.ok(err)
	if len(z.File) < len(x.Artifacts) {
		t.Errorf("%d files in the bundle for %d artifacts", len(z.File), len(x.Artifacts))
	}
	if w := d.as("").do(http.MethodGet, "/signoffs/S-0001/statement.txt", nil); w.Body.String() != x.Statement {
		t.Error("the statement alone is another one")
	}
}
