package web

import (
	"github.com/labstack/echo/v4"

	"assay/web/page"
	"assay/web/view"
)

// metrics is the page of definitions and fact keys.
func (s *Server) metrics(c echo.Context) error {
	return s.render(c, page.Metrics(s.chrome(c, "Metrics and facts", view.SectionMetrics), view.BuildMetrics()))
}

func (s *Server) metricsTable(c echo.Context) error {
	return s.table(c, "metrics", view.BuildMetrics().MetricsTable())
}

func (s *Server) factKeysTable(c echo.Context) error {
	return s.table(c, "fact-keys", view.BuildMetrics().KeysTable())
}

// words is the glossary.
func (s *Server) words(c echo.Context) error {
	return s.render(c, page.Words(s.chrome(c, "Words", view.SectionWords), view.BuildGlossary()))
}

func (s *Server) wordsTable(c echo.Context) error {
	return s.table(c, "words", view.BuildGlossary().Table())
}
