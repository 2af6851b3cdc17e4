package nullserver

import (
	"bytes"
	"fmt"
	"strconv"
	"time"
)

const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

// stampWidth is the number of digits of Unix nanoseconds until the year 2286.
const stampWidth = 19

// template is one chunk with room for the time; stampAt is where that stands.
var template, stampAt = func() ([]byte, int) {
	data := `data: {"id":"null","object":"chat.completion.chunk","created":0,"model":"null","choices":[{"index":0,"delta":{"content":" token"},"finish_reason":null}],"assay_sent_ns":`
	blank := data + "0000000000000000000}\n\n"
	framed := framed(blank)
	return framed, bytes.Index(framed, []byte("0000000000000000000"))
}()

func framed(data string) []byte { return fmt.Appendf(nil, "%x\r\n%s\r\n", len(data), data) }

// first is the chunk in front of any content.
var first = framed(`data: {"id":"null","object":"chat.completion.chunk","created":0,"model":"null","choices":[{"index":0,"delta":{"role":"assistant","content":null},"finish_reason":null}]}` + "\n\n")

var beforeUsage = `data: {"id":"null","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}` + "\n\n" +
	`data: {"id":"null","choices":[],"usage":{"prompt_tokens":1,"completion_tokens":`

// appendToken writes a chunk with the time in it.
func appendToken(dst []byte) []byte {
	at := len(dst)
	dst = append(dst, template...)
	var digits [stampWidth]byte
	stamp := strconv.AppendInt(digits[:0], time.Now().UnixNano(), 10)
	copy(dst[at+stampAt+stampWidth-len(stamp):], stamp)
	return dst
}

// appendLast writes the end of an answer of n tokens.
func appendLast(dst []byte, n int) []byte {
	count := strconv.Itoa(n)
	length := len(beforeUsage) + len(count) + len("}}\n\ndata: [DONE]\n\n")
	dst = append(strconv.AppendInt(dst, int64(length), 16), "\r\n"...)
	dst = append(append(dst, beforeUsage...), count...)
	return append(dst, "}}\n\ndata: [DONE]\n\n\r\n0\r\n\r\n"...)
}

// order is what a request asks for.
type order struct {
	tokens   int
	gap      time.Duration // between two writes
	together int           // chunks in one write
}

const (
	maxTokens   = 1_000_000
	maxGap      = time.Second
	maxTogether = 64
)

// readOrder looks for the two members it knows.
func readOrder(body []byte) order {
	o := order{tokens: 1, together: 1}
	if n, ok := member(body, `"max_tokens":`); ok {
		o.tokens = min(max(n, 1), maxTokens)
	}
	if n, ok := member(body, `"assay_gap_us":`); ok {
		o.gap = min(time.Duration(n)*time.Microsecond, maxGap)
	}
	if n, ok := member(body, `"assay_together":`); ok {
		o.together = min(max(n, 1), maxTogether)
	}
	return o
}

func member(body []byte, name string) (int, bool) {
	i := bytes.Index(body, []byte(name))
	if i < 0 {
		return 0, false
	}
	n, digits := 0, 0
	for _, c := range body[i+len(name):] {
		if c < '0' || c > '9' || digits == 9 {
			break
		}
		n = n*10 + int(c-'0')
		digits++
	}
	return n, digits > 0
}

// Body is the request that the server understands: a chunk for each token, one after every
// gap.
func Body(tokens int, gap time.Duration) []byte { return Bursts(tokens, 1, gap) }

// Bursts asks for so many chunks in one write after every gap, as engines do that decode
// several tokens in a step.
func Bursts(tokens, together int, gap time.Duration) []byte {
	return fmt.Appendf(nil, `{"model":"null","messages":[{"role":"user","content":"go"}],"stream":true,"max_tokens":%d,"assay_gap_us":%d,"assay_together":%d}`,
		tokens, gap.Microseconds(), together)
}
