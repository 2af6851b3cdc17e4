package web

import (
	"context"
	"sync"

	"github.com/labstack/echo/v4"

	"assay/store/compare"
	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

// tallyRunsMax bounds the runs that are read to count what the rules do.
const tallyRunsMax = 1800

// tallyCache keeps the count of the rules. Counting judges some hundred thousand pairs,
// so it is done once for a state of the archive and never for two readers at once.
type tallyCache struct {
	mu    sync.Mutex
	of    evidence.Counts
	state int64
	value compare.Tally
	known bool
}

func (s *Server) guardrailRoutes() {
	s.get("/guardrails", s.guardrails)
	s.tables("/guardrails", s.guardrailsTable)
}

// guardrails is the catalogue of rules, with what each does to the pairs of this archive.
func (s *Server) guardrails(c echo.Context) error {
	v, err := s.catalogue(c)
	if err != nil {
		return err
	}
	ch := s.chrome(c, "Guardrails", view.SectionGuardrails)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Guardrails"}}
	s.addFiles(&ch, []string{"matrix.css", "compare.css"}, nil)
	return s.render(c, page.Guardrails(ch, v))
}

func (s *Server) guardrailsTable(c echo.Context) error {
	v, err := s.catalogue(c)
	if err != nil {
		return err
	}
	return s.table(c, "guardrails", v.Table())
}

func (s *Server) catalogue(c echo.Context) (view.Guardrails, error) {
	t, err := s.tally(c.Request().Context())
	if err != nil {
		return view.Guardrails{}, err
	}
	return view.BuildGuardrails(compare.Rules, &t), nil
}

func (s *Server) tally(ctx context.Context) (compare.Tally, error) {
	s.tallied.mu.Lock()
	defer s.tallied.mu.Unlock()
	now, err := s.cfg.Archive.Counts(ctx)
	if err != nil {
		return compare.Tally{}, err
	}
	state, err := s.sayings(ctx)
	if err != nil {
		return compare.Tally{}, err
	}
	if s.tallied.known && s.tallied.of == now && s.tallied.state == state {
		return s.tallied.value, nil
	}
	var runs []evidence.RunRow
	for _, class := range view.Classes {
		some, err := s.cfg.Archive.Runs(ctx, evidence.Filter{Class: class, Limit: tallyRunsMax / len(view.Classes)})
		if err != nil {
			return compare.Tally{}, err
		}
		runs = append(runs, some...)
	}
	s.tallied.value, s.tallied.of, s.tallied.state, s.tallied.known = compare.TallyRules(runs), now, state, true
	return s.tallied.value, nil
}

// sayings counts what people have said about evidence: it moves verdicts too.
func (s *Server) sayings(ctx context.Context) (int64, error) {
	if s.cfg.Repairs == nil {
		return 0, nil
	}
	_, all, err := s.cfg.Repairs.Repairs(ctx, evidence.RepairFilter{Limit: 1})
	if err != nil {
		return 0, err
	}
	_, holding, err := s.cfg.Repairs.Repairs(ctx, evidence.RepairFilter{Holds: true, Limit: 1})
	return int64(all)<<32 | int64(holding), err
}
