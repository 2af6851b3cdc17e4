package chart

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"assay/web/view"
)

// Samples draws one figure of every request of a run, a mark a request, failed ones
// as hollow ones.
func Samples(id string, v view.SamplePlot) (*Chart, error) {
	if len(v.Points) == 0 {
		return nil, nil
	}
	c := charts.NewScatter()
	c.SetGlobalOptions(
		base(id),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "item"}),
		charts.WithXAxisOpts(opts.XAxis{Type: "value"}),
		charts.WithYAxisOpts(opts.YAxis{Type: "value", Min: 0}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithGridOpts(opts.Grid{Top: "12", Bottom: "8", Left: "8", Right: "24", ContainLabel: opts.Bool(true)}),
	)
	o, err := option(c)
	if err != nil {
		return nil, err
	}
	ink := map[string]any{"axisLabel": map[string]any{"color": "$ink-3"}}
	axis(o, "xAxis", axisInk(), ink, map[string]any{"minInterval": 1, "splitLine": map[string]any{"show": false}})
	axis(o, "yAxis", axisInk(), ink)
	items := make([]map[string]any, len(v.Points))
	for i, p := range v.Points {
		items[i] = map[string]any{"value": []any{p.Index, p.Value}, "tip": p.Text}
		if !p.OK {
			items[i]["itemStyle"] = map[string]any{"color": "$surface", "borderColor": "$plot", "borderWidth": 1.5}
			items[i]["tip"] = p.Text + "\nfailed"
		}
	}
	o["series"] = []any{map[string]any{
		"type": "scatter", "name": v.Title, "data": items, "symbolSize": 7, "itemStyle": map[string]any{"color": "$plot", "opacity": 0.8},
	}}
	return &Chart{ID: id, Title: v.Title + ", " + v.Unit, Size: sized(6), Option: o,
		Say: "One mark a request, in the order of the requests from left to right. Hollow marks failed. Requests share queues and caches: this is a picture, not a sample for a test."}, nil
}
