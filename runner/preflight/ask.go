package preflight

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"assay/runner/load"
)

const (
	mostAnswer = 256 << 10 // bytes of an answer that are looked at
	mostDetail = 600
	mostQuote  = 120
	shortCap   = 512  // tokens of an answer without reasoning
	thinkCap   = 4096 // and of one that may think first
)

// reply is what came for a request.
type reply struct {
	*load.Record
	text string
}

// body is the beginning of a request: greedy, bounded, with what is asked of thinking.
func (s *suite) body(messages ...map[string]any) map[string]any {
	b := map[string]any{"model": s.Model, "messages": messages, "temperature": 0, "max_tokens": s.room(), "stream": false}
	if s.Thinking != nil {
		b["chat_template_kwargs"] = map[string]any{"enable_thinking": *s.Thinking}
	}
	if s.Effort != "" {
		b["reasoning_effort"] = s.Effort
	}
	return b
}

// room is how many tokens an answer may have.
func (s *suite) room() int64 {
	room := int64(thinkCap)
	if s.Thinking != nil && !*s.Thinking {
		room = shortCap
	}
	if s.Context > 0 {
		room = min(room, max(64, s.Context/4))
	}
	return room
}

func user(text string) map[string]any { return map[string]any{"role": "user", "content": text} }

// ask sends one request and waits for its end; tokens is how long its prompt is, for the
// time that it may take.
func (s *suite) ask(api load.API, body map[string]any, tokens int64) reply {
	data, err := json.Marshal(body)
	if err != nil { // of maps of plain values: cannot be
		panic(err)
	}
	ctx, cancel := context.WithTimeout(s.ctx, s.Limit+time.Duration(tokens)*perToken)
	defer cancel()
	rec := new(load.Record)
	s.client.Do(ctx, s.clock, &load.Request{API: api, Body: data, KeepText: true}, rec)
	if rec.Class == load.Cancelled && s.ctx.Err() == nil {
		rec.Class, rec.Cause = load.Timeout, fmt.Sprintf("no end within %v", s.Limit+time.Duration(tokens)*perToken)
	}
	return reply{rec, string(rec.Text)}
}

// fault is what is wrong with how a reply came; ok when it came whole.
func (s *suite) fault(r reply) (verdict, bool) {
	if r.Class.Delivered() {
		return verdict{}, true
	}
	why := fmt.Sprintf("%s %s", strings.ReplaceAll(string(r.Class), "_", "-"), s.quote(r.Cause))
	lower := strings.ToLower(r.Cause)
	switch {
	case r.Status == 405 || r.Status == 501 || r.Status == 404 && !strings.Contains(lower, "model"):
		return verdict{cannot: "the endpoint has no such path or feature: " + why}, false
	case r.Status >= 400 && r.Status != 429 && says(lower, unsupported):
		return verdict{cannot: "the engine says that it cannot: " + why}, false
	}
	return verdict{fault: why}, false
}

// unsupported are words by which engines say that a feature is not there, not that the
// request was wrong.
var unsupported = []string{"not supported", "unsupported", "not enabled", "does not support", "not implemented", "requires --", "to be set", "must be enabled"}

func says(text string, any []string) bool {
	for _, w := range any {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// cut says that an answer was ended by its bound, which makes it no answer.
func cut(r reply) bool { return r.Finish == "length" || r.Finish == "max_output_tokens" }

// quote is a short piece of what an engine said, on one line, rid of the key.
func (s *suite) quote(text string) string {
	if s.Target.Key != "" {
		text = strings.ReplaceAll(text, s.Target.Key, "[key]")
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	return fmt.Sprintf("%q", clip(text, mostQuote))
}

// clip bounds a text at a whole character.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && s[most]&0xc0 == 0x80 {
		most--
	}
	return s[:most] + "…"
}

// ticket is something only the answer to this very request holds.
func ticket(check string, i int) string {
	sum := uint32(2166136261)
	for _, c := range []byte(fmt.Sprintf("%s/%d", check, i)) {
		sum = (sum ^ uint32(c)) * 16777619
	}
	return fmt.Sprintf("T%05d", 10000+sum%90000)
}
