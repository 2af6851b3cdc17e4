package view

import (
	"testing"

	"assay/store/compare"
	"assay/store/evidence"
)

func TestChange(t *testing.T) {
	for v, want := range map[float64]string{
		1.403100775: "+140.3%", -0.0823: "−8.2%", 0: "0.0%", 0.0004: "0.0%", -0.0004: "0.0%", 0.00051: "+0.1%", 12.3456: "+1,234.6%",
	} {
		if got := Change(v); got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
}

func TestBarsPointToTheBetterSide(t *testing.T) {
	for _, tt := range []struct {
		share    float64
		x, width string
	}{{1, "50.0", "48.0"}, {-1, "2.0", "48.0"}, {0.5, "50.0", "24.0"}, {0, "50.0", "0.4"}} {
		if b := bar(tt.share, false); b.X != tt.x || b.Width != tt.width {
			t.Errorf("%v: from %s, %s wide; want from %s, %s wide", tt.share, b.X, b.Width, tt.x, tt.width)
		}
	}
}

func TestChoose(t *testing.T) {
	decode := compare.Choice{Class: evidence.ClassShort, Metric: evidence.DecodeRate, Stat: evidence.P50, Runs: 16}
	long := compare.Choice{Class: evidence.ClassLong, Metric: evidence.DecodeRate, Stat: evidence.Single, Runs: 16}
	ttft := compare.Choice{Class: evidence.ClassShort, Metric: evidence.TTFT, Stat: evidence.P95, Runs: 16}
	alone := compare.Choice{Class: evidence.ClassShort, Metric: evidence.DecodeRate, Stat: evidence.P50, Runs: 1}
	for _, tt := range []struct {
		name string
		have []compare.Choice
		q    MatrixQuery
		want compare.Choice
	}{
		{"the default", []compare.Choice{ttft, decode, long}, MatrixQuery{}, decode},
		{"the first word of a class", []compare.Choice{decode, long}, MatrixQuery{Class: "long"}, long},
		{"a metric alone", []compare.Choice{decode, ttft}, MatrixQuery{Metric: evidence.TTFT}, ttft},
		{"a figure of one arm comes last", []compare.Choice{alone, ttft}, MatrixQuery{}, ttft},
		{"unless nothing else fits", []compare.Choice{alone}, MatrixQuery{}, alone},
	} {
		if got, err := choose(tt.have, tt.q); err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v", tt.name, got, err)
		}
	}
	if _, err := choose([]compare.Choice{decode}, MatrixQuery{Stat: "p42"}); err == nil {
		t.Error("a statistic that is not there is no error")
	}
}

func TestScopeIsExact(t *testing.T) {
	tag := func(axis evidence.FactKey, class, metric string) effectTag { return effectTag{axis, class, metric} }
	b := matrixBuilder{effects: []effectTag{
		tag(evidence.KeyMTPDepth, evidence.ClassShort, "Decode rate"), tag(evidence.KeyTP, evidence.ClassShort, "Decode rate"),
		tag(evidence.KeyMTPDepth, evidence.ClassLong, "Decode rate"), tag(evidence.KeyMTPDepth, evidence.ClassStartup, "KV pool"),
		tag(evidence.KeyTP, evidence.ClassShort, "TTFT"),
	}}
	for want, in := range map[string][]int{
		"every effect":                        {0, 1, 2, 3, 4},
		"every MTP effect":                    {0, 2, 3},
		"every effect in long context":        {2},
		"every effect except in start-up":     {0, 1, 2, 4},
		"every effect of Decode rate":         {0, 1, 2},
		"every MTP effect except in start-up": {0, 2},
		"2 of 5 effects":                      {2, 4},
	} {
		if got := b.scope(in); got != want {
			t.Errorf("%v: %s, want %s", in, got, want)
		}
	}
}

func TestValueLinksSkipTheMiddle(t *testing.T) {
	d := evidence.DigestOf(nil)
	if got := valueLinks(d, 1, ""); got != nil {
		t.Errorf("one value is listed: %v", got)
	}
	links := valueLinks(d, 2_000_000, "/1500000/x")
	var words []string
	for _, l := range links {
		words = append(words, l.Text)
	}
	if n := len(words); n > 36 || words[0] != "/0" || words[n-1] != "/1999999" || words[n-5] != "/1500000" {
		t.Errorf("%v", words)
	}
}

func TestAHoleOfSeveralColumnsIsOneCell(t *testing.T) {
	line := MatrixLine{Places: append(append([]MatrixPlace{{Kind: PlaceValue, Span: 1}}, joined(MatrixPlace{Kind: PlaceHole, Span: 1, Word: "not run"}, 3)...), MatrixPlace{Kind: PlaceHole, Span: 1, Word: "not run"})}
	for i, p := range line.Places[1:] {
		if p.Word != "not run" || p.Span != 1 {
			t.Errorf("column %d says %q over %d columns", i+1, p.Word, p.Span)
		}
	}
	var spans []int
	for _, p := range line.Cells() {
		spans = append(spans, p.Span)
	}
	if len(spans) != 3 || spans[0] != 1 || spans[1] != 3 || spans[2] != 1 {
		t.Errorf("cells span %v", spans)
	}
}
