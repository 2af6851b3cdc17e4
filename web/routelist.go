package web

import (
	"cmp"
	"slices"
	"strings"

	"assay/store/account"
)

// Route is one address of the server with what it needs.
type Route struct {
	Method, Path string
	Right        account.Right // "" for nobody's
	Personal     bool          // about whoever asks, even where reading is public
}

// Routes lists every address, for documentation and for tests of who may what.
func (s *Server) Routes() []Route {
	var out []Route
	for _, r := range s.echo.Routes() {
		right, ok := routeRight(r.Method, r.Path)
		if !ok || strings.HasPrefix(r.Method, "echo_") {
			continue
		}
		out = append(out, Route{r.Method, r.Path, right, personal[r.Path]})
	}
	slices.SortFunc(out, func(a, b Route) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Method, b.Method)) })
	return out
}
