package web

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/evidence"
	"assay/web/chart"
	"assay/web/page"
	"assay/web/view"
)

// campaignsHome leads to the list, or to a campaign whose id no path can carry.
func (s *Server) campaignsHome(c echo.Context) error {
	return c.Redirect(http.StatusFound, "/#campaigns")
}

// campaign is the page of a campaign.
func (s *Server) campaign(c echo.Context) error {
	page1, err := pageParam(c, "page")
	if err != nil {
		return err
	}
	var v view.Campaign
	var bars *view.BarChart
	moved, err := s.readCampaign(c, "", func(ctx context.Context, d *evidence.CampaignDetail) error {
		runs, err := s.matrixRuns(ctx, d.ID, d.Runs)
		if err != nil {
			return err
		}
		matrix := view.HasMatrix(runs)
		runs = runs[:min(len(runs), view.RunsOnCampaign)]
		v, bars = view.BuildCampaign(d, runs, page1, matrix), view.HeadlineBars(runs)
		return nil
	})
	if err != nil || moved {
		return err
	}
	if v.Signing = s.cfg.Decisions != nil; v.Signing {
		if v.Signed, err = s.signedOf(c.Request().Context(), v.Head.Whole); err != nil {
			return err
		}
	}
	s.signTab(&v.Head, v.Head.Base, false)
	ch := s.campaignChrome(c, v.Head, "")
	s.signedAbove(&ch, v.Signed)
	drawn, err := chart.Bars("bars", bars)
	if err != nil {
		return err
	}
	if drawn != nil {
		s.withCharts(&ch)
	}
	return s.render(c, page.Campaign(ch, v, bars, drawn))
}

// hasMatrix says whether a campaign's matrix page has a matrix, so that the tab leads
// to one.
func (s *Server) hasMatrix(ctx context.Context, d *evidence.CampaignDetail) (bool, error) {
	runs, err := s.matrixRuns(ctx, d.ID, d.Runs)
	return view.HasMatrix(runs), err
}

// readCampaign finds the campaign that the address names and reads it in one
// snapshot. A short form leads to the whole one, so that a view has one address.
func (s *Server) readCampaign(c echo.Context, tab string, read func(context.Context, *evidence.CampaignDetail) error) (moved bool, err error) {
	ref, err := param(c, "id")
	if err != nil {
		return false, err
	}
	var to string
	err = s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) error {
		id, err := s.resolveCampaign(ctx, ref)
		if err != nil {
			return err
		}
		d, err := s.cfg.Archive.Campaign(ctx, id)
		if err != nil {
			return err
		}
		if canonical := view.CampaignURL(id, d.Artifacts...); id != ref && canonical == view.CampaignURL(id) {
			to = canonical + tab
			return nil
		}
		return read(ctx, &d)
	})
	if err != nil || to == "" {
		return false, err
	}
	if q := c.Request().URL.RawQuery; q != "" {
		to += "?" + q
	}
	return true, c.Redirect(http.StatusFound, to)
}

func (s *Server) resolveCampaign(ctx context.Context, ref string) (string, error) {
	id, err := s.cfg.Archive.ResolveCampaign(ctx, ref)
	short := strings.ToValidUTF8(ref[:min(len(ref), 80)], "")
	switch {
	case errors.Is(err, evidence.ErrAmbiguous):
		return "", badRequest("Several campaigns begin with “%s”. Give more of the id.", short)
	case errors.Is(err, evidence.ErrNotFound):
		return "", notFound("No campaign of this archive is named “%s”.", short)
	}
	return id, err
}

func (s *Server) campaignChrome(c echo.Context, h view.CampaignHead, tab string) view.Chrome {
	title := h.Title
	if tab != "" {
		title = tab + ": " + title
	}
	ch := s.chrome(c, title, view.SectionOverview)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}}
	if tab == "" {
		ch.Crumbs = append(ch.Crumbs, view.Crumb{Label: h.Title})
	} else {
		ch.Crumbs = append(ch.Crumbs, view.Crumb{Label: h.Title, Href: h.Tabs[0].Href}, view.Crumb{Label: tab})
	}
	return ch
}
