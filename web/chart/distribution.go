package chart

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"assay/web/view"
)

// dashes tell lines apart without colour; a letter stands at the end of each.
var dashes = []string{"solid", "dashed", "dotted"}

// Distribution draws the share of requests at or below a value, a line a run.
func Distribution(v *view.DistributionView) (*Chart, error) {
	if v == nil || len(v.Lines) == 0 {
		return nil, nil
	}
	c := charts.NewLine()
	c.SetGlobalOptions(
		base(v.ID+"-chart"),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "item"}),
		charts.WithXAxisOpts(opts.XAxis{Type: "value", Name: v.Title}),
		charts.WithYAxisOpts(opts.YAxis{Type: "value", Name: "requests, %", Min: 0, Max: 100}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithGridOpts(opts.Grid{Top: "40", Bottom: "40", Left: "16", Right: "40", ContainLabel: opts.Bool(true)}),
	)
	o, err := option(c)
	if err != nil {
		return nil, err
	}
	ink := map[string]any{"axisLabel": map[string]any{"color": "$ink-3"}, "nameTextStyle": map[string]any{"color": "$ink-2"}}
	axis(o, "xAxis", axisInk(), ink, map[string]any{"nameLocation": "middle", "nameGap": 28, "scale": true})
	axis(o, "yAxis", axisInk(), ink, map[string]any{"nameTextStyle": map[string]any{"color": "$ink-2", "align": "left"}})
	var series []any
	for i, l := range v.Lines {
		data := make([]any, len(l.Points))
		for j, p := range l.Points {
			data[j] = map[string]any{"value": []any{p[0], p[1]}, "tip": l.Mark + " " + l.Name}
		}
		series = append(series, map[string]any{
			"type": "line", "name": l.Mark, "data": data, "step": "end", "symbol": "circle", "symbolSize": 3, "animation": false,
			"lineStyle": map[string]any{"color": "$plot", "width": 1.5, "type": dashes[i%len(dashes)]}, "itemStyle": map[string]any{"color": "$plot"},
			"endLabel": map[string]any{"show": true, "formatter": l.Mark, "color": "$ink"},
		})
	}
	o["series"] = series
	return &Chart{ID: v.ID + "-chart", Title: "Distribution of requests: " + v.Title, Table: v.ID, Size: "tall rows-8", Option: o,
		Say: "The share of a run's requests at or below a value. Requests share queues and caches: this is a picture, not a sample for a test."}, nil
}
