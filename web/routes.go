package web

import (
	"github.com/labstack/echo/v4"

	"assay/web/view"
)

// tableFormats are the extensions a page's own table is served under.
var tableFormats = []string{".csv", ".json", ".md"}

func (s *Server) routes() {
	s.get("/", s.overview)
	s.tables("/campaigns", s.campaignsTable, append([]string{"text", "label"}, view.CampaignParams...)...)
	s.get("/campaigns", s.campaignsHome)
	s.get("/campaigns/:id", s.campaign)
	s.get("/campaigns/:id/arms", s.campaignArms)
	s.get("/campaigns/:id/evidence", s.campaignEvidence)
	s.get("/runs", s.runs)
	s.get("/runs/:id", s.run)
	s.tables("/runs/:id/samples", s.samplesTable)
	s.get("/search", s.search)
	s.get(intakePath, s.intake)
	s.tables("/intake", s.intakeTable, "state", "page")
	s.get("/intake/:sha", s.intakeArtifact)
	s.repairRoutes()
	s.get("/reference", s.reference)
	s.get("/metrics", s.metrics)
	s.tables("/metrics", s.metricsTable)
	s.tables("/facts", s.factKeysTable)
	s.get("/words", s.words)
	s.tables("/words", s.wordsTable)
	s.get("/export/:list", s.export)
	s.echo.POST("/theme", s.setTheme)
	s.echo.POST(artifactsAPI, s.artifactsPost)
	s.echo.POST(intakePath, s.intakePost)
	s.get(assetPath+"*", echo.WrapHandler(s.cfg.Assets))
	s.elsewhere()
}

// get routes GET and HEAD.
func (s *Server) get(path string, h echo.HandlerFunc) {
	s.echo.GET(path, h)
	s.echo.HEAD(path, h)
}

// tables routes a page's own table in every format, with the parameters it takes.
func (s *Server) tables(path string, h echo.HandlerFunc, params ...string) {
	checked := func(c echo.Context) error {
		if err := onlyParams(c, params...); err != nil {
			return err
		}
		return h(c)
	}
	for _, ext := range tableFormats {
		s.get(path+ext, checked)
	}
}

// elsewhere adds the routes of the artifact viewer and the matrix.
func (s *Server) elsewhere() {
	if r, ok := any(s).(interface{ artifactRoutes() }); ok {
		r.artifactRoutes()
	}
	if r, ok := any(s).(interface{ matrixRoutes() }); ok {
		r.matrixRoutes()
	}
	s.compareRoutes()
	s.waiverRoutes()
	s.guardrailRoutes()
	s.gridRoutes()
	s.frontierRoutes()
	s.logRoutes()
	s.policyRoutes()
	s.accountRoutes()
	s.signoffRoutes()
}
