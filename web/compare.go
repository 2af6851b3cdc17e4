package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/account"
	"assay/store/compare"
	"assay/store/evidence"
	"assay/store/export"
	"assay/web/page"
	"assay/web/view"
)

const (
	// compareRunsMax bounds the runs of one comparison: a hundred arms with repeats.
	compareRunsMax = 700
	// compareFiguresMax bounds the columns.
	compareFiguresMax = 12
	// pickRunsMax bounds the runs that the picker lists.
	pickRunsMax = 300
)

var compareParams = []string{"c", "a", "f", "x", "equal", "view", "explore"}

func (s *Server) compareRoutes() {
	s.get("/compare", s.compare)
	s.tables("/compare", s.compareTable, compareParams...)
	s.get("/compare.bench", s.compareBench)
	s.get("/compare/plan.toml", s.comparePlan)
}

// compare is the comparison page, or without arms the picker.
func (s *Server) compare(c echo.Context) error {
	q, err := compareQuery(c)
	if err != nil {
		return err
	}
	if len(q.Spec.Control) == 0 || len(q.Spec.Arms) == 0 {
		return s.comparePick(c, q)
	}
	a, err := s.answer(c, &q)
	if err != nil {
		return err
	}
	digest, err := tableDigest(view.CompareTable(&a.result))
	if err != nil {
		return err
	}
	q.MayDeclare = s.cfg.Repairs != nil && s.mayWrite(c, account.MayRepair)
	v := view.BuildComparePage(&a.result, q, a.offered, digest)
	ch := s.chrome(c, v.Title, view.SectionCompare)
	ch.Wide = true
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Compare", Href: "/compare"}, {Label: v.Title}}
	s.addFiles(&ch, []string{"matrix.css", "compare.css"}, nil)
	if err := s.signedOver(c, &ch, campaignsIn(&a.result)...); err != nil {
		return err
	}
	drawn, err := s.distributions(c, &ch, &a.result)
	if err != nil {
		return err
	}
	return s.render(c, page.Compare(ch, v, drawn))
}

// campaignsIn are the campaigns of a comparison's runs, each once.
func campaignsIn(c *compare.Comparison) []string {
	var out []string
	add := func(r *evidence.RunRow) {
		if !slices.Contains(out, r.Campaign) {
			out = append(out, r.Campaign)
		}
	}
	add(c.Control.Repeats.Head())
	for i := range c.Arms {
		add(c.Arms[i].Repeats.Head())
	}
	return out
}

// answered is a comparison with the figures it could also show.
type answered struct {
	result  compare.Comparison
	offered []compare.Figure
}

// answer reads the runs in one snapshot and compares them. A spec without figures gets
// the ones that matter first.
func (s *Server) answer(c echo.Context, q *view.CompareQuery) (a answered, err error) {
	var control compare.Repeats
	var arms []compare.Repeats
	err = s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) (err error) {
		if control, err = s.repeats(ctx, q.Spec.Control); err != nil {
			return err
		}
		for _, ids := range q.Spec.Arms {
			r, err := s.repeats(ctx, ids)
			if err != nil {
				return err
			}
			arms = append(arms, r)
		}
		return nil
	})
	if err != nil {
		return a, err
	}
	control, arms = q.Regroup(control, arms)
	if len(arms) == 0 {
		return a, badRequest("There is nothing to hold against the control: every run given is a repeat of it.")
	}
	a.offered = view.OfferedFigures(control, arms)
	if len(q.Spec.Figures) == 0 {
		q.Spec.Figures = view.DefaultFigures(a.offered)
	}
	a.result = compare.Compare(q.Spec, control, arms)
	return a, s.explore(c.Request().Context(), q, &a.result)
}

// waiversMax bounds the waivers of one comparison.
const waiversMax = 2000

// explore fills in what waivers open, if the address asks for it, and counts what they
// could open.
func (s *Server) explore(ctx context.Context, q *view.CompareQuery, c *compare.Comparison) error {
	if s.cfg.Waivers == nil {
		return nil
	}
	var ids []string
	for _, r := range c.Control.Repeats {
		ids = append(ids, r.ID)
	}
	for i := range c.Arms {
		ids = append(ids, c.Arms[i].Repeats.Head().ID)
	}
	list, _, err := s.cfg.Waivers.Waivers(ctx, evidence.WaiverFilter{Runs: ids, Holds: true, Limit: waiversMax})
	if err != nil || len(list) == 0 {
		return err
	}
	q.Waivers = len(list)
	if q.Explore {
		c.Explore(list)
	}
	return nil
}

func (s *Server) repeats(ctx context.Context, ids []string) (compare.Repeats, error) {
	var out compare.Repeats
	for _, id := range ids {
		r, err := s.cfg.Archive.Run(ctx, id)
		if errors.Is(err, evidence.ErrNotFound) {
			return nil, notFound("No run of this archive is named “%.60s”.", id)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, &r)
	}
	return out, nil
}

// compareQuery reads the address. An arm may be given as several run ids joined by dots,
// or as several parameters; runs that are repeats of each other are joined later.
func compareQuery(c echo.Context) (q view.CompareQuery, err error) {
	all := c.QueryParams()
	runs := 0
	sides := func(name string) (out [][]string, err error) {
		for _, v := range all[name] {
			var ids []string
			for _, id := range strings.Split(v, ".") {
				if id = strings.TrimSpace(id); id == "" || slices.Contains(ids, id) {
					continue
				}
				if len(id) > 80 {
					return nil, badRequest("%s: %.40q is no run id.", name, id)
				}
				ids = append(ids, id)
			}
			if runs += len(ids); runs > compareRunsMax {
				return nil, badRequest("At most %d runs are compared at once.", compareRunsMax)
			}
			if len(ids) > 0 {
				out = append(out, ids)
			}
		}
		return out, nil
	}
	controls, err := sides("c")
	if err != nil {
		return q, err
	}
	if len(controls) > 1 {
		return q, badRequest("c: one control, its repeats joined by dots.")
	}
	if q.Spec.Arms, err = sides("a"); err != nil {
		return q, err
	}
	if len(controls) == 1 {
		q.Spec.Control = controls[0]
	} else if len(q.Spec.Arms) > 1 {
		// Without a control the first run stands for one; the page offers to swap it.
		q.Spec.Control, q.Spec.Arms = q.Spec.Arms[0], q.Spec.Arms[1:]
	}
	if len(q.Spec.Arms) > compare.MaxArms {
		return q, badRequest("At most %d arms are compared at once; these are %d.", compare.MaxArms, len(q.Spec.Arms))
	}
	return q, compareChoices(c, &q)
}

func compareChoices(c echo.Context, q *view.CompareQuery) error {
	all := c.QueryParams()
	if len(all["f"]) > compareFiguresMax || len(all["x"]) > compareFiguresMax {
		return badRequest("At most %d figures and factors.", compareFiguresMax)
	}
	for _, v := range all["f"] {
		f, err := compare.ParseFigure(v)
		if err != nil {
			return badRequest("f: %v.", err)
		}
		if !slices.Contains(q.Spec.Figures, f) {
			q.Spec.Figures = append(q.Spec.Figures, f)
		}
	}
	for _, v := range all["x"] {
		k := evidence.FactKey(v)
		if !slices.ContainsFunc(evidence.Keys, func(i evidence.KeyInfo) bool { return i.Key == k }) {
			return badRequest("x: %.40q is not a fact that can be asked about.", v)
		}
		if !slices.Contains(q.Spec.Axes, k) {
			q.Spec.Axes = append(q.Spec.Axes, k)
		}
	}
	equal, err := query(c, "equal")
	if err != nil {
		return err
	}
	q.Equal = equal == "1"
	explore, err := query(c, "explore")
	if err != nil {
		return err
	}
	q.Explore = explore == "1"
	q.View, err = query(c, "view")
	return err
}

// compareTable is the page's table as a file.
func (s *Server) compareTable(c echo.Context) error {
	a, err := s.askedFor(c)
	if err != nil {
		return err
	}
	return s.table(c, "comparison", view.CompareTable(&a.result))
}

// compareBench is the comparison in the Go benchmark format, so that the stock benchstat
// can re-check it. A run of a stopped pair is not in it.
func (s *Server) compareBench(c echo.Context) error {
	if err := onlyParams(c, compareParams...); err != nil {
		return err
	}
	a, err := s.askedFor(c)
	if err != nil {
		return err
	}
	runs, keep := view.ComparedMeasurements(&a.result)
	var buf bytes.Buffer
	if err := export.BenchRuns(&buf, runs, keep); err != nil {
		return err
	}
	if err := s.attach(c, "comparison", export.Bench); err != nil {
		return err
	}
	return s.body(c, http.StatusOK, export.Bench.MediaType(), buf.Bytes())
}

func (s *Server) askedFor(c echo.Context) (answered, error) {
	q, err := compareQuery(c)
	if err != nil {
		return answered{}, err
	}
	if len(q.Spec.Control) == 0 || len(q.Spec.Arms) == 0 {
		return answered{}, badRequest("A comparison needs a control (c) and at least one arm (a).")
	}
	return s.answer(c, &q)
}

// tableDigest is the digest of the comparison as JSON: values, verdicts and reasons.
func tableDigest(t export.Table) (string, error) {
	var buf bytes.Buffer
	if err := t.Write(export.JSON, &buf); err != nil {
		return "", err
	}
	sum := sha256.Sum256(buf.Bytes())
	return hex.EncodeToString(sum[:16]), nil
}

// comparePick lets a reader choose a control and arms from a campaign.
func (s *Server) comparePick(c echo.Context, q view.CompareQuery) error {
	campaign, err := query(c, "campaign")
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	var p view.ComparePick
	err = s.cfg.Archive.Snapshot(ctx, func(ctx context.Context) error {
		if campaign != "" {
			id, err := s.resolveCampaign(ctx, campaign)
			if err != nil {
				return err
			}
			f := evidence.Filter{Campaign: id, Limit: pickRunsMax}
			runs, err := s.cfg.Archive.Runs(ctx, f)
			if err != nil {
				return err
			}
			total, err := s.cfg.Archive.CountRuns(ctx, f)
			if err != nil {
				return err
			}
			p = view.BuildComparePick(id, runs, total, q)
			return nil
		}
		rows, _, err := s.cfg.Archive.Campaigns(ctx, evidence.Filter{Limit: pickRunsMax})
		if err != nil {
			return err
		}
		p = view.BuildCampaignPick(rows, q)
		return nil
	})
	if err != nil {
		return err
	}
	ch := s.chrome(c, "Compare", view.SectionCompare)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Compare"}}
	s.addFiles(&ch, []string{"matrix.css", "compare.css"}, nil)
	return s.render(c, page.ComparePicker(ch, p))
}
