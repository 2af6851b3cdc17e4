package prose

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"assay/store/evidence"
)

// TestDeniedSpeculation says what a label makes of speculation: "none", a method with
// its depth, or "" where the words leave it open.
func TestDeniedSpeculation(t *testing.T) {
	tests := []struct{ in, want string }{
		{"MTP3 off", "none 0"}, {"without MTP3", "none 0"}, {"not MTP3", "none 0"}, {"MTP disabled", "none 0"}, {"w/o MTP3", "none 0"},
		{"MTP3=off", "none 0"}, {"MTP-off", "none 0"}, {"MTP_off", "none 0"}, {"MTP3-disabled", "none 0"}, {"no-MTP3", "none 0"}, {"spec off", "none 0"},
		{"no_spec", "none 0"}, {"no speculation", "none 0"}, {"non-speculative", "none 0"}, {"no-spec", "none 0"}, {"speculation disabled", "none 0"},
		{"draft disabled", "none 0"}, {"speculative decoding turned off", "none 0"}, {"MTP (off)", "none 0"}, {"MTP3 not used", "none 0"}, {"MTP 3 off", "none 0"},
		{"MTP: none", "none 0"}, {"EAGLE3 off", "none 0"}, {"without any speculation", "none 0"}, {"speculation-free", "none 0"}, {"MTP0", "none 0"},
		// One method is denied beside another.
		{"EAGLE3 without MTP", "eagle3 0"}, {"MTP3, no draft model", "mtp 3"}, {"MTP3 without EAGLE3", "mtp 3"},
		// What denies something else.
		{"MTP3 thinking off", "mtp 3"}, {"thinking disabled MTP3", "mtp 3"}, {"MTP3 was not slower", "mtp 3"}, {"MTP3 prefix cache off", "mtp 3"},
		{"MTP3 without loss", "mtp 3"}, {"MTP depth 4", "mtp 4"}, {"MTP-3 on", "mtp 3"}, {"MTP=5", "mtp 5"}, {"MTP3 free memory", "mtp 3"},
		// What leaves it open.
		{"MTP3 not disabled", ""}, {"not without MTP3", ""}, {"disabled MTP3", ""}, {"MTP3 disabled thinking", ""}, {"MTP3 off by one", ""},
		{"baseline", ""}, {"plain", ""}, {"off", ""}, {"MTP3-capable image", ""},
	}
	for _, tt := range tests {
		var got []string
		for _, k := range []evidence.FactKey{evidence.KeySpecMethod, evidence.KeyMTPDepth} {
			for _, s := range Config(tt.in) {
				if s.Key == k {
					got = append(got, s.Value)
				}
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestInexact(t *testing.T) {
	tests := []struct {
		in   string
		want Bound
	}{
		{"took 70.4 seconds", Exact}, {"~421 ms", About}, {"\u2248421 ms", About}, {"about 421 ms", About}, {"nearly 421 ms", About}, {"roughly 75 tok/s", About},
		{"421 ms or so", About}, {"approx. 5 ms", About}, {"421 \u00b1 x", About}, {"<1085 ms", AtMost}, {"<= 1085 ms", AtMost}, {"\u22641085 ms", AtMost},
		{"under 70 s", AtMost}, {"up to 8 s", AtMost}, {"less than 8 s", AtMost}, {"no more than 8 s", AtMost}, {"8 s or less", AtMost}, {"within 8 s", AtMost},
		{">75 tok/s", AtLeast}, {"\u226575 tok/s", AtLeast}, {"over 75 tok/s", AtLeast}, {"more than 75 tok/s", AtLeast}, {"at least 75 tok/s", AtLeast},
		{"75+ tok/s", AtLeast}, {"75 tok/s or more", AtLeast}, {"no less than 75 tok/s", AtLeast}, {"over 75 tok/s or less", About}, {"421+5 ms", About},
		{"less than x by 75", Exact}, {"by 75 more", Exact},
	}
	for _, tt := range tests {
		tokens := Lex(tt.in)
		for i, tok := range tokens {
			if tok.Kind == Figure {
				if got := boundOf(tt.in, tokens, i); got != tt.want {
					t.Errorf("%q is %v, want %v", tt.in, got, tt.want)
				}
				break
			}
		}
	}
}
