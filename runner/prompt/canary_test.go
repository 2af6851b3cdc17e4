package prompt

import (
	"regexp"
	"strings"
	"testing"

	"assay/runner/load"
	"assay/runner/workload"
)

func TestCodes(t *testing.T) {
	shape := regexp.MustCompile(`^[A-Z]\d-[A-Z]{2}\d[A-Z]-\d\d[A-Z]{2}$`)
	c, seen := newCoder(1), map[[codeLength]byte]bool{}
	last, _ := slotOf(0, mostPlaces)
	if most, _ := slotOf(mostPlaces, 0); last >= most || most >= countSlot {
		t.Fatalf("slots %d and %d of %d", last, most, countSlot)
	}
	for _, slot := range []int{0, 1, last, countSlot} {
		for _, index := range []int{0, 1, 2, 1000, mostIndex - 1} {
			code := c.code(slot, index)
			if !shape.Match(code[:]) || seen[code] {
				t.Errorf("code %s of %d, %d", code, slot, index)
			}
			seen[code] = true
			if s, i, ok := c.place(code[:]); !ok || s != slot || i != index {
				t.Errorf("%s is read as %d, %d, %v", code, s, i, ok)
			}
		}
	}
	for range 50_000 {
		code := c.code(7, len(seen))
		if seen[code] {
			t.Fatalf("code %s twice", code)
		}
		seen[code] = true
	}
	if newCoder(2).code(0, 0) == c.code(0, 0) {
		t.Error("another seed, the same codes")
	}
	slots := map[int]bool{}
	for step := range 20 {
		for repeat := range 20 {
			slot, err := slotOf(step, repeat)
			if err != nil || slots[slot] {
				t.Fatalf("slot %d of step %d, repeat %d: %v", slot, step, repeat, err)
			}
			slots[slot] = true
		}
	}
}

func TestJudge(t *testing.T) {
	m := maker(t, work(workload.Prose, 300))
	s, before := set(t, m, 0, 1, 0), set(t, m, 0, 0, 0)
	ask := func(s *Set, index int) string {
		text := textOf(t, s, index)
		_, rest, _ := strings.Cut(text, m.closing[0])
		return rest[:codeLength]
	}
	own, other, earlier := ask(s, 3), ask(s, 4), ask(before, 9)
	later := m.coder.code(s.slot, 5)
	cases := map[string]struct{ text, reasoning, want string }{
		"first":            {own + " and so on", "", found},
		"reasoning":        {"", "the code is " + own, found},
		"amid hyphens":     {"a-b--" + own + "-c", "", found},
		"nothing":          {"", "", missing},
		"part":             {own[:codeLength-1], "", missing},
		"wrong":            {"K7-QD3M-91XA K7-QD3M-92XI", "", missing},
		"another's":        {"see " + other, "", foreign},
		"another's too":    {own + " " + other, "", foreign},
		"another's behind": {own, "it said " + other, foreign},
		"earlier repeat":   {earlier, "", foreign},
		"not given out":    {own + " " + string(later[:]), "", found},
	}
	for name, c := range cases {
		if got := s.Judge(&load.Record{Index: 3, Text: []byte(c.text), Reasoning: []byte(c.reasoning)}); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	w := work(workload.Prose, 300)
	w.Prompt.Canary = false
	silent := set(t, maker(t, w), 0, 1, 0)
	if text := textOf(t, silent, 0); strings.Contains(text, "code") && strings.Contains(text, "Begin your") {
		t.Error("a code is asked for")
	}
	if got := silent.Judge(&load.Record{Index: 3, Text: []byte(own)}); got != notAsked {
		t.Errorf("not asked: %s", got)
	}
}

// Nothing in a prompt but its code has the shape of one, hyphens and all.
func TestOneCode(t *testing.T) {
	shape := regexp.MustCompile(`[0-9A-Z]+(-[0-9A-Z]+){2}`)
	for _, kind := range kinds {
		w := work(kind, 3000)
		w.Prompt.Needles = []float64{0.5}
		s := set(t, maker(t, w), 0, 0, 0)
		for i := range 20 {
			if got := shape.FindAllString(textOf(t, s, i), -1); len(got) != 1 {
				t.Errorf("%s: codes %q", kind, got)
			}
		}
	}
}

func FuzzJudge(f *testing.F) {
	m := maker(f, work(workload.Prose, 300))
	s := set(f, m, 0, 0, 0)
	f.Add([]byte("K7-QD3M-92XA"))
	f.Add([]byte("--"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if got := s.Judge(&load.Record{Index: 3, Text: text}); got != missing && got != found {
			t.Errorf("%q is %s, and no code was given out", text, got)
		}
	})
}
