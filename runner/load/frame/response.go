package frame

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// whole reads the response object that events of the Responses API carry.
func (p *parser) whole() {
	if !p.open('{') {
		return
	}
	f := p.f
	for first := true; ; {
		k, ok := p.key(&first)
		if !ok {
			return
		}
		switch string(k) {
		case "id":
			f.ID = p.text()
		case "model":
			f.Model = p.text()
		case "usage":
			p.usage()
		case "status":
			f.Finish = prefer(f.Finish, p.text())
		case "incomplete_details":
			if reason := p.member("reason"); len(reason) > 0 {
				f.Finish = reason
			}
		case "error":
			p.fault()
		default:
			p.skip()
		}
	}
}

// item reads an output item, for the name of a function call.
func (p *parser) item() {
	t := Tool{}
	p.tool(&t)
	if len(t.Name) > 0 {
		t.Arguments = nil // they come as deltas
		p.f.Tools = append(p.f.Tools, t)
	}
}

// output reads the items of a response that was not streamed.
func (p *parser) output() {
	if !p.open('[') {
		return
	}
	for first := true; p.more(&first, ']'); {
		p.outputItem()
	}
}

func (p *parser) outputItem() {
	var t Tool
	if !p.open('{') {
		return
	}
	for first := true; ; {
		k, ok := p.key(&first)
		if !ok {
			break
		}
		switch string(k) {
		case "content":
			p.content()
		case "name":
			t.Name = p.text()
		case "call_id":
			t.ID = p.text()
		case "arguments":
			t.Arguments = p.text()
		default:
			p.skip()
		}
	}
	if len(t.Name) > 0 && len(p.f.Tools) < 256 {
		t.Index = len(p.f.Tools)
		p.f.Tools = append(p.f.Tools, t)
	}
}

// member reads one string of an object.
func (p *parser) member(name string) (out []byte) {
	if !p.open('{') {
		return nil
	}
	for first := true; ; {
		k, ok := p.key(&first)
		if !ok {
			return out
		}
		if string(k) == name {
			out = p.text()
		} else {
			p.skip()
		}
	}
}

// fault reads an error: an object, a string, or null for none.
func (p *parser) fault() {
	f := p.f
	p.space()
	switch p.peek() {
	case '"':
		f.Faulty, f.Fault = true, p.text()
		return
	case '{':
	default:
		p.skip()
		return
	}
	f.Faulty = true
	p.open('{')
	for first := true; ; {
		k, ok := p.key(&first)
		if !ok {
			return
		}
		switch string(k) {
		case "message":
			f.Fault = p.text()
		case "code":
			f.FaultCode = prefer(p.scalar(), f.FaultCode)
		case "type":
			f.FaultCode = prefer(f.FaultCode, p.text())
		default:
			p.skip()
		}
	}
}

// response gives the members of an event their meaning, once its type is known.
func (p *parser) response() {
	f := p.f
	kind := string(f.Type)
	final := kind == "response.completed" || kind == "response.incomplete" || kind == "response.failed"
	if !final {
		f.Finish = nil // the status of a response that is not over
	}
	if kind != "response.output_item.added" {
		f.Tools = f.Tools[:0] // .done repeats the item
	}
	switch {
	case kind == "error":
		f.Faulty, f.Fault, f.FaultCode = true, prefer(f.Fault, p.message), prefer(f.FaultCode, p.code)
	case kind == "response.failed":
		f.Faulty = true
	case kind == "response.output_text.delta" || kind == "response.refusal.delta":
		f.Content = p.delta
	case strings.HasPrefix(kind, "response.reasoning") && strings.HasSuffix(kind, ".delta"):
		f.Reasoning = p.delta
	case kind == "response.function_call_arguments.delta" && len(p.delta) > 0:
		f.Tools = append(f.Tools, Tool{Arguments: p.delta})
	}
}

// AppendText decodes the inside of a JSON string. Lone surrogates become U+FFFD.
func AppendText(dst, raw []byte) []byte {
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c != '\\' || i+1 == len(raw) {
			dst = append(dst, c)
			continue
		}
		i++
		switch raw[i] {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := hex(raw[i+1:])
			i += 4
			if utf16.IsSurrogate(r) {
				low := rune(utf8.RuneError)
				if i+6 < len(raw) && raw[i+1] == '\\' && raw[i+2] == 'u' {
					low = hex(raw[i+3:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					i += 6
				}
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, raw[i])
		}
	}
	return dst
}

// hex reads four digits that the parser has checked.
func hex(b []byte) (r rune) {
	for _, c := range b[:min(4, len(b))] {
		switch {
		case c <= '9':
			c -= '0'
		default:
			c = c | 0x20 - 'a' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}
