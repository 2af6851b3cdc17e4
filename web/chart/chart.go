package chart

import (
	"encoding/json"
	"fmt"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
)

// Chart is a drawing with its place on a page.
type Chart struct {
	ID     string         // of the option element and the box
	Title  string         // for readers of the page
	Say    string         // what is drawn, what is not, and why
	Table  string         // id of the table that says the same
	Size   string         // style class that gives the height: "rows-6"
	Option map[string]any // data for charts.js
}

// assetsHost keeps the library from ever naming a host that is not ours.
const assetsHost = "/assets/"

// base are the options that every chart shares.
func base(id string) charts.GlobalOpts {
	return charts.WithInitializationOpts(opts.Initialization{ChartID: id, AssetsHost: assetsHost})
}

// validated is what the library's charts have in common.
type validated interface {
	Validate()
	JSON() map[string]any
}

// option takes the option of a checked chart as plain data.
func option(c validated) (map[string]any, error) {
	c.Validate()
	b, err := json.Marshal(c.JSON())
	if err != nil {
		return nil, fmt.Errorf("option of a chart: %w", err)
	}
	var o map[string]any
	if err := json.Unmarshal(b, &o); err != nil {
		return nil, fmt.Errorf("option of a chart: %w", err)
	}
	for k, v := range o {
		if m, ok := v.(map[string]any); ok && len(m) == 0 {
			delete(o, k)
		}
	}
	return o, nil
}

// axis merges options into the only axis of that name.
func axis(o map[string]any, name string, more ...map[string]any) {
	list, _ := o[name].([]any)
	if len(list) != 1 {
		list = []any{map[string]any{}}
	}
	have, _ := list[0].(map[string]any)
	list[0] = with(append([]map[string]any{have}, more...)...)
	o[name] = list
}

// sized is the style class for n rows.
func sized(n int) string { return fmt.Sprintf("rows-%d", min(max(n, 1), maxRows)) }

// maxRows is how many rows a drawing has at most; the table has them all.
const maxRows = 24

// axisInk are the colours of axes.
func axisInk() map[string]any {
	return map[string]any{
		"axisLine":  map[string]any{"lineStyle": map[string]any{"color": "$line-strong"}},
		"axisTick":  map[string]any{"show": false},
		"splitLine": map[string]any{"lineStyle": map[string]any{"color": "$line"}},
	}
}

// with merges maps, later ones over earlier ones.
func with(ms ...map[string]any) map[string]any {
	out := map[string]any{}
	for _, m := range ms {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}
