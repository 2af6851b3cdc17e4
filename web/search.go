package web

import (
	"context"
	"errors"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

// fewestDigits is how many digits of a digest name an artifact in search.
const fewestDigits = 6

// search is the page of found places.
func (s *Server) search(c echo.Context) error {
	q, err := query(c, "q")
	if err != nil {
		return err
	}
	within, err := narrowSome(c, view.SearchParams)
	if err != nil {
		return err
	}
	n, err := pageParam(c, "page")
	if err != nil {
		return err
	}
	v := view.BuildSearch("", within, nil, nil, 0, 1)
	if q != "" {
		err = s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) error {
			exact, err := s.exact(ctx, q)
			if err != nil {
				return err
			}
			f := within.Evidence()
			f.Offset, f.Limit = (n-1)*view.HitsPerPage, view.HitsPerPage
			hits, total, err := s.cfg.Archive.SearchIn(ctx, q, f)
			if err != nil {
				return err
			}
			v = view.BuildSearch(q, within, exact, hits, total, n)
			return nil
		})
		if err != nil {
			return err
		}
	}
	ch := s.chrome(c, "Search", view.SectionSearch)
	ch.Query = q
	return s.render(c, page.Search(ch, v))
}

// exact is what the words name as a whole: a digest, a run id, a campaign id.
func (s *Server) exact(ctx context.Context, q string) ([]view.Hit, error) {
	var hits []view.Hit
	name := strings.ToLower(strings.TrimPrefix(q, "sha256:"))
	if len(name) >= fewestDigits && strings.Trim(name, "0123456789abcdef") == "" {
		a, err := s.cfg.Archive.FindArtifact(ctx, name)
		if err == nil {
			hits = append(hits, view.ArtifactHit(&a))
		} else if !nothing(err) {
			return nil, err
		}
	}
	if r, err := s.cfg.Archive.Run(ctx, q); err == nil {
		hits = append(hits, view.RunHit(&r))
	} else if !nothing(err) {
		return nil, err
	}
	id, err := s.cfg.Archive.ResolveCampaign(ctx, q)
	if err == nil {
		hits = append(hits, view.CampaignHit(id))
	} else if !nothing(err) {
		return nil, err
	}
	return hits, nil
}

// nothing reports whether an error only says that no single thing has the name.
func nothing(err error) bool {
	return errors.Is(err, evidence.ErrNotFound) || errors.Is(err, evidence.ErrAmbiguous)
}
