package web

import (
	"context"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

// endStates that files are listed by.
var endStates = []evidence.EndState{evidence.Accepted, evidence.Archived, evidence.Quarantined, evidence.Pending}

// intake is what came in, or the files of one state.
func (s *Server) intake(c echo.Context) error {
	v, err := s.readIntake(c)
	if err != nil {
		return err
	}
	ch := s.chrome(c, "Intake", view.SectionIntake)
	if s.cfg.Intake != nil && v.State == "" && v.Pager.Prev == "" {
		v.Upload = view.BuildUploadForm(!s.mayWrite(c, account.MayHandIn), s.cfg.MaxUpload)
		s.addFiles(&ch, nil, []string{"upload.js"})
	}
	return s.render(c, page.Intake(ch, v))
}

// intakeTable is the same page of arrivals as a file.
func (s *Server) intakeTable(c echo.Context) error {
	v, err := s.readIntake(c)
	if err != nil {
		return err
	}
	if v.State != "" {
		return badRequest("state: the files of one state are downloaded from /export/artifacts.")
	}
	return s.table(c, "arrivals", v.Table())
}

func (s *Server) readIntake(c echo.Context) (v view.Intake, err error) {
	state, err := query(c, "state")
	if err != nil {
		return v, err
	}
	if state != "" && !slices.Contains(endStates, evidence.EndState(state)) {
		return v, badRequest("state: want accepted, archived-only, quarantined or pending.")
	}
	n, err := pageParam(c, "page")
	if err != nil {
		return v, err
	}
	offset := (n - 1) * view.ArrivalsPerPage
	err = s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) error {
		counts, err := s.cfg.Archive.Counts(ctx)
		if err != nil {
			return err
		}
		if state == "" {
			rows, total, err := s.cfg.Archive.Arrivals(ctx, offset, view.ArrivalsPerPage)
			v = view.BuildIntake(rows, total, n, counts)
			return err
		}
		rows, total, err := s.cfg.Archive.Artifacts(ctx, evidence.Filter{State: state, Offset: offset, Limit: view.ArrivalsPerPage})
		v = view.BuildIntakeFiles(state, rows, total, n, counts)
		return err
	})
	return v, err
}

// intakeArtifact is how one artifact came in and what was found about it.
func (s *Server) intakeArtifact(c echo.Context) error {
	ref, err := param(c, "sha")
	if err != nil {
		return err
	}
	digest, err := evidence.ParseDigest(strings.ToLower(ref))
	if err != nil {
		return notFound("No file has this digest: it takes 64 hexadecimal digits.")
	}
	d, err := s.cfg.Archive.Artifact(c.Request().Context(), digest)
	if err != nil {
		return err
	}
	v := view.BuildIntakeArtifact(&d)
	ch := s.chrome(c, "Intake of "+digest.Short(), view.SectionIntake)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Intake", Href: "/intake"}, {Label: digest.Short()}}
	return s.render(c, page.IntakeArtifact(ch, v))
}
