package web

import (
	"context"

	"github.com/labstack/echo/v4"

	"assay/store/signoff"
	"assay/web/view"
)

const (
	// signedShown bounds the sign-offs that a page of something else shows.
	signedShown = 12
	// signedMost bounds those that are looked at for the first page.
	signedMost = 200
)

// signedOf are the sign-offs of a campaign with what they are worth today, the latest
// first. They are shown wherever its decision is.
func (s *Server) signedOf(ctx context.Context, campaign string) ([]view.SignedLine, error) {
	return s.signedLines(ctx, signoff.Filter{Campaign: campaign, Limit: signedShown})
}

func (s *Server) signedLines(ctx context.Context, f signoff.Filter) ([]view.SignedLine, error) {
	if s.cfg.Decisions == nil {
		return nil, nil
	}
	list, err := s.cfg.Decisions.SignOffs(ctx, f)
	if err != nil {
		return nil, err
	}
	out := make([]view.SignedLine, 0, len(list))
	for i := range list {
		st, err := s.cfg.Decisions.Known(ctx, &list[i])
		if err != nil {
			return nil, err
		}
		out = append(out, view.BuildSignedLine(&list[i], &st))
	}
	return out, nil
}

// draftsOf are the open drafts of a campaign, of all when it is "".
func (s *Server) draftsOf(ctx context.Context, campaign string) ([]view.DraftLine, error) {
	if s.cfg.Decisions == nil {
		return nil, nil
	}
	list, err := s.cfg.Decisions.Drafts(ctx, signoff.Filter{Campaign: campaign, Open: true, Limit: signedShown})
	if err != nil {
		return nil, err
	}
	out := make([]view.DraftLine, 0, len(list))
	for i := range list {
		out = append(out, view.BuildDraftLine(&list[i]))
	}
	return out, nil
}

// tabChrome is the frame of one of a campaign's pages, with what was signed about it.
func (s *Server) tabChrome(c echo.Context, h *view.CampaignHead, tab string) (view.Chrome, error) {
	s.signTab(h, h.Base, false)
	ch := s.campaignChrome(c, *h, tab)
	return ch, s.signedOver(c, &ch, h.Whole)
}

// signedOver adds what was signed about the campaigns of a page to its frame, so that it
// stands above whatever the page shows of them.
func (s *Server) signedOver(c echo.Context, ch *view.Chrome, campaigns ...string) error {
	for _, id := range campaigns[:min(len(campaigns), signedShown)] {
		lines, err := s.signedOf(c.Request().Context(), id)
		if err != nil {
			return err
		}
		s.signedAbove(ch, lines)
	}
	return nil
}

func (s *Server) signedAbove(ch *view.Chrome, lines []view.SignedLine) {
	if len(lines) == 0 {
		return
	}
	if len(ch.Signed) == 0 {
		s.addFiles(ch, []string{"signoff.css"}, nil)
	}
	ch.Signed = append(ch.Signed, lines...)
}

// signTab adds the page of decisions to the tabs of a campaign.
func (s *Server) signTab(h *view.CampaignHead, base string, current bool) {
	if s.cfg.Decisions != nil {
		h.Tabs = append(h.Tabs, view.Tab{Label: "Sign-off", Href: base + "/decide", Current: current})
	}
}

// navigation is the main menu of this server.
func (s *Server) navigation(section string) []view.NavItem {
	return view.Navigation(section, view.NavHas{Repairs: s.cfg.Repairs != nil, Decisions: s.cfg.Decisions != nil, Log: s.cfg.TransparencyLog != nil})
}
