package prompt

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"assay/runner/load"
	"assay/runner/workload"
)

// version of the generator. Another one makes other prompts of the same workload.
const version = "assay-prompts/1"

// usualTolerance is taken where the workload says none.
const usualTolerance = 0.02

// Bounds of a workload's prompts.
const (
	mostTarget  = 16 << 20
	mostNeedles = 64
	mostSystem  = 1 << 20
	mostModel   = 1 << 10
)

// Maker makes the prompts of one workload for one model.
type Maker struct {
	w       *workload.Workload
	model   string
	coder   *coder
	needles []float64 // from the first to the last
	closing [2]string // around the code; without codes the first is all

	mu       sync.Mutex
	seen     []observation         // the endpoint's counts so far
	perChunk bool                  // the endpoint takes the members that ask for counts along
	answered bool                  // it has answered once
	issued   map[int]*atomic.Int64 // by slot: codes that were given out
}

// New checks what w says of prompts.
func New(w *workload.Workload, model string) (*Maker, error) {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf("prompts: "+format, args...)) }
	p := &w.Prompt
	if model == "" || len(model) > mostModel || !utf8.ValidString(model) {
		bad("the name of the model has %d bytes or is not text, want 1 to %d", len(model), mostModel)
	}
	if w.API != load.Chat && w.API != load.Completions && w.API != load.Responses {
		bad("there is no API %q", w.API)
	}
	if _, ok := endings[p.Kind]; !ok {
		bad("there is no kind of text %q (there are %s, %s, %s)", p.Kind, workload.Prose, workload.Code, workload.Mixed)
	}
	if !(p.Tolerance >= 0 && p.Tolerance < 1) {
		bad("a tolerance of %v is not within 0 to 1", p.Tolerance)
	}
	if p.SharedPrefix < 0 || p.SharedPrefix > mostTarget {
		bad("a shared prefix of %d tokens is not within 0 to %d", p.SharedPrefix, mostTarget)
	}
	if len(p.Needles) > mostNeedles || slices.ContainsFunc(p.Needles, func(d float64) bool { return !(d >= 0 && d <= 1) }) {
		bad("needles %v: at most %d depths within 0 to 1", p.Needles, mostNeedles)
	}
	if len(p.System) > mostSystem || !utf8.ValidString(p.System) {
		bad("the system message has %d bytes or is not text, want %d at most", len(p.System), mostSystem)
	}
	if s := w.Sampling; !(s.Temperature >= 0 && s.Temperature <= 100) || !(s.TopP > 0 && s.TopP <= 1) {
		bad("temperature %v and top_p %v: want 0 to 100 and above 0 to 1", s.Temperature, s.TopP)
	}
	if most := w.Output.Cap; most < 1 || w.Thinking.Tokens < 0 || most > math.MaxInt32 || w.Thinking.Tokens > math.MaxInt32 {
		bad("an answer of %d tokens and %d for reasoning cannot be asked for", most, w.Thinking.Tokens)
	}
	names := map[string]bool{}
	for i := range w.Steps {
		s := &w.Steps[i]
		if s.Target < 1 || s.Target > mostTarget {
			bad("step %q: a target of %d tokens is not within 1 to %d", s.Name, s.Target, mostTarget)
		} else if s.Target <= p.SharedPrefix {
			bad("step %q: a shared prefix of %d tokens leaves nothing of the target of %d", s.Name, p.SharedPrefix, s.Target)
		}
		if names[s.Name] {
			bad("two steps are named %q: their prompts would be the same", s.Name)
		}
		names[s.Name] = true
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	m := &Maker{w: w, model: model, coder: newCoder(w.Seed), perChunk: true, issued: map[int]*atomic.Int64{}}
	m.closing, m.needles = closings(p), slices.Sorted(slices.Values(p.Needles))
	return m, nil
}

// closings are what stands at a prompt's end.
func closings(p *workload.Prompt) [2]string {
	goOn := "Continue the text above at length, in its own manner, and repeat none of it."
	if p.Kind == workload.Code {
		goOn = "Continue the source files above at length, in their own manner, and repeat none of them."
	}
	if len(p.Needles) > 0 {
		goOn = "Name the reference values that the text above states. " + goOn
	}
	if !p.Canary {
		return [2]string{goOn, ""}
	}
	return [2]string{"Begin your answer with the code ", ", exactly as it is written here. " + goOn}
}

// Spec is the identity of how prompts are made. The target is the step's own; the model,
// the length of answers and what an endpoint counts are not part of it.
func (m *Maker) Spec() string {
	p := &m.w.Prompt
	var b strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&b, "%s: %v\n", name, value) }
	line("generator", version)
	line("corpus", corpus())
	line("api", m.w.API)
	line("template", map[bool]string{true: "chat", false: "none"}[m.w.API != load.Completions])
	line("kind", p.Kind)
	line("seed", m.w.Seed)
	line("seeded by", "seed, kind, step name, step target, repeat, index")
	line("target", "of the step")
	line("shared prefix", p.SharedPrefix)
	for _, d := range p.Needles {
		line("needle", strconv.FormatFloat(d, 'g', -1, 64))
	}
	line("canary", p.Canary)
	line("system", strconv.Quote(p.System))
	line("closing", strconv.Quote(strings.Join(m.closing[:], " CODE ")))
	sum := mix(b.String())
	return version + " sha256:" + hex.EncodeToString(sum[:])
}

// corpus is the digest of everything that texts are drawn from.
var corpus = sync.OnceValue(func() string {
	var all []string
	for _, list := range append(wordLists[:], sentences, beginnings) {
		all = append(all, strings.Join(list, "\n"))
	}
	for _, l := range languages {
		all = append(all, l.name)
		for _, list := range [][]pattern{l.head, l.body, l.foot, l.short} {
			for _, p := range list {
				for _, x := range p {
					all = append(all, x.text, x.name)
				}
			}
		}
	}
	sum := mix(all...)
	return hex.EncodeToString(sum[:])
})

// stepNumber finds a step of the workload.
func (m *Maker) stepNumber(step workload.Step) (int, error) {
	for i := range m.w.Steps {
		if s := &m.w.Steps[i]; s.Name == step.Name && s.Target == step.Target {
			return i, nil
		}
	}
	return 0, fmt.Errorf("prompts: workload %s has no step %q of %d tokens", m.w.Name, step.Name, step.Target)
}

// seedOf is what all texts of a step and a repeat follow from.
func (m *Maker) seedOf(step workload.Step, repeat int) [32]byte {
	return mix(version, strconv.FormatInt(m.w.Seed, 10), string(m.w.Prompt.Kind), step.Name, strconv.FormatInt(step.Target, 10), strconv.Itoa(repeat))
}

// tolerance in tokens is at least one: a length is a whole number.
func (m *Maker) tolerance(target int64) int64 {
	share := m.w.Prompt.Tolerance
	if share == 0 {
		share = usualTolerance
	}
	return max(1, int64(float64(share*float64(target))))
}
