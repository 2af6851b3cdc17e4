package chart_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"assay/store/evidence"
	"assay/web/chart"
	"assay/web/ui"
	"assay/web/view"
)

// written is the option as the page holds it.
func written(t *testing.T, c *chart.Chart) string {
	t.Helper()
	b, err := json.Marshal(c.Option)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func place(column, text string, step int) view.MatrixPlace {
	return view.MatrixPlace{Kind: view.PlaceValue, Column: column, Step: step, Value: view.Figure{Text: text}, Sub: "n 10"}
}

func matrix(steps ...int) *view.MatrixView {
	v := &view.MatrixView{ID: "m1", Title: "Decode rate"}
	line := view.MatrixLine{Label: view.Figure{Text: "bf16"}, Subs: []view.Figure{{Text: "393,216"}}}
	for i, s := range steps {
		line.Places = append(line.Places, place([]string{"TP 1, MTP 0", "TP 1, MTP 3"}[i], "25.8", s))
	}
	hole := view.MatrixLine{Label: view.Figure{Text: "bf16"}, Places: []view.MatrixPlace{{Kind: view.PlaceHole, Word: "not run", Span: 2}}}
	v.Bodies = []view.MatrixBody{{Rows: []view.MatrixLine{line, hole}}}
	return v
}

func TestHeatTakesTheStepsOfItsTable(t *testing.T) {
	c, err := chart.Heat(matrix(1, 5))
	if err != nil || c == nil {
		t.Fatal(c, err)
	}
	data := c.Option["series"].([]any)[0].(map[string]any)["data"].([]map[string]any)
	if len(data) != 4 {
		t.Fatalf("%d cells, want two figures and two holes", len(data))
	}
	for i, want := range [][]int{{0, 1, 1}, {1, 1, 5}} {
		got := data[i]["value"].([]int)
		for k := range want {
			if got[k] != want[k] {
				t.Errorf("cell %d is %v, want %v", i, got, want)
			}
		}
	}
	for _, hole := range data[2:] {
		if hole["value"].([]int)[2] != 0 || hole["label"].(map[string]any)["formatter"] != "not run" {
			t.Errorf("a hole is %v", hole)
		}
	}
	option := written(t, c)
	for _, want := range []string{`"$heat-1"`, `"$heat-5"`, `"bf16\n393,216"`, `"type":"heatmap"`} {
		if !strings.Contains(option, want) {
			t.Errorf("no %s in %s", want, option)
		}
	}
	if strings.Contains(option, "http") || strings.Contains(option, "function") {
		t.Errorf("more than data: %s", option)
	}
}

func TestNothingIsDrawnWhereNothingIsShaded(t *testing.T) {
	if c, err := chart.Heat(matrix(0, 0)); c != nil || err != nil {
		t.Errorf("%v, %v", c, err)
	}
	if c, err := chart.Heat(nil); c != nil || err != nil {
		t.Errorf("%v, %v", c, err)
	}
	if c, err := chart.Bars("b", nil); c != nil || err != nil {
		t.Errorf("%v, %v", c, err)
	}
	if c, err := chart.Samples("s", view.SamplePlot{}); c != nil || err != nil {
		t.Errorf("%v, %v", c, err)
	}
}

func TestBarsKeepTheOrderOfTheSource(t *testing.T) {
	c, err := chart.Bars("bars", &view.BarChart{Title: "Output throughput", Unit: "tok/s", Rows: []view.BarRow{
		{Label: "first", Text: "764.3", High: 764.2998},
		{Label: "interval", Text: "1,401.8 to 1,423.4", Low: 1401.7693, High: 1423.4125, Interval: true},
		{Label: "rejected", Text: "587.9", High: 587.938, Rejected: true, Interval: true},
		{Label: "one", Text: "3.0", High: 3, One: true},
	}})
	if err != nil {
		t.Fatal(err)
	}
	data := c.Option["series"].([]any)[0].(map[string]any)["data"].([]map[string]any)
	for i, want := range []struct {
		name string
		kind int
	}{{"one", 2}, {"rejected", 3}, {"interval", 1}, {"first", 0}} {
		v := data[i]["value"].([]any)
		if data[i]["name"] != want.name || v[3] != want.kind || v[0] != i {
			t.Errorf("bar %d is %v %v, want %s of kind %d", i, data[i]["name"], v, want.name, want.kind)
		}
	}
	if v := data[2]["value"].([]any); v[1] != 1401.7693 || v[2] != 1423.4125 {
		t.Errorf("the interval runs from %v to %v", v[1], v[2])
	}
}

func TestSamplesDrawWhatIsThere(t *testing.T) {
	samples := []evidence.Sample{
		{Index: 1, TTFT: evidence.Some(0.5), OK: true}, {Index: 0, TTFT: evidence.Some(1.5), E2E: evidence.Some(2.0), OK: true}, {Index: 2, Failure: "cut"},
	}
	plots := view.SamplePlots(samples)
	if len(plots) != 1 || plots[0].Title != "TTFT" || len(plots[0].Points) != 2 || plots[0].Points[0].Index != 0 {
		t.Fatalf("%+v", plots)
	}
	c, err := chart.Samples("s", plots[0])
	if err != nil || !strings.Contains(written(t, c), `"value":[0,1500]`) {
		t.Errorf("%v, %s", err, written(t, c))
	}
}

func TestHostileLabelsStayData(t *testing.T) {
	const hostile = "</script><script>alert(1)</script>\u2028<!--"
	c, err := chart.Bars("bars", &view.BarChart{Title: hostile, Rows: []view.BarRow{{Label: hostile, Text: hostile, High: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	var page bytes.Buffer
	if err := ui.Chart(c).Render(context.Background(), &page); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page.String(), "<script>alert") || strings.Count(page.String(), "</script>") != 1 || strings.Contains(page.String(), "<!--") {
		t.Errorf("%s", page.String())
	}
}
