package prose

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStatLine(t *testing.T) {
	tests := []struct {
		in       string
		head     string // label and state
		readings []string
		unparsed []string
	}{
		{"MTP5 first: TTFT p50/p95 512.5/701.25 ms; E2E p50/p95 2100/2400.5 ms; decode p50 41.5 tok/s", "MTP5 first",
			[]string{"ttft p50 512.5 ms", "ttft p95 701.25 ms", "e2e p50 2100 ms", "e2e p95 2400.5 ms", "decode_rate p50 41.5 tok/s"}, nil},
		{"no-spec repeat: TTFT p50 435.5 ms", "no-spec repeat", []string{"ttft p50 435.5 ms"}, nil},
		{"baseline (immediate repeat): median TTFT 1,035.5 ms, p95 1,200 ms", "baseline repeat", []string{"ttft p50 1,035.5 ms", "ttft p95 1,200 ms"}, nil},
		{"EAGLE3 first run - p50/p95 TTFT of 0.4/0.6 s, mean E2E 1.2 min", "EAGLE3 first", []string{"ttft p50 0.4 s", "ttft p95 0.6 s", "e2e mean 1.2 min"}, nil},
		{"MTP3: 75.5 tok/s median decode; TTFT 429/647 ms (p50/p95)", "MTP3 ", []string{"decode_rate p50 75.5 tok/s", "ttft p50 429 ms", "ttft p95 647 ms"}, nil},
		{"MTP3: aggregate throughput 300 tok/s; effective prefill p50 4000 tok/s; TTFO p99 1 s", "MTP3 ",
			[]string{"output_throughput total 300 tok/s", "effective_prefill_rate p50 4000 tok/s", "ttfo p99 1 s"}, nil},
		{"MTP3: mean ITL p50 5.5 ms; mean ITL 6 ms; TPOT p90 7 ms; generation p50 2 s", "MTP3 ",
			[]string{"tpot p50 5.5 ms", "itl_token mean 6 ms", "tpot p90 7 ms", "generation p50 2 s"}, nil},
		{"TTFT p50 5 ms", " ", []string{"ttft p50 5 ms"}, nil},
		{"MTP3 cold first: TTFT p50 5 ms", "MTP3 first", []string{"ttft p50 5 ms"}, nil},
		{"first MTP3 run: TTFT p50=5 ms", "MTP3 first", []string{"ttft p50 5 ms"}, nil},
		{"MTP3: TTFT 5 ms (p50), 6 ms (p95); aggregate 100 tok/s", "MTP3 ", []string{"ttft p50 5 ms", "ttft p95 6 ms", "output_throughput total 100 tok/s"}, nil},
		// A figure without statistic, of two statistics for one figure, or in a unit that
		// the metric has not is no statistic.
		{"MTP3: TTFT p50 5 ms; E2E 7 ms", "MTP3 ", []string{"ttft p50 5 ms"}, []string{"7"}},
		{"MTP3: TTFT p50/p95 5 ms; decode p50 9 ms; TTFT p50 8 ms", "MTP3 ", []string{"ttft p50 8 ms"}, []string{"5", "9"}},
		{"MTP3: TTFT p50 5 ms; prefill p50 300 ms; TTFT p50 8", "MTP3 ", []string{"ttft p50 5 ms"}, []string{"300", "8"}},
		{"MTP3: TTFT p50 5 ms p95 6 ms", "MTP3 ", []string{"ttft p50 5 ms", "ttft p95 6 ms"}, nil},
		{"seven requests at 4K/C1", "", nil, nil},
		{"", "", nil, nil},
	}
	for _, tt := range tests {
		l, ok := StatLine(tt.in)
		if ok != (len(tt.readings) > 0) {
			t.Errorf("%q: %v", tt.in, ok)
			continue
		}
		if head := l.Label.Text(tt.in) + " " + l.State; ok && head != tt.head {
			t.Errorf("%q: label and state %q, want %q", tt.in, head, tt.head)
		}
		var got []string
		for _, r := range l.Readings {
			got = append(got, fmt.Sprintf("%s %s %s %s", r.Metric, r.Stat, r.Digits.Text(tt.in), r.Unit))
		}
		if diff := cmp.Diff(tt.readings, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
		if diff := cmp.Diff(tt.unparsed, texts(tt.in, l.Unparsed)); diff != "" {
			t.Errorf("%q unparsed (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestChanges(t *testing.T) {
	tests := []struct {
		in   string
		want []string // metric statistic state sign percent from to unit | subject | control
	}{
		{"MTP5 raised first-run median decode by 137.7 percent, from 41.5 to 98.6 tok/s, versus the plain control",
			[]string{"decode_rate p50 first +137.7 41.5 98.6 tok/s | MTP5 | the plain control"}},
		{"MTP5 cut median E2E by 42.7 percent, from 2.1 to 1.2 seconds, while median TTFT rose from 0.5 to 0.6 seconds",
			[]string{"e2e p50  -42.7 2.1 1.2 s | MTP5 | ", "ttft p50  0 0.5 0.6 s | MTP5 | "}},
		{"On immediate-repeat the two stood at 41.6 versus 99.9 tok/s median decode", []string{"decode_rate p50 repeat 0 41.6 99.9 tok/s |  | "}},
		{"46 percent lower median TTFT than Aurora, but 2.5 percent lower aggregate throughput and 6.5 percent higher p95 E2E",
			[]string{"ttft p50  -46    |  | Aurora", "output_throughput   -2.5    |  | Aurora", "e2e p95  +6.5    |  | Aurora"}},
		{"23.5 percent throughput regression versus TP1 plus worse answers", []string{"output_throughput   -23.5    |  | TP1"}},
		{"12 percent E2E regression", []string{"e2e   +12    |  | "}}, // worse is longer
		{"TPOT improved 5 percent; decode is 7 percent faster; TTFT is 9 percent slower", []string{
			"tpot   -5    | TPOT | ", "decode_rate   +7    | decode | ", "ttft   +9    | TTFT | "}},
		{"K6 won; compile regressed 24.9 percent; the rest was equal", []string{"   -24.9    | compile | "}},
		{"E2E dropped from 1.0 to 0.8 s (20 percent)", []string{"e2e   -20 1.0 0.8 s | E2E | "}},
		{"a 14 percent increase in median decode over the control", []string{"decode_rate p50  +14    |  | the control"}},
		{"no-spec was 33 percent slower in E2E than MTP3", []string{"e2e   +33    | no-spec | MTP3"}},
		{"MTP3 cut repeat p95 E2E by 12.5% (1.5 s to 1.25 s)", []string{"e2e p95 repeat -12.5 1.5 1.25 s | MTP3 | "}},
		{"Median decode rose 20 percent (75 to 90 tok/s) on the first run", []string{"decode_rate p50 first +20 75 90 tok/s | Median decode | "}},
		{"median TTFT was 0.43 seconds versus 0.42 for the other", []string{"ttft p50  0 0.43 0.42 s |  | "}},
		{"15.5 percent throughput loss versus TP1", []string{"output_throughput   -15.5    |  | TP1"}},
		{"MTP5 changed median TTFT from 0.4 to 0.5 seconds versus MTP3", []string{"ttft p50  0 0.4 0.5 s | MTP5 | MTP3"}},
		{"throughput 23.5 percent below TP1", []string{"output_throughput   -23.5    |  | TP1"}},
		{"MTP5 raised median decode by 12 to 15 percent", []string{"decode_rate p50  +12 to 15    | MTP5 | "}},
		{"median decode is between 12 and 15 percent higher", []string{"decode_rate p50  +12 and 15    |  | "}},
		{"MTP5 raised median decode by at least 12 percent", []string{"decode_rate p50  +12    | MTP5 | "}},
		// What is denied, supposed, about, or a level, is no change.
		{"MTP5 did not increase median decode by 10 percent, from 41.5 to 98.6 tok/s", nil},
		{"MTP5 would increase median decode by 10 percent", nil},
		{"MTP5 raised median decode by about 10 percent, from roughly 41.5 to over 98.6 tok/s", nil},
		{"MTP5 raised median decode by 12 percent to 15 percent", nil},
		{"acceptance fell to 10 percent", nil},
		{"acceptance fell from 20 to 10 percent", nil},
		// Shares, ranges and denials are no changes.
		{"95 percent of the requests were lower", nil},
		{"10-12 percent lower TTFT", nil},
		{"not 5 percent lower TTFT", nil},
		{"82 percent", nil},
		{"from 3 apples to 4 pears", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, c := range changesOf(tt.in) {
			sign := map[int]string{-1: "-", 0: "0", 1: "+"}[c.Sign]
			got = append(got, fmt.Sprintf("%s %s %s %s%s %s %s %s | %s | %s", c.Metric, c.Stat, c.State, sign, c.Percent.Text(tt.in),
				c.From.Text(tt.in), c.To.Text(tt.in), c.Unit, c.Subject.Text(tt.in), c.Control.Text(tt.in)))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
	}
}

func changesOf(sentence string) []Change {
	out, _ := Changes(sentence)
	return out
}

func TestResults(t *testing.T) {
	kinds := map[ResultKind]string{MemoryUsed: "used", MemoryFree: "free", PromptLength: "prompt", NominalLength: "nominal",
		OutputCap: "cap", Duration: "duration", Fraction: "fraction"}
	tests := []struct {
		in   string
		want []string
	}{
		{"It used 29000 MiB and left 1800 MiB free, above the 1 GiB floor and under a 3 GiB reserve", []string{"used 29000 MiB", "free 1800 MiB"}},
		{"a 100500-token API-reported prompt with a 4096-token completion cap in 41.5 seconds", []string{"prompt 100500 tokens", "cap 4096 tokens", "duration 41.5 s"}},
		{"The nominal 128000-token file came to 100500 API-reported prompt tokens", []string{"nominal 128000 tokens", "prompt 100500 tokens"}},
		{"editing 4/4, triage 3/4, and tool calls 17/20 on each arm", []string{"fraction 4/4 ratio <editing>", "fraction 3/4 ratio <triage>", "fraction 17/20 ratio <tool calls>"}},
		{"5/5 in each run at 4K/C1", []string{"fraction 5/5 ratio"}},
		{"19 of 20 passed, 3 of 4 remain", []string{"fraction 19 of 20 ratio"}},
		{"peak use was 900 MiB; free memory 100 MiB", []string{"used 900 MiB", "free 100 MiB"}},
		{"a 900-token API-reported prompt with a 100 completion-token cap", []string{"prompt 900 tokens", "cap 100 tokens"}},
		{"512/701 ms, 1/2/3, 7/5, 1.5/2, 0/0", nil},
		{"a 4096-token prompt", nil}, // not said to be measured
		{"for 3 seconds", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, r := range Results(tt.in) {
			line := kinds[r.Kind] + " " + r.Digits.Text(tt.in) + " " + r.Unit
			if !r.What.Empty() {
				line += " <" + r.What.Text(tt.in) + ">"
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestProduced(t *testing.T) {
	in := "64K asked gave 61234 actual prompt tokens, 600K produced 598000, and 1.01M produced 985000; 5 and 6"
	var got []string
	for _, p := range Produced(in) {
		got = append(got, p.Nominal.Text(in)+" "+p.Actual.Text(in))
	}
	if diff := cmp.Diff([]string{"64K 61234", "600K 598000", "1.01M 985000"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDraftName(t *testing.T) {
	for in, want := range map[string]string{"MTP5 with small-head draft": "small-head", "MTP5": "", "with draft": "", "with a big tree drafter": "a big tree"} {
		if at, ok := DraftName(in); ok != (want != "") || at.Text(in) != want {
			t.Errorf("%q: %q", in, at.Text(in))
		}
	}
}
