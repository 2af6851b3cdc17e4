package web

import (
	"strconv"

	"assay/web/chart"
	"assay/web/view"
)

// addFiles adds style sheets and scripts to a page, those that are there and are not
// on it yet.
func (s *Server) addFiles(ch *view.Chrome, styles, scripts []string) {
	add := func(list *[]string, names []string) {
		for _, n := range names {
			u := s.cfg.Assets.URL(n)
			if u == "" {
				continue
			}
			have := false
			for _, x := range *list {
				have = have || x == u
			}
			if !have {
				*list = append(*list, u)
			}
		}
	}
	add(&ch.Styles, styles)
	add(&ch.Scripts, scripts)
}

// withCharts loads what a page with charts needs. Without the chart library the
// charts say so themselves.
func (s *Server) withCharts(ch *view.Chrome) {
	s.addFiles(ch, []string{"chart.css"}, []string{"echarts.min.js", "charts.js"})
}

// mostPlotted is how many requests of a run are drawn.
const mostPlotted = 2000

// drawSamples makes the drawings of a run's page.
func (s *Server) drawSamples(ch *view.Chrome, plots []view.SamplePlot) ([]*chart.Chart, error) {
	var out []*chart.Chart
	for i, p := range plots {
		c, err := chart.Samples("plot-"+strconv.Itoa(i+1), p)
		if err != nil {
			return nil, err
		}
		if c != nil {
			out = append(out, c)
		}
	}
	if len(out) > 0 {
		s.withCharts(ch)
	}
	return out, nil
}
