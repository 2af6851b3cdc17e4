package frame

import (
	"strconv"

	"assay/store/evidence"
)

// top reads the members of a frame.
func (p *parser) top() {
	if !p.open('{') {
		return
	}
	f := p.f
	for first := true; ; {
		k, ok := p.key(&first)
		if !ok {
			break
		}
		switch string(k) {
		case "choices":
			p.choices()
		case "usage":
			p.usage()
		case "timings":
			p.timings()
		case "id":
			f.ID = p.text()
		case "model":
			f.Model = p.text()
		case "system_fingerprint":
			f.Fingerprint = p.text()
		case "type":
			f.Type = p.text()
		case "object":
			p.object = p.text()
		case "delta":
			p.delta = p.text()
		case "response":
			p.whole()
		case "item":
			p.item()
		case "output":
			p.output()
		case "status":
			p.status = prefer(p.status, p.text())
		case "incomplete_details":
			p.status = prefer(p.member("reason"), p.status)
		case "error":
			p.fault()
		case "message":
			p.message = p.text()
		case "code":
			p.code = p.scalar()
		case "assay_sent_ns":
			f.SentNS = p.integer()
		default:
			p.skip()
		}
	}
	switch string(p.object) {
	case "error": // {"object":"error","message":...}, as older vLLM has it
		f.Faulty, f.Fault, f.FaultCode = true, p.message, p.code
	case "response":
		f.Finish = p.status
	}
}

// scalar reads a string or a number as text.
func (p *parser) scalar() []byte {
	p.space()
	if p.peek() == '"' {
		return p.text()
	}
	return p.number()
}

// integer reads a whole number from 0; what is none is absent.
func (p *parser) integer() evidence.Opt[int64] {
	digits := p.number()
	if len(digits) == 0 || len(digits) > 19 {
		return evidence.None[int64]()
	}
	var v int64
	for _, c := range digits {
		if c < '0' || c > '9' || v > (1<<63-1-9)/10 {
			return evidence.None[int64]()
		}
		v = v*10 + int64(c-'0')
	}
	return evidence.Some(v)
}

// real reads a number that is not negative.
func (p *parser) real() evidence.Opt[float64] {
	digits := p.number()
	if len(digits) == 0 || len(digits) > 40 {
		return evidence.None[float64]()
	}
	v, err := strconv.ParseFloat(string(digits), 64)
	if err != nil || v < 0 {
		return evidence.None[float64]()
	}
	return evidence.Some(v)
}

func (p *parser) choices() {
	if !p.open('[') {
		return
	}
	for first := true; p.more(&first, ']'); {
		p.f.Choices++
		p.choice()
	}
}

func (p *parser) choice() {
	if !p.open('{') {
		return
	}
	for first := true; ; {
		k, ok := p.key(&first)
		if !ok {
			return
		}
		switch string(k) {
		case "delta", "message":
			p.deltaObject()
		case "text":
			p.f.Content = prefer(p.text(), p.f.Content)
		case "token_ids":
			p.tokenIDs()
		case "finish_reason":
			p.f.Finish = prefer(p.text(), p.f.Finish)
		case "usage":
			p.usage()
		default:
			p.skip()
		}
	}
}

// prefer is the first that is not empty.
func prefer(a, b []byte) []byte {
	if len(a) > 0 {
		return a
	}
	return b
}

// deltaObject reads a delta, or the message of an answer that was not streamed.
func (p *parser) deltaObject() {
	if !p.open('{') {
		return
	}
	for first := true; ; {
		k, ok := p.key(&first)
		if !ok {
			return
		}
		switch string(k) {
		case "content":
			p.content()
		case "refusal":
			p.f.Content = prefer(p.f.Content, p.text())
		case "reasoning_content", "reasoning": // some engines send both, the same
			p.f.Reasoning = prefer(p.f.Reasoning, p.text())
		case "tool_calls":
			p.tools()
		case "token_ids":
			p.tokenIDs()
		default:
			p.skip()
		}
	}
}

// content is a string, or parts of type text and thinking.
func (p *parser) content() {
	p.space()
	if p.peek() != '[' {
		p.f.Content = prefer(p.text(), p.f.Content)
		return
	}
	p.open('[')
	for first := true; p.more(&first, ']'); {
		p.part()
	}
}

func (p *parser) part() {
	if !p.open('{') {
		return
	}
	for first := true; ; {
		k, ok := p.key(&first)
		if !ok {
			return
		}
		switch string(k) {
		case "text":
			p.f.Content = prefer(p.f.Content, p.text())
		case "thinking":
			p.thinking()
		default:
			p.skip()
		}
	}
}

// thinking is a string, or parts of type text.
func (p *parser) thinking() {
	p.space()
	if p.peek() != '[' {
		p.f.Reasoning = prefer(p.f.Reasoning, p.text())
		return
	}
	p.open('[')
	for first := true; p.more(&first, ']'); {
		p.f.Reasoning = prefer(p.f.Reasoning, p.member("text"))
	}
}

func (p *parser) tools() {
	if !p.open('[') {
		return
	}
	for first := true; p.more(&first, ']'); {
		t := Tool{Index: len(p.f.Tools)}
		p.tool(&t)
		if len(p.f.Tools) < 256 {
			p.f.Tools = append(p.f.Tools, t)
		}
	}
}

func (p *parser) tool(t *Tool) {
	if !p.open('{') {
		return
	}
	for first := true; ; {
		k, ok := p.key(&first)
		if !ok {
			return
		}
		switch string(k) {
		case "index":
			if n := p.integer(); n.OK && n.V < 256 {
				t.Index = int(n.V)
			}
		case "id", "call_id":
			t.ID = prefer(p.text(), t.ID)
		case "function":
			p.tool(t) // its members have names of their own
		case "name":
			t.Name = p.text()
		case "arguments":
			t.Arguments = p.text()
		default:
			p.skip()
		}
	}
}

func (p *parser) tokenIDs() {
	p.space()
	if p.peek() != '[' {
		p.skip()
		return
	}
	p.open('[')
	n := p.f.TokenIDs.V
	for first := true; p.more(&first, ']'); n++ {
		p.skip()
	}
	p.f.TokenIDs = evidence.Some(n)
}

func (p *parser) usage() {
	if !p.open('{') {
		return
	}
	u := &p.f.Usage
	u.Present = true
	for first := true; ; {
		k, ok := p.key(&first)
		if !ok {
			return
		}
		switch string(k) {
		case "prompt_tokens", "input_tokens":
			u.Prompt = p.integer()
		case "completion_tokens", "output_tokens":
			u.Output = p.integer()
		case "prompt_tokens_details", "input_tokens_details":
			p.detail("cached_tokens", &u.Cached)
		case "completion_tokens_details", "output_tokens_details":
			p.detail("reasoning_tokens", &u.Reasoning)
		case "reasoning_tokens":
			u.Reasoning = p.integer()
		default:
			p.skip()
		}
	}
}

// detail reads one member of an object.
func (p *parser) detail(name string, into *evidence.Opt[int64]) {
	if !p.open('{') {
		return
	}
	for first := true; ; {
		k, ok := p.key(&first)
		if !ok {
			return
		}
		if string(k) == name {
			*into = p.integer()
		} else {
			p.skip()
		}
	}
}

func (p *parser) timings() {
	if !p.open('{') {
		return
	}
	t := &p.f.Timings
	t.Present = true
	for first := true; ; {
		k, ok := p.key(&first)
		if !ok {
			return
		}
		switch string(k) {
		case "prompt_n":
			t.PromptN = p.integer()
		case "prompt_ms":
			t.PromptMS = p.real()
		case "predicted_n":
			t.PredictedN = p.integer()
		case "predicted_ms":
			t.PredictedMS = p.real()
		case "cache_n":
			t.CacheN = p.integer()
		case "draft_n":
			t.DraftN = p.integer()
		case "draft_n_accepted":
			t.DraftAccepted = p.integer()
		default:
			p.skip()
		}
	}
}
