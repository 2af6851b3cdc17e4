package prose

import (
	"strings"
	"testing"
	"time"

	"assay/store/evidence"
)

func FuzzProse(f *testing.F) {
	for _, s := range []string{
		"64 requests, 8K target, C4 per replica, 1024-token ceiling, thinking disabled",
		"MTP5 first: TTFT p50/p95 512.5/701.25 ms; decode p50 41.5 tok/s",
		"MTP5 cut median E2E by 42.7 percent, from 2.1 to 1.2 seconds, while median TTFT rose from 0.5 to 0.6 seconds",
		"a 100500-token API-reported prompt with a 4096-token completion cap in 41.5 seconds; 17/20",
		"four NVIDIA RTX PRO 6000 GPUs, 97887 MiB each, sm_120", "the forced-output headline workload", "64K asked gave 61234", "−5–6—7 1,2,3 ü7 \xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > MaxSentence {
			return
		}
		start := time.Now()
		checkTokens(t, s)
		checkSettings(t, s)
		checkResults(t, s)
		if took := time.Since(start); took > 5*time.Second {
			t.Fatalf("%d bytes take %v", len(s), took)
		}
	})
}

// inside checks that spans lie in the sentence.
func inside(t *testing.T, s, what string, spans ...Span) {
	t.Helper()
	for _, x := range spans {
		if x.Start < 0 || x.End > len(s) || x.Start > x.End {
			t.Fatalf("%s: span %+v of %d bytes", what, x, len(s))
		}
	}
}

func checkTokens(t *testing.T, s string) {
	last := 0
	for _, tok := range Lex(s) {
		if tok.Start < last || tok.End <= tok.Start || tok.UnitEnd > len(s) {
			t.Fatalf("token %+v after %d", tok, last)
		}
		if last = tok.End; tok.Kind == Figure && len(tok.Text(s)) < 300 {
			if _, err := evidence.ParseDecimal(tok.Decimal(s)); err != nil {
				t.Fatalf("figure %q: %v", tok.Text(s), err)
			}
		}
	}
}

func checkSettings(t *testing.T, s string) {
	shape, left := Shape(s)
	inside(t, s, "shape", left...)
	hardware, left := Hardware(s)
	inside(t, s, "hardware", left...)
	for _, list := range [][]Setting{shape, hardware, Config(s), CompletionPhrases(s)} {
		for _, x := range list {
			inside(t, s, "setting", x.Span)
			if x.Value == "" || x.Empty() {
				t.Fatalf("setting %+v", x)
			}
		}
	}
	_, at, _ := OnOff(s)
	draft, _ := DraftName(s)
	_, cards, _ := CardsOf(s, "2")
	inside(t, s, "word", at, draft, cards)
}

func checkResults(t *testing.T, s string) {
	line, _ := StatLine(s)
	inside(t, s, "line", line.Label, line.StateAt)
	inside(t, s, "line", line.Unparsed...)
	for _, r := range line.Readings {
		inside(t, s, "reading", r.Digits)
		if !fits(r.Metric, r.Unit) {
			t.Fatalf("reading %+v", r)
		}
	}
	changes, refused := Changes(s)
	inside(t, s, "refused", refused...)
	for _, c := range changes {
		inside(t, s, "change", c.Low, c.High, c.Percent, c.From, c.To, c.Subject, c.Control)
	}
	for _, r := range Results(s) {
		inside(t, s, "result", r.Digits, r.What)
	}
	for _, p := range Produced(s) {
		inside(t, s, "pair", p.Nominal, p.Actual)
	}
}

// TestLongSentences gives every grammar sentences of the greatest length.
func TestLongSentences(t *testing.T) {
	for _, flood := range []string{"1 ", "4K/C8, ", "TTFT p50 1 ms; ", "p50/", "1-", "a-", "20 percent lower TTFT and ", "increased ", "total ", "one ", "one-", "two replicas ", "64K produced 7 ", "not ", "x:", "0", "a", "no mtp ", "spec ", "mtp3 off ", "would ", "over 5 ms ", "used about 5 MiB ", "12 to 15 percent higher ", "5 s or less "} {
		s := strings.Repeat(flood, MaxSentence/len(flood))
		start := time.Now()
		Shape(s)
		Config(s)
		Hardware(s)
		StatLine(s)
		Changes(s)
		Results(s)
		Produced(s)
		CompletionPhrases(s)
		OnOff(s)
		DraftName(s)
		CardsOf(s, "2")
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("%d bytes of %q take %v", len(s), flood, took)
		}
	}
}

func BenchmarkGrammars(b *testing.B) {
	s := "64 requests, 8K target, C4 per replica, unique prompts, 400 requested words, 1024-token ceiling, thinking disabled"
	b.ReportAllocs()
	for b.Loop() {
		Shape(s)
	}
}
