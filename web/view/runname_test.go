package view

import (
	"slices"
	"strings"
	"testing"

	"assay/store/evidence"
)

func fact(k evidence.FactKey, v string) evidence.FactRow {
	return evidence.FactRow{Fact: evidence.Fact{Key: k, Value: v, State: evidence.Recorded, SourceText: v}}
}

// short is a run of the short class with one statistic of a load.
func short(id, arm, name string, v float64, facts ...evidence.FactRow) evidence.RunRow {
	r := run("measurement", evidence.ClassShort, arm, figure(evidence.PassRate, evidence.Total, 1, 5), figure(evidence.DecodeRate, evidence.P50, v, 5))
	r.ID, r.Name, r.Facts, r.Status = id, name, facts, evidence.Measured
	for _, k := range []evidence.FactKey{evidence.KeyRequests, evidence.KeyConcurrency, evidence.KeyContextTarget, evidence.KeyPromptTokens, evidence.KeyOutputCap} {
		r.Facts = append(r.Facts, fact(k, "8"))
	}
	r.Facts = append(r.Facts, fact(evidence.KeyProtocol, "p"), fact(evidence.KeyGPUProduct, "card"), fact(evidence.KeyThinking, "disabled"), fact(evidence.KeyPromptBurst, "false"),
		fact(evidence.KeyTimingBoundary, "client"))
	r.Measurements[0].Unit, r.Measurements[1].Unit = evidence.Ratio, evidence.TokensPerSecond
	return r
}

func TestRunsOfOneArmAreToldApart(t *testing.T) {
	warm := func(v string) evidence.FactRow { return fact(evidence.KeyWarmState, v) }
	for _, tt := range []struct {
		name string
		runs []evidence.RunRow
		want []string
	}{
		{"by name", []evidence.RunRow{short("d-r0", "depth 3", "first", 1), short("d-r1", "depth 3", "repeat", 1), short("d-r2", "none", "first", 1)},
			[]string{"depth 3, first", "depth 3, repeat", "none"}},
		{"by a fact", []evidence.RunRow{short("d-r0", "depth 3", "", 1, warm("first")), short("d-r1", "depth 3", "", 1, warm("repeat"))},
			[]string{"depth 3, warm state first", "depth 3, warm state repeat"}},
		{"by both", []evidence.RunRow{short("d-r0", "a", "x", 1, warm("first")), short("d-r1", "a", "x", 1, warm("repeat")), short("d-r2", "a", "y", 1, warm("repeat"))},
			[]string{"a, x, warm state first", "a, x, warm state repeat", "a, y, warm state repeat"}},
		{"by their number", []evidence.RunRow{short("d-r0", "a", "x", 1), short("d-r1", "a", "x", 1)}, []string{"a, run r0", "a, run r1"}},
	} {
		list := make([]*evidence.RunRow, len(tt.runs))
		for i := range tt.runs {
			list[i] = &tt.runs[i]
		}
		if got := apartNames(list); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestRowsOfOneArmAreToldApart(t *testing.T) {
	many := func(tp, warm string) []evidence.FactRow {
		return []evidence.FactRow{fact(evidence.KeyGPUCount, tp), fact(evidence.KeyTP, tp), fact(evidence.KeyDP, tp), fact(evidence.KeyReplicas, tp),
			fact(evidence.KeyMTPDepth, tp), fact(evidence.KeySpecMethod, tp), fact(evidence.KeyWarmState, warm)}
	}
	rows := BuildResults([]evidence.RunRow{
		short("d-r0", "a", "", 1, many("1", "first")...), short("d-r1", "a", "", 1, many("1", "repeat")...), short("d-r2", "b", "", 1, many("2", "first")...),
		short("d-r3", "b", "", 1, many("2", "first")...),
	}, ResultOptions{})[0].Rows
	for i, want := range []string{"first", "repeat"} {
		if f := rows[i].Facts[0]; f.Label != "warm state" || f.Value.Text.String() != want {
			t.Errorf("row %d says %s %s first, want what tells it apart", i, f.Label, f.Value.Text)
		}
	}
	if rows[0].RunName != "" || rows[2].RunName != "run r2" || rows[3].RunName != "run r3" {
		t.Errorf("runs are named %q, %q, %q", rows[0].RunName, rows[2].RunName, rows[3].RunName)
	}
}

func TestHeadlineBars(t *testing.T) {
	t.Run("a rate before a pass rate", func(t *testing.T) {
		c := HeadlineBars([]evidence.RunRow{short("d-r0", "none", "first", 75.259), short("d-r1", "depth 3", "first", 165.862), short("d-r2", "depth 3", "repeat", 184.2)})
		if c == nil || c.Title != "Decode rate, p50" || c.Rows[1].Label != "depth 3, first" || c.Rows[2].Label != "depth 3, repeat" {
			t.Errorf("%+v", c)
		}
	})
	t.Run("never a pass rate beside a rate of one arm", func(t *testing.T) {
		one := short("d-r1", "b", "", 1)
		one.Measurements = one.Measurements[:1]
		if c := HeadlineBars([]evidence.RunRow{short("d-r0", "a", "", 1), one}); c != nil {
			t.Errorf("%+v", c)
		}
	})
	t.Run("bars are in the unit of the head", func(t *testing.T) {
		runs := []evidence.RunRow{short("d-r0", "a", "", 1), short("d-r1", "b", "", 1)}
		for i := range runs {
			runs[i].Measurements = runs[i].Measurements[:1]
			runs[i].Measurements[0].Value = evidence.Some(0.85)
		}
		c := HeadlineBars(runs)
		if c == nil || c.Title != "Pass rate" || !strings.HasPrefix(c.Unit, "%") || c.Rows[0].High != 85 || c.Rows[0].Text != "85" {
			t.Errorf("%+v", c)
		}
	})
	t.Run("a run that did not end is not drawn", func(t *testing.T) {
		for status, word := range map[evidence.RunStatus]string{evidence.RunFailed: "failed", evidence.NotRun: "not run", evidence.RunUnresolved: "unresolved"} {
			bad := short("d-r0", "a", "", 900)
			bad.Status = status
			c := HeadlineBars([]evidence.RunRow{bad, short("d-r1", "b", "", 10), short("d-r2", "c", "", 20)})
			if c == nil || len(c.Rows) != 2 || len(c.Left) != 1 || c.Left[0].Label != "a" || c.Left[0].Badge.Word != word {
				t.Errorf("%s: %+v", status, c)
			}
		}
	})
}

func TestClaims(t *testing.T) {
	control := short("d-r0", "no spec", "first", 75.259)
	again := short("d-r1", "no spec", "repeat", 75.308)
	subject := short("d-r2", "depth 3", "first", 165.862)
	places := func(r *evidence.RunRow, p evidence.Pointer) {
		for i := range r.Measurements {
			r.Measurements[i].Place = evidence.At(p.Index(i))
		}
	}
	places(&control, "/c")
	places(&again, "/w")
	places(&subject, "/s")
	claim := func(text string, v float64, rule string, at evidence.Pointer, also ...evidence.Place) evidence.MeasurementRow {
		return *row(evidence.Measurement{Metric: evidence.ClaimedChange, Stat: evidence.P50, Value: evidence.Some(v), Unit: evidence.Ratio,
			Role: evidence.Claim, SourceText: text, SourceUnit: "percent", Rule: rule, Place: evidence.At(at), Also: also})
	}
	base := []evidence.Place{evidence.At("/c/1"), evidence.At("/s/1")}
	subject.Measurements = append(subject.Measurements,
		claim("120.4", 1.204, "prose/change(decode_rate p50)", "/headline/0", base...),
		claim("120.4", 1.204, "prose/change(decode_rate p50)", "/headline/1", base...),
		claim("33.7", -0.337, "prose/change(e2e p50)", "/headline/2"),
		claim("-23.125", -0.23125, "change(output_throughput total)", "/headline/3"),
		claim("5", 0.05, "change", "/headline/4"),
		claim("7", 0.07, "change(ttft p50)", "/headline/5", evidence.At("/elsewhere"), evidence.At("/s/0")))
	runs := []evidence.RunRow{control, again, subject}
	got := buildClaims(runs, runs)
	if len(got) != 5 {
		t.Fatalf("%d claims, want 5: the same claim twice is one row", len(got))
	}
	for i, want := range []struct{ metric, stat, sign, value, digits string }{
		{"Decode rate", "p50", "+", "120.4%", "120.4 percent"}, {"E2E", "p50", minus, "33.7%", "33.7 percent"},
		{"Output throughput", "total", "", minus + "23.125%", minus + "23.125 percent"}, {"", "", "+", "5%", "5 percent"}, {"TTFT", "p50", "+", "7%", "7 percent"},
	} {
		r := got[i]
		if r.Metric != want.metric || r.Stat != want.stat || r.Sign != want.sign || r.Value.Text != want.value || r.Digits != want.digits {
			t.Errorf("claim %d: %q %q, %q %q from %q; want %+v", i, r.Metric, r.Stat, r.Sign, r.Value.Text, r.Digits, want)
		}
	}
	if b := got[0].Base; len(got[0].At) != 2 || b == nil || b.Name != "no spec, first" || b.Control.Text != "75.3" || b.Subject.Text != "165.9 tok/s" {
		t.Errorf("the first is at %d places, against %+v", len(got[0].At), b)
	}
	if got[1].Base != nil {
		t.Errorf("a claim without a base is against %+v", got[1].Base)
	}
	if b := got[4].Base; b == nil || b.Name != "" || !strings.Contains(b.Control.Href, "elsewhere") {
		t.Errorf("a base that is not at hand: %+v", b)
	}
}
