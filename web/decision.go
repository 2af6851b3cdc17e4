package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	"golang.org/x/mod/sumdb/note"

	"assay/store/account"
	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
	"assay/web/page"
	"assay/web/view"
)

// Decisions prepares decisions, signs them and looks at them again. *review.Desk
// satisfies it; pages never decide themselves whether something may be signed.
type Decisions interface {
	Arms(ctx context.Context, campaign string) ([]review.Choice, error)
	Survey(ctx context.Context, q review.Query) (*signoff.Ground, error)
	Stops(ctx context.Context, g *signoff.Ground) ([]review.Refusal, error)

	Open(ctx context.Context, q review.Query, by string) (signoff.Draft, *signoff.Ground, error)
	Draft(ctx context.Context, id int64) (signoff.Draft, error)
	Drafts(ctx context.Context, f signoff.Filter) ([]signoff.Draft, error)
	Save(ctx context.Context, x signoff.Draft, by string) (signoff.Draft, error)
	Discard(ctx context.Context, draft int64, by string) error
	Preview(ctx context.Context, draft int64, signer string, key account.AccountKey) (*review.Preview, error)
	Sign(ctx context.Context, r review.SignRequest) (*signoff.SignOff, error)

	SignOff(ctx context.Context, ref string) (signoff.SignOff, error)
	SignOffs(ctx context.Context, f signoff.Filter) ([]signoff.SignOff, error)
	Known(ctx context.Context, s *signoff.SignOff) (signoff.Standing, error)
	Standing(ctx context.Context, s *signoff.SignOff) (signoff.Standing, error)
	Withdraw(ctx context.Context, ref, by, reason string) (signoff.SignOff, error)
	WriteBundle(ctx context.Context, v review.Vault, number string, w io.Writer) error

	Marks(ctx context.Context, f signoff.MarkFilter) ([]signoff.Mark, error)
	Supersede(ctx context.Context, old, by evidence.Digest, author, reason string) (signoff.Mark, error)
	Invalidate(ctx context.Context, a evidence.Digest, author, reason string) (signoff.Mark, error)
	WithdrawMark(ctx context.Context, id int64, by, reason string) (signoff.Mark, error)
}

// PersonKeys opens the key that is kept under a person's password, for one signature.
type PersonKeys interface {
	Unlock(ctx context.Context, name, password string) (note.Signer, account.AccountKey, error)
}

const draftsPath = "/signoffs/drafts"

// signoffRoutes are the pages of decisions. Without a desk there are none.
func (s *Server) signoffRoutes() {
	if s.cfg.Decisions == nil {
		return
	}
	s.get("/campaigns/:id/decide", s.decide)
	s.tables("/campaigns/:id/decide", s.decideTable, view.DecisionParams...)
	s.get("/signoffs", s.signoffs)
	s.tables("/signoffs", s.signoffsTable, view.SignOffParams...)
	s.get("/signoffs/:number", s.signoff)
	s.get("/signoffs/:number/sheet", s.signoffSheet)
	s.get("/signoffs/:number/bundle.zip", s.signoffBundle)
	s.get("/signoffs/:number/statement.txt", s.signoffStatement)
	s.get("/standing", s.standing)
	s.tables("/standing", s.standingTable, "kind")
	s.get(signoffsAPI+"/:number", s.signoffGet)
	if s.cfg.Accounts == nil {
		return // nobody could be asked who they are
	}
	s.echo.POST("/signoffs/:number/check", s.signoffCheck)
	s.echo.POST("/signoffs/:number/withdraw", s.signoffWithdraw)
	s.echo.POST(draftsPath, s.draftOpen)
	s.get(draftsPath+"/:id", s.draft)
	s.echo.POST(draftsPath+"/:id", s.draftPost)
	s.echo.POST(draftsPath+"/:id/preview", s.draftPreview)
	s.echo.POST(draftsPath+"/:id/passkey", s.draftPasskey)
	s.get(draftsPath+"/:id/statement.txt", s.draftStatement)
	s.echo.POST("/standing/supersede", s.supersede)
	s.echo.POST("/standing/invalidate", s.invalidate)
	s.echo.POST("/standing/withdraw", s.withdrawMark)
	s.echo.POST(signoffsAPI, s.signoffPost)
	s.get(signoffsAPI+"/drafts/:id", s.draftGet)
}

// decisionQuery is the question of the address or of a form.
func decisionQuery(get func(string) (string, error), figures []string) (q view.DecisionQuery, err error) {
	target := ""
	for name, p := range map[string]*string{"candidate": &q.Candidate, "control": &q.Control, "rollback": &q.Back, "target": &target} {
		if *p, err = get(name); err != nil {
			return q, err
		}
	}
	if q.Target = signoff.Target(target); target == "" {
		q.Target = signoff.Promotion
	}
	if !slices.Contains(signoff.Targets, q.Target) {
		return q, badRequest("target: want challenger, rollback or promotion.")
	}
	if q.Candidate != "" && q.Candidate == q.Control {
		return q, badRequest("The control is the candidate itself. Choose another arm, or none.")
	}
	if len(figures) > compareFiguresMax {
		return q, badRequest("f: at most %d figures.", compareFiguresMax)
	}
	for _, f := range figures {
		x, err := compare.ParseFigure(f)
		if err != nil {
			return q, badRequest("f: %v.", err)
		}
		if !slices.Contains(q.Figures, x.String()) {
			q.Figures = append(q.Figures, x.String())
		}
	}
	return q, nil
}

func reviewQuery(campaign string, q view.DecisionQuery) review.Query {
	return review.Query{Campaign: campaign, Candidate: q.Candidate, Control: q.Control, Back: q.Back, Target: q.Target, Figures: q.Figures}
}

// decided is a ground with what it was asked by.
type decided struct {
	query  view.DecisionQuery
	detail evidence.CampaignDetail
	matrix bool
	arms   []review.Choice
	ground *signoff.Ground // nil without an arm
	stops  []review.Refusal
}

// readDecision surveys what the address asks about.
func (s *Server) readDecision(c echo.Context) (d decided, moved bool, err error) {
	if d.query, err = decisionQuery(func(name string) (string, error) { return query(c, name) }, c.QueryParams()["f"]); err != nil {
		return d, false, err
	}
	moved, err = s.readCampaign(c, "/decide", func(ctx context.Context, x *evidence.CampaignDetail) (err error) {
		d.detail = *x
		d.matrix, err = s.hasMatrix(ctx, x)
		return err
	})
	if err != nil || moved {
		return d, moved, err
	}
	ctx := c.Request().Context()
	if d.arms, err = s.cfg.Decisions.Arms(ctx, d.detail.ID); err != nil || len(d.arms) == 0 {
		return d, false, err
	}
	if d.ground, err = s.cfg.Decisions.Survey(ctx, reviewQuery(d.detail.ID, d.query)); err != nil {
		return d, false, surveyProblem(err)
	}
	d.stops, err = s.cfg.Decisions.Stops(ctx, d.ground)
	return d, false, err
}

// surveyProblem says what the question names that is not there.
func surveyProblem(err error) error {
	switch {
	case errors.Is(err, evidence.ErrNotFound):
		return notFound("%s", view.Sentence(err.Error()))
	case errors.Is(err, evidence.ErrAmbiguous):
		return badRequest("%s", view.Sentence(err.Error()))
	}
	return err
}

// decide shows everything that a decision on a candidate rests on.
func (s *Server) decide(c echo.Context) error {
	if err := onlyParams(c, view.DecisionParams...); err != nil {
		return err
	}
	d, moved, err := s.readDecision(c)
	if err != nil || moved {
		return err
	}
	base := view.CampaignURL(d.detail.ID, d.detail.Artifacts...)
	head := view.BuildCampaignHead(&d.detail, view.TabSignOff, d.matrix)
	s.signTab(&head, base, true)
	v := view.Decision{Head: head, NoArm: "No arm was read from this campaign, so there is nothing that a decision could be on."}
	if d.ground != nil {
		v = view.BuildDecision(head, d.ground, d.stops, d.query)
	}
	v.Pick = view.BuildDecisionPick(base, d.arms, d.query, d.ground)
	v.Exports = view.PageExports(base+"/decide", c.Request().URL.RequestURI(), decisionPairs(d.query)...)
	x := visitorOf(c)
	v.MayPrepare(x.session.Account.Role, x.person(), signinURL(c.Request()))
	if s.cfg.Accounts == nil {
		v.WhyNot, v.SignIn = "Preparing and signing need accounts: serve the archive with \"assay serve\".", ""
	}
	if v.Signed, err = s.signedOf(c.Request().Context(), d.detail.ID); err != nil {
		return err
	}
	if v.Drafts, err = s.draftsOf(c.Request().Context(), d.detail.ID); err != nil {
		return err
	}
	ch := s.campaignChrome(c, head, "Sign-off")
	ch.Section = view.SectionSignOff
	ch.Nav = s.navigation(view.SectionSignOff)
	s.addFiles(&ch, []string{"signoff.css"}, nil)
	return s.render(c, page.Decision(ch, v))
}

func decisionPairs(q view.DecisionQuery) []string {
	pairs := []string{"candidate", q.Candidate, "control", q.Control, "rollback", q.Back, "target", string(q.Target)}
	for _, f := range q.Figures {
		pairs = append(pairs, "f", f)
	}
	return pairs
}

func (s *Server) decideTable(c echo.Context) error {
	d, moved, err := s.readDecision(c)
	if err != nil || moved {
		return err
	}
	if d.ground == nil {
		return notFound("No arm was read from this campaign.")
	}
	return s.table(c, "decision", view.GroundTable(d.ground))
}

// draftOpen begins a draft on what the page of the decision shows.
func (s *Server) draftOpen(c echo.Context) error {
	v, err := needsPerson(c)
	if err != nil {
		return err
	}
	if err := c.Request().ParseForm(); err != nil {
		return badRequest("The form cannot be read.")
	}
	q, err := decisionQuery(func(name string) (string, error) { return formValue(c, name, longestParam) }, c.Request().PostForm["f"])
	if err != nil {
		return err
	}
	campaign, err := formValue(c, "campaign", longestParam*4)
	if err != nil {
		return err
	}
	d, _, err := s.cfg.Decisions.Open(c.Request().Context(), reviewQuery(campaign, q), v.session.Account.Name)
	if err != nil {
		return s.deskProblem(surveyProblem(err))
	}
	return c.Redirect(http.StatusSeeOther, view.DraftURL(d.ID))
}

// formValue is one field of a form, bounded and text.
func formValue(c echo.Context, name string, longest int) (string, error) {
	v := c.FormValue(name)
	if len(v) > longest {
		return "", badRequest("%s: longer than %d bytes.", name, longest)
	}
	if strings.ContainsRune(v, 0) {
		return "", badRequest("%s: not text.", name)
	}
	return strings.ToValidUTF8(strings.ReplaceAll(v, "\r\n", "\n"), "\uFFFD"), nil
}

// deskProblem turns a refusal of the desk into an answer.
func (s *Server) deskProblem(err error) error {
	var refused *review.Refused
	var wrong *evidence.RepairError
	switch {
	case errors.As(err, &refused):
		var lines []string
		for _, r := range refused.Refusals {
			lines = append(lines, view.Sentence(r.Text))
		}
		status := http.StatusUnprocessableEntity
		if refused.Has(review.RefuseRole) {
			status = http.StatusForbidden
		}
		return &statusError{status: status, text: strings.Join(lines, " ")}
	case errors.As(err, &wrong):
		return &statusError{status: http.StatusUnprocessableEntity, text: view.Sentence(wrong.Error())}
	}
	if text, ok := callersFault(err); ok {
		return &statusError{status: http.StatusUnprocessableEntity, text: text}
	}
	return err
}
