package web

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/web/page"
	"assay/web/view"
)

// account is the page of whoever is signed in.
func (s *Server) account(c echo.Context) error {
	v, err := needsPerson(c)
	if err != nil {
		if wantsPage(c.Request()) {
			return c.Redirect(http.StatusSeeOther, signinURL(c.Request()))
		}
		return err
	}
	done := map[string]string{
		"passkey": "The passkey is added.", "removed": "The passkey is removed.", "revoked": "The token is revoked."}[c.QueryParam("done")]
	return s.showAccount(c, v, http.StatusOK, saying{done: done})
}

// saying is what a page tells of the form that was sent.
type saying struct{ done, fault, secret string }

func (s *Server) showAccount(c echo.Context, v *visitor, status int, said saying) error {
	ctx := c.Request().Context()
	x, err := s.cfg.Accounts.Account(ctx, v.session.Account.Name)
	if err != nil {
		return err
	}
	passkeys, err := s.cfg.Accounts.Passkeys(ctx, x.ID)
	if err != nil {
		return err
	}
	sessions, err := s.cfg.Accounts.Sessions(ctx, x.ID)
	if err != nil {
		return err
	}
	tokens, err := s.tokensOf(ctx, &x)
	if err != nil {
		return err
	}
	p := view.BuildAccount(&x, passkeys, sessions, tokens, v.session.ID, s.cfg.Now())
	p.Done, p.Fault, p.TokenSecret, p.PasskeyWhyNot = said.done, said.fault, said.secret, s.passkeyWhyNot(c.Request())
	c.Response().Header().Set("Cache-Control", "no-store")
	ch := s.chrome(c, "Your account", "")
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Your account"}}
	if ch.Who.Accounts {
		ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Accounts", Href: "/accounts"}, {Label: "Your account"}}
	}
	s.addFiles(&ch, []string{"account.css"}, []string{"passkey.js"})
	return s.write(c, status, page.Account(ch, p))
}

// accountPassword changes the password of whoever is signed in. Guessing the old one is
// held back as signing in is.
func (s *Server) accountPassword(c echo.Context) error {
	v, err := needsPerson(c)
	if err != nil {
		return err
	}
	name, old, password := v.session.Account.Name, c.FormValue("old"), c.FormValue("password")
	if password != c.FormValue("again") {
		return s.showAccount(c, v, http.StatusUnprocessableEntity, saying{fault: "The two new passwords differ; nothing was changed."})
	}
	if _, err := s.tryEntry(c, name, old); err != nil && !wrongProof(err) {
		return err
	} else if err != nil {
		return s.showAccount(c, v, http.StatusUnprocessableEntity, saying{fault: proofWords(err) + " Nothing was changed."})
	}
	release, err := s.hashing(c.Request().Context())
	if err != nil {
		return err
	}
	err = s.cfg.Accounts.ChangePassword(c.Request().Context(), name, old, password)
	release()
	if text, ok := callersFault(err); ok {
		return s.showAccount(c, v, http.StatusUnprocessableEntity, saying{fault: text})
	}
	if err != nil {
		return err
	}
	s.dropSession(c)
	return c.Redirect(http.StatusSeeOther, signinPath)
}

// wrongProof tells a proof that does not hold from a fault of ours.
func wrongProof(err error) bool {
	var wait waitError
	return errors.As(err, &wait) || errors.Is(err, account.ErrNoEntry)
}

func proofWords(err error) string {
	if wait, ok := err.(waitError); ok {
		return "Too many attempts. Try again in " + view.WaitWords(wait.d) + "."
	}
	return "The password does not fit."
}

func (s *Server) accountSessions(c echo.Context) error {
	v, err := needsPerson(c)
	if err != nil {
		return err
	}
	if err := s.cfg.Accounts.CloseSessions(c.Request().Context(), v.session.Account.ID); err != nil {
		return err
	}
	s.dropSession(c)
	return c.Redirect(http.StatusSeeOther, signinPath)
}

// accounts lists all people, for admins.
func (s *Server) accounts(c echo.Context) error {
	return s.showAccounts(c, http.StatusOK, "", "", "")
}

func (s *Server) showAccounts(c echo.Context, status int, forName, secret, fault string) error {
	list, err := s.cfg.Accounts.Accounts(c.Request().Context())
	if err != nil {
		return err
	}
	v := view.BuildAccounts(list)
	v.Fault = fault
	if secret != "" {
		scheme := "http://"
		if s.secure(c.Request()) {
			scheme = "https://"
		}
		v.For, v.Secret = forName, scheme+c.Request().Host+"/welcome/"+secret
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	ch := s.chrome(c, "Accounts", "")
	ch.Here = "/accounts"
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Accounts"}}
	s.addFiles(&ch, []string{"account.css"}, nil)
	return s.write(c, status, page.Accounts(ch, v))
}

func (s *Server) accountsTable(c echo.Context) error {
	list, err := s.cfg.Accounts.Accounts(c.Request().Context())
	if err != nil {
		return err
	}
	return s.table(c, "accounts", view.BuildAccounts(list).Table())
}

// changed shows the list again: with what went wrong, or at the person.
func (s *Server) changed(c echo.Context, name string, err error) error {
	if text, ok := callersFault(err); ok {
		return s.showAccounts(c, http.StatusUnprocessableEntity, "", "", text)
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/accounts#a-"+queryEscape(name))
}

func (s *Server) accountsAdd(c echo.Context) error {
	ctx := c.Request().Context()
	name := strings.TrimSpace(c.FormValue("name"))
	x, err := s.cfg.Accounts.AddAccount(ctx, name, c.FormValue("full"), account.Role(c.FormValue("role")))
	if err != nil {
		return s.changed(c, name, err)
	}
	return s.inviteNow(c, x.Name)
}

func (s *Server) inviteNow(c echo.Context, name string) error {
	secret, err := s.cfg.Accounts.Invite(c.Request().Context(), name)
	if err != nil {
		return s.changed(c, name, err)
	}
	return s.showAccounts(c, http.StatusOK, name, secret, "")
}

func (s *Server) accountsInvite(c echo.Context) error { return s.inviteNow(c, c.FormValue("name")) }

func (s *Server) accountsRole(c echo.Context) error {
	name := c.FormValue("name")
	return s.changed(c, name, s.cfg.Accounts.SetRole(c.Request().Context(), name, account.Role(c.FormValue("role"))))
}

func (s *Server) accountsState(c echo.Context) error {
	name := c.FormValue("name")
	switch c.FormValue("state") {
	case "disabled":
		return s.changed(c, name, s.cfg.Accounts.DisableAccount(c.Request().Context(), name))
	case "enabled":
		return s.changed(c, name, s.cfg.Accounts.EnableAccount(c.Request().Context(), name))
	}
	return badRequest("state: want enabled or disabled.")
}
