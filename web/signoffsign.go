package web

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
	"assay/web/view"
)

// asShown is the statement that a person has before them: today's, with the time and the
// log size of the page that they read. Its digest says whether it is that text.
func asShown(statement string, at view.ShownAt) (string, bool) {
	st, err := signoff.ParseStatement(statement)
	if err != nil {
		return "", false
	}
	if st.TimeUS = at.TimeUS; at.Log >= 0 && at.Log <= st.LogSize {
		st.LogSize = at.Log
	}
	text := st.Text()
	return text, signoff.Digest(text) == at.Digest
}

// signDraft signs the very text that stood beside the form, or says everything that is in
// the way at once.
func (s *Server) signDraft(c echo.Context, v *visitor, id int64, f *draftForm, changed bool) error {
	const title = "Not signed"
	if !v.may(account.MaySign) {
		return s.draftRefused(c, v, id, f, title, nil, view.StopLine{Text: "You are signed in as " + string(v.session.Account.Role) + ", who prepares and does not sign.", Clear: "Hand it over; a promoter signs it.", Href: "#handover"})
	}
	if changed {
		return s.draftRefused(c, v, id, f, title, nil, view.StopLine{Text: "What you changed is saved, and the statement is another one now.", Clear: "Read it as it stands here, then sign it.", Href: "#statement"})
	}
	keys, err := s.keysOf(c, v)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		return s.draftRefused(c, v, id, f, title, nil, view.StopLine{Text: "You have no key to sign with here.", Clear: "Set your password again, or add a passkey, on the page of your account.", Href: "/account"})
	}
	key := chooseKey(keys, f.key)
	p, err := s.cfg.Decisions.Preview(c.Request().Context(), id, v.session.Account.Name, key)
	if err != nil {
		return s.deskProblem(err)
	}
	var more []view.StopLine
	text, same := asShown(p.Statement, f.shown)
	if !same {
		more = append(more, view.StopLine{Text: "The statement is not the one that you read: something in it changed since this page was made.", Clear: "Read it as it stands here, then sign it.", Href: "#statement"})
	}
	if line, ok := missingProof(key.Kind, f); !ok {
		more = append(more, line)
	}
	if len(more) > 0 || len(p.Refusals) > 0 {
		return s.draftRefused(c, v, id, f, title, &review.Refused{Decision: p.Draft.Decision, Refusals: p.Refusals}, more...)
	}
	claim, err := s.prove(c, v, key, f, text)
	if line, mine := proofFault(err); mine {
		return s.draftRefused(c, v, id, f, title, nil, line)
	}
	if err != nil {
		return err
	}
	done, err := s.cfg.Decisions.Sign(c.Request().Context(), review.SignRequest{Draft: id, Signer: v.session.Account.Name, Statement: text, Claim: claim})
	if err != nil {
		return s.draftRefused(c, v, id, f, title, err)
	}
	if err := s.proven(c, v); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, view.SignOffURL(done.Number)+"?done=signed")
}

// missingProof says what a person still has to give to prove who they are.
func missingProof(kind account.KeyKind, f *draftForm) (view.StopLine, bool) {
	switch {
	case kind == account.KeyNote && f.password == "":
		return view.StopLine{Text: "Your password is missing: it opens your key for this one signature.", Href: "#password"}, false
	case kind == account.KeyPasskey && f.answer == "":
		return view.StopLine{Text: "The passkey was not used.", Clear: "Press “Sign with the passkey”.", Href: "#sign"}, false
	case kind == account.KeySSH:
		return view.StopLine{Text: "An SSH key signs on your own machine and not here.", Clear: "Download the statement, sign it there, and bring the signature in with \"assay signoff sign\".", Href: "#sign"}, false
	}
	return view.StopLine{}, true
}

// prove makes the person's claim: who is at the browser shows that they are the person.
func (s *Server) prove(c echo.Context, v *visitor, key account.AccountKey, f *draftForm, text string) (signoff.Claim, error) {
	name := v.session.Account.Name
	if key.Kind == account.KeyPasskey {
		return s.finishProof(c, v, text, []byte(f.answer))
	}
	if _, err := s.tryEntry(c, name, f.password); err != nil {
		return signoff.Claim{}, err
	}
	release, err := s.hashing(c.Request().Context())
	if err != nil {
		return signoff.Claim{}, err
	}
	signer, k, err := s.cfg.PersonKeys.Unlock(c.Request().Context(), name, f.password)
	release()
	if err != nil {
		return signoff.Claim{}, err
	}
	return signoff.SignNote(name, signer, k.Public, text)
}

// proofFault is a proof that failed, in words for whoever gave it.
func proofFault(err error) (view.StopLine, bool) {
	var wait waitError
	var own *statusError
	switch {
	case err == nil:
		return view.StopLine{}, false
	case errors.As(err, &wait), errors.Is(err, account.ErrNoEntry):
		return view.StopLine{Text: proofWords(err), Href: "#password"}, true
	case errors.As(err, &own) && own.status < http.StatusInternalServerError:
		return view.StopLine{Text: own.text, Href: "#sign"}, true
	}
	return view.StopLine{}, false
}

// proven notes that the person just showed who they are, under a new session secret.
func (s *Server) proven(c echo.Context, v *visitor) error {
	if v.proxy || v.session.ID == 0 {
		return nil
	}
	secret, err := s.cfg.Accounts.ProveSession(c.Request().Context(), v.session.ID)
	if err != nil {
		return err
	}
	s.setSession(c, secret)
	return nil
}

// draftPasskey begins a signature by passkey: the challenge is the digest of the text
// that stands on the page.
func (s *Server) draftPasskey(c echo.Context) error {
	id, err := draftID(c)
	if err != nil {
		return err
	}
	v, err := needsPerson(c)
	if err != nil {
		return err
	}
	var key, digest, at, log string
	if err := queries(c, map[string]*string{"key": &key, "digest": &digest, "time": &at, "log": &log}); err != nil {
		return err
	}
	shown := view.ShownAt{Digest: digest}
	shown.TimeUS, _ = strconv.ParseInt(at, 10, 64)
	shown.Log, _ = strconv.ParseInt(log, 10, 64)
	keys, err := s.keysOf(c, v)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if k.Fingerprint != key || k.Kind != account.KeyPasskey {
			continue
		}
		p, err := s.cfg.Decisions.Preview(c.Request().Context(), id, v.session.Account.Name, k)
		if err != nil {
			return s.deskProblem(err)
		}
		text, same := asShown(p.Statement, shown)
		if !same {
			return &statusError{status: http.StatusConflict, text: "The statement is not the one on your page any more. Save or reload it, and read it again."}
		}
		if len(p.Refusals) > 0 {
			return s.deskProblem(&review.Refused{Decision: p.Draft.Decision, Refusals: p.Refusals})
		}
		return s.beginProof(c, v, text)
	}
	return &statusError{status: http.StatusConflict, text: "Choose one of your passkeys first; the statement names the key that signs it."}
}

// draftStatement is the statement alone, to be signed elsewhere.
func (s *Server) draftStatement(c echo.Context) error {
	p, err := s.previewFor(c)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Content-Disposition", `attachment; filename="statement-`+strconv.FormatInt(p.Draft.ID, 10)+`.txt"`)
	return s.plainText(c, []byte(p.Statement))
}

// previewFor is the preview of a draft for whoever asks, with the key of the address.
func (s *Server) previewFor(c echo.Context) (*review.Preview, error) {
	id, err := draftID(c)
	if err != nil {
		return nil, err
	}
	key, err := query(c, "key")
	if err != nil {
		return nil, err
	}
	name, err := s.signerOf(c)
	if err != nil {
		return nil, err
	}
	k, err := s.keyNamed(c.Request().Context(), name, key)
	if err != nil {
		return nil, err
	}
	p, err := s.cfg.Decisions.Preview(c.Request().Context(), id, name, k)
	if errors.Is(err, evidence.ErrNotFound) {
		return nil, notFound("There is no draft %d, or the campaign that it is on is gone.", id)
	}
	return p, err
}

// signerOf is who is signed in. A token is no person, and no token has the right to sign.
func (s *Server) signerOf(c echo.Context) (string, error) {
	v := visitorOf(c)
	if !v.person() {
		return "", &statusError{status: http.StatusUnauthorized, text: "A decision is prepared and signed by a person. Sign in first; on the command line \"assay signoff sign\" does it."}
	}
	return v.session.Account.Name, nil
}

// keyNamed is a key of a person that holds; without a fingerprint the one under their
// password, else their first.
func (s *Server) keyNamed(ctx context.Context, name, fingerprint string) (account.AccountKey, error) {
	x, err := s.cfg.Accounts.Account(ctx, name)
	if err != nil {
		return account.AccountKey{}, err
	}
	var holds []account.AccountKey
	for _, k := range x.Keys {
		if k.RevokedUS == 0 && (fingerprint == "" || k.Fingerprint == fingerprint) {
			holds = append(holds, k)
		}
	}
	if len(holds) == 0 {
		if fingerprint != "" {
			return account.AccountKey{}, notFound("%s has no key %.100q that holds.", name, fingerprint)
		}
		return account.AccountKey{}, nil
	}
	return chooseKey(holds, fingerprint), nil
}
