package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
	"assay/store/signoff"
	"assay/web/page"
	"assay/web/view"
)

// Passkeys. A ceremony has two requests: begin gives the browser a challenge, finish
// takes the authenticator's answer. What belongs together between the two is kept in
// memory: a server that was restarted asks again.

func (s *Server) passkeyRoutes() {
	s.echo.POST("/signin/passkey/begin", s.passkeySigninBegin)
	s.echo.POST("/signin/passkey/finish", s.passkeySigninFinish)
	s.echo.POST("/account/passkeys/begin", s.passkeyAddBegin)
	s.echo.POST("/account/passkeys/finish", s.passkeyAddFinish)
	s.echo.POST("/account/passkeys/remove", s.passkeyRemove)
}

// passkeyWhyNot says why passkeys cannot be used under the address in use; "" when they
// can. Browsers tie them to a name and give them to secure pages only.
func (s *Server) passkeyWhyNot(r *http.Request) string {
	host := hostName(r.Host)
	switch {
	case net.ParseIP(host) != nil:
		return "Passkeys belong to a host name, and this page was opened under an address of numbers. On this machine open it as http://localhost" + portOf(r.Host) + "/; your password signs meanwhile."
	case host != "localhost" && !s.secure(r):
		return "Browsers give passkeys to pages over TLS only. Put a proxy with TLS in front; your password signs meanwhile."
	}
	return ""
}

func portOf(hostport string) string {
	if _, port, err := net.SplitHostPort(hostport); err == nil {
		return ":" + port
	}
	return ""
}

// site is the relying party of a request: the host name that the browser used.
func (s *Server) site(r *http.Request) (*webauthn.WebAuthn, error) {
	if why := s.passkeyWhyNot(r); why != "" {
		return nil, &statusError{status: http.StatusConflict, text: why}
	}
	scheme := "http://"
	if s.secure(r) {
		scheme = "https://"
	}
	return webauthn.New(&webauthn.Config{RPID: hostName(r.Host), RPDisplayName: "assay", RPOrigins: []string{scheme + r.Host},
		AuthenticatorSelection: protocol.AuthenticatorSelection{UserVerification: protocol.VerificationRequired, ResidentKey: protocol.ResidentKeyRequirementPreferred}})
}

// bearerOf is a person as the library sees them.
type bearerOf struct {
	account.Account
	credentials []webauthn.Credential
}

func (b *bearerOf) WebAuthnID() []byte                         { return []byte("assay:" + b.Name) }
func (b *bearerOf) WebAuthnName() string                       { return b.Name }
func (b *bearerOf) WebAuthnDisplayName() string                { return b.FullName }
func (b *bearerOf) WebAuthnCredentials() []webauthn.Credential { return b.credentials }

// keptPasskey is what the archive keeps of an authenticator.
type keptPasskey struct {
	Site       string              `json:"site"`
	Credential webauthn.Credential `json:"credential"`
}

// passkeysOf is a person with those of their passkeys that belong to a site.
func (s *Server) passkeysOf(c echo.Context, x account.Account) (*bearerOf, error) {
	list, err := s.cfg.Accounts.Passkeys(c.Request().Context(), x.ID)
	if err != nil {
		return nil, err
	}
	b := &bearerOf{Account: x}
	for _, p := range list {
		var k keptPasskey
		if err := json.Unmarshal(p.Record, &k); err != nil {
			return nil, fmt.Errorf("passkey %d: %w", p.ID, err)
		}
		if k.Site == hostName(c.Request().Host) {
			b.credentials = append(b.credentials, k.Credential)
		}
	}
	return b, nil
}

// askPasskey is the page between the password and the session.
func (s *Server) askPasskey(c echo.Context, x account.Account, next string) error {
	id, err := s.pending.put(s.cfg.Now(), &pending{account: x, next: next})
	if err != nil {
		return err
	}
	s.setPending(c, id)
	c.Response().Header().Set("Cache-Control", "no-store")
	ch := s.frame(c, "Your passkey", "")
	s.addFiles(&ch, []string{"account.css"}, []string{"passkey.js"})
	return s.write(c, http.StatusOK, page.SignInPasskey(ch, view.SignIn{Name: x.Name, Next: localPath(next)}))
}

var errNoCeremony = &statusError{status: http.StatusGone, text: "This took too long, or was answered already. Start again."}

func (s *Server) passkeySigninBegin(c echo.Context) error {
	if err := s.ownPage(c); err != nil {
		return err
	}
	p := s.pendingOf(c, false)
	if p == nil || p.text != "" {
		return errNoCeremony
	}
	site, err := s.site(c.Request())
	if err != nil {
		return err
	}
	b, err := s.passkeysOf(c, p.account)
	if err != nil {
		return err
	}
	if len(b.credentials) == 0 {
		return &statusError{status: http.StatusConflict, text: "None of your passkeys belongs to " + hostName(c.Request().Host) + ". Open the pages under the name that they were made for."}
	}
	options, session, err := site.BeginLogin(b, webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return fmt.Errorf("passkey: %w", err)
	}
	s.pending.ask(p.id, session)
	return c.JSON(http.StatusOK, options)
}

func (s *Server) passkeySigninFinish(c echo.Context) error {
	if err := s.ownPage(c); err != nil {
		return err
	}
	p := s.pendingOf(c, true)
	if p == nil || p.session == nil || p.text != "" {
		return errNoCeremony
	}
	now, key := s.cfg.Now(), "name:"+p.account.Name
	if d := s.throttle.Wait(now, key); d > 0 {
		return &statusError{status: http.StatusTooManyRequests, text: "Too many attempts. Try again in " + view.WaitWords(d) + "."}
	}
	if _, err := s.answered(c, p); err != nil {
		s.throttle.Failed(now, key)
		return err
	}
	s.setPending(c, "")
	if err := s.begin(c, p.account); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]string{"next": localPath(p.next)})
}

// mostAnswer bounds what an authenticator answers.
const mostAnswer = 32 << 10

// answered checks an authenticator's answer and keeps its counter. It gives the answer as
// it came, for whoever wants to check it later.
func (s *Server) answered(c echo.Context, p *pending) (raw []byte, err error) {
	raw, err = io.ReadAll(io.LimitReader(c.Request().Body, mostAnswer+1))
	if err != nil || len(raw) > mostAnswer {
		return nil, badRequest("The answer of the authenticator cannot be read.")
	}
	return raw, s.checkAnswer(c, p, raw)
}

func (s *Server) checkAnswer(c echo.Context, p *pending, raw []byte) error {
	site, err := s.site(c.Request())
	if err != nil {
		return err
	}
	b, err := s.passkeysOf(c, p.account)
	if err != nil {
		return err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBody(bytes.NewReader(raw))
	if err != nil {
		return badRequest("The answer of the authenticator cannot be read.")
	}
	credential, err := site.ValidateLogin(b, *p.session, parsed)
	if err != nil || credential.Authenticator.CloneWarning {
		s.cfg.Log.Warn("passkey refused", "id", requestID(c), "name", p.account.Name)
		return &statusError{status: http.StatusUnauthorized, text: "The passkey does not fit."}
	}
	record, err := json.Marshal(keptPasskey{hostName(c.Request().Host), *credential})
	if err != nil {
		return err
	}
	return s.cfg.Accounts.UsePasskey(c.Request().Context(), p.account.ID, credential.ID, record)
}

func (s *Server) passkeyAddBegin(c echo.Context) error {
	v, err := needsPerson(c)
	if err != nil {
		return err
	}
	if err := s.fresh(c, v); err != nil {
		return err
	}
	site, err := s.site(c.Request())
	if err != nil {
		return err
	}
	b, err := s.passkeysOf(c, v.session.Account)
	if err != nil {
		return err
	}
	var known []protocol.CredentialDescriptor
	for i := range b.credentials {
		known = append(known, b.credentials[i].Descriptor())
	}
	options, session, err := site.BeginRegistration(b, webauthn.WithExclusions(known))
	if err != nil {
		return fmt.Errorf("passkey: %w", err)
	}
	id, err := s.pending.put(s.cfg.Now(), &pending{account: v.session.Account, session: session})
	if err != nil {
		return err
	}
	s.setPending(c, id)
	return c.JSON(http.StatusOK, options)
}

// freshFor is how long after proving who they are a person may add what proves it.
const freshFor = 15 * time.Minute

// fresh refuses what a session that was left open must not do.
func (s *Server) fresh(c echo.Context, v *visitor) error {
	if v.proxy || s.cfg.Now().UnixMicro()-v.session.ProvedUS <= freshFor.Microseconds() {
		return nil
	}
	return &statusError{status: http.StatusForbidden, text: "You signed in a while ago. Sign out and in again, then do this."}
}

func (s *Server) passkeyAddFinish(c echo.Context) error {
	v, err := needsPerson(c)
	if err != nil {
		return err
	}
	p := s.pendingOf(c, true)
	if p == nil || p.session == nil || p.text != "" || p.account.ID != v.session.Account.ID {
		return errNoCeremony
	}
	site, err := s.site(c.Request())
	if err != nil {
		return err
	}
	b, err := s.passkeysOf(c, v.session.Account)
	if err != nil {
		return err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBody(http.MaxBytesReader(c.Response(), c.Request().Body, mostAnswer))
	if err != nil {
		return badRequest("The answer of the authenticator cannot be read.")
	}
	credential, err := site.CreateCredential(b, *p.session, parsed)
	if err != nil {
		return &statusError{status: http.StatusUnprocessableEntity, text: "The authenticator's key cannot be taken: it does not fit what was asked."}
	}
	host := hostName(c.Request().Host)
	record, err := json.Marshal(keptPasskey{host, *credential})
	if err != nil {
		return err
	}
	public := signoff.Passkey{Site: host, COSE: credential.PublicKey}
	label := clip(c.QueryParam("label"), 60)
	if label == "" {
		label = "passkey of " + s.cfg.Now().UTC().Format("2006-01-02")
	}
	err = s.cfg.Accounts.AddPasskey(c.Request().Context(), v.session.Account.ID, account.Passkey{Credential: credential.ID, Label: label,
		Record: record, Public: public.Public(), Fingerprint: public.Fingerprint()})
	if text, ok := callersFault(err); ok {
		return &statusError{status: http.StatusUnprocessableEntity, text: text}
	}
	if err != nil {
		return err
	}
	s.setPending(c, "")
	return c.JSON(http.StatusOK, map[string]string{"next": "/account?done=passkey#h-passkeys"})
}

func (s *Server) passkeyRemove(c echo.Context) error {
	v, err := needsPerson(c)
	if err != nil {
		return err
	}
	if err := s.fresh(c, v); err != nil {
		return err
	}
	id, err := strconv.ParseInt(c.FormValue("passkey"), 10, 64)
	if err != nil {
		return badRequest("passkey: want its number.")
	}
	err = s.cfg.Accounts.RemovePasskey(c.Request().Context(), v.session.Account.ID, id)
	if errors.Is(err, evidence.ErrNotFound) {
		return notFound("You have no passkey %d.", id)
	}
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, "/account?done=removed#h-passkeys")
}
