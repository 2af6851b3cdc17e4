package measure

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sync/atomic"
	"testing"
	"time"

	"assay/runner/gpu"
	"assay/store/evidence"
)

// fake is an endpoint that answers at once: it begins with the code that the prompt asks
// for and writes as many words as are wanted. It counts four characters as a token.
type fake struct {
	requests atomic.Int64
	refuse   func(n int64) bool // request n is refused with 429
	noUsage  bool
	slow     time.Duration // between two tokens
	cut      int           // answers end so many tokens early
	mixUp    bool          // every answer holds the code of the request before it
	last     atomic.Pointer[string]
	server   *httptest.Server
}

var codeShape = regexp.MustCompile(`[0-9A-Z]+(-[0-9A-Z]+){2}`)

func (f *fake) start(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"fake","object":"model"}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", f.chat)
	f.server = httptest.NewServer(mux)
	t.Cleanup(f.server.Close)
	return f.server.URL
}

func (f *fake) chat(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Messages []struct{ Content string }
		Max      int  `json:"max_tokens"`
		Stream   bool `json:"stream"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n := f.requests.Add(1)
	if f.refuse != nil && f.refuse(n) {
		http.Error(w, `{"error":{"message":"too many"}}`, http.StatusTooManyRequests)
		return
	}
	prompt := 0
	text := ""
	for _, m := range body.Messages {
		prompt += (len(m.Content) + 3) / 4
		text = m.Content
	}
	code := codeShape.FindString(text)
	if f.mixUp {
		own := code
		if before := f.last.Swap(&own); before != nil {
			code = *before
		}
	}
	tokens := max(1, body.Max-f.cut)
	usage := fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":0}}`, prompt, tokens, prompt+tokens)
	if f.noUsage {
		usage = "null"
	}
	if !body.Stream {
		fmt.Fprintf(w, `{"id":"x","model":"fake","choices":[{"index":0,"finish_reason":"length","message":{"role":"assistant","content":%q}}],"usage":%s}`, code, usage)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	for i := range tokens {
		word := " word"
		if i == 0 {
			word = code
		}
		fmt.Fprintf(w, "data: {\"id\":\"x\",\"model\":\"fake\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":null}]}\n\n", word)
		if f.slow > 0 {
			if flush.Flush() != nil {
				return
			}
			select {
			case <-r.Context().Done():
				return
			case <-time.After(f.slow):
			}
		}
	}
	fmt.Fprintf(w, "data: {\"id\":\"x\",\"model\":\"fake\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"length\"}]}\n\n")
	if !f.noUsage {
		fmt.Fprintf(w, "data: {\"id\":\"x\",\"model\":\"fake\",\"choices\":[],\"usage\":%s}\n\n", usage)
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// twoCards is a driver with two cards of which the first draws 300 W and the second 60 W.
type twoCards struct {
	began    time.Time
	counter  float64 // factor by which the counter is off
	noPower  bool
	pid      int // of a process on card 0
	lostFrom time.Duration
}

func (d *twoCards) System() gpu.System { return gpu.System{Driver: "999.1"} }

func (d *twoCards) Cards() ([]gpu.Card, error) {
	card := func(i int) gpu.Card {
		return gpu.Card{Index: i, UUID: fmt.Sprintf("GPU-%d", i), Name: "NVIDIA RTX PRO 6000 Blackwell Workstation Edition", Architecture: "Blackwell", Capability: "12.0",
			Memory: evidence.Some[int64](96 << 30)}
	}
	return []gpu.Card{card(0), card(1)}, nil
}

func (d *twoCards) Links() ([]gpu.Link, error) {
	return []gpu.Link{{From: 0, To: 1, Common: "host bridge", P2P: "ok"}}, nil
}

func (d *twoCards) Read(card int) gpu.Reading {
	at := time.Since(d.began)
	if card == 0 && d.lostFrom > 0 && at > d.lostFrom {
		return gpu.Reading{Lost: "GPU is lost"}
	}
	watts := []float64{300, 60}[card]
	r := gpu.Reading{Counter: evidence.Some(watts * at.Seconds() * d.counter), MemoryUsed: evidence.Some[int64](40 << 30), MemoryFree: evidence.Some[int64](56 << 30)}
	if !d.noPower {
		r.Power = evidence.Some(watts)
	}
	return r
}

func (d *twoCards) Processes(card int) ([]gpu.Process, error) {
	if card == 0 && d.pid > 0 {
		return []gpu.Process{{PID: d.pid}, {PID: 1}}, nil
	}
	return nil, nil
}

func (d *twoCards) Close() error { return nil }

func with(d *twoCards) func(string) (gpu.Driver, error) {
	d.began = time.Now()
	if d.counter == 0 {
		d.counter = 1
	}
	return func(string) (gpu.Driver, error) { return d, nil }
}

func noDriver(string) (gpu.Driver, error) {
	return nil, &gpu.Unavailable{Reason: "no NVML library on this machine"}
}
