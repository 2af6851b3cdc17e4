package view

import (
	"strings"
	"testing"

	"assay/store/evidence"
)

func row(m evidence.Measurement) *evidence.MeasurementRow {
	return &evidence.MeasurementRow{Measurement: m, Source: evidence.Source{Artifact: evidence.DigestOf([]byte("x"))}}
}

func TestFigureCell(t *testing.T) {
	some := evidence.Some[float64]
	scale := ScaleFor(evidence.TokensPerSecond, 1401.7693, 1423.4125)
	tests := []struct {
		name string
		m    evidence.Measurement
		want string // value, upper, second line, absence
		one  bool
	}{
		{"value", evidence.Measurement{Value: some(1401.7693)}, "1,401.8", false},
		{"bounds", evidence.Measurement{Lower: some(1401.7693), Upper: some(1423.4125)}, "1,401.8|1,423.4|bounds, no point value", false},
		{"one bound", evidence.Measurement{Lower: some(1401.7693)}, "1,401.8|at least, no upper bound", false},
		{"other bound", evidence.Measurement{Upper: some(1423.4125)}, "1,423.4|at most, no lower bound", false},
		{"not finite", evidence.Measurement{SourceText: "NaN", State: evidence.Recorded}, "NaN|not finite", false},
		{"null", evidence.Measurement{State: evidence.Absent, SourceText: "null"}, "not recorded", false},
		{"nothing", evidence.Measurement{}, "not recorded", false},
		{"single", evidence.Measurement{Value: some(20.9), Stat: evidence.Single}, "20.9", true},
		{"one observation", evidence.Measurement{Value: some(20.9), Stat: evidence.P50, N: evidence.Some(int64(1))}, "20.9", true},
		{"zero is a number", evidence.Measurement{Value: some(0)}, "0.0", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := figureCell(scale, row(tt.m))
			parts := []string{c.Value.Text}
			if c.Upper != nil {
				parts = append(parts, c.Upper.Text)
			}
			for _, s := range []string{c.Sub, c.Absent} {
				if s != "" {
					parts = append(parts, s)
				}
			}
			if got := strings.TrimPrefix(strings.Join(parts, "|"), "|"); got != tt.want || c.One != tt.one {
				t.Errorf("%q, one %v; want %q, %v", got, c.One, tt.want, tt.one)
			}
			if c.Absent == "" && c.Value.Href == "" {
				t.Error("a figure without a door")
			}
		})
	}
}

func run(part, class, arm string, figures ...evidence.Measurement) evidence.RunRow {
	r := evidence.RunRow{Source: evidence.Source{Reader: "lab/x@1"}, Arm: arm, Class: class, Place: evidence.At(evidence.Pointer("").Key(part).Index(0)), Status: evidence.Measured}
	for _, m := range figures {
		m.Role = evidence.Primary
		r.Measurements = append(r.Measurements, *row(m))
	}
	return r
}

func figure(m evidence.MetricID, s evidence.Stat, v float64, n int64) evidence.Measurement {
	return evidence.Measurement{Metric: m, Stat: s, Value: evidence.Some(v), Unit: evidence.Seconds, N: evidence.Some(n)}
}

func TestBuildResults(t *testing.T) {
	runs := []evidence.RunRow{
		run("results", evidence.ClassShort, "a", figure(evidence.TTFT, evidence.P50, 0.5, 10), figure(evidence.TTFT, evidence.P99, 0.9, 10)),
		run("results", evidence.ClassLong, "a", figure(evidence.TTFT, evidence.Single, 272.9, 1)),
		run("results", evidence.ClassShort, "b", figure(evidence.TTFT, evidence.P50, 0.6, 20)),
		run("screens", evidence.ClassShort, "c", figure(evidence.TTFT, evidence.Mean, 0.6, 10)),
	}
	tables := BuildResults(runs, ResultOptions{Brief: true})
	if len(tables) != 3 {
		t.Fatalf("%d tables, want 3: one class and one part of the source each", len(tables))
	}
	short := tables[0]
	if short.Title != "Short capacity" || len(short.Rows) != 2 || short.Left != "TTFT p99" {
		t.Errorf("%q with %d rows leaves %q", short.Title, len(short.Rows), short.Left)
	}
	if got := short.Rows[0].Cells[0]; got.Sub != "n 10" || got.Column != "TTFT, ms p50" {
		t.Errorf("n differs down the column, so the cell says it: %+v", got)
	}
	if note := tables[2].Groups[0].Stats[0].Note; note != "n 10" {
		t.Errorf("n is the same down the column, so the head says it: %q", note)
	}
	long := tables[1]
	if long.Groups[0].Stats[0].Name != "one observation" || long.Groups[0].Unit != "s" || !long.Rows[0].Cells[0].One {
		t.Errorf("one observation: %+v", long.Groups[0])
	}
	if tables[2].Title != "Screens" {
		t.Errorf("part of the source: %q", tables[2].Title)
	}
	all := BuildResults(runs, ResultOptions{Rows: 1, More: "/more"})
	if all[0].More != "/more" || all[0].Total != 2 || len(all[0].Rows) != 1 || len(all[0].Groups[0].Stats) != 2 {
		t.Errorf("cut table: %d of %d rows, more at %q", len(all[0].Rows), all[0].Total, all[0].More)
	}
	if all[1].More != "" {
		t.Error("a whole table leads nowhere")
	}
}

func TestFactText(t *testing.T) {
	tests := []struct {
		key   evidence.FactKey
		value string
		want  string
	}{
		{evidence.KeyContextTarget, "4096", "4,096 tokens"},
		{evidence.KeyRequests, "100", "100"},
		{evidence.KeyGPUMemory, "34190917632", "32,607 MiB"},
		{evidence.KeyCachedFraction, "0", "0%"},
		{evidence.KeyEngine, "engine 1", "engine 1"},
		{evidence.KeyTP, "two", "two"},
		{"not registered", "7", "7"},
	}
	for _, tt := range tests {
		if got := factText(evidence.LookupKey(tt.key), tt.value); got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.key, tt.value, got, tt.want)
		}
	}
}
