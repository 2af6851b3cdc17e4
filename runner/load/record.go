package load

import (
	"time"

	"assay/runner/load/frame"
	"assay/store/evidence"
)

// Moment is a time since the run's origin on the monotonic clock, or absent.
type Moment = evidence.Opt[time.Duration]

// Phase is the window of the run in which a request was due.
type Phase string

const (
	Warmup  Phase = "warmup"
	Ramp    Phase = "ramp"
	Measure Phase = "measure"
	Drain   Phase = "drain" // a window of the run; no request is due in it
)

// Record is everything that is known of one request. Nothing in it is computed from
// anything else in it: every figure of a run is a function of its records.
type Record struct {
	Index int
	ID    string
	API   API
	Phase Phase

	Due   time.Duration // when it should have been sent
	Began Moment        // when the client turned to it
	Sent  Moment        // just before its first byte went to the kernel; of the first attempt
	Wrote Moment        // when the call that gave the kernel the last of it returned; an answer may be there before

	Headers        Moment // the read that completed the response's head
	FirstChunk     Moment // the first event of the stream, even an empty one
	FirstReasoning Moment
	FirstContent   Moment // the first content that is not empty
	FirstTool      Moment
	LastOutput     Moment // the last event with content, reasoning or a tool call
	End            Moment // [DONE]; where it never comes, the end of the response
	Closed         Moment // the end of the HTTP message, or of the attempt

	Connect  evidence.Opt[time.Duration] // absent: the connection was there already
	Reused   bool
	Attempts []Attempt // failed tries before the one recorded here

	Status   int // 0: no response
	Class    Class
	Cause    string
	Streamed bool
	SawDone  bool
	Finish   string

	Usage       frame.Usage
	UsageAt     UsagePlace
	TokenIDs    evidence.Opt[int64] // sum over all chunks
	ChunkTokens TokenSource         // where the counts of Chunks come from
	Timings     frame.Timings

	Chunks   []Chunk
	Bytes    int64 // of the response's body
	Comments int
	Model    string
	Response string // the id the engine gave

	Text      []byte // only when the request asked for it
	Reasoning []byte
	Tools     []ToolCall

	// ReadLate is how much later than the kernel the client had the bytes, at most over all
	// reads; absent where the kernel gives no times and those above are the client's own.
	ReadLate evidence.Opt[time.Duration]

	// Stamps is the null server's own clock for each chunk, Unix nanoseconds.
	Stamps []int64
}

// Attempt is a try that failed on a kept connection before any byte of an answer.
type Attempt struct {
	Sent   time.Duration
	Failed time.Duration
	Class  Class
	Cause  string
}

// Chunk is one event of the stream.
type Chunk struct {
	At     time.Duration
	Bytes  int32 // of its data
	tokens int32
	Kind   ChunkKind
}

// Tokens is how many tokens the engine says the chunk brought, absent if it does not say.
func (c Chunk) Tokens() evidence.Opt[int64] {
	if c.Kind&Counted == 0 {
		return evidence.None[int64]()
	}
	return evidence.Some(int64(c.tokens))
}

// ChunkKind says what a chunk carries.
type ChunkKind uint8

const (
	Content ChunkKind = 1 << iota
	Reasoning
	Tool
	Finish
	Usage
	Counted // the engine says how many tokens it brought

	Output = Content | Reasoning | Tool
)

// UsagePlace is where in the stream the engine put its usage.
type UsagePlace string

const (
	UsageNowhere   UsagePlace = ""
	UsageOwnChunk  UsagePlace = "own chunk"
	UsageLastChunk UsagePlace = "last choices chunk"
	UsagePerChunk  UsagePlace = "every chunk"
	UsageInAnswer  UsagePlace = "answer" // not streamed, or the final event of the Responses API
)

// TokenSource is what counts tokens.
type TokenSource string

const (
	NoTokens      TokenSource = ""
	TokensByUsage TokenSource = "usage"
	TokensByID    TokenSource = "token ids"
	TokensByTimer TokenSource = "timings" // llama.cpp's predicted_n in every chunk
)

// ToolCall is one call put together from its pieces.
type ToolCall struct {
	Index     int
	ID        string
	Name      string
	Arguments []byte
}

func (r *Record) late(by time.Duration) {
	if !r.ReadLate.OK || by > r.ReadLate.V {
		r.ReadLate = evidence.Some(by)
	}
}

// reset empties r and keeps its room.
func (r *Record) reset() {
	*r = Record{Chunks: r.Chunks[:0], Stamps: r.Stamps[:0], Text: r.Text[:0], Reasoning: r.Reasoning[:0]}
}

// Clone is a copy that shares nothing with r.
func (r *Record) Clone() *Record {
	c := *r
	c.Attempts = append([]Attempt(nil), r.Attempts...)
	c.Chunks = append([]Chunk(nil), r.Chunks...)
	c.Stamps = append([]int64(nil), r.Stamps...)
	c.Text = append([]byte(nil), r.Text...)
	c.Reasoning = append([]byte(nil), r.Reasoning...)
	c.Tools = append([]ToolCall(nil), r.Tools...)
	for i := range c.Tools {
		c.Tools[i].Arguments = append([]byte(nil), c.Tools[i].Arguments...)
	}
	return &c
}

// OutputTokens is the engine's count of the answer's tokens: usage, else token ids. Chunks
// are never counted as tokens.
func (r *Record) OutputTokens() evidence.Opt[int64] {
	if r.Usage.Output.OK {
		return r.Usage.Output
	}
	return r.TokenIDs
}

// FirstOutput is the first reasoning, content or tool call.
func (r *Record) FirstOutput() Moment {
	return earliest(r.FirstReasoning, earliest(r.FirstContent, r.FirstTool))
}

func earliest(a, b Moment) Moment {
	if !a.OK || b.OK && b.V < a.V {
		return b
	}
	return a
}
