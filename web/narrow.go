package web

import (
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"assay/store/evidence"
	"assay/web/view"
)

// narrowQuery is what a list of runs is narrowed to and ordered by.
func narrowQuery(c echo.Context) (n view.Narrow, err error) {
	into := n.Params()
	into["sort"] = (*string)(&n.Sort)
	if err := queries(c, into); err != nil {
		return n, err
	}
	return n, checkNarrow(n.Evidence())
}

// narrowSome is what another list is narrowed to, by some of the parameters.
func narrowSome(c echo.Context, names []string) (n view.Narrow, err error) {
	into := n.Params()
	for name := range into {
		if !slices.Contains(names, name) {
			delete(into, name)
		}
	}
	if err := queries(c, into); err != nil {
		return n, err
	}
	return n, checkNarrow(n.Evidence())
}

// checkNarrow refuses what no run can answer to: it would look like an empty archive.
func checkNarrow(f evidence.Filter) error {
	for name, day := range map[string]string{"from": f.From, "to": f.To} {
		if _, err := time.Parse("2006-01-02", day); day != "" && err != nil {
			return badRequest("%s: want a day like 2026-09-04.", name)
		}
	}
	if f.From != "" && f.To != "" && f.From > f.To {
		return badRequest("from: %s comes after %s.", f.From, f.To)
	}
	if f.Status != "" && !slices.Contains(view.RunStatuses, evidence.RunStatus(f.Status)) {
		return badRequest("status: want measured, failed, not-run, external or unresolved.")
	}
	if !f.Sort.Known() {
		words := make([]string, len(evidence.Sorts))
		for i, s := range evidence.Sorts {
			words[i] = string(s)
		}
		return badRequest("sort: want one of %s, with a dash before it for the other way round.", strings.Join(words, ", "))
	}
	return nil
}
