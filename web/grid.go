package web

import (
	"context"

	"github.com/labstack/echo/v4"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

// gridRunsRead bounds the runs that are read for one grid.
const gridRunsRead = 2000

// gridSplitMax bounds the factors that grids are split by.
const gridSplitMax = 4

func (s *Server) gridRoutes() {
	s.get("/matrix/factors", s.grid)
	s.tables("/matrix/factors", s.gridTable, "campaign", "rows", "cols", "f", "class", "split")
}

// grid lays runs of any campaigns out over two factors.
func (s *Server) grid(c echo.Context) error {
	g, q, have, err := s.buildGrid(c)
	if err != nil {
		return err
	}
	v := view.BuildGridPage(g, q, have)
	ch := s.chrome(c, v.Title, view.SectionMatrix)
	ch.Wide = true
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Matrices", Href: "/matrix"}, {Label: v.Title}}
	s.addFiles(&ch, []string{"matrix.css", "compare.css"}, nil)
	return s.render(c, page.Grid(ch, v))
}

func (s *Server) gridTable(c echo.Context) error {
	g, q, _, err := s.buildGrid(c)
	if err != nil {
		return err
	}
	return s.table(c, "factors", view.GridTable(g, q.SplitBy()))
}

// buildGrid reads the runs that record the factors and lays them out. It also names the
// figures that those runs have.
func (s *Server) buildGrid(c echo.Context) (g []compare.Grid, q view.GridQuery, have []compare.Figure, err error) {
	err = queries(c, map[string]*string{"campaign": &q.Campaign, "rows": &q.Rows, "cols": &q.Cols, "f": &q.Figure, "class": &q.Class})
	if err != nil {
		return g, q, nil, err
	}
	if q.Split = c.QueryParams()["split"]; len(q.Split) > gridSplitMax {
		return g, q, nil, badRequest("split: at most %d factors.", gridSplitMax)
	}
	spec, fault := q.Spec()
	if fault != "" {
		return g, q, nil, badRequest("%s.", fault)
	}
	var runs []evidence.RunRow
	err = s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) (err error) {
		f := evidence.Filter{Class: spec.Class, Limit: gridRunsRead}
		if q.Campaign != "" {
			if f.Campaign, err = s.resolveCampaign(ctx, q.Campaign); err != nil {
				return err
			}
		}
		runs, err = s.cfg.Archive.Runs(ctx, f)
		return err
	})
	if err != nil {
		return g, q, nil, err
	}
	if g = compare.BuildGrids(runs, spec, q.SplitBy()); len(g) == 0 {
		g = []compare.Grid{compare.BuildGrid(runs, spec)}
	}
	g[0].Bounded = g[0].Bounded || len(runs) == gridRunsRead
	return g, q, figuresOf(runs), nil
}

// figuresOf are the comparable figures of runs, in registry order.
func figuresOf(runs []evidence.RunRow) []compare.Figure {
	seen := map[compare.Figure]bool{}
	for i := range runs {
		for j := range runs[i].Measurements {
			if m := &runs[i].Measurements[j]; m.Role == evidence.Primary {
				seen[compare.Figure{Metric: m.Metric, Stat: m.Stat}] = true
			}
		}
	}
	var out []compare.Figure
	for _, m := range evidence.Metrics {
		if !m.Comparable {
			continue
		}
		for _, st := range evidence.Stats {
			if f := (compare.Figure{Metric: m.ID, Stat: st}); seen[f] {
				out = append(out, f)
			}
		}
	}
	return out
}
