package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/account"
)

// What each route needs. Whoever may read may GET; the rest is written down here, and a
// route that is not refuses to start.
//
// "" is open to everybody: signing in must be.
var writeRights = map[string]account.Right{
	"POST /theme":   "",
	"POST /signin":  "",
	"POST /signout": "",

	"POST /signin/passkey/begin":  "",
	"POST /signin/passkey/finish": "",
	"POST /welcome/:secret":       "",

	"POST " + artifactsAPI: account.MayHandIn,
	"POST " + intakePath:   account.MayHandIn,

	"POST /repair/declare":  account.MayRepair,
	"POST /repair/alias":    account.MayRepair,
	"POST /repair/move":     account.MayRepair,
	"POST /repair/withdraw": account.MayRepair,

	"POST /account/password":        account.MayRead,
	"POST /account/sessions/close":  account.MayRead,
	"POST /account/passkeys/begin":  account.MayRead,
	"POST /account/passkeys/finish": account.MayRead,
	"POST /account/passkeys/remove": account.MayRead,
	"POST /account/tokens/add":      account.MayRead,
	"POST /account/tokens/revoke":   account.MayRead,

	"POST /signoffs/drafts":             account.MayPrepare,
	"POST /signoffs/drafts/:id":         account.MayPrepare,
	"POST /signoffs/drafts/:id/preview": account.MayPrepare,
	"POST /signoffs/drafts/:id/passkey": account.MaySign,
	"POST /signoffs/:number/check":      account.MayPrepare,
	"POST /signoffs/:number/withdraw":   account.MaySign,
	"POST " + signoffsAPI:               account.MaySign,
	"POST /standing/supersede":          account.MayRepair,
	"POST /standing/invalidate":         account.MayRepair,
	"POST /standing/withdraw":           account.MayRepair,

	"POST /accounts/add":    account.MayAccounts,
	"POST /accounts/role":   account.MayAccounts,
	"POST /accounts/state":  account.MayAccounts,
	"POST /accounts/invite": account.MayAccounts,

	"POST /accounts/passkeys": account.MayAccounts,
}

// readRights are pages that need more than reading, or nothing. A page's own table needs
// what the page does.
var readRights = map[string]account.Right{
	"/signin":          "",
	"/welcome/:secret": "",
	assetPath + "*":    "",
	"/accounts":        account.MayAccounts,

	draftsPath + "/:id":               account.MayPrepare,
	draftsPath + "/:id/statement.txt": account.MayPrepare,
	signoffsAPI + "/drafts/:id":       account.MayPrepare,
}

// personal are pages about whoever asks: public reading does not open them.
var personal = map[string]bool{"/account": true}

// rightFor is what the route of a request needs.
func (s *Server) rightFor(c echo.Context) (account.Right, bool) {
	return routeRight(c.Request().Method, c.Path())
}

func routeRight(method, path string) (account.Right, bool) {
	if safeMethod(method) {
		for _, ext := range tableFormats {
			path = strings.TrimSuffix(path, ext)
		}
		if x, ok := readRights[path]; ok {
			return x, true
		}
		return account.MayRead, true
	}
	x, ok := writeRights[method+" "+path]
	return x, ok
}

// checkRights is the fault of a build in which a route that writes has no right.
func (s *Server) checkRights() error {
	for _, r := range s.echo.Routes() {
		if _, ok := routeRight(r.Method, r.Path); !ok && !strings.Contains(r.Path, "echo_route_not_found") && r.Method != echo.RouteNotFound {
			return fmt.Errorf("web: route %s %s has no right", r.Method, r.Path)
		}
	}
	return nil
}

// needsPerson refuses whoever is not signed in as a person, public reading or not.
func needsPerson(c echo.Context) (*visitor, error) {
	v := visitorOf(c)
	if !v.person() {
		return nil, &statusError{status: http.StatusUnauthorized, text: "This page is about whoever is signed in. Sign in first."}
	}
	return v, nil
}

func queryEscape(s string) string { return url.QueryEscape(s) }

// proxyCSRF is what forms carry of people whom the proxy signs in: they have no session
// of ours. It holds as long as the server runs.
func (s *Server) proxyCSRF(name string) string {
	mac := hmac.New(sha256.New, s.secret[:])
	mac.Write([]byte("csrf\x00" + name))
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// secure reports whether the browser is reached over TLS, ours or that of a proxy which
// says so.
func (s *Server) secure(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	return s.cfg.Proxy != nil && s.cfg.Proxy.trusts(r.RemoteAddr) && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// sessionCookie is the name of the cookie: with TLS one that no other host and no plain
// connection can set.
func (s *Server) sessionCookie(r *http.Request) string {
	if s.secure(r) {
		return "__Host-assay"
	}
	return "assay_session"
}

func (s *Server) setSession(c echo.Context, secret string) {
	r := c.Request()
	c.SetCookie(&http.Cookie{Name: s.sessionCookie(r), Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.secure(r), MaxAge: sessionAge})
}

func (s *Server) dropSession(c echo.Context) {
	r := c.Request()
	c.SetCookie(&http.Cookie{Name: s.sessionCookie(r), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.secure(r), MaxAge: -1})
}

// sessionAge is how long a browser keeps the cookie; the archive ends the session itself.
const sessionAge = 12 * 60 * 60 // seconds

// signinURL leads to signing in and back to the page.
func signinURL(r *http.Request) string {
	if r.URL.Path == signinPath || strings.HasPrefix(r.URL.Path, "/welcome/") {
		return signinPath
	}
	return signinPath + "?next=" + queryEscape(r.URL.RequestURI())
}
