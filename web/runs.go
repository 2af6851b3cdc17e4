package web

import (
	"context"

	"github.com/labstack/echo/v4"

	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

// runs is the list of runs.
func (s *Server) runs(c echo.Context) error {
	f, err := narrowQuery(c)
	if err != nil {
		return err
	}
	n, err := pageParam(c, "page")
	if err != nil {
		return err
	}
	var rows []evidence.RunRow
	var total int
	err = s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) (err error) {
		ef := f.Evidence()
		if total, err = s.cfg.Archive.CountRuns(ctx, ef); err != nil {
			return err
		}
		ef.Offset, ef.Limit = (n-1)*view.RunsPerPage, view.RunsPerPage
		rows, err = s.cfg.Archive.Runs(ctx, ef)
		return err
	})
	if err != nil {
		return err
	}
	return s.render(c, page.Runs(s.chrome(c, "Runs", view.SectionRuns), view.BuildRuns(f, rows, total, n)))
}
