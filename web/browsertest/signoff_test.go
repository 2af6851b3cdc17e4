package browsertest

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"golang.org/x/mod/sumdb/note"

	"assay/assets"
	"assay/assets/example"
	"assay/ingest"
	"assay/store"
	"assay/store/account"
	"assay/store/compare"
	"assay/store/keyring"
	"assay/store/review"
	"assay/store/signoff"
	"assay/web"
	"assay/web/view"
)

// signers keep passwords in the archive and the keys under them in a ring.
type signers struct {
	*store.Archive
	ring *keyring.Ring
}

func (p signers) Welcome(ctx context.Context, secret, password string) (string, error) {
	return p.UseInvitation(ctx, secret, password)
}

func (p signers) ChangePassword(ctx context.Context, name, _, password string) error {
	return p.SetPassword(ctx, name, password)
}

func (p signers) Unlock(ctx context.Context, name, password string) (note.Signer, account.AccountKey, error) {
	signer, public, err := p.ring.Unlock(name, password)
	return signer, account.AccountKey{Kind: account.KeyNote, Public: public.Verifier, Fingerprint: public.Fingerprint}, err
}

const password = "correct horse battery"

// signHouse is a server at localhost, where browsers give passkeys, over the campaign that
// can be signed, with one person to prepare and one to sign.
func signHouse(t *testing.T) (*house, *review.Desk) {
	t.Helper()
	ctx := t.Context()
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	secret, public, err := note.GenerateKey(rand.Reader, "assay-archive")
	ok(err)
	server, err := note.NewSigner(secret)
	ok(err)
	archive, err := store.Open(ctx, filepath.Join(t.TempDir(), "a.db"), store.Options{Same: compare.SameMeaning, Signers: []note.Signer{server}, Verifier: public})
	ok(err)
	t.Cleanup(func() { ok(archive.Close()) })
	docs, err := example.Complete()
	ok(err)
	var sources []ingest.Source
	for _, d := range docs {
		sources = append(sources, ingest.Blob(d.Name, "example", d.Data))
	}
	_, err = ingest.Take(ctx, archive, sources, ingest.Options{Campaign: example.Campaign})
	ok(err)
	people := signers{archive, keyring.New(filepath.Join(t.TempDir(), "keys"))}
	for name, role := range map[string]account.Role{"ada": account.Reviewer, "grace": account.Promoter} {
		_, err := archive.AddAccount(ctx, name, strings.ToUpper(name[:1])+name[1:]+" Example", role)
		ok(err)
		ok(archive.SetPassword(ctx, name, password))
		k, err := people.ring.Create(name, password, rand.Reader)
		ok(err)
		ok(archive.AddKey(ctx, name, account.AccountKey{Kind: account.KeyNote, Public: k.Verifier, Fingerprint: k.Fingerprint}))
	}
	files, err := assets.New()
	ok(err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ok(err)
	desk := review.Over(archive, view.CompareTable, nil)
	s, err := web.New(web.Config{Archive: archive, Assets: files, Listen: l.Addr().String(), Accounts: people, PublicRead: true, Repairs: archive, Waivers: archive,
		SignOffs: desk, Decisions: desk, PersonKeys: people, Vault: archive, TransparencyLog: archive, Version: "test"})
	ok(err)
	srv := &httptest.Server{Listener: l, Config: &http.Server{Handler: s}}
	srv.Start()
	t.Cleanup(srv.Close)
	return &house{t: t, base: fmt.Sprintf("http://localhost:%d", l.Addr().(*net.TCPAddr).Port)}, desk
}

// tabTo presses the tab key until the focus is on what is looked for.
func (b *browser) tabTo(selector string) {
	b.t.Helper()
	at := fmt.Sprintf(`document.activeElement.matches(%q)`, selector)
	for range 600 {
		b.do("tab", chromedp.KeyEvent(kb.Tab))
		if eval[bool](b, at) {
			return
		}
	}
	b.t.Fatalf("the tab key never comes to %s", selector)
}

func (b *browser) press(what, keys string) {
	b.t.Helper()
	b.do(what, chromedp.KeyEvent(keys))
}

// at waits until a page is there.
func (b *browser) at(pathPattern string) string {
	b.t.Helper()
	b.until(pathPattern, fmt.Sprintf(`new RegExp(%q).test(location.pathname) && document.readyState === "complete"`, pathPattern))
	return eval[string](b, "location.pathname")
}

// enter signs somebody in with the keyboard.
func (b *browser) enter(h *house, name, next string) {
	b.t.Helper()
	b.do("forget who was there", action(network.ClearBrowserCookies, cdp.Empty{}))
	b.visit(h.base + "/signin?next=" + next)
	b.tabTo("#s-name")
	b.press("name", name)
	b.tabTo("#s-password")
	b.press("password", password+kb.Enter)
}

// TestCeremonyByKeyboard goes from the evidence to the printed sheet with the keyboard
// alone: one person prepares, another signs with a passkey.
func TestCeremonyByKeyboard(t *testing.T) {
	b := newBrowser(t)
	h, desk := signHouse(t)
	b.look("light", 1440)
	b.do("an authenticator", action(webauthn.Enable, webauthn.EnableParams{}))
	added, err := chromedp.Call(b.ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal, HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.do("take the authenticator away", action(webauthn.RemoveVirtualAuthenticator, webauthn.RemoveVirtualAuthenticatorParams(added)),
		action(webauthn.Disable, cdp.Empty{}))

	campaign := view.CampaignURL(example.Campaign)
	b.enter(h, "ada", campaign+"/decide")
	b.at("/decide$")
	b.shot("sign-1-decide")
	b.sound("the decision")
	b.look("light", 1440)
	b.tabTo("[data-testid=prepare] button")
	b.press("prepare a statement", kb.Enter)
	draft := b.at("/signoffs/drafts/[0-9]+$")
	b.shot("sign-1-draft")
	b.prepare(draft)
	b.settle("preparing")

	b.enter(h, "grace", "/account")
	b.at("/account$")
	b.tabTo("[data-passkey-label]")
	b.press("a name for the passkey", "laptop")
	b.tabTo("[data-passkey-start]")
	b.press("add a passkey", kb.Enter)
	b.until("the passkey is there", `location.search.includes("done=passkey") && document.readyState === "complete"`)
	b.settle("adding a passkey")

	b.visit(h.base + draft)
	b.tabTo(".keys input")
	b.press("choose the passkey", kb.ArrowDown)
	b.until("the statement names the passkey", `/\nkey: passkey /.test(document.querySelector("[data-statement]").textContent)`)
	b.sound("the draft of a signer")
	b.look("light", 1440)
	b.shot("sign-4-signer")
	read := eval[string](b, `document.querySelector("[data-statement]").textContent`)
	b.tabTo(".by-passkey [data-passkey-start]")
	b.press("sign", kb.Enter)
	b.at("^/signoffs/S-0001$")
	b.shot("sign-5-signed")
	if signed := eval[string](b, `document.querySelector("[data-statement]").textContent`); signed != read {
		t.Errorf("signed is\n%s\nand what was read\n%s", signed, read)
	}
	s, err := desk.SignOff(t.Context(), "S-0001")
	if err != nil || s.Statement != read || s.Claim.Kind != account.KeyPasskey || s.Decision != signoff.Hold {
		t.Errorf("%v %+v", err, s.Claim)
	}
	b.sound("the sign-off")
	b.settle("signing")
	for _, p := range []string{"/", "/signoffs", "/standing", "/reference", campaign, campaign + "/decide", draft, "/signoffs/S-0001/sheet", view.ArtifactURL(s.Artifacts[0])} {
		b.visit(h.base + p)
		b.sound(p)
		b.settle(p)
	}
	b.sheets(h)
}

// prepare fills a draft in with the keyboard and hands it over.
func (b *browser) prepare(draft string) {
	b.t.Helper()
	if eval[bool](b, `document.querySelectorAll("[data-testid=ack]").length === 0`) {
		b.t.Fatal("nothing to acknowledge")
	}
	b.tabTo("input[name=decision]")
	b.press("hold", kb.ArrowDown)
	for end := 0; eval[string](b, `document.querySelector("input[name=decision]:checked")?.value || ""`) != "hold"; end++ {
		if end > 6 {
			b.t.Fatal("the arrow keys do not come to hold")
		}
		b.press("next", kb.ArrowDown)
	}
	rows := eval[[]string](b, `[...document.querySelectorAll("[data-testid=ack]")].map((r) => r.dataset.item)`)
	for _, id := range rows {
		b.tabTo("#i-" + cssID(id))
		b.press("tick", " ")
		if eval[bool](b, `!!document.getElementById("r-`+id+`")`) {
			b.tabTo("#r-" + cssID(id))
			b.press("say why", "read, and it does not touch this use")
		}
	}
	b.tabTo("#scope")
	b.press("scope", "chat at eight requests a replica")
	b.tabTo("#reason")
	b.press("reason", "the way back is to be taken once more first")
	b.until("everything is said", `document.querySelectorAll(".ack.miss").length === 0 && /scope: chat at eight/.test(document.querySelector("[data-statement]").textContent) && /reason: the way back/.test(document.querySelector("[data-statement]").textContent)`)
	b.shot("sign-2-filled")
	b.do("a phone", chromedp.EmulateViewport(390, 900))
	b.shot("sign-2-filled-390")
	eval[bool](b, `(scrollTo(0, 0), true)`)
	b.shot("sign-2-top-390")
	b.sound("a draft")
	b.look("light", 1440)
	b.do("focus", chromedp.Focus(chromedp.CSS("#reason")))
	b.tabTo("#handover button[value=ready]")
	b.press("hand over", kb.Enter)
	b.until("it is handed over", `(document.querySelector("[data-testid=said]")?.innerText || "").includes("Handed over") && document.readyState === "complete"`)
	b.shot("sign-3-handed-over")
}

// cssID writes an id of hexadecimal digits for a selector.
func cssID(id string) string {
	if id[0] >= '0' && id[0] <= '9' {
		return `\3` + id[:1] + " " + id[1:]
	}
	return id
}

var (
	pdfPage = regexp.MustCompile(`/Type\s*/Page[^s]`)
	pdfBox  = regexp.MustCompile(`/MediaBox\s*\[\s*0 0 ([0-9.]+) ([0-9.]+)\s*\]`)
)

// sheets prints the sheet on both papers and looks at what came out.
func (b *browser) sheets(h *house) {
	b.t.Helper()
	for paper, size := range map[string][2]string{"a4": {"594", "841"}, "letter": {"612", "792"}} {
		b.visit(h.base + "/signoffs/S-0001/sheet?paper=" + paper)
		b.shot("sign-6-sheet-" + paper)
		yes := true
		out, err := chromedp.Call(b.ctx, page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: &yes})
		if err != nil {
			b.t.Fatal(err)
		}
		if dir := os.Getenv("ASSAY_SHOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, "sheet-"+paper+".pdf"), out.Data, 0o644); err != nil {
				b.t.Error(err)
			}
		}
		boxes := pdfBox.FindAllSubmatch(out.Data, -1)
		if len(boxes) == 0 || slices.ContainsFunc(boxes, func(m [][]byte) bool {
			return !bytes.HasPrefix(m[1], []byte(size[0])) || !bytes.HasPrefix(m[2], []byte(size[1]))
		}) {
			b.t.Errorf("%s: pages of %q, want %v points", paper, boxes, size)
		}
		if n := len(pdfPage.FindAll(out.Data, -1)); n < 2 || n > 8 {
			b.t.Errorf("%s: %d pages", paper, n)
		}
		b.do("paper", action(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}), chromedp.EmulateViewport(760, 1100))
		if wide := eval[string](b, overflow); wide != "" {
			b.t.Errorf("%s: cut on paper: %s", paper, wide)
		}
		b.shot("sign-7-print-" + paper)
		b.do("screen", action(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: ""}))
		b.look("light", 1440)
		b.settle("sheet on " + paper)
	}
}
