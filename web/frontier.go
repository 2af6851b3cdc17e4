package web

import (
	"context"

	"github.com/labstack/echo/v4"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/web/chart"
	"assay/web/page"
	"assay/web/view"
)

// frontierRunsMax bounds the runs that are read for one frontier.
const frontierRunsMax = 600

func (s *Server) frontierRoutes() {
	s.get("/frontier", s.frontier)
	s.tables("/frontier", s.frontierTable, "campaign", "y", "x", "card")
}

// frontier is the frontier page.
func (s *Server) frontier(c echo.Context) error {
	f, q, err := s.buildFrontier(c)
	if err != nil {
		return err
	}
	v := view.BuildFrontierPage(&f, q)
	ch := s.chrome(c, v.Title, view.SectionFrontier)
	ch.Wide = true
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: v.Title}}
	s.addFiles(&ch, []string{"matrix.css", "compare.css"}, nil)
	drawn := make([]*chart.Chart, len(v.Groups))
	for i := range v.Groups {
		if drawn[i], err = chart.Frontier(&v.Groups[i]); err != nil {
			return err
		}
		if drawn[i] != nil {
			s.withCharts(&ch)
		}
	}
	return s.render(c, page.Frontier(ch, v, drawn))
}

func (s *Server) frontierTable(c echo.Context) error {
	f, _, err := s.buildFrontier(c)
	if err != nil {
		return err
	}
	return s.table(c, "frontier", view.FrontierTable(&f))
}

func (s *Server) buildFrontier(c echo.Context) (f compare.Frontier, q view.FrontierQuery, err error) {
	var card string
	err = queries(c, map[string]*string{"campaign": &q.Campaign, "y": &q.Y, "x": &q.X, "card": &card})
	if err != nil {
		return f, q, err
	}
	q.PerCard = card == "1"
	spec, err := q.Spec()
	if err != nil {
		return f, q, badRequest("%v.", err)
	}
	ctx := c.Request().Context()
	var runs []evidence.RunRow
	err = s.cfg.Archive.Snapshot(ctx, func(ctx context.Context) (err error) {
		// Only runs that have the figure can have a place.
		filter := evidence.Filter{Metric: spec.Y.Metric, Stat: spec.Y.Stat, Limit: frontierRunsMax}
		if q.Campaign != "" {
			if filter.Campaign, err = s.resolveCampaign(ctx, q.Campaign); err != nil {
				return err
			}
		}
		runs, err = s.cfg.Archive.Runs(ctx, filter)
		return err
	})
	if err != nil {
		return f, q, err
	}
	all := make([]*evidence.RunRow, len(runs))
	for i := range runs {
		all[i] = &runs[i]
	}
	f = compare.BuildFrontier(all, spec)
	f.Bounded = f.Bounded || len(runs) == frontierRunsMax
	return f, q, nil
}
