package web

import (
	"context"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

// campaignArms is every run of a campaign.
func (s *Server) campaignArms(c echo.Context) error {
	n, err := pageParam(c, "page")
	if err != nil {
		return err
	}
	var v view.CampaignArms
	moved, err := s.readCampaign(c, "/arms", func(ctx context.Context, d *evidence.CampaignDetail) error {
		f := evidence.Filter{Campaign: d.ID, Offset: (n - 1) * view.RunsPerPage, Limit: view.RunsPerPage}
		runs, err := s.cfg.Archive.Runs(ctx, f)
		if err != nil {
			return err
		}
		matrix, err := s.hasMatrix(ctx, d)
		v = view.BuildCampaignArms(d, runs, n, matrix)
		return err
	})
	if err != nil || moved {
		return err
	}
	ch, err := s.tabChrome(c, &v.Head, "Arms")
	if err != nil {
		return err
	}
	return s.render(c, page.CampaignArms(ch, v))
}

// campaignEvidence is what a campaign rests on.
func (s *Server) campaignEvidence(c echo.Context) error {
	n, err := pageParam(c, "page")
	if err != nil {
		return err
	}
	var v view.CampaignEvidence
	moved, err := s.readCampaign(c, "/evidence", func(ctx context.Context, d *evidence.CampaignDetail) error {
		matrix, err := s.hasMatrix(ctx, d)
		v = view.BuildCampaignEvidence(d, n, matrix)
		if s.cfg.Repairs != nil && s.mayWrite(c, account.MayRepair) {
			v.OfferMoves()
		}
		return err
	})
	if err != nil || moved {
		return err
	}
	ch, err := s.tabChrome(c, &v.Head, "Evidence")
	if err != nil {
		return err
	}
	return s.render(c, page.CampaignEvidence(ch, v))
}
