package web

import (
	"context"
	"errors"

	"github.com/labstack/echo/v4"

	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

// runs is the list of runs.
func (s *Server) runs(c echo.Context) error {
	var f view.RunsFilter
	err := queries(c, map[string]*string{
		"campaign": &f.Campaign, "class": &f.Class, "family": &f.Family, "engine": &f.Engine, "gpu": &f.GPU,
	})
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

// run is the page of one run.
func (s *Server) run(c echo.Context) error {
	id, err := param(c, "id")
	if err != nil {
		return err
	}
	n, err := pageParam(c, "samples")
	if err != nil {
		return err
	}
	var v view.Run
	var plots []view.SamplePlot
	err = s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) error {
		r, err := s.cfg.Archive.Run(ctx, id)
		if errors.Is(err, evidence.ErrNotFound) {
			return notFound("No run of this archive is named “%.60s”.", id)
		}
		if err != nil {
			return err
		}
		samples, total, err := s.samples(ctx, r.ID, n)
		if err != nil {
			return err
		}
		v = view.BuildRun(&r, samples, total, n)
		if plots, err = s.samplePlots(ctx, r.ID, samples); err != nil {
			return err
		}
		return nil
	})
	if err != nil {
		return err
	}
	ch := s.chrome(c, v.Arm.String(), view.SectionRuns)
	ch.Crumbs = []view.Crumb{
		{Label: "Overview", Href: "/"}, {Label: v.Campaign.Text.String(), Href: v.Campaign.Href},
		{Label: "Arms", Href: v.Campaign.Href + "/arms"}, {Label: v.Arm.String()},
	}
	drawn, err := s.drawSamples(&ch, plots)
	if err != nil {
		return err
	}
	return s.render(c, page.Run(ch, v, drawn))
}

// mostSamples bounds how far the requests of a run are counted.
const mostSamples = 1 << 30

// samples is one page of a run's requests and how many there are.
func (s *Server) samples(ctx context.Context, id string, n int) ([]evidence.Sample, int, error) {
	offset := (n - 1) * view.SamplesPerPage
	rows, err := s.cfg.Archive.Samples(ctx, id, offset, view.SamplesPerPage+1)
	if err != nil {
		return nil, 0, err
	}
	if len(rows) <= view.SamplesPerPage {
		return rows, offset + len(rows), nil
	}
	return rows[:view.SamplesPerPage], mostSamples, nil
}
