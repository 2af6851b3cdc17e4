package web

import (
	"context"

	"github.com/labstack/echo/v4"

	"assay/store/evidence"
	"assay/store/signoff"
	"assay/web/page"
	"assay/web/view"
)

// overview is the first page.
func (s *Server) overview(c echo.Context) error {
	d, err := overviewQuery(c)
	if err != nil {
		return err
	}
	err = s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) (err error) {
		a := s.cfg.Archive
		f := campaignFilter(d.Filter)
		f.Offset, f.Limit = (d.Page-1)*view.CampaignsPerPage, view.CampaignsPerPage
		if d.Campaigns, d.Total, err = a.Campaigns(ctx, f); err != nil {
			return err
		}
		quarantine := evidence.Filter{State: string(evidence.Quarantined), Limit: view.WaitsShown}
		if d.Quarantined, d.QuarTotal, err = a.Artifacts(ctx, quarantine); err != nil {
			return err
		}
		if d.Arrivals, _, err = a.Arrivals(ctx, 0, view.ArrivalsShown); err != nil {
			return err
		}
		d.Counts, err = a.Counts(ctx)
		return err
	})
	if err != nil {
		return err
	}
	v := view.BuildOverview(d)
	ctx := c.Request().Context()
	if s.cfg.Decisions != nil {
		signed, err := s.signedLines(ctx, signoff.Filter{Limit: signedMost})
		if err != nil {
			return err
		}
		drafts, err := s.draftsOf(ctx, "")
		if err != nil {
			return err
		}
		v.Sign(signed, drafts)
	}
	ch := s.chrome(c, "Overview", view.SectionOverview)
	s.addFiles(&ch, []string{"signoff.css"}, nil)
	return s.render(c, page.Overview(ch, v))
}

func overviewQuery(c echo.Context) (*view.OverviewData, error) {
	var d view.OverviewData
	if err := queries(c, map[string]*string{"text": &d.Filter.Text, "label": &d.Filter.Label}); err != nil {
		return nil, err
	}
	var err error
	if d.Filter.Narrow, err = narrowSome(c, view.CampaignParams); err != nil {
		return nil, err
	}
	d.Page, err = pageParam(c, "page")
	return &d, err
}

func campaignFilter(f view.CampaignFilter) evidence.Filter {
	ef := f.Narrow.Evidence()
	ef.Text, ef.Label = f.Text, f.Label
	return ef
}

// campaignsBatch is how many campaigns the whole list is read in at a time.
const campaignsBatch = 200

// campaignsTable is the whole list of campaigns that answer to the filter, as a file.
func (s *Server) campaignsTable(c echo.Context) error {
	d, err := overviewQuery(c)
	if err != nil {
		return err
	}
	var rows []evidence.CampaignRow
	err = s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) error {
		f := campaignFilter(d.Filter)
		f.Limit = campaignsBatch
		for {
			batch, total, err := s.cfg.Archive.Campaigns(ctx, f)
			if err != nil {
				return err
			}
			rows = append(rows, batch...)
			if f.Offset += campaignsBatch; f.Offset >= total || len(batch) == 0 {
				return nil
			}
		}
	})
	if err != nil {
		return err
	}
	return s.table(c, "campaigns", view.CampaignTable(view.CampaignLines(rows)))
}
