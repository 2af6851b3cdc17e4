package prompt

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"assay/runner/load"
	"assay/runner/workload"
	"github.com/google/go-cmp/cmp"
)

var kinds = []workload.Kind{workload.Prose, workload.Code, workload.Mixed}

// The prompts of a workload are the same everywhere, for ever: these digests change with
// the version of the generator and with nothing else.
func TestGolden(t *testing.T) {
	got := map[workload.Kind]string{}
	for _, kind := range kinds {
		w := work(kind, 600)
		w.Prompt.Needles = []float64{0, 0.5, 1}
		w.Prompt.SharedPrefix = 100
		m := maker(t, w)
		got[kind] = m.Spec() + " " + set(t, m, 0, 1, 3).Digest(5)
	}
	want := map[workload.Kind]string{
		"code":  "assay-prompts/1 sha256:795235a5f634dc57b73846e79ba63df4bfd1f661cccf799da3a7e7af345a7e17 415adfa48ebe816fe13d4cc58f7671ac4cf4e6c50c9a94eb99490d79ab1092e7",
		"mixed": "assay-prompts/1 sha256:52adf21d7f13e4ca8c157359e21290cf1e1b1ba5bcfd27b3cecb9e74fe4d818c b4de286c0cfded58b48583fd0983a1e9ec937a4b1765645f380208255d39f27b",
		"prose": "assay-prompts/1 sha256:e794b2c660b9c23dda8c7ff4b95b86ff02b3db5b41257015671192504c349e88 d72964e9a778d12394df0cd15bba5fd12a4f10f9cafcc79a60355c014097f204",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestDeterminism(t *testing.T) {
	w := work(workload.Mixed, 300, 600)
	one, two := set(t, maker(t, w), 1, 0, 0), set(t, maker(t, w), 1, 0, 30)
	if one.Digest(40) != two.Digest(40) {
		t.Error("prepared prompts differ from those made on demand")
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 40 {
				a, _ := one.Request((i*7 + g) % 40)
				b, _ := two.Request((i*7 + g) % 40)
				if string(a.Body) != string(b.Body) {
					t.Errorf("request %d differs", (i*7+g)%40)
				}
			}
		})
	}
	wg.Wait()
	for name, other := range map[string]*Set{"repeat": set(t, maker(t, w), 1, 1, 0), "step": set(t, maker(t, w), 0, 0, 0)} {
		for i := range 20 {
			if n := prefixLength(textOf(t, one, i), textOf(t, other, i)); n > 16 {
				t.Errorf("another %s begins with the same %d bytes", name, n)
			}
		}
	}
	w2 := work(workload.Mixed, 300, 600)
	w2.Seed++
	if set(t, maker(t, w2), 1, 0, 0).Digest(3) == one.Digest(3) {
		t.Error("another seed, the same prompts")
	}
}

// No two prompts begin alike, nor do they have a long run in common, but for the
// instruction at the end.
func TestUnique(t *testing.T) {
	for _, kind := range kinds {
		m := maker(t, work(kind, 500))
		s := set(t, m, 0, 0, 2000)
		heads, words, runs := map[string]int{}, map[string]int{}, map[string]int{}
		for i := range 2000 {
			text := textOf(t, s, i)
			if other, seen := heads[text[:64]]; seen {
				t.Fatalf("%s: prompts %d and %d begin with %q", kind, other, i, text[:64])
			}
			heads[text[:64]] = i
			if i < len(openers) {
				words[firstWord(text)]++
			}
			if c := text[0]; c < 'A' || c > 'Z' {
				t.Fatalf("%s: prompt %d begins with %q", kind, i, c)
			}
			if i >= 200 {
				continue
			}
			body, _, _ := strings.Cut(text, m.closing[0])
			for k := 0; k+100 <= len(body); k++ {
				if other, seen := runs[body[k:k+100]]; seen {
					t.Fatalf("%s: prompts %d and %d share %q", kind, other, i, body[k:k+100])
				}
				runs[body[k:k+100]] = i
			}
		}
		if len(words) != len(openers) {
			t.Errorf("%s: the first %d prompts begin with %d words", kind, len(openers), len(words))
		}
	}
}

func TestNoSentenceTwice(t *testing.T) {
	s := set(t, maker(t, work(workload.Prose, 60000)), 0, 0, 0)
	seen := map[string]bool{}
	for _, sentence := range strings.Split(textOf(t, s, 0), ". ") {
		if sentence = strings.TrimSpace(sentence); seen[sentence] && len(sentence) > 20 {
			t.Errorf("twice: %s", sentence)
		}
		seen[sentence] = true
	}
	if len(seen) < 1000 {
		t.Errorf("%d sentences", len(seen))
	}
}

func TestSharedPrefixAndNeedles(t *testing.T) {
	w := work(workload.Prose, 2000)
	w.Prompt.SharedPrefix = 500
	w.Prompt.Needles = []float64{1, 0.25, 0.5, 0}
	m := maker(t, w)
	s := set(t, m, 0, 0, 10)
	prefix := string(s.recipe.prefix.text)
	if n := len(prefix); n < 1960 || n > 2040 {
		t.Errorf("the prefix of 500 tokens has %d characters", n)
	}
	for i := range 10 {
		text := textOf(t, s, i)
		rest, ok := strings.CutPrefix(text, prefix)
		if !ok {
			t.Fatalf("prompt %d begins otherwise", i)
		}
		if n := prefixLength(rest, strings.TrimPrefix(textOf(t, s, i+10), prefix)); n > 0 && i < 300 {
			t.Errorf("behind the prefix %d bytes are the same", n)
		}
		for _, depth := range m.needles {
			at := strings.Index(rest, "The reference value of the ")
			if at < 0 {
				t.Fatalf("prompt %d lacks a needle", i)
			}
			share := float64(at) / float64(strings.Index(rest, "Begin your answer"))
			if share < depth-0.06 || share > depth+0.06 {
				t.Errorf("prompt %d: the needle of depth %v is at %.2f", i, depth, share)
			}
			rest = rest[:at] + strings.Repeat("x", 27) + rest[at+27:]
		}
	}
	if other := set(t, m, 0, 1, 1); string(other.recipe.prefix.text) == prefix {
		t.Error("two repeats have one prefix: the second finds it cached")
	}
}

func TestBodies(t *testing.T) {
	seed, off := int64(5), false
	cases := map[string]struct {
		change func(*workload.Workload)
		want   string // members, the prompt left out
	}{
		"chat": {func(*workload.Workload) {}, `{"ignore_eos":true,"max_tokens":64,"messages":[{"content":"","role":"user"}],"min_tokens":64,"model":"model","stream":true,
			"stream_options":{"continuous_usage_stats":true,"include_usage":true},"temperature":0,"timings_per_token":true,"top_p":1}`},
		"natural": {func(w *workload.Workload) {
			w.Output.Mode, w.Sampling, w.Prompt.System = workload.Natural, workload.Sampling{Temperature: 0.7, TopP: 0.9, Seed: &seed}, "Be \"brief\".\n"
			w.Thinking = workload.Thinking{Enabled: &off, Effort: "low", Tokens: 100}
		}, `{"chat_template_kwargs":{"enable_thinking":false},"max_tokens":164,"messages":[{"content":"Be \"brief\".\n","role":"system"},{"content":"","role":"user"}],"model":"model",
			"reasoning_effort":"low","seed":5,"stream":true,"stream_options":{"continuous_usage_stats":true,"include_usage":true},"temperature":0.7,"timings_per_token":true,"top_p":0.9}`},
		"completions": {func(w *workload.Workload) { w.API = load.Completions }, `{"ignore_eos":true,"max_tokens":64,"min_tokens":64,"model":"model","prompt":"","stream":true,
			"stream_options":{"continuous_usage_stats":true,"include_usage":true},"temperature":0,"timings_per_token":true,"top_p":1}`},
		"responses": {func(w *workload.Workload) { w.API, w.Prompt.System, w.Thinking.Effort = load.Responses, "S", "high" }, `{"ignore_eos":true,"input":"","instructions":"S","max_output_tokens":64,
			"min_tokens":64,"model":"model","reasoning":{"effort":"high"},"stream":true,"temperature":0,"top_p":1}`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := work(workload.Code, 300)
			c.change(w)
			req, err := set(t, maker(t, w), 0, 0, 1).Request(0)
			if err != nil {
				t.Fatal(err)
			}
			var got, want map[string]any
			if err := json.Unmarshal(req.Body, &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"prompt", "input"} {
				if _, ok := got[key]; ok {
					got[key] = ""
				}
			}
			if list, ok := got["messages"].([]any); ok {
				list[len(list)-1].(map[string]any)["content"] = ""
			}
			if diff := cmp.Diff(want, got); diff != "" || req.API != w.API || !req.KeepText {
				t.Errorf("%s %v (-want +got)\n%s", req.API, req.KeepText, diff)
			}
		})
	}
}

func TestEscaped(t *testing.T) {
	for _, text := range []string{"", "plain", "\"\\\n\t\r\x00\x1f", "é…", "end\\"} {
		var back string
		if err := json.Unmarshal(append(appendEscaped([]byte{'"'}, []byte(text)), '"'), &back); err != nil || back != text {
			t.Errorf("%q: %q, %v", text, back, err)
		}
	}
}

func TestSpec(t *testing.T) {
	spec := func(change func(*workload.Workload)) string {
		w := work(workload.Prose, 500)
		change(w)
		return maker(t, w).Spec()
	}
	same := spec(func(*workload.Workload) {})
	if !strings.HasPrefix(same, "assay-prompts/1 sha256:") || len(same) != len("assay-prompts/1 sha256:")+64 {
		t.Errorf("spec %q", same)
	}
	for name, change := range map[string]func(*workload.Workload){
		"output": func(w *workload.Workload) { w.Output.Cap++ }, "repeats": func(w *workload.Workload) { w.Repeats++ },
		"steps": func(w *workload.Workload) { w.Steps = append(w.Steps, workload.Step{Name: "more", Target: 9}) },
	} {
		if spec(change) != same {
			t.Errorf("%s is part of the spec", name)
		}
	}
	seen := map[string]string{same: "nothing"}
	for name, change := range map[string]func(*workload.Workload){
		"seed": func(w *workload.Workload) { w.Seed++ }, "kind": func(w *workload.Workload) { w.Prompt.Kind = workload.Code },
		"system": func(w *workload.Workload) { w.Prompt.System = "x" }, "canary": func(w *workload.Workload) { w.Prompt.Canary = false },
		"needles": func(w *workload.Workload) { w.Prompt.Needles = []float64{0.5} }, "prefix": func(w *workload.Workload) { w.Prompt.SharedPrefix = 9 },
		"api": func(w *workload.Workload) { w.API = load.Completions },
	} {
		s := spec(change)
		if seen[s] != "" {
			t.Errorf("%s and %s have one spec", name, seen[s])
		}
		seen[s] = name
	}
}

func TestNewRefuses(t *testing.T) {
	for want, change := range map[string]func(*workload.Workload){
		"no kind of text": func(w *workload.Workload) { w.Prompt.Kind = "verse" }, "no API": func(w *workload.Workload) { w.API = "chatter" },
		"tolerance": func(w *workload.Workload) { w.Prompt.Tolerance = -1 }, "needles": func(w *workload.Workload) { w.Prompt.Needles = []float64{1.5} },
		"leaves nothing": func(w *workload.Workload) { w.Prompt.SharedPrefix = 500 }, "top_p": func(w *workload.Workload) { w.Sampling.TopP = 0 },
		"answer of 0": func(w *workload.Workload) { w.Output.Cap = 0 }, "two steps": func(w *workload.Workload) { w.Steps = append(w.Steps, w.Steps[0]) },
		"target of 0": func(w *workload.Workload) { w.Steps[0].Target = 0 }, "system message": func(w *workload.Workload) { w.Prompt.System = "\xff" },
	} {
		w := work(workload.Prose, 500)
		change(w)
		if _, err := New(w, "model"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	if _, err := New(work(workload.Prose, 500), ""); err == nil {
		t.Error("no model was taken")
	}
}

func TestRequestBounds(t *testing.T) {
	m := maker(t, work(workload.Prose, 500))
	s := set(t, m, 0, 0, 0)
	for _, i := range []int{-1, mostIndex} {
		if _, err := s.Request(i); err == nil || !strings.Contains(err.Error(), fmt.Sprint(i)) {
			t.Errorf("request %d: %v", i, err)
		}
	}
	step := m.w.Steps[0]
	step.Target++
	if _, err := byHand(m, m.w.Steps[0]).Set(step, 0, 0); err == nil {
		t.Error("a set of another step")
	}
	if _, err := byHand(m, m.w.Steps[0]).Set(m.w.Steps[0], mostPlaces+1, 0); err == nil {
		t.Error("a repeat without codes")
	}
}
