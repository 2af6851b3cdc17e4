package chart

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"assay/web/view"
)

// Strip draws one quantity of the cards over the run, a line a card, the measured window
// marked. Where a sample is missing the line is broken.
func Strip(id string, v view.StripPlot) (*Chart, error) {
	if len(v.Lines) == 0 {
		return nil, nil
	}
	c := charts.NewLine()
	c.SetGlobalOptions(
		base(id),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "item"}),
		charts.WithXAxisOpts(opts.XAxis{Type: "value"}),
		charts.WithYAxisOpts(opts.YAxis{Type: "value"}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithGridOpts(opts.Grid{Top: "12", Bottom: "8", Left: "8", Right: "24", ContainLabel: opts.Bool(true)}),
	)
	o, err := option(c)
	if err != nil {
		return nil, err
	}
	ink := map[string]any{"axisLabel": map[string]any{"color": "$ink-3"}}
	axis(o, "xAxis", axisInk(), ink, map[string]any{"splitLine": map[string]any{"show": false}})
	height := map[string]any{"scale": true}
	if v.Unit == "%" {
		height = map[string]any{"min": 0, "max": 100}
	}
	axis(o, "yAxis", axisInk(), ink, height)
	var series []any
	for i, l := range v.Lines {
		items := make([]any, len(l.X))
		for j, x := range l.X {
			if l.Y[j] == nil {
				items[j] = []any{x, nil}
				continue
			}
			items[j] = []any{x, *l.Y[j]}
		}
		one := map[string]any{"type": "line", "name": l.Name, "data": items, "showSymbol": false, "connectNulls": false,
			"lineStyle": map[string]any{"color": "$plot", "width": 1.5, "type": []string{"solid", "dashed", "dotted"}[i%3]}, "itemStyle": map[string]any{"color": "$plot"}}
		if i == 0 && v.To > v.From {
			one["markArea"] = map[string]any{"silent": true, "itemStyle": map[string]any{"color": "$line", "opacity": 0.45},
				"data": []any{[]any{map[string]any{"xAxis": v.From}, map[string]any{"xAxis": v.To}}}}
		}
		series = append(series, one)
	}
	o["series"] = series
	say := "Seconds after the start of the run from left to right; the measured window is shaded."
	if len(v.Lines) > 1 {
		say += " Cards in their order: solid, dashed, dotted."
	}
	return &Chart{ID: id, Title: v.Title + ", " + v.Unit, Size: sized(4), Option: o, Say: say}, nil
}
