package web_test

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/net/html"

	"assay/assets/example"
	"assay/ingest"
	"assay/store"
	"assay/store/account"
	"assay/store/compare"
	"assay/store/review"
	"assay/store/signoff"
	"assay/web"
	"assay/web/view"
)

// signers are the people of a test: their keys are in memory.
type signers struct {
	*store.Archive
	keys map[string]note.Signer
}

func (p signers) Welcome(ctx context.Context, secret, password string) (string, error) {
	return p.UseInvitation(ctx, secret, password)
}

func (p signers) ChangePassword(ctx context.Context, name, _, password string) error {
	return p.SetPassword(ctx, name, password)
}

func (p signers) Unlock(ctx context.Context, name, password string) (note.Signer, account.AccountKey, error) {
	x, err := p.CheckPassword(ctx, name, password)
	if err != nil {
		return nil, account.AccountKey{}, err
	}
	return p.keys[name], x.Keys[0], nil
}

// desk is a server on whose pages decisions are made, over an archive with the campaign
// that can be signed.
type desk struct {
	t       *testing.T
	site    *web.Server
	archive *store.Archive
	review  *review.Desk
	people  signers
}

const testPassword = "correct horse battery"

func newDesk(t *testing.T) *desk {
	t.Helper()
	if testing.Short() {
		t.Skip("takes passwords and a whole campaign: minutes under the race detector")
	}
	d := &desk{t: t, people: signers{keys: map[string]note.Signer{}}}
	secret, public, err := note.GenerateKey(rand.Reader, "assay-archive")
	d.ok(err)
	server, err := note.NewSigner(secret)
	d.ok(err)
	d.archive, err = store.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), store.Options{Same: compare.SameMeaning, Signers: []note.Signer{server}, Verifier: public})
	d.ok(err)
	t.Cleanup(func() { d.ok(d.archive.Close()) })
	docs, err := example.Complete()
	d.ok(err)
	d.take(example.Campaign, docs...)
	d.people.Archive = d.archive
	for _, x := range []struct {
		name string
		role account.Role
	}{{"ada", account.Reviewer}, {"grace", account.Promoter}, {"linus", account.Promoter}, {"vera", account.Viewer}} {
		d.person(x.name, x.role)
	}
	d.review = review.Over(d.archive, view.CompareTable, nil)
	d.site, err = web.New(web.Config{Archive: d.archive, Assets: plainAssets{}, Listen: "127.0.0.1:8321", Accounts: d.people, PublicRead: true, Repairs: d.archive, Waivers: d.archive,
		SignOffs: d.review, Decisions: d.review, PersonKeys: d.people, Vault: d.archive, TransparencyLog: d.archive, Policies: d.archive})
	d.ok(err)
	return d
}

func (d *desk) ok(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) take(campaign string, docs ...example.Document) {
	d.t.Helper()
	sources := make([]ingest.Source, len(docs))
	for i, x := range docs {
		sources[i] = ingest.Blob(x.Name, "test", x.Data)
	}
	_, err := ingest.Take(d.t.Context(), d.archive, sources, ingest.Options{Campaign: campaign})
	d.ok(err)
}

func (d *desk) person(name string, role account.Role) {
	d.t.Helper()
	ctx := d.t.Context()
	_, err := d.archive.AddAccount(ctx, name, strings.ToUpper(name[:1])+name[1:], role)
	d.ok(err)
	if role == account.Promoter { // hashing takes a while, and the others type none
		d.ok(d.archive.SetPassword(ctx, name, testPassword))
	}
	secret, public, err := note.GenerateKey(rand.Reader, "person-"+name)
	d.ok(err)
	d.people.keys[name], err = note.NewSigner(secret)
	d.ok(err)
	print, err := signoff.Fingerprint(account.KeyNote, public)
	d.ok(err)
	d.ok(d.archive.AddKey(ctx, name, account.AccountKey{Kind: account.KeyNote, Public: public, Fingerprint: print, Label: "kept by the server"}))
}

// visitor is somebody at a browser.
type visitor struct {
	*desk
	cookie, csrf string
}

// as signs somebody in; "" is nobody.
func (d *desk) as(name string) *visitor {
	d.t.Helper()
	v := &visitor{desk: d}
	if name == "" {
		return v
	}
	secret, err := d.archive.OpenSession(d.t.Context(), d.account(name).ID, "127.0.0.1", "test")
	d.ok(err)
	v.cookie = "assay_session=" + secret
	s, err := d.archive.Session(d.t.Context(), secret)
	d.ok(err)
	v.csrf = s.CSRF
	return v
}

func (d *desk) account(name string) account.Account {
	d.t.Helper()
	a, err := d.archive.Account(d.t.Context(), name)
	d.ok(err)
	return a
}

func (v *visitor) do(method, path string, form url.Values, header ...string) *httptest.ResponseRecorder {
	v.t.Helper()
	var body *strings.Reader = strings.NewReader("")
	if form != nil {
		form.Set("csrf", v.csrf)
		body = strings.NewReader(form.Encode())
	}
	r := httptest.NewRequest(method, "http://127.0.0.1:8321"+path, body)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	if v.cookie != "" {
		r.Header.Set("Cookie", v.cookie)
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	v.site.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.Name == "assay_session" {
			v.cookie = "assay_session=" + c.Value
		}
	}
	return w
}

// page opens a page that is there.
func (v *visitor) page(path string) doc {
	v.t.Helper()
	w := v.do(http.MethodGet, path, nil)
	if w.Code != http.StatusOK {
		v.t.Fatalf("GET %s: %d %s", path, w.Code, w.Body)
	}
	return parse(v.t, path, w.Body.String())
}

// draftForm are the fields of the form on a page as a browser would send them.
func draftForm(d doc) url.Values {
	out := url.Values{}
	in := d.all(func(n *html.Node) bool { return n.Data == "form" && has(n, "data-draft") })
	if len(in) != 1 {
		d.t.Fatalf("%s: %d forms of a draft", d.path, len(in))
	}
	for _, n := range under(in[0], func(n *html.Node) bool { return has(n, "name") && !has(n, "disabled") }) {
		name, kind := attr(n, "name"), attr(n, "type")
		switch {
		case n.Data == "textarea":
			out.Set(name, strings.TrimPrefix(rawText(n), "\n"))
		case n.Data != "input":
		case (kind == "checkbox" || kind == "radio") && has(n, "checked"):
			out.Add(name, attr(n, "value"))
		case kind == "hidden" || kind == "text" || kind == "password":
			out.Set(name, attr(n, "value"))
		}
	}
	return out
}

func rawText(n *html.Node) string {
	var b strings.Builder
	for x := range n.Descendants() {
		if x.Type == html.TextNode {
			b.WriteString(x.Data)
		}
	}
	return b.String()
}

// open begins a draft and gives its address.
func (v *visitor) open(target signoff.Target) string {
	v.t.Helper()
	p := v.page(view.CampaignURL(example.Campaign) + "/decide?target=" + string(target))
	in := url.Values{}
	for _, n := range under(p.one("prepare"), func(n *html.Node) bool { return n.Data == "input" && attr(n, "type") == "hidden" }) {
		in.Add(attr(n, "name"), attr(n, "value"))
	}
	w := v.do(http.MethodPost, "/signoffs/drafts", in)
	if w.Code != http.StatusSeeOther {
		v.t.Fatalf("open: %d %s", w.Code, w.Body)
	}
	return w.Header().Get("Location")
}

// fill acknowledges every row with a reason and says the rest.
func fill(d doc, decision signoff.Decision) url.Values {
	in := draftForm(d)
	in.Set("decision", string(decision))
	in.Set("scope", "chat at eight requests a replica")
	in.Set("reason", "measured and read")
	in.Del("ack")
	for _, n := range d.ids("ack") {
		id := attr(n, "data-item")
		in.Add("ack", id)
		if in.Has("r." + id) {
			in.Set("r."+id, "read; it does not touch this use")
		}
	}
	return in
}

// prepare opens a draft, fills it in and hands it over.
func (v *visitor) prepare(target signoff.Target, decision signoff.Decision) string {
	v.t.Helper()
	path := v.open(target)
	in := fill(v.page(path), decision)
	in.Set("do", "ready")
	if w := v.do(http.MethodPost, path, in); w.Code != http.StatusSeeOther {
		v.t.Fatalf("hand over: %d\n%s", w.Code, refusedWords(v.t, w))
	}
	return path
}

// sign signs what the page of a draft shows.
func (v *visitor) sign(path string) *httptest.ResponseRecorder {
	v.t.Helper()
	in := draftForm(v.page(path))
	in.Set("do", "sign")
	in.Set("password", testPassword)
	return v.do(http.MethodPost, path, in)
}

func refusedWords(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	d := parse(t, "answer", w.Body.String())
	if found := d.ids("refused"); len(found) == 1 {
		return text(found[0])
	}
	return w.Body.String()
}
