package web

import (
	"context"
	"errors"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

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
	var measured *view.Measured
	err = s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) error {
		r, err := s.cfg.Archive.Run(ctx, id)
		if errors.Is(err, evidence.ErrNotFound) {
			return notFound("No run of this archive is named “%.60s”.", id)
		}
		if err != nil {
			return err
		}
		samples, err := s.samples(ctx, r.ID, n)
		if err != nil {
			return err
		}
		v, plots = view.BuildRun(&r, samples), view.SamplePlots(samples.First)
		if measured, err = s.measured(ctx, &r); err != nil {
			return err
		}
		return s.repairsOf(ctx, c, &r, &v)
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
	strips, err := s.drawStrips(&ch, measured)
	if err != nil {
		return err
	}
	return s.render(c, page.Run(ch, v, drawn, measured, strips))
}

// repairsOf says who declared facts of a run and why, and offers the forms where repairs
// can be made.
func (s *Server) repairsOf(ctx context.Context, c echo.Context, r *evidence.RunRow, v *view.Run) error {
	if s.cfg.Repairs == nil {
		return nil
	}
	why := make(map[int64]evidence.Repair)
	for _, k := range view.DeclaredKeys(r) {
		list, _, err := s.cfg.Repairs.Repairs(ctx, evidence.RepairFilter{Kind: evidence.RepairFact, Key: k, Holds: true})
		if err != nil {
			return err
		}
		for _, x := range list {
			why[x.ID] = x
		}
	}
	v.Explain(why)
	if s.mayWrite(c, account.MayRepair) {
		v.OfferRepairs(r)
	}
	return nil
}

// samples are the first requests of a run, which are drawn and counted, and one page
// of them.
func (s *Server) samples(ctx context.Context, id string, n int) (view.SamplesPage, error) {
	p := view.SamplesPage{Page: n}
	all, err := s.cfg.Archive.Samples(ctx, id, 0, mostPlotted+1)
	if err != nil {
		return p, err
	}
	p.First = all[:min(len(all), mostPlotted)]
	offset := (n - 1) * view.SamplesPerPage
	if len(all) <= mostPlotted {
		p.Total, p.Whole = len(all), true
		lo := min(offset, len(all))
		p.Rows = all[lo:min(lo+view.SamplesPerPage, len(all))]
		return p, nil
	}
	rows, err := s.cfg.Archive.Samples(ctx, id, offset, view.SamplesPerPage+1)
	if err != nil {
		return p, err
	}
	// The last page says how many there are; the others only that there are more.
	p.Rows = rows[:min(len(rows), view.SamplesPerPage)]
	p.Total, p.Whole = offset+len(rows), len(rows) > 0 && len(rows) <= view.SamplesPerPage
	p.Total = max(p.Total, len(all))
	return p, nil
}

// samplesBatch is how many requests the whole list is read in at a time.
const samplesBatch = 5000

// samplesTable is every request of a run, as a file.
func (s *Server) samplesTable(c echo.Context) error {
	id, err := param(c, "id")
	if err != nil {
		return err
	}
	var r evidence.RunRow
	var all []evidence.Sample
	err = s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) (err error) {
		if r, err = s.cfg.Archive.Run(ctx, id); err != nil {
			return err
		}
		for {
			batch, err := s.cfg.Archive.Samples(ctx, r.ID, len(all), samplesBatch)
			if err != nil {
				return err
			}
			if all = append(all, batch...); len(batch) < samplesBatch {
				return nil
			}
		}
	})
	if err != nil {
		return err
	}
	return s.table(c, "requests", view.SampleTable(&r, all))
}
