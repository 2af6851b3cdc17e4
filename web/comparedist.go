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

// distributions draws the requests of the runs of a comparison, where they have samples
// and may be compared.
func (s *Server) distributions(c echo.Context, ch *view.Chrome, result *compare.Comparison) ([]page.Drawn, error) {
	want := view.DistributionRuns(result)
	if len(want) == 0 {
		return nil, nil
	}
	samples := map[string][]evidence.Sample{}
	err := s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) error {
		for _, runs := range want {
			for _, r := range runs {
				if _, read := samples[r.ID]; read {
					continue
				}
				list, err := s.cfg.Archive.Samples(ctx, r.ID, 0, mostPlotted)
				if err != nil {
					return err
				}
				samples[r.ID] = list
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []page.Drawn
	for _, m := range compare.Distributed {
		var runs []view.DrawnRun
		for _, r := range want[m] {
			runs = append(runs, view.DrawnRun{Run: r, Samples: samples[r.ID]})
		}
		v := view.BuildDistribution(m, runs)
		if v == nil {
			continue
		}
		drawn, err := chart.Distribution(v)
		if err != nil {
			return nil, err
		}
		s.withCharts(ch)
		out = append(out, page.Drawn{View: v, Chart: drawn})
	}
	return out, nil
}
