package web

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
	"assay/store/signoff"
	"assay/web/page"
	"assay/web/view"
)

func (s *Server) readStandings(c echo.Context) (view.Standings, error) {
	kind, err := query(c, "kind")
	if err != nil {
		return view.Standings{}, err
	}
	if kind != "" && kind != string(signoff.Superseded) && kind != string(signoff.Invalidated) {
		return view.Standings{}, badRequest("kind: want superseded or invalidated.")
	}
	list, err := s.cfg.Decisions.Marks(c.Request().Context(), signoff.MarkFilter{Kind: signoff.MarkKind(kind)})
	if err != nil {
		return view.Standings{}, err
	}
	v := view.BuildStandings(signoff.MarkKind(kind), list, s.mayMark(c))
	v.Said = map[string]string{"superseded": "It is superseded.", "invalidated": "It is invalidated.", "withdrawn": "It is taken back."}[c.QueryParam("done")]
	return v, nil
}

func (s *Server) mayMark(c echo.Context) bool {
	return s.cfg.Accounts != nil && s.mayWrite(c, account.MayRepair)
}

// standing lists the artifacts that people took back, and why.
func (s *Server) standing(c echo.Context) error {
	v, err := s.readStandings(c)
	if err != nil {
		return err
	}
	ch := s.chrome(c, "Superseded and invalidated", view.SectionSignOff)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Sign-offs", Href: "/signoffs"}, {Label: "Superseded and invalidated"}}
	s.addFiles(&ch, []string{"signoff.css"}, nil)
	return s.render(c, page.Standings(ch, v))
}

func (s *Server) standingTable(c echo.Context) error {
	v, err := s.readStandings(c)
	if err != nil {
		return err
	}
	return s.table(c, "standing", v.Table())
}

// standingOf is what people said of an artifact and which sign-offs name it; nil without
// a desk.
func (s *Server) standingOf(c echo.Context, d evidence.Digest) (*view.ArtifactStanding, error) {
	if s.cfg.Decisions == nil {
		return nil, nil
	}
	ctx := c.Request().Context()
	marks, err := s.cfg.Decisions.Marks(ctx, signoff.MarkFilter{Artifacts: []evidence.Digest{d}})
	if err != nil {
		return nil, err
	}
	signed, err := s.signedLines(ctx, signoff.Filter{Artifact: evidence.Some(d), Limit: signedShown})
	if err != nil {
		return nil, err
	}
	v := view.BuildArtifactStanding(d, marks, signed, s.mayMark(c))
	return &v, nil
}

// marked is one form that says something of an artifact as a whole.
type marked struct {
	who, reason string
	artifact    evidence.Digest
}

func (s *Server) markForm(c echo.Context) (m marked, err error) {
	v, err := needsPerson(c)
	if err != nil {
		return m, err
	}
	m.who = v.session.Account.Name
	if m.reason, err = formValue(c, "reason", longestReason); err != nil {
		return m, err
	}
	m.artifact, err = s.artifactNamed(c, "artifact")
	return m, err
}

// artifactNamed is the artifact that a field names by the beginning of its digest.
func (s *Server) artifactNamed(c echo.Context, field string) (evidence.Digest, error) {
	v, err := formValue(c, field, 200)
	if err != nil {
		return evidence.Digest{}, err
	}
	v = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(v), "sha256:"))
	row, err := s.cfg.Archive.FindArtifact(c.Request().Context(), v)
	switch {
	case errors.Is(err, evidence.ErrAmbiguous):
		return evidence.Digest{}, badRequest("%s: several artifacts begin with %.80q. Give more digits.", field, v)
	case errors.Is(err, evidence.ErrNotFound):
		return evidence.Digest{}, badRequest("%s: no artifact of this archive begins with %.80q. Six or more digits of its SHA-256 name one; hand the new file in first.", field, v)
	}
	return row.Digest, err
}

func (s *Server) supersede(c echo.Context) error {
	m, err := s.markForm(c)
	if err != nil {
		return err
	}
	by, err := s.artifactNamed(c, "by")
	if err != nil {
		return err
	}
	_, err = s.cfg.Decisions.Supersede(c.Request().Context(), m.artifact, by, m.who, m.reason)
	return s.marked(c, "superseded", err)
}

func (s *Server) invalidate(c echo.Context) error {
	m, err := s.markForm(c)
	if err != nil {
		return err
	}
	_, err = s.cfg.Decisions.Invalidate(c.Request().Context(), m.artifact, m.who, m.reason)
	return s.marked(c, "invalidated", err)
}

func (s *Server) withdrawMark(c echo.Context) error {
	v, err := needsPerson(c)
	if err != nil {
		return err
	}
	id, err := strconv.ParseInt(c.FormValue("mark"), 10, 64)
	if err != nil {
		return badRequest("mark: want its number.")
	}
	reason, err := formValue(c, "reason", longestReason)
	if err != nil {
		return err
	}
	_, err = s.cfg.Decisions.WithdrawMark(c.Request().Context(), id, v.session.Account.Name, reason)
	return s.marked(c, "withdrawn", err)
}

func (s *Server) marked(c echo.Context, done string, err error) error {
	if err != nil {
		return s.deskProblem(err)
	}
	return c.Redirect(http.StatusSeeOther, "/standing?done="+done)
}

// reference leads to the pages that explain.
func (s *Server) reference(c echo.Context) error {
	ch := s.chrome(c, "Reference", view.SectionReference)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Reference"}}
	return s.render(c, page.References(ch, view.BuildExplainers(s.hasRoute("/policy"))))
}

func (s *Server) hasRoute(path string) bool {
	for _, r := range s.echo.Routes() {
		if r.Path == path {
			return true
		}
	}
	return false
}
