package prose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show writes a token as "text kind unit link".
func show(s string, t Token) string {
	kinds := map[Kind]string{Figure: "figure", Nominal: "nominal", Spelled: "spelled", Name: "name", Stamp: "stamp"}
	out := t.Text(s) + " " + kinds[t.Kind]
	if t.Unit != "" {
		out += " " + t.Unit
	}
	if t.Link != 0 {
		out += " linked by " + string(t.Link)
	}
	return out
}

func TestNumbers(t *testing.T) {
	tests := []struct {
		in   string
		want []string
	}{
		{"took 70.4 seconds", []string{"70.4 figure s"}},
		{"1,024.5 ms and 12,345,678 tokens", []string{"1,024.5 figure ms", "12,345,678 figure tokens"}},
		{"1,02 or 1,0245", []string{"1 figure", "02 figure", "1 figure", "0245 figure"}},
		{"28/30 passed", []string{"28 figure", "30 figure linked by /"}},
		{"512.5/701.25 ms", []string{"512.5 figure ms", "701.25 figure ms linked by /"}},
		{"81729-82089 MiB", []string{"81729 figure MiB", "82089 figure MiB linked by -"}},
		{"10.5–12.25 tok/s", []string{"10.5 figure tok/s", "12.25 figure tok/s linked by -"}},
		{"10.5–12.25 aggregate tok/s", []string{"10.5 figure tok/s", "12.25 figure tok/s linked by -"}},
		{"4K, 393K and 1.01M", []string{"4K nominal", "393K nominal", "1.01M nominal"}},
		{"a 512-token cap, 20-way", []string{"512 figure tokens", "20 figure"}},
		{"five requests, Twenty words, one", []string{"five spelled requests", "Twenty spelled words", "one spelled"}},
		{"-5.74 GiB, −2 s, (-3)", []string{"-5.74 figure GiB", "−2 figure s", "-3 figure"}},
		{"12% or 12 percent or 12 percent points", []string{"12 figure percent", "12 figure percent", "12 figure"}},
		{"96GB and 704ms, 3 GB", []string{"96 figure GB", "704 figure ms", "3 figure GB"}},
		{"1.2 min, 5 minutes", []string{"1.2 figure min", "5 figure min"}},
		{"RTX 5090, RTX PRO 6000, HTTP 429, CUDA 12.8", []string{"5090 name", "6000 name", "429 name", "12.8 name"}},
		{"Lumen3.8-27B on sm_120 with TP2, C8, K12, MTP3, DP2", []string{"Lumen3.8-27B name", "sm_120 name", "TP2 name", "C8 name", "K12 name", "MTP3 name", "DP2 name"}},
		{"v0.27.1, 0.27.1, p95, 3x, 27B", []string{"v0.27.1 name", "0.27.1 name", "p95 name", "3x name", "27B name"}},
		{"at 0f3a9bc1d2 and sha256:00ff11ee22", []string{"0f3a9bc1d2 name", "sha256:00ff11ee22 name"}},
		{"on 2026-09-05T09:00:00Z and 2026-09-04", []string{"2026-09-05T09:00:00Z stamp", "2026-09-04 stamp"}},
		{"GPT-5 and two-card setups", []string{"GPT-5 name", "two spelled"}},
		{"x=3 and rate 1e5", []string{"3 figure", "1e5 name"}},
		{"it ended at 5.", []string{"5 figure"}},
		{"五 5 ü7", []string{"5 figure", "ü7 name"}},
		{"\xff7\xfe", []string{"7 figure"}},
	}
	for _, tt := range tests {
		var got []string
		for _, n := range Numbers(tt.in) {
			got = append(got, show(tt.in, n))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestTokenValues(t *testing.T) {
	for in, want := range map[string]string{"1,024": "1024", "62.0": "62", "five": "5", "4K": "4096", "−2.50": "-2.5", "0.720": "0.72"} {
		n := Numbers(in)
		if len(n) != 1 {
			t.Fatalf("%q has %d numbers", in, len(n))
		}
		if v, ok := n[0].Value(in); !ok || v != want {
			t.Errorf("%q is %q, want %q", in, v, want)
		}
	}
	if v, ok := (Token{Kind: Figure, End: 1}).Value("x"); ok {
		t.Errorf("x is %q", v)
	}
}

func TestNominalTokens(t *testing.T) {
	for in, want := range map[string]int64{
		"1K": 1024, "4K": 4096, "8k": 8192, "32K": 32768, "64K": 65536, "128K": 131072, // powers of two count 1,024s
		"131K": 131072, "262K": 262144, "393K": 393216, "524K": 524288, // whole pages of 32,768
		"82K": 82000, "600K": 600000, "10K": 10000, "1.5K": 1500, "1.01M": 1010000, "1M": 1000000,
		"4096": 4096, "4,096": 4096,
	} {
		if got, ok := NominalTokens(in); !ok || got != want {
			t.Errorf("%s is %d, want %d", in, got, want)
		}
	}
	for _, in := range []string{"", "K", "4.0001K", "-4K", "1e400", "4KK", "x"} {
		if got, ok := NominalTokens(in); ok {
			t.Errorf("%q is %d", in, got)
		}
	}
}

func TestNominalMatches(t *testing.T) {
	tests := []struct {
		nominal string
		exact   int64
		want    bool
	}{
		{"4K", 4096, true}, {"4K", 4000, true}, {"4K", 5000, false}, {"393K", 393216, true}, {"393K", 390000, false},
		{"1.01M", 1010000, true}, {"1.01M", 1048576, false}, {"1M", 1048576, true}, {"600K", 600000, true}, {"4096", 4096, true}, {"4096", 4097, false},
	}
	for _, tt := range tests {
		if got := NominalMatches(tt.nominal, tt.exact); got != tt.want {
			t.Errorf("%s for %d: %v", tt.nominal, tt.exact, got)
		}
	}
}

// TestSpans checks that tokens cover the sentence in order and hold what they say.
func TestSpans(t *testing.T) {
	for _, s := range []string{"a 4K/C8 run: 1,024.5 ms (28/30)", strings.Repeat("p50/p95 1.5/2.5 ms; ", 20), "−−5–6—7"} {
		last := 0
		for _, tok := range Lex(s) {
			if tok.Start < last || tok.End <= tok.Start || tok.End > len(s) || tok.UnitEnd < tok.End {
				t.Errorf("%q: token %+v after %d", s, tok, last)
			}
			last = tok.End
		}
	}
}

func ExampleLex() {
	s := "C8 with 100 requests of 4K"
	for _, t := range Numbers(s) {
		fmt.Println(show(s, t))
	}
	// Output:
	// C8 name
	// 100 figure requests
	// 4K nominal
}
