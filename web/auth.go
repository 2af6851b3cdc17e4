package web

import (
	"context"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
)

// People answers for accounts, sessions and tokens.
type People interface {
	CheckPassword(ctx context.Context, name, password string) (account.Account, error)
	OpenSession(ctx context.Context, accountID int64, remote, agent string) (secret string, err error)
	Session(ctx context.Context, secret string) (account.Session, error)
	ProveSession(ctx context.Context, id int64) (secret string, err error)
	CloseSession(ctx context.Context, accountID, id int64) error
	CloseSessions(ctx context.Context, accountID int64) error
	Sessions(ctx context.Context, accountID int64) ([]account.Session, error)

	Account(ctx context.Context, name string) (account.Account, error)
	Accounts(ctx context.Context) ([]account.Account, error)
	AddAccount(ctx context.Context, name, fullName string, role account.Role) (account.Account, error)
	SetRole(ctx context.Context, name string, role account.Role) error
	DisableAccount(ctx context.Context, name string) error
	EnableAccount(ctx context.Context, name string) error
	Invite(ctx context.Context, name string) (secret string, err error)
	Invitation(ctx context.Context, secret string) (name string, err error)
	Welcome(ctx context.Context, secret, password string) (name string, err error)
	ChangePassword(ctx context.Context, name, old, password string) error

	Passkeys(ctx context.Context, accountID int64) ([]account.Passkey, error)
	AddPasskey(ctx context.Context, accountID int64, p account.Passkey) error
	UsePasskey(ctx context.Context, accountID int64, credential, record []byte) error
	RemovePasskey(ctx context.Context, accountID, id int64) error

	TokenOf(ctx context.Context, secret string) (evidence.TokenRow, bool, error)
	Tokens(ctx context.Context) ([]evidence.TokenRow, error)
	AddScopedToken(ctx context.Context, t evidence.TokenRow, secret evidence.Digest) error
	RevokeToken(ctx context.Context, name string) error
}

// Proxy is a reverse proxy in front: it says whether it was reached over TLS, and by whom.
// It may sign people in, and names them in a header.
type Proxy struct {
	Header string         // "" where it signs nobody in
	From   []netip.Prefix // whose headers count; the name from anybody else is refused
}

// visitor is who makes a request.
type visitor struct {
	session account.Session // of a person; its Account is zero for nobody
	token   *evidence.TokenRow
	cookie  bool // a browser sent it along by itself: writing needs more
	proxy   bool
}

func (v *visitor) person() bool { return v.session.Account.ID != 0 }

// tokensMay are the rights that a token can have at all: whatever the archive says of it,
// it signs nothing and keeps no accounts.
var tokensMay = []account.Right{account.MayRead, account.MayHandIn}

func (v *visitor) may(x account.Right) bool {
	if v.token != nil {
		return slices.Contains(tokensMay, x) && v.token.May(string(x))
	}
	return v.session.Account.Role.May(x)
}

const visitorKey = "assay.visitor"

// visitorOf is who makes the request; nobody when there are no accounts.
func visitorOf(c echo.Context) *visitor {
	if v, ok := c.Get(visitorKey).(*visitor); ok {
		return v
	}
	return &visitor{}
}

// guard says who makes a request and whether they may. Without accounts the handlers
// decide by where the request comes from (uploadaccess.go).
func (s *Server) guard(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if s.cfg.Accounts == nil {
			return next(c)
		}
		v, err := s.visitor(c)
		if err != nil {
			return err
		}
		c.Set(visitorKey, v)
		if err := s.authorise(c, v); err != nil {
			return err
		}
		return next(c)
	}
}

// visitor finds out who makes the request: a token, a person whom the proxy names, or a
// person with a session.
func (s *Server) visitor(c echo.Context) (*visitor, error) {
	r := c.Request()
	header := r.Header.Get(echo.HeaderAuthorization)
	scheme, secret, _ := strings.Cut(header, " ")
	if strings.EqualFold(scheme, "Bearer") {
		return s.bearer(c, strings.TrimSpace(secret))
	}
	if v, err := s.proxied(c); v != nil || err != nil { // which may pass on the password that it asked for
		return v, err
	}
	if header != "" {
		return nil, unauthorised(c, "Authorization: want \"Bearer TOKEN\".")
	}
	cookie, err := r.Cookie(s.sessionCookie(r))
	if err != nil {
		return &visitor{}, nil
	}
	session, err := s.cfg.Accounts.Session(r.Context(), cookie.Value)
	if errors.Is(err, evidence.ErrNotFound) {
		return &visitor{}, nil
	}
	if err != nil {
		return nil, err
	}
	return &visitor{session: session, cookie: true}, nil
}

func (s *Server) bearer(c echo.Context, secret string) (*visitor, error) {
	if len(secret) > longestParam {
		return nil, unauthorised(c, "The token is not known here.")
	}
	t, ok, err := s.cfg.Accounts.TokenOf(c.Request().Context(), secret)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, unauthorised(c, "The token is not known here, was revoked, or its time is over. \"assay token list\" shows which hold.")
	}
	return &visitor{token: &t}, nil
}

// proxied is the person whom a reverse proxy names. The header of anybody else is an
// error and not overlooked: either the proxy is not configured, or somebody tries.
func (s *Server) proxied(c echo.Context) (*visitor, error) {
	p := s.cfg.Proxy
	if p == nil || p.Header == "" {
		return nil, nil
	}
	values := c.Request().Header.Values(p.Header)
	if len(values) == 0 {
		return nil, nil
	}
	if !p.trusts(c.Request().RemoteAddr) || len(values) > 1 {
		return nil, &statusError{status: http.StatusForbidden, text: "The header " + p.Header + " is accepted from the configured proxy only, once."}
	}
	x, err := s.cfg.Accounts.Account(c.Request().Context(), strings.ToLower(strings.TrimSpace(values[0])))
	if errors.Is(err, evidence.ErrNotFound) || err == nil && !x.Holds() {
		return nil, &statusError{status: http.StatusForbidden, text: "The proxy names somebody who has no account here."}
	}
	if err != nil {
		return nil, err
	}
	return &visitor{session: account.Session{Account: x, CSRF: s.proxyCSRF(x.Name)}, cookie: true, proxy: true}, nil
}

// client is the address that a request comes from: behind the proxy the last one that is
// not a proxy's. What stands before it the client wrote.
func (s *Server) client(r *http.Request) string {
	host := hostName(r.RemoteAddr)
	if s.cfg.Proxy == nil || !s.cfg.Proxy.trusts(r.RemoteAddr) {
		return host
	}
	named := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, x := range slices.Backward(named) {
		addr, err := netip.ParseAddr(strings.TrimSpace(x))
		if err != nil {
			break
		}
		if !s.cfg.Proxy.has(addr) {
			return addr.String()
		}
	}
	return host
}

func (p *Proxy) trusts(remote string) bool {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return false
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && p.has(addr)
}

func (p *Proxy) has(addr netip.Addr) bool {
	for _, prefix := range p.From {
		if prefix.Contains(addr.Unmap()) {
			return true
		}
	}
	return false
}

// authorise holds a request against what its route needs.
func (s *Server) authorise(c echo.Context, v *visitor) error {
	need, known := s.rightFor(c)
	if !known {
		need = account.MayRead // an address that is none: whoever may read is told so
	}
	if need == "" {
		return nil
	}
	safe := safeMethod(c.Request().Method)
	if safe && need == account.MayRead && s.cfg.PublicRead && v.token == nil {
		return nil
	}
	if !v.may(need) {
		return s.refuse(c, v, need)
	}
	if safe || !v.cookie {
		return nil
	}
	return s.checkOwnForm(c, v)
}

func safeMethod(m string) bool {
	return m == http.MethodGet || m == http.MethodHead || m == http.MethodOptions
}

// refuse sends whoever is not signed in to do so, and tells others what they lack.
func (s *Server) refuse(c echo.Context, v *visitor, need account.Right) error {
	r := c.Request()
	if v.person() {
		return &statusError{status: http.StatusForbidden, text: "This needs " + rightWords[need] + ". You are signed in as " + v.session.Account.Name + ", whose role is " + string(v.session.Account.Role) + "."}
	}
	if v.token != nil {
		return &statusError{status: http.StatusForbidden, text: "This token has no right to it (" + string(need) + ")."}
	}
	if r.Method == http.MethodGet && wantsPage(r) {
		return c.Redirect(http.StatusSeeOther, "/signin?next="+queryEscape(r.URL.RequestURI()))
	}
	return unauthorised(c, "This needs "+rightWords[need]+": sign in, or send \"Authorization: Bearer TOKEN\".")
}

var rightWords = map[account.Right]string{
	account.MayRead: "a sign-in", account.MayHandIn: "the right to hand in (reviewer, promoter, admin)",
	account.MayRepair: "the right to repair (reviewer, promoter, admin)", account.MayPrepare: "the right to prepare a sign-off (reviewer, promoter, admin)",
	account.MaySign: "the right to sign (promoter)", account.MayRun: "the right to run (promoter, admin)", account.MayAccounts: "the right to keep accounts (admin)",
}

// wantsPage reports whether a browser asks for a page, and not a script for a file.
func wantsPage(r *http.Request) bool {
	if wantsJSON(r) {
		return false
	}
	accept := r.Header.Get("Accept")
	if strings.Contains(accept, "text/html") {
		return true
	}
	file := strings.HasPrefix(r.URL.Path, "/export/") || path.Ext(r.URL.Path) != "" || strings.HasSuffix(r.URL.Path, "/raw")
	return !file && (accept == "" || strings.Contains(accept, "*/*"))
}

// checkOwnForm refuses what a browser was made to send by a page that is not ours. The
// browser says where a request comes from; and the form carries what only our page knows,
// except where files are handed in, whose body is read as it comes.
func (s *Server) checkOwnForm(c echo.Context, v *visitor) error {
	r := c.Request()
	said := r.Header.Get("Sec-Fetch-Site") != "" || r.Header.Get("Origin") != ""
	if s.origin.Check(r) != nil || uploads(c) && !said {
		return foreignForm()
	}
	if uploads(c) {
		return nil
	}
	token := r.Header.Get("X-CSRF-Token")
	if token == "" {
		token = c.FormValue("csrf")
	}
	if subtle.ConstantTimeCompare([]byte(token), []byte(v.session.CSRF)) != 1 {
		return foreignForm()
	}
	return nil
}

func foreignForm() error {
	return &statusError{status: http.StatusForbidden, text: "This request does not come from a page of this server, or the page is from an earlier sign-in. Open the page again and use its form."}
}
