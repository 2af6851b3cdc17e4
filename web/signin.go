package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

const (
	signinPath  = "/signin"
	welcomePath = "/welcome/:secret"
)

func (s *Server) accountRoutes() {
	if s.cfg.Accounts == nil {
		return
	}
	s.get(signinPath, s.signinForm)
	s.echo.POST(signinPath, s.signinPost)
	s.echo.POST("/signout", s.signout)
	s.get(welcomePath, s.welcomeForm)
	s.echo.POST(welcomePath, s.welcomePost)
	s.get("/account", s.account)
	s.echo.POST("/account/password", s.accountPassword)
	s.echo.POST("/account/sessions/close", s.accountSessions)
	s.echo.POST("/account/tokens/add", s.tokenAdd)
	s.echo.POST("/account/tokens/revoke", s.tokenRevoke)
	s.get("/accounts", s.accounts)
	s.tables("/accounts", s.accountsTable)
	s.echo.POST("/accounts/add", s.accountsAdd)
	s.echo.POST("/accounts/role", s.accountsRole)
	s.echo.POST("/accounts/state", s.accountsState)
	s.echo.POST("/accounts/invite", s.accountsInvite)
	s.echo.POST("/accounts/passkeys", s.accountsPasskeys)
	s.passkeyRoutes()
}

// newThrottle holds back guessing of passwords: by name and by address.
func newThrottle() *account.Throttle {
	return &account.Throttle{Free: 5, First: time.Second, Most: 15 * time.Minute, Keep: 24 * time.Hour}
}

func (s *Server) signinForm(c echo.Context) error {
	next, err := query(c, "next")
	if err != nil {
		return err
	}
	if v := visitorOf(c); v.person() {
		return c.Redirect(http.StatusSeeOther, localPath(next))
	}
	return s.showSignin(c, http.StatusOK, view.SignIn{Next: localPath(next)})
}

func (s *Server) showSignin(c echo.Context, status int, v view.SignIn) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	v.Public = s.cfg.PublicRead
	ch := s.frame(c, "Sign in", "")
	s.addFiles(&ch, []string{"account.css"}, nil)
	return s.write(c, status, page.SignIn(ch, v))
}

// ownPage refuses a form that another site made a browser send, before there is a
// session: signing somebody in under a foreign name is an attack too.
func (s *Server) ownPage(c echo.Context) error {
	if s.origin.Check(c.Request()) != nil {
		return foreignForm()
	}
	return nil
}

const wrongEntry = "Name and password do not fit together, or the account may not sign in."

// signinPost signs a person in, or asks for their passkey. Every failure has one text and
// takes one time.
func (s *Server) signinPost(c echo.Context) error {
	if err := s.ownPage(c); err != nil {
		return err
	}
	name, password := strings.ToLower(strings.TrimSpace(c.FormValue("name"))), c.FormValue("password")
	in := view.SignIn{Name: clip(name, 40), Next: localPath(c.FormValue("next"))}
	x, err := s.tryEntry(c, name, password)
	var wait waitError
	switch {
	case errors.As(err, &wait):
		c.Response().Header().Set("Retry-After", strconv.Itoa(int(wait.d.Seconds())+1))
		in.Fault = "Too many attempts. Try again in " + view.WaitWords(wait.d) + "."
		return s.showSignin(c, http.StatusTooManyRequests, in)
	case errors.Is(err, account.ErrNoEntry):
		in.Fault = wrongEntry
		return s.showSignin(c, http.StatusUnauthorized, in)
	case err != nil:
		return err
	}
	if x.Passkeys > 0 {
		return s.askPasskey(c, x, in.Next)
	}
	return s.enter(c, x, in.Next)
}

// waitError says that a try came too early.
type waitError struct{ d time.Duration }

func (w waitError) Error() string { return fmt.Sprintf("wait %s", w.d) }

// tryEntry checks a password with the throttle around it.
func (s *Server) tryEntry(c echo.Context, name, password string) (account.Account, error) {
	now := s.cfg.Now()
	keys := []string{"name:" + clip(name, 64), "from:" + account.AddressKey(s.client(c.Request()))}
	if d := s.throttle.Wait(now, keys...); d > 0 {
		return account.Account{}, waitError{d}
	}
	if len(password) > longestPassword || len(name) > longestParam {
		s.throttle.Failed(now, keys...)
		return account.Account{}, account.ErrNoEntry
	}
	release, err := s.hashing(c.Request().Context()) // one hash takes 64 MiB: a flood of tries must not take them all
	if err != nil {
		return account.Account{}, err
	}
	defer release()
	if d := s.throttle.Wait(now, keys...); d > 0 { // those before it in the queue failed
		return account.Account{}, waitError{d}
	}
	x, err := s.cfg.Accounts.CheckPassword(c.Request().Context(), name, password)
	switch {
	case errors.Is(err, account.ErrNoEntry):
		s.throttle.Failed(now, keys...)
		s.cfg.Log.Warn("sign-in refused", "id", requestID(c), "name", s.loggedName(c, name), "from", s.client(c.Request()))
	case err == nil:
		s.throttle.Passed(keys[0])
	}
	return x, err
}

const longestPassword = 1024

// loggedName is a name as the log may hold it: people type their password into the wrong
// field.
func (s *Server) loggedName(c echo.Context, name string) string {
	if _, err := s.cfg.Accounts.Account(c.Request().Context(), name); err != nil {
		return "no account's"
	}
	return name
}

// hashing waits for one of the few places in which a password is hashed.
func (s *Server) hashing(ctx context.Context) (release func(), err error) {
	select {
	case s.hashes <- struct{}{}:
		return func() { <-s.hashes }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func clip(s string, most int) string {
	if len(s) > most {
		s = s[:most]
	}
	return strings.ToValidUTF8(s, "")
}

// enter opens a session and leads on.
func (s *Server) enter(c echo.Context, x account.Account, next string) error {
	if err := s.begin(c, x); err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Redirect(http.StatusSeeOther, localPath(next))
}

// begin opens a session: with a new secret, whatever the browser sent before.
func (s *Server) begin(c echo.Context, x account.Account) error {
	r := c.Request()
	if old := visitorOf(c); old.person() && !old.proxy {
		if err := s.cfg.Accounts.CloseSession(r.Context(), old.session.Account.ID, old.session.ID); err != nil {
			return err
		}
	}
	secret, err := s.cfg.Accounts.OpenSession(r.Context(), x.ID, s.client(r), r.UserAgent())
	if err != nil {
		return err
	}
	s.setSession(c, secret)
	return nil
}

// signout ends the session. It asks for no token of the form: the worst that a foreign
// page could do is to sign somebody out, and the origin is checked.
func (s *Server) signout(c echo.Context) error {
	if err := s.ownPage(c); err != nil {
		return err
	}
	if v := visitorOf(c); v.person() && !v.proxy {
		if err := s.cfg.Accounts.CloseSession(c.Request().Context(), v.session.Account.ID, v.session.ID); err != nil {
			return err
		}
	}
	s.dropSession(c)
	c.Response().Header().Set("Clear-Site-Data", `"cache"`)
	return c.Redirect(http.StatusSeeOther, signinPath)
}

func (s *Server) welcomeForm(c echo.Context) error {
	return s.showWelcome(c, http.StatusOK, "")
}

func (s *Server) showWelcome(c echo.Context, status int, fault string) error {
	c.Response().Header().Set("Cache-Control", "no-store")
	secret, err := param(c, "secret")
	if err != nil {
		return err
	}
	name, err := s.cfg.Accounts.Invitation(c.Request().Context(), secret)
	if errors.Is(err, evidence.ErrNotFound) {
		return notFound("This invitation is not known, was used, or its time is over. Ask for another one (\"assay user invite NAME\").")
	}
	if err != nil {
		return err
	}
	x, err := s.cfg.Accounts.Account(c.Request().Context(), name)
	if err != nil {
		return err
	}
	ch := s.frame(c, "Welcome", "")
	ch.Here = "/" // the address is a secret
	s.addFiles(&ch, []string{"account.css"}, nil)
	return s.write(c, status, page.Welcome(ch, view.BuildWelcome(&x, secret, fault)))
}

// welcomePost sets the password of an invited person and signs them in.
func (s *Server) welcomePost(c echo.Context) error {
	if err := s.ownPage(c); err != nil {
		return err
	}
	secret, err := param(c, "secret")
	if err != nil {
		return err
	}
	password := c.FormValue("password")
	if password != c.FormValue("again") {
		return s.showWelcome(c, http.StatusUnprocessableEntity, "The two passwords differ.")
	}
	release, err := s.hashing(c.Request().Context())
	if err != nil {
		return err
	}
	name, err := s.cfg.Accounts.Welcome(c.Request().Context(), secret, password)
	release()
	if errors.Is(err, evidence.ErrNotFound) {
		return s.showWelcome(c, http.StatusNotFound, "")
	}
	if text, ok := callersFault(err); ok {
		return s.showWelcome(c, http.StatusUnprocessableEntity, text)
	}
	if err != nil {
		return err
	}
	x, err := s.cfg.Accounts.Account(c.Request().Context(), name)
	if err != nil {
		return err
	}
	if x.Passkeys > 0 { // a new password does not stand in for a passkey
		return c.Redirect(http.StatusSeeOther, signinPath)
	}
	return s.enter(c, x, "/account")
}

// callersFault is the text of an error that whoever asked can mend.
func callersFault(err error) (string, bool) {
	var mine interface{ Caller() bool }
	if errors.As(err, &mine) && mine.Caller() {
		return view.Sentence(err.Error()), true
	}
	return "", false
}
