package prompt

import (
	"bytes"
	"encoding/json"
	"fmt"

	"assay/runner/load"
	"assay/runner/workload"
)

// envelope is a request's body around its prompt.
type envelope struct{ head, tail []byte }

// member is one of a JSON object, in the order given.
type member struct {
	name  string
	value any
}

// envelopes are what is sent: most tokens of answer, and whether they are forced.
//
// Note: ignore_eos and min_tokens are members that vLLM, SGLang and TensorRT-LLM know;
// llama.cpp knows ignore_eos. An engine that knows neither ends when its model does, and its
// usage says so: forced lengths are verified, not believed.
//
// Note: perChunk asks for the tokens of each chunk, without which no gap between tokens can
// be told from a gap between chunks: stream_options.continuous_usage_stats is known to vLLM,
// SGLang and TensorRT-LLM, timings_per_token to llama.cpp. Most engines ignore members they do not
// know; for one that refuses them, calibration leaves these two out.
func newEnvelope(w *workload.Workload, model string, most int64, forced, perChunk bool) (envelope, error) {
	list := []member{{"model", model}, {"stream", true}}
	if w.API != load.Responses {
		options := map[string]bool{"include_usage": true}
		if perChunk {
			options["continuous_usage_stats"] = true
			list = append(list, member{"timings_per_token", true})
		}
		list = append(list, member{"stream_options", options})
	}
	name := "max_tokens"
	if w.API == load.Responses {
		name = "max_output_tokens"
	}
	list = append(list, member{name, most}, member{"temperature", w.Sampling.Temperature}, member{"top_p", w.Sampling.TopP})
	if w.Sampling.Seed != nil {
		list = append(list, member{"seed", *w.Sampling.Seed})
	}
	if forced {
		list = append(list, member{"ignore_eos", true}, member{"min_tokens", most})
	}
	list = append(list, thinking(w)...)
	tail := `"}`
	system := w.Prompt.System
	switch w.API {
	case load.Chat:
		tail = `"}]}`
	case load.Responses:
		if system != "" {
			list = append(list, member{"instructions", system})
		}
	}
	head := []byte{'{'}
	for _, m := range list {
		v, err := plainJSON(m.value)
		if err != nil {
			return envelope{}, fmt.Errorf("prompts: the request's %s: %w", m.name, err)
		}
		head = fmt.Appendf(head, "%q:%s,", m.name, v)
	}
	switch w.API {
	case load.Chat:
		head = append(head, `"messages":[`...)
		if system != "" {
			v, err := plainJSON(system)
			if err != nil {
				return envelope{}, fmt.Errorf("prompts: the system message: %w", err)
			}
			head = fmt.Appendf(head, `{"role":"system","content":%s},`, v)
		}
		head = append(head, `{"role":"user","content":"`...)
	case load.Completions:
		head = append(head, `"prompt":"`...)
		if system != "" { // there are no roles: it stands before the text
			head = append(appendEscaped(head, []byte(system)), `\n\n`...)
		}
	default:
		head = append(head, `"input":"`...)
	}
	return envelope{head, []byte(tail)}, nil
}

// thinking asks for it, or for none of it, in the words of the API.
func thinking(w *workload.Workload) (list []member) {
	if on := w.Thinking.Enabled; on != nil {
		list = append(list, member{"chat_template_kwargs", map[string]bool{"enable_thinking": *on}})
	}
	switch effort := w.Thinking.Effort; {
	case effort == "":
	case w.API == load.Responses:
		list = append(list, member{"reasoning", map[string]string{"effort": effort}})
	default:
		list = append(list, member{"reasoning_effort", effort})
	}
	return list
}

// body puts a prompt into its envelope.
func (e envelope) body(text []byte) []byte {
	out := make([]byte, 0, len(e.head)+len(text)+len(text)/16+len(e.tail)+16)
	out = append(out, e.head...)
	out = appendEscaped(out, text)
	return append(out, e.tail...)
}

// inside is the prompt of a body, as it stands in it.
func (e envelope) inside(body []byte) []byte { return body[len(e.head) : len(body)-len(e.tail)] }

func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

const hexDigits = "0123456789abcdef"

// appendEscaped appends valid UTF-8 as the inside of a JSON string.
func appendEscaped(dst, text []byte) []byte {
	plain := 0
	for i, b := range text {
		if b >= 0x20 && b != '"' && b != '\\' {
			continue
		}
		dst = append(dst, text[plain:i]...)
		plain = i + 1
		switch b {
		case '"', '\\':
			dst = append(dst, '\\', b)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&15])
		}
	}
	return append(dst, text[plain:]...)
}
