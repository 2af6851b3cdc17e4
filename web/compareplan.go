package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store/compare"
	"assay/store/evidence"
)

// comparePlan is the campaign file that would make a pair comparable, or that would fill
// an empty place of a grid: then there is no arm, and set says which facts of the control
// the missing arm has otherwise.
func (s *Server) comparePlan(c echo.Context) error {
	if err := onlyParams(c, "c", "a", "f", "set"); err != nil {
		return err
	}
	var control, arm, figure, set string
	if err := queries(c, map[string]*string{"c": &control, "a": &arm, "f": &figure, "set": &set}); err != nil {
		return err
	}
	f, err := compare.ParseFigure(figure)
	if err != nil {
		return badRequest("f: %v.", err)
	}
	if control == "" || (arm == "") == (set == "") {
		return badRequest("A plan needs a control (c), and an arm (a) or what the arm has otherwise (set=KEY:VALUE).")
	}
	var plan compare.Plan
	err = s.cfg.Archive.Snapshot(c.Request().Context(), func(ctx context.Context) error {
		a, err := s.repeats(ctx, []string{control})
		if err != nil {
			return err
		}
		if set != "" {
			missing, err := otherwise(a.Head(), set)
			if err != nil {
				return err
			}
			plan = compare.PlanFor(a.Head(), missing, f)
			return nil
		}
		b, err := s.repeats(ctx, []string{arm})
		if err != nil {
			return err
		}
		plan = compare.PlanFor(a.Head(), b.Head(), f)
		return nil
	})
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Content-Disposition", `attachment; filename="campaign.toml"`)
	return s.body(c, http.StatusOK, "application/toml; charset=utf-8", []byte(plan.TOML()))
}

// otherwise is an arm that was not run: its control with one or more facts changed.
func otherwise(control *evidence.RunRow, set string) (*evidence.RunRow, error) {
	arm := *control
	arm.Facts = append([]evidence.FactRow(nil), control.Facts...)
	arm.Measurements = nil
	var said []string
	for _, part := range strings.Split(set, ",") {
		key, value, ok := strings.Cut(part, ":")
		k := evidence.FactKey(key)
		if info := evidence.LookupKey(k); !ok || value == "" || info.Title == key {
			return nil, badRequest("set: %.60q: want KEY:VALUE of a fact.", part)
		}
		said = append(said, key+" "+value)
		changed := false
		for i := range arm.Facts {
			if arm.Facts[i].Key == k {
				arm.Facts[i].Value, changed = value, true
			}
		}
		if !changed {
			arm.Facts = append(arm.Facts, evidence.FactRow{Fact: evidence.Fact{Key: k, Value: value, State: evidence.Declared}, Source: control.Source})
		}
	}
	arm.Arm = control.Arm + ", " + strings.Join(said, ", ")
	return &arm, nil
}
