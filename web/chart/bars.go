package chart

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"assay/web/view"
)

// Kinds of a drawn bar, the fourth number of an item; charts.js knows them.
const (
	kindPoint    = 0
	kindInterval = 1 // from its lower to its upper bound, no centre
	kindOne      = 2 // one observation: hollow
	kindRejected = 3 // hatched
)

// labelWidth is the room for an arm's name. charts.js breaks a longer name into as many
// lines as a row has room for, and cuts it there.
const labelWidth = 230

// Bars draws one figure of several arms from zero, in the order they come in. It
// returns nil for nothing to draw.
func Bars(id string, v *view.BarChart) (*Chart, error) {
	if v == nil || len(v.Rows) == 0 {
		return nil, nil
	}
	n := len(v.Rows)
	labels := make([]string, n)
	items := make([]map[string]any, n)
	for i, r := range v.Rows {
		y := n - 1 - i // the first one on top
		labels[y] = r.Label
		kind := kindPoint
		switch {
		case r.Rejected:
			kind = kindRejected
		case r.Interval:
			kind = kindInterval
		case r.One:
			kind = kindOne
		}
		items[y] = map[string]any{
			"name": r.Label, "value": []any{y, r.Low, r.High, kind}, "text": r.Text,
			"tip": r.Label + "\n" + r.Text + " " + v.Unit + "\n" + r.Sub,
		}
	}
	o, err := barOption(id, labels, items)
	if err != nil {
		return nil, err
	}
	return &Chart{ID: id, Title: v.Title + ", " + v.Unit, Table: v.Table, Size: "tall " + sized(n), Option: o,
		Say: "In the order of the source, not ranked. A range is drawn from its lower to its upper bound; a rejected arm is hatched and cannot win."}, nil
}

func barOption(id string, labels []string, items []map[string]any) (map[string]any, error) {
	c := charts.NewBar()
	c.SetGlobalOptions(
		base(id),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "item"}),
		charts.WithXAxisOpts(opts.XAxis{Type: "value", Min: 0}),
		charts.WithYAxisOpts(opts.YAxis{Type: "category", Data: labels}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithGridOpts(opts.Grid{Top: "8", Bottom: "8", Left: "8", Right: "150", ContainLabel: opts.Bool(true)}),
	)
	o, err := option(c)
	if err != nil {
		return nil, err
	}
	axis(o, "xAxis", axisInk(), map[string]any{"axisLabel": map[string]any{"color": "$ink-3"}})
	axis(o, "yAxis", axisInk(), map[string]any{
		"data": labels, "splitLine": map[string]any{"show": false},
		"axisLabel": map[string]any{"color": "$ink", "interval": 0, "width": labelWidth, "lineHeight": 14},
	})
	o["series"] = []any{map[string]any{
		"type": "custom", "name": "figure", "data": items, "encode": map[string]any{"x": []int{1, 2}, "y": 0},
		"itemStyle": map[string]any{"color": "$plot"},
		"ink":       map[string]any{"plot": "$plot", "ground": "$surface", "text": "$ink", "quiet": "$ink-3"},
	}}
	return o, nil
}
