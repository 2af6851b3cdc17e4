package preflight

import (
	"fmt"
	"math"
	"strings"

	"assay/ingest/artifact"
	"assay/runner/load"
)

// leastRetrieval is the shortest prompt in which something can be hidden.
const leastRetrieval = 200

// retrieval hides a reading in a long text and asks for it. The prompt is made again once
// when the engine counts another length than was aimed at.
func (s *suite) retrieval(target int64) artifact.Gate {
	if s.Context > 0 && target+64 > s.Context {
		return artifact.Gate{Status: notRun, Detail: fmt.Sprintf("%d tokens do not fit into the served context of %d", target, s.Context)}
	}
	code := ticket("retrieval", int(target%1000))
	counted := int64(0)
	try := func(int) verdict {
		for again := range 2 {
			text := filler(fmt.Sprintf("retrieval/%d", target), int(float64(target)*s.ratio))
			at := strings.Index(text[len(text)/2:], ". ") + len(text)/2 + 2
			text = text[:at] + "The reading of gauge seven is " + code + ". " + text[at:]
			b := s.body(user(text + "\nWhat is the reading of gauge seven? Reply with the reading only."))
			if s.Context > 0 {
				b["max_tokens"] = max(16, min(s.room(), s.Context-target-32))
			}
			r := s.ask(load.Chat, b, target)
			if v, ok := s.fault(r); !ok {
				if again == 0 && r.Status == 400 && s.shrink() {
					continue
				}
				return v
			}
			if !r.Usage.Prompt.OK {
				return verdict{cannot: "the engine does not count the tokens of the prompt"}
			}
			counted = r.Usage.Prompt.V
			off := float64(counted)/float64(target) - 1
			if math.Abs(off) > 0.1 && again == 0 {
				s.ratio = float64(len(text)) / float64(counted)
				continue
			}
			switch {
			case math.Abs(off) > 0.1:
				return wrong("the engine counts %d prompt tokens where %d were sent: was the prompt cut?", counted, target)
			case !strings.Contains(r.text, code):
				return wrong("the reading %s is not in the answer: %s", code, s.quote(r.text))
			}
			return verdict{}
		}
		return wrong("no prompt of %d tokens could be made", target)
	}
	g := tries(1, "", try)
	if g.Status == passed {
		g.Detail = fmt.Sprintf("1 of 1: the reading was found in %d prompt tokens by the engine's own count (aimed at %d)", counted, target)
	}
	return g
}

// shrink takes a refusal as a prompt that was too long.
func (s *suite) shrink() bool {
	s.ratio *= 0.6
	return s.ratio > 0.5
}

// outputReserve: a prompt that fills the context but for the reserve must be admitted with
// room for an answer that long.
func (s *suite) outputReserve() artifact.Gate {
	if s.Context == 0 {
		return artifact.Gate{Status: notRun, Detail: "the served context is not known"}
	}
	prompt := s.Context - s.Reserve - 64
	if s.Reserve < 1 || prompt < leastRetrieval {
		return artifact.Gate{Status: notRun, Detail: fmt.Sprintf("a context of %d tokens has no room for a reserve of %d and a prompt", s.Context, s.Reserve)}
	}
	g := tries(1, "", func(int) verdict {
		ratio := s.ratio
		for again := range 3 {
			text := filler("reserve", int(float64(prompt)*ratio*0.97))
			b := s.body(user(text + "\nReply with the word done and nothing else."))
			b["max_tokens"] = s.Reserve
			r := s.ask(load.Chat, b, s.Context)
			if r.Class.Delivered() {
				return verdict{}
			}
			if again < 2 && r.Status == 400 { // more tokens than was reckoned: a shorter text
				ratio *= 0.85
				continue
			}
			v, _ := s.fault(r)
			return v
		}
		return wrong("it was refused at every length")
	})
	if g.Status == passed {
		g.Detail = fmt.Sprintf("1 of 1: a prompt of about %d tokens was admitted with max_tokens %d in a context of %d", prompt, s.Reserve, s.Context)
	}
	return g
}

var (
	subjects = []string{"the harbour office", "a survey crew", "the night shift", "our depot", "the river authority", "an inspector", "the weather station", "the co-operative"}
	verbs    = []string{"noted", "reported", "counted", "measured", "shipped", "replaced", "logged", "returned"}
	things   = []string{"barrels", "sensors", "timbers", "forms", "lanterns", "valves", "sacks of grain", "charts"}
	places   = []string{"at the east quay", "near the old mill", "behind the customs house", "on the upper road", "by lock nine", "in the drying shed"}
)

// filler is about so many characters of text without the same sentence twice.
func filler(seed string, characters int) string {
	n := uint32(2166136261)
	for _, c := range []byte(seed) {
		n = (n ^ uint32(c)) * 16777619
	}
	next := func(of int) int {
		n = n*1664525 + 1013904223
		return int(n>>8) % of
	}
	var b strings.Builder
	for line := 1; b.Len() < characters; line++ {
		fmt.Fprintf(&b, "On day %d %s %s %d %s %s. ", line, subjects[next(len(subjects))], verbs[next(len(verbs))], 2+next(900), things[next(len(things))], places[next(len(places))])
	}
	return b.String()
}
