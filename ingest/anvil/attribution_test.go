package anvil

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

// narrativeOf is a narrative with these statistics sentences, headlines and gates.
type narrativeOf struct {
	Stats, Headlines []string
	Gates            []gateOf
	Speculation      string
	Selected         string
}

type gateOf struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Detail string `json:"detail"`
}

func (x narrativeOf) read(t *testing.T) evidence.Document {
	t.Helper()
	if x.Speculation == "" {
		x.Speculation = "MTP3 with lm-head draft"
	}
	for i := range x.Gates {
		x.Gates[i].Status = "passed"
	}
	data, err := json.Marshal(map[string]any{
		"schema": decisionLabel, "campaign_id": "trial",
		"workload":    map[string]any{"hardware": "1x NVIDIA GeForce RTX 5090, 32607 MiB, sm_120", "selected_concurrency": 1, "speculation": x.Speculation},
		"measurement": map[string]any{"path": "direct", "statistics": append([]string{"five requests per arm at 4K/C1"}, x.Stats...)},
		"gates":       x.Gates, "headline_results": append([]string{}, x.Headlines...),
		"decision": map[string]any{"selected_arm": x.Selected},
	})
	if err != nil {
		t.Fatal(err)
	}
	d, n := mustRead(t, data)
	for _, p := range Unaccounted(d, n) {
		t.Errorf("nothing carries the number at %s", where(p))
	}
	checkInvariants(t, d, n)
	return d
}

// figuresAt are the figures that stand under a pointer, as "ARM METRIC STATISTIC VALUE ROLE".
func figuresAt(d evidence.Document, under evidence.Pointer) []string {
	var out []string
	for _, a := range d.Arms {
		for _, r := range a.Runs {
			for _, m := range r.Measurements {
				if m.Place.Pointer.Under(under) {
					out = append(out, fmt.Sprintf("%s: %s %s %s %s", a.Name, m.Metric, m.Stat, valueText(m), m.Role))
				}
			}
		}
	}
	return out
}

func valueText(m evidence.Measurement) string {
	switch {
	case m.Value.OK:
		return evidence.FormatDecimal(m.Value.V)
	case m.Lower.OK && m.Upper.OK:
		return evidence.FormatDecimal(m.Lower.V) + ".." + evidence.FormatDecimal(m.Upper.V)
	case m.Lower.OK:
		return ">=" + evidence.FormatDecimal(m.Lower.V)
	case m.Upper.OK:
		return "<=" + evidence.FormatDecimal(m.Upper.V)
	}
	return "none"
}

func hasFinding(d evidence.Document, code string, under evidence.Pointer) bool {
	return slices.ContainsFunc(d.Findings, func(f evidence.Finding) bool { return f.Code == code && f.Pointer.Under(under) })
}

var twoArms = []string{"no-spec first: TTFT p50 421.2 ms; decode p50 75.3 tok/s", "MTP3 first: TTFT p50 441.1 ms; decode p50 165.9 tok/s"}

// TestGateFractions says whose a fraction in a gate is. What is nobody's beyond doubt,
// or no pass rate, is reported and not taken.
func TestGateFractions(t *testing.T) {
	no, mtp := func(v string) string { return "no-spec: pass_rate total " + v + " primary" }, func(v string) string { return "MTP3: pass_rate total " + v + " primary" }
	tests := []struct {
		name, detail string
		want         []string
		unclear      bool
	}{
		{"needle", "MTP3 passed 15/20; no-spec passed 10/20", []string{no("0.5"), mtp("0.75")}, false},
		{"needle, MTP3 only", "MTP3 passed 15/20; no-spec passed 10/20", []string{no("0.5"), mtp("0.75")}, false},
		{"needle", "15/20 for MTP3 and 10/20 for no-spec", []string{no("0.5"), mtp("0.75")}, false},
		{"needle", "10/20 no-spec, 15/20 MTP3", []string{no("0.5"), mtp("0.75")}, false},
		{"MTP3 needle", "15/20, against 10/20 on the control", []string{no("0.5"), mtp("0.75")}, false},
		{"no-spec control", "needle 10/20 (MTP3 15/20)", []string{no("0.5"), mtp("0.75")}, false},
		{"MTP3 quality", "coding edit 3/4 and needle 1/2", []string{mtp("0.75"), mtp("0.5")}, false},
		{"quality", "MTP3: coding 3/4, needle 1/2", []string{mtp("0.75"), mtp("0.5")}, false},
		{"quality", "coding 3/4, needle 1/2, and a long prompt passed on each arm", []string{no("0.75"), no("0.5"), mtp("0.75"), mtp("0.5")}, false},
		{"20-way burst", "15/20 on both arms; the rest got HTTP 503", []string{no("0.75"), mtp("0.75")}, false},
		{"capacity", "4/5 in each first arm", []string{no("0.8"), mtp("0.8")}, false},
		// Nobody's.
		{"quality", "on each arm except MTP3: coding 3/4", nil, true},
		{"quality", "all arms but not MTP3: coding 3/4", nil, true},
		{"quality", "no-spec and MTP3 passed 3/4", nil, true},
		{"no-spec and MTP3 quality", "coding 3/4", nil, true},
		{"MTP5 quality", "coding 3/4", nil, true},
		{"quality", "coding 3/4 on each arm, no-spec 2/4", []string{no("0.5")}, true},
		{"capacity", "4/5 in each repeat arm", nil, true},
		{"no-spec needle", "3/4, against 2/4 on the control", []string{no("0.5")}, true},
		// No pass rates.
		{"order", "phase 1/2 and part 3/4 done on each arm", nil, true},
		{"tools", "MTP3 3/4 failed", nil, true},
		{"tools", "MTP3 failed 3/4", nil, false},
		{"tools", "MTP3 passed at least 3/4", nil, false},
		{"dates", "on 2026/09/03 each arm", nil, false},
	}
	for _, tt := range tests {
		d := narrativeOf{Stats: twoArms, Gates: []gateOf{{Name: tt.name, Detail: tt.detail}}}.read(t)
		if diff := cmp.Diff(tt.want, figuresAt(d, "/gates/0")); diff != "" {
			t.Errorf("%q: %q (-want +got):\n%s", tt.name, tt.detail, diff)
		}
		if got := hasFinding(d, CodeAttribution, "/gates/0"); got != tt.unclear {
			t.Errorf("%q: %q: unclear %v", tt.name, tt.detail, got)
		}
	}
}

// TestHeadlineFigures says what a headline gives of which arm.
func TestHeadlineFigures(t *testing.T) {
	three := append(append([]string{}, twoArms...), "MTP5 first: TTFT p50 430.1 ms; decode p50 200.1 tok/s")
	tests := []struct {
		in, finding string
		stats, want []string
	}{
		{"MTP3 raised median decode by 120.3 percent, from 75.3 to 165.9 tok/s", "", twoArms, []string{"no-spec: decode_rate p50 75.3 restated",
			"MTP3: claimed_change p50 1.203 claim", "MTP3: decode_rate p50 165.9 restated"}},
		{"MTP5 changed median TTFT from 0.441 to 0.430 seconds versus MTP3", "", three, []string{"MTP3: ttft p50 0.441 restated", "MTP5: ttft p50 0.43 restated"}},
		{"MTP5 changed median TTFT from 0.421 to 0.430 seconds versus MTP3", CodeRestated, three, []string{"MTP5: ttft p50 0.43 restated"}},
		{"MTP3 raised median decode by 120.3 percent, from 75.3 to 165.9 tok/s, versus MTP5", CodeRestated, three, []string{
			"MTP3: claimed_change p50 1.203 claim", "MTP3: decode_rate p50 165.9 restated"}},
		{"MTP3 raised median decode by 20 percent, from 75.3 to 90.4 tok/s", CodeRestated, twoArms, []string{"no-spec: decode_rate p50 75.3 restated"}},
		{"MTP5 raised median decode by 20 percent over no-spec", CodeAttribution, twoArms, nil},
		{"MTP3 has throughput 23.5 percent below last year's figure", CodeAttribution, twoArms, nil},
		{"MTP3 would raise median decode by 120.3 percent, from 75.3 to 165.9 tok/s", CodeBound, twoArms, nil},
		{"MTP3 raised median decode by about 120 percent, from roughly 75.3 to over 165.9 tok/s", CodeBound, twoArms, nil},
		{"MTP3 raised median decode by 120 to 130 percent", "", twoArms, []string{"MTP3: claimed_change p50 1.2..1.3 claim"}},
		{"MTP3 cut median TTFT by at least 12 percent", "", twoArms, []string{"MTP3: claimed_change p50 <=-0.12 claim"}},
		{"MTP3 raised median decode by 120 percent on one card and 90 percent on the other", CodeAttribution, twoArms, nil},
		{"MTP3 used about 29834 MiB and left at least 2354 MiB free", CodeBound, twoArms, []string{"MTP3: gpu_memory_free single >=2468347904 primary"}},
		{"MTP3 used up to 29834 MiB", "", twoArms, []string{"MTP3: gpu_memory_used single <=31283216384 primary"}},
		{"MTP3 did not use 29834 MiB", CodeBound, twoArms, nil},
		{"MTP3 and no-spec both used 29834 MiB", CodeAttribution, twoArms, nil},
		{"The selected arm answered a 100500-token API-reported prompt in under 70.4 seconds", "", twoArms, []string{
			"MTP3: prompt_tokens single 100500 primary", "MTP3: e2e single <=70.4 primary"}},
		{"The selected arm failed to answer a 100500-token API-reported prompt in 70.4 seconds", CodeBound, twoArms, nil},
	}
	for _, tt := range tests {
		d := narrativeOf{Stats: tt.stats, Headlines: []string{tt.in}, Selected: "x/y-MTP3"}.read(t)
		if diff := cmp.Diff(tt.want, figuresAt(d, "/headline_results/0")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
		if tt.finding != "" && !hasFinding(d, tt.finding, "/headline_results/0") {
			t.Errorf("%q: no finding %s in %v", tt.in, tt.finding, d.Findings)
		}
	}
}

// TestLabels says which arm a statistics sentence makes and what is under test there.
func TestLabels(t *testing.T) {
	tests := []struct {
		in, name, facts string
		figures         []string
		finding         string
	}{
		{"MTP3 first: TTFT p50 5 ms", "MTP3", "mtp 3 - n=5", []string{"ttft p50 0.005"}, ""},
		{"MTP3 off first: TTFT p50 5 ms", "MTP3 off", "none 0 - n=5", []string{"ttft p50 0.005"}, ""},
		{"without MTP3 first: TTFT p50 5 ms", "without MTP3", "none 0 - n=5", []string{"ttft p50 0.005"}, ""},
		{"MTP (disabled) first: TTFT p50 5 ms", "MTP (disabled)", "none 0 - n=5", []string{"ttft p50 0.005"}, ""},
		{"baseline first: TTFT p50 5 ms", "baseline", "- - - n=5", []string{"ttft p50 0.005"}, CodeSpeculation},
		{"MTP3 not disabled first: TTFT p50 5 ms", "MTP3 not disabled", "- - - n=5", []string{"ttft p50 0.005"}, CodeSpeculation},
		{"MTP3 (TP2) repeat: TTFT p50 5 ms", "MTP3 (TP2)", "mtp 3 2 n=5", []string{"ttft p50 0.005"}, ""},
		{"TP=2, MTP=5 first: TTFT p50 5 ms", "TP=2, MTP=5", "mtp 5 2 n=5", []string{"ttft p50 0.005"}, ""},
		{"MTP3 first (n=7): TTFT p50 5 ms", "MTP3", "mtp 3 - n=7", []string{"ttft p50 0.005"}, CodeFactDiffers},
		{"MTP3 first: TTFT p50 ~5 ms; E2E p50 <7 ms; decode p50 >75 tok/s", "MTP3", "mtp 3 - n=5", []string{"e2e p50 <=0.007", "decode_rate p50 >=75"}, CodeBound},
		{"MTP3 first: TTFT p50 5 ms; decode p50 -5 tok/s", "MTP3", "mtp 3 - n=5", []string{"ttft p50 0.005"}, CodeNegative},
		{"MTP3 first: TTFT p50 -0.0 ms", "MTP3", "mtp 3 - n=5", []string{"ttft p50 0"}, ""},
		{"MTP3 first: TTFT p50 5.12345678901234567890 ms", "MTP3", "mtp 3 - n=5", []string{"ttft p50 0.005123456789012346"}, CodePrecision},
	}
	for _, tt := range tests {
		d := narrativeOf{Stats: []string{tt.in}}.read(t)
		if len(d.Arms) != 1 || len(d.Arms[0].Runs) != 1 {
			t.Errorf("%q: %d arms", tt.in, len(d.Arms))
			continue
		}
		a := d.Arms[0]
		var got []string
		for _, k := range []evidence.FactKey{evidence.KeySpecMethod, evidence.KeyMTPDepth, evidence.KeyTP} {
			if v := valueIn(a.Facts, k); v != "" {
				got = append(got, v)
			} else {
				got = append(got, "-")
			}
		}
		got = append(got, "n="+valueIn(a.Runs[0].Facts, evidence.KeyRequests))
		if facts := strings.Join(got, " "); a.Name != tt.name || facts != tt.facts {
			t.Errorf("%q is %q with %s, want %q with %s", tt.in, a.Name, facts, tt.name, tt.facts)
		}
		var figures []string
		for _, m := range a.Runs[0].Measurements {
			figures = append(figures, fmt.Sprintf("%s %s %s", m.Metric, m.Stat, valueText(m)))
		}
		if diff := cmp.Diff(tt.figures, figures); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
		if tt.finding != "" && !hasFinding(d, tt.finding, "") {
			t.Errorf("%q: no finding %s in %v", tt.in, tt.finding, d.Findings)
		}
	}
}
