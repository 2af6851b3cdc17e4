package web

import (
	"github.com/labstack/echo/v4"

	"assay/store/evidence"
	"assay/web/page"
	"assay/web/view"
)

func (s *Server) waiverRoutes() {
	if s.cfg.Waivers == nil {
		return
	}
	s.get("/waivers", s.waivers)
	s.tables("/waivers", s.waiversTable, "page")
}

// waivers lists the pairs that people opened for looking.
func (s *Server) waivers(c echo.Context) error {
	v, err := s.readWaivers(c)
	if err != nil {
		return err
	}
	ch := s.chrome(c, "Waivers", view.SectionCompare)
	ch.Crumbs = []view.Crumb{{Label: "Overview", Href: "/"}, {Label: "Compare", Href: "/compare"}, {Label: "Waivers"}}
	s.addFiles(&ch, []string{"matrix.css", "compare.css"}, nil)
	return s.render(c, page.Waivers(ch, v))
}

func (s *Server) waiversTable(c echo.Context) error {
	v, err := s.readWaivers(c)
	if err != nil {
		return err
	}
	return s.table(c, "waivers", v.Table())
}

func (s *Server) readWaivers(c echo.Context) (view.Waivers, error) {
	n, err := pageParam(c, "page")
	if err != nil {
		return view.Waivers{}, err
	}
	list, total, err := s.cfg.Waivers.Waivers(c.Request().Context(), evidence.WaiverFilter{Offset: (n - 1) * view.WaiversPerPage, Limit: view.WaiversPerPage})
	return view.BuildWaivers(list, total, n), err
}
