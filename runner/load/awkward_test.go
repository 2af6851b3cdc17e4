package load_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"assay/runner/load"
	"assay/runner/load/script"
)

// awkward answers are strange and yet whole: each says "hé€" in three tokens.
var awkward = func() (all []truth) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
	until := head + "Connection: close\r\n\r\n"
	said := content("h") + content("é") + content("€")
	plain := role + said + stop + usage(5, 3, 0) + done
	chunk := func(extension, data string) string {
		return fmt.Sprintf("%x%s\r\n%s\r\n", len(data), extension, data)
	}
	bytewise := func(data string) (out string) {
		for i := range len(data) {
			out += chunk("", data[i:i+1])
		}
		return out
	}
	for _, a := range []struct{ name, whole string }{
		{"many headers", head + strings.Repeat("X-Filler: "+strings.Repeat("y", 990)+"\r\n", 60) + "Connection: close\r\n\r\n" + plain},
		{"empty and odd headers", head + "X-Empty:\r\nX-Spaces:    a b  \r\nSet-Cookie: a=b; Path=/\r\nconnection:CLOSE\r\n\r\n" + plain},
		{"no type", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + plain},
		{"no reason", "HTTP/1.1 200\r\nContent-Type: Text/Event-Stream; Charset=UTF-8\r\nConnection: close\r\n\r\n" + plain},
		{"old version", "HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + plain},
		{"bare line feeds", strings.ReplaceAll(until, "\r\n", "\n") + plain},
		{"three heads in front", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\nX: y\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + until + plain},
		{"head in front with fields of its own", "HTTP/1.1 103 Early Hints\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n" + until + plain},
		{"extensions and trailers", head + "Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n" + chunk(";name=value", role+said[:9]) + chunk(" ; q=\"a;b\"", said[9:]+stop) + chunk("", usage(5, 3, 0)+done) + "000;last\r\nX-Sum: 1\r\nX-Two: 2\r\n\r\n"},
		{"chunks of one byte", head + "Transfer-Encoding: chunked\r\n\r\n" + bytewise(plain) + "0\r\n\r\n"},
		{"identity", head + "Content-Encoding: identity\r\nConnection: close\r\n\r\n" + plain},
		{"length", head + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(plain)) + plain},
		{"length and chunks", head + "Content-Length: 7\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk("", plain) + "0\r\n\r\n"},
		{"carriage returns", until + strings.ReplaceAll(plain, "\n", "\r")},
		{"both line ends", until + strings.ReplaceAll(plain, "\n", "\r\n")},
		{"mixed line ends", until + strings.ReplaceAll(role+said, "\n", "\r") + strings.ReplaceAll(stop, "\n", "\r\n") + usage(5, 3, 0) + done},
		{"byte order mark", until + "\xef\xbb\xbf" + plain},
		{"comments, ids, retries", until + ":\n\n: keep\nid: 7\nretry: 100\nevent: message\n" + role + "id\n:x\n" + said + "retry: x\n\n" + "unheard-of: y\n" + stop + usage(5, 3, 0) + done},
		{"no space behind the colon", until + strings.ReplaceAll(plain, "data: ", "data:")},
		{"data on several lines", until + strings.ReplaceAll(plain, `,"finish_reason"`, ",\ndata: \"finish_reason\"")},
		{"data without a value", until + "data\n\ndata:\n\n" + plain},
		{"no empty line at the end", until + strings.TrimRight(plain, "\n")},
		{"one line end too many", until + strings.ReplaceAll(plain, "\n\n", "\n\n\n\n")},
		{"escapes for all", until + role + `data: {"choices":[{"delta":{"\u0063ontent":"\u0068\u00E9"}}]}` + "\n\n" + `data: {"choices":[{"delta":{"content":"\u20ac"}}]}` + "\n\n" + stop + usage(5, 3, 0) + done},
		{"members in another order", until + role + `data: {"usage":null,"choices":[{"finish_reason":null,"logprobs":{"content":[{"token":"h"}]},"delta":{"tool_calls":null,"reasoning_content":null,"content":"h"}}],"error":null}` + "\n\n" + content("é€") + stop + usage(5, 3, 0) + done},
		{"usage in front of the end, nulls after", until + role + said + usage(5, 3, 0) + `data: {"choices":[],"usage":null}` + "\n\n" + stop + done},
		{"events behind the end", until + plain + ": bye\n\n" + `data: {"choices":[]}` + "\n\n" + done},
		{"space behind the end", until + strings.Replace(plain, "[DONE]", "[DONE] ", 1)},
	} {
		all = append(all, truth{name: a.name, answer: script.Answer{Bare: true, Steps: steps(script.Step{Write: a.whole})}})
	}
	return all
}()

func readsWell(rec *load.Record) error {
	if rec.Class != load.OK || !rec.SawDone || string(rec.Text) != "hé€" || rec.Finish != "stop" || rec.Usage.Output != n64(3) || rec.Usage.Prompt != n64(5) {
		return fmt.Errorf("class %q (%s), [DONE] %t, text %q, finish %q, usage %+v", rec.Class, rec.Cause, rec.SawDone, rec.Text, rec.Finish, rec.Usage)
	}
	return nil
}

func TestAwkwardAnswers(t *testing.T) {
	_, client := play(t, limits, load.Policy{Fresh: true}, awkward)
	clock := load.NewClock(time.Now())
	for i, tt := range awkward {
		if err := readsWell(ask(client, clock, tt, i, context.Background())); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// However reads cut an answer, it says the same.
func TestAwkwardAnswersTornAnywhere(t *testing.T) {
	var torn []truth
	for _, tt := range awkward {
		whole := tt.answer.Steps[0].Write
		for at := 1; at < len(whole); at += 1 + len(whole)/400 {
			torn = append(torn, truth{name: fmt.Sprintf("%s torn at %d", tt.name, at), answer: script.Answer{Bare: true, Steps: steps(
				script.Step{Write: whole[:at]}, script.Step{Wait: ms, Write: whole[at:]})}})
		}
	}
	_, client := play(t, limits, load.Policy{Fresh: true}, torn)
	clock := load.NewClock(time.Now())
	var slots sync.WaitGroup
	const open = 32
	for slot := range open {
		slots.Go(func() {
			for i := slot; i < len(torn); i += open {
				if err := readsWell(ask(client, clock, torn[i], i, context.Background())); err != nil {
					t.Errorf("%s: %v", torn[i].name, err)
				}
			}
		})
	}
	slots.Wait()
}

// Names that an engine gives end in reports and on terminals.
func TestNamesHoldNoControlCharacters(t *testing.T) {
	tt := truth{name: "names", answer: script.Answer{Steps: steps(script.Step{Write: `data: {"id":"i\n","model":"\u001b[31mred","choices":[{"delta":{"content":"x"},"finish_reason":"\u0007stop\u009b"}]}` + "\n\n" + usage(1, 1, 0) + done})}}
	_, client := play(t, limits, load.Policy{}, []truth{tt})
	rec := ask(client, load.NewClock(time.Now()), tt, 0, context.Background())
	if rec.Model != " [31mred" || rec.Response != "i " || rec.Finish != " stop " {
		t.Errorf("model %q, id %q, finish %q", rec.Model, rec.Response, rec.Finish)
	}
}
