package anvil

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

// matrixOf is a matrix with one row that has this object for its long run, under this
// protocol.
func matrixOf(t *testing.T, protocol, long, row string) evidence.Document {
	t.Helper()
	d, n := mustRead(t, []byte(fmt.Sprintf(`{"schema": %q, "hardware": "one NVIDIA L4", "protocol": %s,
		"results": [{"tp": 1, "mtp": 0, "context": 131072, "long": %s%s}]}`, matrixLabel, protocol, long, row)))
	for _, p := range Unaccounted(d, n) {
		t.Errorf("nothing carries the number at %s", where(p))
	}
	return d
}

// TestLongRuns says how many observations the figures of a long run are, and of which
// statistic.
func TestLongRuns(t *testing.T) {
	const none = `{"note": "nothing"}`
	tests := []struct {
		name, protocol, long string
		want                 []string
		finding              string
	}{
		{"nothing stated", none, `{"ttft_ms": 5000}`, []string{"ttft single 5 n=-"}, CodeStat},
		{"one retrieval", `{"long_context_per_arm": "one cold retrieval"}`, `{"ttft_ms": 5000}`, []string{"ttft single 5 n=1"}, ""},
		{"own count", none, `{"ttft_ms": 5000, "n": 1}`, []string{"ttft single 5 n=1"}, ""},
		{"named statistic", none, `{"ttft_ms": 5000, "ttft_p50_s": 4.5}`, []string{"ttft single 5 n=-", "ttft p50 4.5 n=-"}, CodeStat},
		{"three of them", none, `{"ttft_p50_s": 4.5, "n": 3}`, []string{"ttft p50 4.5 n=3"}, ""},
		{"three of what", none, `{"ttft_ms": 5000, "samples": 3}`, nil, CodeStat},
		{"below zero", none, `{"ttft_p50_s": -1, "n": 3}`, nil, CodeNegative},
	}
	for _, tt := range tests {
		d := matrixOf(t, tt.protocol, tt.long, "")
		var got []string
		for _, r := range d.Arms[0].Runs {
			for _, m := range r.Measurements {
				n := "-"
				if m.N.OK {
					n = fmt.Sprint(m.N.V)
				}
				got = append(got, fmt.Sprintf("%s %s %s n=%s", m.Metric, m.Stat, valueText(m), n))
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if got := hasFinding(d, CodeStat, "/results/0/long") || hasFinding(d, CodeNegative, "/results/0/long"); got != (tt.finding != "") {
			t.Errorf("%s: findings %v", tt.name, d.Findings)
		}
	}
}

func TestRunStatus(t *testing.T) {
	for word, want := range map[string]evidence.RunStatus{
		`"passed"`: evidence.Measured, `"OOM"`: evidence.RunFailed, `"aborted"`: evidence.RunFailed, `"timed-out"`: evidence.RunFailed,
		`"cancelled"`: evidence.RunFailed, `"error"`: evidence.RunFailed, `"not_run"`: evidence.NotRun, `"skipped"`: evidence.NotRun,
		`"degraded"`: evidence.RunUnresolved, `"n/a"`: evidence.RunUnresolved, `"passed for headline load"`: evidence.RunUnresolved, `false`: evidence.RunUnresolved,
		`null`: evidence.Measured,
	} {
		own := matrixOf(t, `{}`, `{"ttft_p50_ms": 5, "status": `+word+`}`, "")
		row := matrixOf(t, `{}`, `{"ttft_p50_ms": 5}`, `, "status": `+word)
		for _, d := range []evidence.Document{own, row} {
			if got := d.Arms[0].Runs[0].Status; got != want {
				t.Errorf("%s is %s, want %s", word, got, want)
			}
			if unknown := hasFinding(d, CodeStatus, ""); unknown != (want == evidence.RunUnresolved) {
				t.Errorf("%s: findings %v", word, d.Findings)
			}
		}
	}
}

// TestTradeoff says whose a change in a row's trade-off is.
func TestTradeoff(t *testing.T) {
	for in, want := range map[string][]string{
		"46.9 percent lower median TTFT than Aurora":                   {"-0.469"},
		"This arm has 46.9 percent lower median TTFT than Aurora":      {"-0.469"},
		"Boreal has 46.9 percent lower median TTFT than Aurora":        {"-0.469"},
		"median TTFT is 46.9 percent lower than Aurora":                {"-0.469"},
		"throughput 23.1 percent below Aurora":                         {"-0.231"},
		"Aurora has 46.9 percent lower median TTFT than this arm":      nil,
		"Aurora has 46.9 percent lower median TTFT":                    nil,
		"median TTFT of Aurora is 46.9 percent lower than it":          nil,
		"Aurora would have 46.9 percent lower median TTFT than Boreal": nil,
	} {
		n := parse(t, fixture(t, "table"))
		rows := n.Get("headline_results")
		row := rows.Children[2]
		row.Get("tradeoff").Text = in
		d, ok := read(t, n, "")
		if !ok {
			t.Fatal("not read")
		}
		var got []string
		for _, a := range d.Arms {
			for _, r := range a.Runs {
				for _, m := range r.Measurements {
					if m.Place.Pointer == "/headline_results/2/tradeoff" {
						if a.Name != row.Get("profile").Text {
							t.Errorf("%q is put on %s", in, a.Name)
						}
						got = append(got, valueText(m))
					}
				}
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
}

func TestScreenOfDepth(t *testing.T) {
	n := parse(t, fixture(t, "table"))
	screens := n.Get("optimization_results")
	screens.Names = append(screens.Names, "mtp_depth_aggregate_tok_s")
	depths := parse(t, []byte(`{"0": 100, "3": 250}`))
	screens.Children = append(screens.Children, depths)
	d, _ := read(t, n, "")
	var got []string
	for _, a := range d.Arms {
		if v := valueIn(a.Facts, evidence.KeyMTPDepth); v != "" && a.Place.Pointer.Under("/optimization_results") && a.Place.Pointer.Parent().Under("/optimization_results/mtp_depth_aggregate_tok_s") {
			got = append(got, a.Name+" "+v)
		}
	}
	if diff := cmp.Diff([]string{"screen MTP depth 0 0", "screen MTP depth 3 3"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReasons(t *testing.T) {
	for word, want := range map[string]bool{"2.2x": true, "1.0e3": true, "3x": true, "tp2": false, "4k": false, "x": false, "e": false, "5e": false, "0f1e": false, "1.2.3": false} {
		if got := isFactor(word); got != want {
			t.Errorf("%q is a factor: %v", word, got)
		}
	}
}
