package evidence

import "testing"

func TestCanonicalFact(t *testing.T) {
	for _, c := range []struct {
		key        FactKey
		text, want string // want "" for a refusal
	}{
		{KeyGPUMemory, "96 GiB", "103079215104"}, {KeyGPUMemory, "96GB", "96000000000"}, {KeyServedContext, "1,048,576", "1048576"},
		{KeyServedContext, "393216 tokens", "393216"}, {KeyMemoryFraction, "92 %", "0.92"}, {KeyTimeout, "1500 ms", "1.5"}, {KeyTP, "2", "2"},
		{KeyRequestRate, "inf", "inf"}, {KeyThinking, "off", "disabled"}, {KeyThinking, "Enabled", "enabled"}, {KeyPrefixCache, "on", "true"},
		{KeyPath, "Direct", "direct"}, {KeyEngine, "vLLM 0.11", "vLLM 0.11"}, {KeyThinking, "adaptive", "adaptive"},
		{KeyTP, "two", ""}, {KeyTP, "-1", ""}, {KeyTP, "2 GiB", ""}, {KeyTP, "", ""}, {KeyServedContext, "128k", ""}, {KeyTP, "NaN", ""},
		{KeyTP, "1e999", ""}, {KeyPrefixCache, "maybe", ""}, {KeyPath, "tunnel", ""},
	} {
		got, err := CanonicalFact(c.key, c.text)
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %q: %q, %v; want %q", c.key, c.text, got, err, c.want)
		}
	}
}

func FuzzParseScope(f *testing.F) {
	d := DigestOf([]byte("x"))
	for _, s := range []string{
		"campaign:2026-01-01-x", "campaign:a#b", "artifact:" + d.String(), "artifact:" + d.String() + "#", "artifact:" + d.String() + "#/a~1b/0",
		"artifact:12#/x", "artifact:" + d.String() + "#x", "campaign:", "", "run:1",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseScope(text)
		if err != nil {
			return
		}
		again, err := ParseScope(s.String())
		if err != nil || again != s {
			t.Errorf("%q is %+v, read again %+v, %v", text, s, again, err)
		}
	})
}
