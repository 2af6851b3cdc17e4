package web

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/labstack/echo/v4"

	"assay/store/signoff"
)

// A person proves at signing who they are by letting their authenticator sign the digest
// of the statement. The answer is kept whole, so that anybody can check it later.

// beginProof asks the authenticator to sign a text: its challenge is the text's digest.
func (s *Server) beginProof(c echo.Context, v *visitor, text string) error {
	site, err := s.site(c.Request())
	if err != nil {
		return err
	}
	b, err := s.passkeysOf(c, v.session.Account)
	if err != nil {
		return err
	}
	if len(b.credentials) == 0 {
		return &statusError{status: http.StatusConflict, text: "You have no passkey for " + hostName(c.Request().Host) + "; sign with your password."}
	}
	challenge := protocol.URLEncodedBase64(signoff.PasskeyChallenge(text))
	options, session, err := site.BeginLogin(b, webauthn.WithUserVerification(protocol.VerificationRequired), webauthn.WithChallenge(challenge))
	if err != nil {
		return fmt.Errorf("passkey: %w", err)
	}
	id, err := s.pending.put(s.cfg.Now(), &pending{account: v.session.Account, session: session, text: text})
	if err != nil {
		return err
	}
	s.setPending(c, id)
	return c.JSON(http.StatusOK, options)
}

// finishProof checks the authenticator's answer and makes the person's claim of it.
func (s *Server) finishProof(c echo.Context, v *visitor, text string, raw []byte) (signoff.Claim, error) {
	p := s.pendingOf(c, true)
	if p == nil || p.session == nil || p.text == "" || p.account.ID != v.session.Account.ID {
		return signoff.Claim{}, errNoCeremony
	}
	if p.text != text {
		return signoff.Claim{}, &statusError{status: http.StatusConflict, text: "The statement is not the one that your authenticator was asked about. Read it again and sign it anew."}
	}
	if err := s.checkAnswer(c, p, raw); err != nil {
		return signoff.Claim{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(raw)
	if err != nil {
		return signoff.Claim{}, badRequest("The answer of the authenticator cannot be read.")
	}
	b, err := s.passkeysOf(c, v.session.Account)
	if err != nil {
		return signoff.Claim{}, err
	}
	for i := range b.credentials {
		if bytes.Equal(b.credentials[i].ID, parsed.RawID) {
			public := signoff.Passkey{Site: hostName(c.Request().Host), COSE: b.credentials[i].PublicKey}
			return signoff.ClaimPasskey(v.session.Account.Name, public.Public(), text, raw)
		}
	}
	return signoff.Claim{}, errors.New("passkey: checked and not found")
}
