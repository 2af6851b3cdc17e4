package chart

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"assay/web/view"
)

// symbols tell arms apart without colour; letters beside the marks name them.
var symbols = []string{"circle", "rect", "triangle", "diamond", "roundRect", "pin"}

// Frontier draws one group: a mark for every run, a line for every arm, and the Pareto
// set as a stronger line. It returns nil for a single mark, which is no picture.
func Frontier(v *view.FrontierView) (*Chart, error) {
	marks := 0
	for _, c := range v.Drawn {
		marks += len(c)
	}
	if marks < 2 {
		return nil, nil
	}
	id := "frontier-" + v.ID
	c := charts.NewScatter()
	c.SetGlobalOptions(
		base(id),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "item"}),
		charts.WithXAxisOpts(opts.XAxis{Type: "value", Name: v.XTitle}),
		charts.WithYAxisOpts(opts.YAxis{Type: "value", Name: v.YTitle, Min: 0}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithGridOpts(opts.Grid{Top: "40", Bottom: "40", Left: "16", Right: "40", ContainLabel: opts.Bool(true)}),
	)
	o, err := option(c)
	if err != nil {
		return nil, err
	}
	ink := map[string]any{"axisLabel": map[string]any{"color": "$ink-3"}, "nameTextStyle": map[string]any{"color": "$ink-2"}}
	axis(o, "xAxis", axisInk(), ink, map[string]any{"nameLocation": "middle", "nameGap": 28, "scale": true})
	axis(o, "yAxis", axisInk(), ink, map[string]any{"nameLocation": "end", "nameTextStyle": map[string]any{"color": "$ink-2", "align": "left"}})
	var series []any
	if len(v.Pareto) > 1 {
		series = append(series, paretoLine(v.Pareto))
	}
	for i, curve := range v.Drawn {
		series = append(series, armLine(curve, symbols[i%len(symbols)]))
	}
	o["series"] = series
	say := "Letters are arms, numbers the steps of an arm's ladder. Hollow marks are single observations and are never on the frontier."
	if v.Curve {
		say = "Letters are arms, numbers the steps of an arm's ladder. Hollow marks are single observations. A curve is no change against a control."
	}
	return &Chart{ID: id, Title: v.YTitle + " against " + v.XTitle, Table: v.ID, Size: "tall rows-9", Option: o, Say: say}, nil
}

func armLine(curve []view.DrawnPoint, symbol string) map[string]any {
	items := make([]map[string]any, len(curve))
	for i, p := range curve {
		items[i] = map[string]any{
			"name": p.Mark, "value": []any{p.X, p.Y}, "tip": p.Tip,
			"label": map[string]any{"show": true, "formatter": p.Mark, "position": "top", "color": "$ink", "fontSize": 11},
		}
		if p.Hollow {
			items[i]["itemStyle"] = map[string]any{"color": "$surface", "borderColor": "$plot", "borderWidth": 1.5}
		}
	}
	return map[string]any{
		"type": "line", "data": items, "symbol": symbol, "symbolSize": 9, "showSymbol": true, "animation": false,
		"itemStyle": map[string]any{"color": "$plot"}, "lineStyle": map[string]any{"color": "$plot", "width": 1, "opacity": 0.55},
	}
}

func paretoLine(points []view.DrawnPoint) map[string]any {
	data := make([]any, len(points))
	for i, p := range points {
		data[i] = []any{p.X, p.Y}
	}
	return map[string]any{
		"type": "line", "name": "frontier", "data": data, "symbol": "none", "silent": true, "animation": false, "z": 1,
		"lineStyle": map[string]any{"color": "$ink", "width": 2, "type": "dashed"},
	}
}
