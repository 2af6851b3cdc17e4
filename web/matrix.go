package web

import (
	"context"
	"errors"
	"net/http"
	"path"

	"github.com/labstack/echo/v4"

	"assay/store/evidence"
	"assay/web/chart"
	"assay/web/page"
	"assay/web/view"
)

const (
	// matrixRunsMax bounds the runs of one matrix page.
	matrixRunsMax = 4000
	// matrixListMax bounds the campaigns that the list looks into.
	matrixListMax = 40
)

func (s *Server) matrixRoutes() {
	s.get("/matrix", s.matrixList)
	s.get("/campaigns/:id/matrix", s.matrix)
	s.tables("/campaigns/:id/matrix", s.matrixTable, "metric", "stat", "class", "shade")
}

// matrix is the matrix page of a campaign.
func (s *Server) matrix(c echo.Context) error {
	v, moved, err := s.buildMatrix(c, "/matrix")
	if err != nil || moved {
		return err
	}
	var heat *chart.Chart
	if v.Shaded {
		if heat, err = chart.Heat(v.Main); err != nil {
			return err
		}
	}
	ch, err := s.tabChrome(c, &v.Head, "Matrix")
	if err != nil {
		return err
	}
	ch.Wide, ch.Nav = true, s.navigation(view.SectionMatrix)
	s.addFiles(&ch, []string{"matrix.css"}, nil)
	if heat != nil {
		s.withCharts(&ch)
	}
	return s.render(c, page.Matrix(ch, v, heat))
}

// buildMatrix reads the campaign and its runs in one snapshot and lays them out.
func (s *Server) buildMatrix(c echo.Context, tab string) (v view.MatrixPage, moved bool, err error) {
	var metric, stat, class, shade string
	if err := queries(c, map[string]*string{"metric": &metric, "stat": &stat, "class": &class, "shade": &shade}); err != nil {
		return v, false, err
	}
	moved, err = s.readCampaign(c, tab, func(ctx context.Context, d *evidence.CampaignDetail) error {
		runs, err := s.cfg.Archive.Runs(ctx, evidence.Filter{Campaign: d.ID, Limit: matrixRunsMax})
		if err != nil {
			return err
		}
		v, err = view.BuildMatrixPage(d, runs, view.MatrixQuery{
			Metric: evidence.MetricID(metric), Stat: evidence.Stat(stat), Class: class, Shade: shade,
		})
		return err
	})
	var unknown *view.UnknownChoice
	if errors.As(err, &unknown) {
		err = notFound("%s", unknown.Text)
	}
	return v, moved, err
}

// matrixTable is the page's table as a file.
func (s *Server) matrixTable(c echo.Context) error {
	v, moved, err := s.buildMatrix(c, "/matrix"+path.Ext(c.Path()))
	if err != nil || moved {
		return err
	}
	t := v.Table()
	if t == nil {
		return notFound("This campaign has no matrix. %s", v.None.Reason)
	}
	return s.table(c, "matrix", *t)
}

// matrixList lists the campaigns that have a matrix.
func (s *Server) matrixList(c echo.Context) error {
	ctx := c.Request().Context()
	if id := c.QueryParam("campaign"); id != "" {
		id, err := s.resolveCampaign(ctx, id)
		if err != nil {
			return err
		}
		detail, err := s.cfg.Archive.Campaign(ctx, id)
		if err != nil {
			return err
		}
		return c.Redirect(http.StatusFound, view.CampaignURL(detail.ID, detail.Artifacts...)+"/matrix")
	}
	rows, total, err := s.cfg.Archive.Campaigns(ctx, evidence.Filter{Factored: true, Limit: matrixListMax})
	if err != nil {
		return err
	}
	var l view.MatrixList
	for i := range rows {
		runs, err := s.matrixRuns(ctx, rows[i].ID, rows[i].Runs)
		if err != nil {
			return err
		}
		if row, ok := view.MatrixListRowOf(&rows[i], runs); ok {
			l.Rows = append(l.Rows, row)
		}
	}
	l.Count = view.Plural(int64(len(l.Rows)), "campaign has", "campaigns have") + " a matrix"
	if total > len(rows) {
		l.More = "Of " + view.Int(int64(total)) + " campaigns over TP and MTP, the latest " + view.Int(int64(len(rows))) + " were looked into."
	}
	ch := s.chrome(c, "Matrices", view.SectionMatrix)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Matrices"}}
	return s.render(c, page.MatrixList(ch, l))
}

// matrixRuns are the first runs of a campaign that has so many: as many as it takes to
// see whether there is a matrix, or all that a matrix page would lay out.
func (s *Server) matrixRuns(ctx context.Context, id string, total int) ([]evidence.RunRow, error) {
	runs, err := s.cfg.Archive.Runs(ctx, evidence.Filter{Campaign: id, Limit: view.RunsOnCampaign})
	if err != nil || len(runs) >= total || view.HasMatrix(runs) {
		return runs, err
	}
	// Only a campaign whose arms record both factors can have one further on.
	factored, _, err := s.cfg.Archive.Campaigns(ctx, evidence.Filter{Campaign: id, Factored: true, Limit: 1})
	if err != nil || len(factored) == 0 {
		return runs, err
	}
	return s.cfg.Archive.Runs(ctx, evidence.Filter{Campaign: id, Limit: matrixRunsMax})
}
