package claims_test

import (
	"encoding/json"
	"strings"
	"testing"

	"assay/store/compare/claims"
	"assay/store/evidence"

	"github.com/google/go-cmp/cmp"
)

// row builds a run whose figures are written as "metric stat digits unit pointer".
func row(arm string, facts map[evidence.FactKey]string, figures ...string) evidence.RunRow {
	r := evidence.RunRow{ID: arm, ArmID: arm, Arm: arm, Class: evidence.ClassShort, Status: evidence.Measured}
	for _, k := range evidence.Keys {
		if v, ok := facts[k.Key]; ok {
			r.Facts = append(r.Facts, evidence.FactRow{Fact: evidence.Fact{Key: k.Key, Value: v, State: evidence.Recorded,
				Place: evidence.At("/facts/" + evidence.Pointer(arm) + "/" + evidence.Pointer(k.Key)), SourceText: v}})
		}
	}
	for _, f := range figures {
		w := strings.Fields(f)
		v, unit, err := evidence.ToBase(w[2], w[3])
		if err != nil {
			panic(err)
		}
		r.Measurements = append(r.Measurements, evidence.MeasurementRow{Measurement: evidence.Measurement{
			Metric: evidence.MetricID(w[0]), Stat: evidence.Stat(w[1]), Value: evidence.Some(v), Unit: unit, State: evidence.Recorded,
			Role: evidence.Primary, SourceText: w[2], SourceUnit: w[3], Place: evidence.At(evidence.Pointer(w[4])),
		}})
	}
	return r
}

// claimed adds a claim to a run: "rule(metric stat) digits unit", with the places of base
// and subject behind.
func claimed(r evidence.RunRow, rule, text, unit string, also ...evidence.Pointer) evidence.RunRow {
	v, _, err := evidence.ToBase(text, unit)
	if err != nil {
		panic(err)
	}
	m := evidence.Measurement{Metric: evidence.ClaimedChange, Stat: evidence.P50, Value: evidence.Some(v), Unit: evidence.Ratio, Role: evidence.Claim,
		State: evidence.Recorded, SourceText: text, SourceUnit: unit, Rule: rule, Place: evidence.At("/claim")}
	for _, p := range also {
		m.Also = append(m.Also, evidence.At(p))
	}
	r.Measurements = append(r.Measurements, evidence.MeasurementRow{Measurement: m})
	return r
}

func document(runs ...evidence.RunRow) *evidence.DocumentDetail {
	return &evidence.DocumentDetail{RunRows: runs}
}

// unlifted adds numbers that only their names describe.
func unlifted(d *evidence.DocumentDetail, cells ...string) *evidence.DocumentDetail {
	for _, c := range cells {
		p, text, _ := strings.Cut(c, " ")
		d.NotLifted = append(d.NotLifted, evidence.NotLiftedRow{NotLifted: evidence.NotLifted{Place: evidence.At(evidence.Pointer(p)), Text: text}})
	}
	return d
}

var on, off = map[evidence.FactKey]string{evidence.KeyMTPDepth: "3"}, map[evidence.FactKey]string{evidence.KeyMTPDepth: "0"}

var answers = []struct {
	name string
	doc  *evidence.DocumentDetail
	at   evidence.Pointer
	want claims.Verdict
	base evidence.Pointer // "" when none is expected
	note string
}{
	{"named base", document(row("off", off, "ttft p50 100.0 ms /a"), claimed(row("on", on, "ttft p50 80.0 ms /b"), "change(ttft p50)", "-20.0", "percent", "/a", "/b")),
		"/claim", claims.Holds, "/a", ""},
	{"named base, wrong figure", document(row("off", off, "ttft p50 100.0 ms /a"), claimed(row("on", on, "ttft p50 80.0 ms /b"), "change(ttft p50)", "-21.0", "percent", "/a", "/b")),
		"/claim", claims.Fails, "/a", ""},
	{"wrong base named", document(row("off", off, "ttft p50 100.0 ms /a"), row("other", off, "ttft p50 160.0 ms /c"),
		claimed(row("on", on, "ttft p50 80.0 ms /b"), "change(ttft p50)", "-50.0", "percent", "/a", "/b")),
		"/claim", claims.Fails, "/a", "another cell"},
	{"few digits", document(row("off", off, "decode_rate p50 26 tok/s /a"), claimed(row("on", on, "decode_rate p50 62 tok/s /b"), "change(decode_rate p50)", "140.3", "percent", "/a", "/b")),
		"/claim", claims.HoldsUnrounded, "/a", "so few digits"},
	{"no base named", document(row("off", off, "ttft p50 100.0 ms /a"), row("far", off, "ttft p50 300.0 ms /c"),
		claimed(row("on", on, "ttft p50 80.0 ms /b"), "change(ttft p50)", "-20.0", "percent")),
		"/claim", claims.Holds, "/a", "does not name the base"},
	{"no base found", document(row("off", off, "ttft p50 100.0 ms /a"), claimed(row("on", on, "ttft p50 80.0 ms /b"), "change(ttft p50)", "-33.0", "percent")),
		"/claim", claims.NoBase, "", "nearest"},
	{"another shape is no base", document(row("off", map[evidence.FactKey]string{evidence.KeyConcurrency: "8"}, "ttft p50 100.0 ms /a"),
		claimed(row("on", map[evidence.FactKey]string{evidence.KeyConcurrency: "1"}, "ttft p50 80.0 ms /b"), "change(ttft p50)", "-20.0", "percent")),
		"/claim", claims.NoBase, "", "nearest"},
	{"ratio", document(row("off", off, "decode_rate p50 50.0 tok/s /a"), claimed(row("on", on, "decode_rate p50 75.0 tok/s /b"), "ratio(decode_rate p50)", "1.50", "ratio", "/a", "/b")),
		"/claim", claims.Holds, "/a", ""},
	{"a fall is an improvement", document(row("off", off, "ttft p50 100.0 ms /a"), claimed(row("on", on, "ttft p50 80.0 ms /b"), "reduction(ttft p50)", "20.0", "percent", "/a", "/b")),
		"/claim", claims.Holds, "/a", ""},
	{"a fall with the wrong sign", document(row("off", off, "ttft p50 100.0 ms /a"), claimed(row("on", on, "ttft p50 80.0 ms /b"), "change(ttft p50)", "20.0", "percent", "/a", "/b")),
		"/claim", claims.Fails, "/a", ""},
	{"rate by its definition", document(row("one", nil, "prompt_tokens single 1000 tokens /p", "ttft single 2.000 s /t", "effective_prefill_rate single 500.0 tok/s /r")),
		"/r", claims.Holds, "", ""},
	{"rate in the wrong unit", document(row("one", nil, "prompt_tokens single 1000 tokens /p", "ttft single 2000 s /t", "effective_prefill_rate single 500.0 tok/s /r")),
		"/r", claims.Fails, "", ""},
	{"percentiles fall", document(row("one", nil, "ttft p50 3 ms /q/p50", "ttft p95 2 ms /q/p95")), "/q", claims.Fails, "", "fall"},

	{"delta by its name", unlifted(document(), "/cap/fp8/ttft_ms 200.0", "/cap/nvfp4/ttft_ms 150.0", "/cap/fp8/decode_tok_s 10.0", "/cap/nvfp4/decode_tok_s 12.0", "/cap/nvfp4_delta_percent/ttft -25.0"),
		"/cap/nvfp4_delta_percent/ttft", claims.Holds, "/cap/fp8/ttft_ms", ""},
	{"delta by its name, wrong", unlifted(document(), "/cap/fp8/ttft_ms 200.0", "/cap/nvfp4/ttft_ms 150.0", "/cap/nvfp4_delta_percent/ttft -26.0"),
		"/cap/nvfp4_delta_percent/ttft", claims.Fails, "/cap/fp8/ttft_ms", ""},
	{"delta against the row before", unlifted(document(), "/rows/0/decode 40.0", "/rows/1/decode 60.0", "/rows/1/decode_delta_percent 50.0"),
		"/rows/1/decode_delta_percent", claims.Holds, "/rows/0/decode", ""},
	{"multiple beside the two sides", unlifted(document(), "/profiles/a1_fp8/kv_capacity_tokens 300000", "/profiles/q35_nvfp4/kv_capacity_tokens 200000", "/derived/a1_kv_capacity_multiple 1.5"),
		"/derived/a1_kv_capacity_multiple", claims.Holds, "/profiles/q35_nvfp4/kv_capacity_tokens", ""},
	{"reduction beside the two sides", unlifted(document(), "/profiles/a1_fp8/weight_memory_gib 30.0", "/profiles/q35_nvfp4/weight_memory_gib 75.0", "/derived/a1_weight_memory_reduction_percent 60.0"),
		"/derived/a1_weight_memory_reduction_percent", claims.Holds, "/profiles/q35_nvfp4/weight_memory_gib", ""},
	{"median of listed runs", unlifted(document(), "/m/arm_values/0 3.0", "/m/arm_values/1 1.0", "/m/arm_values/2 2.0", "/m/arm_median 2.0"), "/m/arm_median", claims.Holds, "", ""},
	{"mean of listed runs, wrong", unlifted(document(), "/m/all/0 3.0", "/m/all/1 1.0", "/m/mean 2.5"), "/m/mean", claims.Fails, "", ""},
	{"mean of one member of each row", unlifted(document(), "/runs/0/ttft_ms 3.0", "/runs/1/ttft_ms 5.0", "/ttft_mean_ms 4.0"), "/ttft_mean_ms", claims.Holds, "", ""},
}

func TestCheck(t *testing.T) {
	for _, tt := range answers {
		t.Run(tt.name, func(t *testing.T) {
			var found *claims.Claim
			for _, c := range claims.Check(tt.doc) {
				if c.Place.Pointer == tt.at && c.Verdict != claims.NotPublished {
					found = &c
				}
			}
			if found == nil {
				t.Fatalf("nothing is said of %s", tt.at)
			}
			if found.Verdict != tt.want || !strings.Contains(found.Note, tt.note) {
				t.Errorf("%q with %q, want %q with %q; recomputed %v", found.Verdict, found.Note, tt.want, tt.note, found.Recomputed)
			}
			if tt.base != "" && (len(found.Inputs) == 0 || found.Inputs[0].Place.Pointer != tt.base) {
				t.Errorf("base %v, want %s", found.Inputs, tt.base)
			}
		})
	}
}

// TestThresholdsAreNoClaims: what somebody set was not computed.
func TestThresholdsAreNoClaims(t *testing.T) {
	d := unlifted(document(), "/a/ttft 2.0", "/b/ttft 1.0", "/thresholds/ttft_minimum_improvement_percent 5.0", "/protected_maximum_regression_percent 3.0")
	if got := claims.Check(d); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestJSON(t *testing.T) {
	d := document(row("off", off, "ttft p50 100.0 ms /a"), claimed(row("on", on, "ttft p50 80.0 ms /b"), "change(ttft p50)", "-20.0", "percent", "/a", "/b"))
	got, err := json.Marshal(claims.Check(d)[0])
	if err != nil {
		t.Fatal(err)
	}
	const figure = `{"role":"%r","run":"%o","arm":"%o","metric":"ttft","stat":"p50","pointer":"%p","start":0,"end":0,"text":"%t","unit":"ms","value":%v}`
	fill := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(figure) }
	want := `{"campaign":"","artifact":"` + strings.Repeat("0", 64) + `","reader":"","pointer":"/claim","start":0,"end":0,"kind":"change","what":"change of TTFT p50",` +
		`"run":"on","arm":"on","metric":"ttft","stat":"p50","text":"-20.0","unit":"percent","published":-20,"recomputed":-20,"tolerance":0.05,` +
		`"formula":"(b/a - 1) * 100","verdict":"holds","holds":true,"inputs":[` +
		fill("%r", "base", "%o", "off", "%p", "/a", "%t", "100.0", "%v", "0.1") + "," + fill("%r", "subject", "%o", "on", "%p", "/b", "%t", "80.0", "%v", "0.08") +
		`],"candidates":[],"note":""}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}
