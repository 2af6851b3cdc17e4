package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
	"assay/store/review"
	"assay/store/signoff"
	"assay/web/page"
	"assay/web/view"
)

// signoffQuery is what the list is narrowed to.
func signoffQuery(c echo.Context) (f view.SignOffFilter, n int, err error) {
	err = queries(c, map[string]*string{"campaign": &f.Campaign, "decision": &f.Decision, "person": &f.Person, "state": &f.State})
	if err != nil {
		return f, 0, err
	}
	if f.Decision != "" && !slices.Contains(signoff.Decisions, signoff.Decision(f.Decision)) {
		return f, 0, badRequest("decision: want promote, reject, hold or rollback.")
	}
	if f.State != "" && !slices.Contains(view.SignOffStates, signoff.State(f.State)) {
		return f, 0, badRequest("state: want current, stale, invalid or withdrawn.")
	}
	n, err = pageParam(c, "page")
	return f, n, err
}

// readSignOffs are the sign-offs that answer to a filter, each with what it is worth.
func (s *Server) readSignOffs(ctx context.Context, f view.SignOffFilter, from, most int) (rows []view.SignedOff, total int, err error) {
	list, err := s.cfg.Decisions.SignOffs(ctx, signoff.Filter{Campaign: f.Campaign, Decision: signoff.Decision(f.Decision), Person: f.Person})
	if err != nil {
		return nil, 0, err
	}
	for i := range list {
		wanted := total >= from && len(rows) < most
		if f.State == "" && !wanted {
			total++
			continue
		}
		st, err := s.cfg.Decisions.Known(ctx, &list[i])
		if err != nil {
			return nil, 0, err
		}
		if f.State != "" && string(st.State) != f.State {
			continue
		}
		if wanted {
			rows = append(rows, view.SignedOff{SignOff: list[i], Standing: st})
		}
		total++
	}
	return rows, total, nil
}

// signoffs lists what was signed and what waits to be.
func (s *Server) signoffs(c echo.Context) error {
	f, n, err := signoffQuery(c)
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	rows, total, err := s.readSignOffs(ctx, f, (n-1)*view.SignOffsPerPage, view.SignOffsPerPage)
	if err != nil {
		return err
	}
	drafts, err := s.cfg.Decisions.Drafts(ctx, signoff.Filter{Open: true, Limit: view.SignOffsPerPage})
	if err != nil {
		return err
	}
	v := view.BuildSignOffs(f, rows, drafts, total, n)
	ch := s.chrome(c, "Sign-offs", view.SectionSignOff)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Sign-offs"}}
	s.addFiles(&ch, []string{"signoff.css"}, nil)
	return s.render(c, page.SignOffs(ch, v))
}

// signoffsMost bounds the list as a file.
const signoffsMost = 10_000

func (s *Server) signoffsTable(c echo.Context) error {
	f, _, err := signoffQuery(c)
	if err != nil {
		return err
	}
	rows, _, err := s.readSignOffs(c.Request().Context(), f, 0, signoffsMost)
	if err != nil {
		return err
	}
	return s.table(c, "signoffs", view.SignOffTable(rows))
}

// findSignOff is the sign-off that the address names: by number or by the digest of its
// statement. The address without its ending is the number.
func (s *Server) findSignOff(c echo.Context) (signoff.SignOff, error) {
	ref, err := param(c, "number")
	if err != nil {
		return signoff.SignOff{}, err
	}
	x, err := s.cfg.Decisions.SignOff(c.Request().Context(), ref)
	if err != nil && !gone(c.Request().Context(), err) {
		if _, bad := signoff.ParseNumber(ref); bad != nil || errors.Is(err, evidence.ErrNotFound) {
			return x, notFound("There is no sign-off %.80q. The list has all of them.", ref)
		}
	}
	return x, err
}

// signoff is the page of one sign-off.
func (s *Server) signoff(c echo.Context) error {
	for _, ext := range tableFormats {
		if strings.HasSuffix(c.Param("number"), ext) {
			return s.signoffTable(c, ext)
		}
	}
	x, err := s.findSignOff(c)
	if err != nil {
		return err
	}
	if canonical := view.SignOffURL(x.Number); c.Request().URL.Path != canonical {
		return c.Redirect(http.StatusFound, canonical)
	}
	return s.showSignOff(c, http.StatusOK, &x, "", "")
}

func (s *Server) signoffTable(c echo.Context, ext string) error {
	x, err := s.cfg.Decisions.SignOff(c.Request().Context(), strings.TrimSuffix(c.Param("number"), ext))
	if err != nil {
		return notFound("There is no sign-off %.80q. The list has all of them.", c.Param("number"))
	}
	return s.table(c, strings.ToLower(x.Number), view.StatementTable(&x))
}

// shownSignOff gathers what the page and the printed sheet show.
func (s *Server) shownSignOff(ctx context.Context, x *signoff.SignOff) (*view.SignOffShown, error) {
	st, err := s.cfg.Decisions.Known(ctx, x)
	if err != nil {
		return nil, err
	}
	d := &view.SignOffShown{SignOff: x, Standing: &st, Claim: x.Claim.Verify(x.Statement)}
	if d.Statement, err = signoff.ParseStatement(x.Statement); err != nil {
		d.Statement = nil
	}
	d.Proof = errors.New("this server shows no log")
	if s.cfg.TransparencyLog == nil {
		return d, nil
	}
	if d.Record, err = s.cfg.TransparencyLog.LogRecord(ctx, x.LogIndex); err != nil {
		if errors.Is(err, evidence.ErrNotFound) {
			d.Proof = errors.New("the log has no such record")
			return d, nil
		}
		return nil, err
	}
	d.Proof, err = s.checkProof(ctx, d.Record)
	return d, err
}

func (s *Server) showSignOff(c echo.Context, status int, x *signoff.SignOff, fault, typed string) error {
	d, err := s.shownSignOff(c.Request().Context(), x)
	if err != nil {
		return err
	}
	v := view.BuildSignOff(d)
	v.MayCheck = s.cfg.Accounts != nil && s.mayWrite(c, account.MayPrepare)
	v.MayWithdraw = s.cfg.Accounts != nil && s.mayWrite(c, account.MaySign) && !x.Withdrawn.OK
	v.Fault, v.Typed = fault, typed
	v.Said = map[string]string{"signed": "Signed. It stands in the log, and here for as long as the archive does.", "checked": "Checked just now.", "withdrawn": "Withdrawn."}[c.QueryParam("done")]
	if v.Printed, err = s.printed(c); err != nil {
		return err
	}
	ch := s.chrome(c, "Sign-off "+x.Number, view.SectionSignOff)
	ch.Here = view.SignOffURL(x.Number)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Sign-offs", Href: "/signoffs"}, {Label: x.Number}}
	s.addFiles(&ch, []string{"signoff.css"}, nil)
	if status == http.StatusOK {
		return s.render(c, page.SignOff(ch, v))
	}
	return s.write(c, status, page.SignOff(ch, v))
}

// signoffCheck holds a sign-off against the archive of today.
func (s *Server) signoffCheck(c echo.Context) error {
	x, err := s.findSignOff(c)
	if err != nil {
		return err
	}
	if _, err := s.cfg.Decisions.Standing(c.Request().Context(), &x); err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, view.SignOffURL(x.Number)+"?done=checked#standing")
}

// signoffWithdraw takes a sign-off back, with a reason.
func (s *Server) signoffWithdraw(c echo.Context) error {
	v, err := needsPerson(c)
	if err != nil {
		return err
	}
	x, err := s.findSignOff(c)
	if err != nil {
		return err
	}
	reason, err := formValue(c, "reason", longestReason)
	if err != nil {
		return err
	}
	if strings.TrimSpace(reason) == "" {
		return s.showSignOff(c, http.StatusUnprocessableEntity, &x, "A withdrawal needs a reason: it stays beside the sign-off for good.", reason)
	}
	_, err = s.cfg.Decisions.Withdraw(c.Request().Context(), x.Number, v.session.Account.Name, reason)
	var refused *review.Refused
	if text, ok := callersFault(err); ok {
		return s.showSignOff(c, http.StatusUnprocessableEntity, &x, text, reason)
	}
	if errors.As(err, &refused) {
		return s.deskProblem(err)
	}
	if err != nil {
		var wrong *evidence.RepairError
		if errors.As(err, &wrong) {
			return s.showSignOff(c, http.StatusUnprocessableEntity, &x, view.Sentence(wrong.Error()), reason)
		}
		return err
	}
	return c.Redirect(http.StatusSeeOther, view.SignOffURL(x.Number)+"?done=withdrawn#standing")
}

// signoffStatement is the signed text alone, or with ?signature=1 the signature.
func (s *Server) signoffStatement(c echo.Context) error {
	x, err := s.findSignOff(c)
	if err != nil {
		return err
	}
	if c.QueryParam("signature") == "1" {
		c.Response().Header().Set("Content-Disposition", `attachment; filename="`+x.Number+`.signature"`)
		return s.plainText(c, x.Claim.Signature)
	}
	c.Response().Header().Set("Content-Disposition", `attachment; filename="`+x.Number+`.statement.txt"`)
	return s.plainText(c, []byte(x.Statement))
}

// signoffBundle is everything that proves a sign-off without the archive.
func (s *Server) signoffBundle(c echo.Context) error {
	x, err := s.findSignOff(c)
	if err != nil {
		return err
	}
	if s.cfg.Vault == nil {
		return notFound("This server makes no bundles; \"assay signoff bundle\" does.")
	}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "application/zip")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Content-Disposition", `attachment; filename="`+x.Number+`.zip"`)
	if c.Request().Method == http.MethodHead {
		return c.NoContent(http.StatusOK)
	}
	out := &stream{c: c, now: s.cfg.Now}
	if err := s.cfg.Decisions.WriteBundle(c.Request().Context(), s.cfg.Vault, x.Number, out); err != nil {
		return s.broken(c, out, err)
	}
	return nil
}
