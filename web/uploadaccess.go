package web

import (
	"net"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/account"
)

// Who may write:
//
//	scripts    with a token, from anywhere the server can be reached (checkBearer)
//	the pages  on the machine itself without one, as long as the server answers to
//	           that machine only and the request comes from its own pages
//	           (fromHere); else with a token, and only to hand files in (checkForm)
//
// Reading is never part of this.
//
// That is so where no accounts are kept. Where they are, guard (auth.go) has decided
// before a handler runs: a person with the right, or a token with it.

// mayWrite reports whether pages offer to write: forms that would be refused are not
// shown.
func (s *Server) mayWrite(c echo.Context, x account.Right) bool {
	if s.cfg.Accounts != nil {
		v := visitorOf(c)
		return v.cookie && v.may(x)
	}
	return s.local(c.Request())
}

// writerOf is the name under which a person writes; "" where there are no accounts.
func (s *Server) writerOf(c echo.Context) string {
	if s.cfg.Accounts == nil {
		return ""
	}
	return visitorOf(c).session.Account.Name
}

// checkBearer refuses a request without a token that holds.
func (s *Server) checkBearer(c echo.Context) error {
	if s.cfg.Accounts != nil {
		return nil
	}
	header := c.Request().Header.Get(echo.HeaderAuthorization)
	if header == "" {
		return unauthorised(c, "This takes a token: send \"Authorization: Bearer TOKEN\". \"assay token add NAME\" makes one.")
	}
	scheme, secret, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return unauthorised(c, "Authorization: want \"Bearer TOKEN\".")
	}
	return s.checkToken(c, strings.TrimSpace(secret))
}

func (s *Server) checkToken(c echo.Context, secret string) error {
	ok := false
	if s.cfg.Tokens != nil && len(secret) <= longestParam {
		var err error
		if _, ok, err = s.cfg.Tokens.CheckToken(c.Request().Context(), secret); err != nil {
			return err
		}
	}
	if !ok {
		return unauthorised(c, "The token is not known here, or was revoked. \"assay token list\" shows which hold.")
	}
	return nil
}

func unauthorised(c echo.Context, text string) error {
	c.Response().Header().Set(echo.HeaderWWWAuthenticate, `Bearer realm="assay"`)
	return &statusError{status: http.StatusUnauthorized, text: text}
}

// checkForm lets a form of our pages through. It is not authorised yet when its token
// has still to be read from its fields.
func (s *Server) checkForm(c echo.Context) (authorised bool, err error) {
	if s.cfg.Accounts != nil {
		return true, nil
	}
	if c.Request().Header.Get(echo.HeaderAuthorization) != "" {
		return true, s.checkBearer(c)
	}
	if !s.local(c.Request()) {
		return false, nil
	}
	return true, s.fromHere(c)
}

// fromHere refuses what does not come from our own pages on this machine. A browser
// says where a request comes from; one that does not say is refused, since a page of
// another site could have made it.
func (s *Server) fromHere(c echo.Context) error {
	if s.cfg.Accounts != nil {
		return nil
	}
	r := c.Request()
	if !s.local(r) {
		return &statusError{status: http.StatusForbidden, text: "This can be done on the machine itself only, as there is no sign-in yet: open the page there, or use the command line."}
	}
	said := r.Header.Get("Sec-Fetch-Site") != "" || r.Header.Get("Origin") != ""
	if !said || s.origin.Check(r) != nil {
		return &statusError{status: http.StatusForbidden, text: "This request does not come from a page of this server. Open the page and use its form."}
	}
	return nil
}

// forwarded are headers that proxies add: what came through one comes from elsewhere.
var forwarded = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "Via"}

// local reports whether a request was made on this machine, to a name of this machine.
func (s *Server) local(r *http.Request) bool {
	if !s.cfg.LocalWrites {
		return false
	}
	for _, h := range forwarded {
		if r.Header.Get(h) != "" {
			return false
		}
	}
	return isLoopback(hostName(s.cfg.Listen)) && isLoopback(hostName(r.RemoteAddr)) && isLoopback(hostName(r.Host))
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
