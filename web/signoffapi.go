package web

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
	"assay/web/view"
)

const (
	signoffsAPI = "/api/v1/signoffs"
	// mostSignBody bounds a statement that comes with its signature.
	mostSignBody = 8 << 20
)

// apiSignOff is a sign-off as scripts read it.
type apiSignOff struct {
	Number    string            `json:"number"`
	Campaign  string            `json:"campaign"`
	Candidate string            `json:"candidate"`
	Arm       string            `json:"arm"`
	Target    signoff.Target    `json:"target"`
	Decision  signoff.Decision  `json:"decision"`
	State     signoff.State     `json:"state"`
	Reasons   []string          `json:"reasons"`
	Preparer  string            `json:"preparer"`
	Signer    string            `json:"signer"`
	Signed    string            `json:"signed"`
	Digest    string            `json:"statement_sha256"`
	Statement string            `json:"statement"`
	Record    int64             `json:"record"`
	Claim     apiClaim          `json:"claim"`
	Artifacts []evidence.Digest `json:"artifacts"`
	Checks    []apiCheck        `json:"checks"`
	Withdrawn *apiWithdrawal    `json:"withdrawn,omitempty"`
	Links     map[string]string `json:"links"`
}

// apiClaim is a person's signature; its bytes are base64.
type apiClaim struct {
	Account     string            `json:"account,omitempty"`
	Kind        signoff.ClaimKind `json:"kind"`
	Fingerprint string            `json:"fingerprint"`
	Public      string            `json:"public"`
	Signature   []byte            `json:"signature"`
}

type apiCheck struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	OK    bool   `json:"ok"`
	Says  string `json:"says"`
}

type apiWithdrawal struct {
	By     string `json:"by"`
	Reason string `json:"reason"`
	At     string `json:"at"`
}

// apiRefusal is one thing that stands against a signature. Kinds are stable.
type apiRefusal struct {
	Kind  review.RefusalKind `json:"kind"`
	ID    string             `json:"id,omitempty"`
	Rule  string             `json:"rule,omitempty"`
	Text  string             `json:"text"`
	Clear string             `json:"clear,omitempty"`
}

func apiRefusals(list []review.Refusal) []apiRefusal {
	out := make([]apiRefusal, 0, len(list))
	for _, r := range list {
		out = append(out, apiRefusal(r))
	}
	return out
}

func apiOf(x *signoff.SignOff, st *signoff.Standing) apiSignOff {
	out := apiSignOff{Number: x.Number, Campaign: x.Campaign, Candidate: x.Candidate, Arm: x.ArmID, Target: x.Target, Decision: x.Decision, State: st.State,
		Reasons: append([]string{}, st.Reasons...), Preparer: x.Preparer, Signer: x.Signer, Signed: view.Moment(x.SignedUS), Digest: x.Digest, Statement: x.Statement, Record: x.LogIndex,
		Claim: apiClaim(x.Claim), Artifacts: append([]evidence.Digest{}, x.Artifacts...), Checks: []apiCheck{}}
	for _, c := range st.Checks {
		out.Checks = append(out.Checks, apiCheck{c.ID, c.Title, c.OK, c.Says})
	}
	if w := x.Withdrawn; w.OK {
		out.Withdrawn = &apiWithdrawal{w.V.By, w.V.Reason, view.Moment(w.V.AtUS)}
	}
	page := view.SignOffURL(x.Number)
	out.Links = map[string]string{"page": page, "bundle": page + "/bundle.zip", "sheet": page + "/sheet", "record": view.RecordURL(x.LogIndex)}
	return out
}

// signoffGet is one sign-off for scripts, with what it is worth today.
func (s *Server) signoffGet(c echo.Context) error {
	x, err := s.findSignOff(c)
	if err != nil {
		return err
	}
	st, err := s.cfg.Decisions.Known(c.Request().Context(), &x)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "private, no-cache")
	return c.JSON(http.StatusOK, apiOf(&x, &st))
}

// apiPreview is a draft's statement with everything that stands against signing it.
type apiPreview struct {
	Draft     int64            `json:"draft"`
	Campaign  string           `json:"campaign"`
	Decision  signoff.Decision `json:"decision"`
	Statement string           `json:"statement"`
	Digest    string           `json:"statement_sha256"`
	Moved     bool             `json:"moved"`
	Refusals  []apiRefusal     `json:"refusals"`
}

func (s *Server) draftGet(c echo.Context) error {
	p, err := s.previewFor(c)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.JSON(http.StatusOK, apiPreview{p.Draft.ID, p.Ground.Campaign, p.Draft.Decision, p.Statement, p.Digest, p.Moved, apiRefusals(p.Refusals)})
}

// signRequest is a statement that was signed elsewhere.
type signRequest struct {
	Draft     int64    `json:"draft"`
	Statement string   `json:"statement"`
	Claim     apiClaim `json:"claim"`
}

// signoffPost files a signed statement, or answers with everything that stands against it:
// the same gatekeeper as for the page and the command line.
func (s *Server) signoffPost(c echo.Context) error {
	name, err := s.signerOf(c)
	if err != nil {
		return err
	}
	if media := c.Request().Header.Get(echo.HeaderContentType); !strings.HasPrefix(media, echo.MIMEApplicationJSON) {
		return &statusError{status: http.StatusUnsupportedMediaType, text: "Send application/json: draft, statement and claim."}
	}
	var r signRequest
	dec := json.NewDecoder(http.MaxBytesReader(c.Response(), c.Request().Body, mostSignBody))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return err
		}
		return badRequest("The body is no such JSON: %v. Want {\"draft\": 1, \"statement\": \"…\", \"claim\": {\"kind\": \"ssh\", \"fingerprint\": \"…\", \"public\": \"…\", \"signature\": \"BASE64\"}}.", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return badRequest("The body has more than one JSON value.")
	}
	claim := signoff.Claim(r.Claim)
	claim.Account = name
	x, err := s.cfg.Decisions.Sign(c.Request().Context(), review.SignRequest{Draft: r.Draft, Signer: name, Statement: r.Statement, Claim: claim})
	var refused *review.Refused
	switch {
	case errors.As(err, &refused):
		return c.JSON(http.StatusUnprocessableEntity, map[string]any{"status": http.StatusUnprocessableEntity, "error": "refused", "decision": refused.Decision,
			"message": view.Sentence(refused.Error()), "refusals": apiRefusals(refused.Refusals), "request": requestID(c)})
	case errors.Is(err, evidence.ErrNotFound):
		return notFound("There is no draft %d, or the campaign that it is on is gone.", r.Draft)
	case errors.Is(err, signoff.ErrMoved):
		return &statusError{status: http.StatusConflict, text: "The archive changes faster than the statement can be filed. Try again."}
	case err != nil:
		return s.deskProblem(err)
	}
	st, err := s.cfg.Decisions.Known(c.Request().Context(), x)
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderLocation, signoffsAPI+"/"+x.Number)
	return c.JSON(http.StatusCreated, apiOf(x, &st))
}
