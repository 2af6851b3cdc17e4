package chart

import (
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"assay/store/compare"
	"assay/web/view"
)

// Heat draws a matrix with the shade steps of its table. It returns nil where nothing
// is shaded: one observation has no colour.
func Heat(v *view.MatrixView) (*Chart, error) {
	if v == nil {
		return nil, nil
	}
	h := heat{columnAt: map[string]int{}}
	for _, body := range v.Bodies {
		for _, line := range body.Rows {
			h.row(line)
		}
	}
	if h.shaded == 0 {
		return nil, nil
	}
	h.holes()
	// Row 0 of a category axis is at the bottom; tables are read from the top.
	for i, j := 0, len(h.rows)-1; i < j; i, j = i+1, j-1 {
		h.rows[i], h.rows[j] = h.rows[j], h.rows[i]
	}
	for i := range h.cells {
		at := h.cells[i]["value"].([]int)
		at[1] = len(h.rows) - 1 - at[1]
	}
	id := "heat-" + v.ID
	o, err := h.option(id)
	if err != nil {
		return nil, err
	}
	return &Chart{
		ID: id, Title: v.Title + ", drawn", Table: v.ID, Size: sized(len(h.rows) + 2),
		Say:    "The same steps as in the table: five equal ones inside one group of rows, stronger is better. A place without a figure has its word and no colour of the scale.",
		Option: o,
	}, nil
}

type heat struct {
	rows, columns []string
	words         []string // of each row's holes
	columnAt      map[string]int
	cells         []map[string]any
	shaded        int
}

func (h *heat) row(line view.MatrixLine) {
	y, name := len(h.rows), line.Label.Text
	for _, s := range line.Subs {
		name += "\n" + s.Text
	}
	h.rows = append(h.rows, name)
	h.words = append(h.words, "no figure")
	for _, p := range line.Places {
		if p.Kind == view.PlaceHole && p.Word != "" {
			h.words[y] = p.Word
		}
		if p.Kind != view.PlaceValue {
			continue
		}
		x, ok := h.columnAt[p.Column]
		if !ok {
			x = len(h.columns)
			h.columnAt[p.Column] = x
			h.columns = append(h.columns, strings.ReplaceAll(p.Column, ", ", "\n"))
		}
		if p.Step > 0 {
			h.shaded++
		}
		h.cells = append(h.cells, map[string]any{
			"name": p.Column, "value": []int{x, y, p.Step},
			"label": map[string]any{"show": true, "formatter": p.Value.Text, "color": "$ink"},
			"tip":   oneLine(name) + "\n" + p.Column + "\n" + p.Value.Text + "  " + p.Sub,
		})
	}
}

// holes gives every place without a figure the word that stands there in the table.
func (h *heat) holes() {
	have := map[[2]int]bool{}
	for _, c := range h.cells {
		at := c["value"].([]int)
		have[[2]int{at[0], at[1]}] = true
	}
	for y, name := range h.rows {
		for x, column := range h.columns {
			if !have[[2]int{x, y}] {
				h.cells = append(h.cells, map[string]any{
					"name": oneLine(column), "value": []int{x, y, 0}, "tip": oneLine(name) + "\n" + oneLine(column) + "\n" + h.words[y],
					"label": map[string]any{"show": true, "formatter": h.words[y], "color": "$ink-3"},
				})
			}
		}
	}
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", ", ") }

// steps are the bins of the scale; step 0 is what has no colour.
func steps() []opts.Piece {
	out := []opts.Piece{{Max: 0.5, Color: "$sunken"}}
	for i := 1; i <= compare.ShadeSteps; i++ {
		out = append(out, opts.Piece{Min: float32(i) - 0.5, Max: float32(i) + 0.5, Color: "$heat-" + string(rune('0'+i))})
	}
	return out
}

func (h *heat) option(id string) (map[string]any, error) {
	c := charts.NewHeatMap()
	c.SetGlobalOptions(
		base(id),
		charts.WithTooltipOpts(opts.Tooltip{Show: opts.Bool(true), Trigger: "item"}),
		charts.WithXAxisOpts(opts.XAxis{Type: "category", Data: h.columns, Position: "top"}),
		charts.WithYAxisOpts(opts.YAxis{Type: "category", Data: h.rows}),
		charts.WithVisualMapOpts(opts.VisualMap{Type: "piecewise", Show: opts.Bool(false), Max: compare.ShadeSteps, Pieces: steps()}),
		charts.WithLegendOpts(opts.Legend{Show: opts.Bool(false)}),
		charts.WithGridOpts(opts.Grid{Top: "8", Bottom: "8", Left: "8", Right: "8", ContainLabel: opts.Bool(true)}),
	)
	c.AddSeries("shade", nil)
	o, err := option(c)
	if err != nil {
		return nil, err
	}
	label := map[string]any{"axisLabel": map[string]any{"color": "$ink-2", "interval": 0, "lineHeight": 14}, "splitLine": map[string]any{"show": false}}
	axis(o, "xAxis", axisInk(), label)
	axis(o, "yAxis", axisInk(), label)
	o["series"] = []any{map[string]any{
		"type": "heatmap", "name": "shade", "data": h.cells,
		"itemStyle": map[string]any{"borderColor": "$surface", "borderWidth": 2},
		"emphasis":  map[string]any{"itemStyle": map[string]any{"borderColor": "$ink", "borderWidth": 2}},
	}}
	return o, nil
}
