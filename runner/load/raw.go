package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"assay/runner/load/frame"
	"assay/store/evidence"
)

// line is a record as a line of JSON. Times are whole nanoseconds from the run's origin;
// what is absent is left out.
type line struct {
	Index          int           `json:"index"`
	ID             string        `json:"id"`
	API            API           `json:"api"`
	Phase          Phase         `json:"phase"`
	Due            int64         `json:"due_ns"`
	Began          *int64        `json:"began_ns,omitempty"`
	Sent           *int64        `json:"sent_ns,omitempty"`
	Wrote          *int64        `json:"wrote_ns,omitempty"`
	Headers        *int64        `json:"headers_ns,omitempty"`
	FirstChunk     *int64        `json:"first_chunk_ns,omitempty"`
	FirstReasoning *int64        `json:"first_reasoning_ns,omitempty"`
	FirstContent   *int64        `json:"first_content_ns,omitempty"`
	FirstTool      *int64        `json:"first_tool_ns,omitempty"`
	LastOutput     *int64        `json:"last_output_ns,omitempty"`
	End            *int64        `json:"end_ns,omitempty"`
	Closed         *int64        `json:"closed_ns,omitempty"`
	Connect        *int64        `json:"connect_ns,omitempty"`
	Reused         bool          `json:"reused"`
	Attempts       []attemptLine `json:"attempts,omitempty"`
	Status         int           `json:"status,omitempty"`
	Class          Class         `json:"class"`
	Cause          string        `json:"cause,omitempty"`
	Streamed       bool          `json:"streamed"`
	SawDone        bool          `json:"saw_done"`
	Finish         string        `json:"finish_reason,omitempty"`
	Usage          *usageLine    `json:"usage,omitempty"`
	UsageAt        UsagePlace    `json:"usage_at,omitempty"`
	TokenIDs       *int64        `json:"token_ids,omitempty"`
	ChunkTokens    TokenSource   `json:"chunk_tokens,omitempty"`
	Timings        *timingsLine  `json:"timings,omitempty"`
	Chunks         [][]int64     `json:"chunks"` // time, bytes, kind and, where it is known, tokens
	Bytes          int64         `json:"bytes"`
	Comments       int           `json:"comments,omitempty"`
	Model          string        `json:"model,omitempty"`
	Response       string        `json:"response_id,omitempty"`
	ReadLate       *int64        `json:"read_late_ns,omitempty"`
	Stamps         []int64       `json:"stamps_unix_ns,omitempty"`
	Text           []byte        `json:"text,omitempty"`
	Reasoning      []byte        `json:"reasoning,omitempty"`
	Tools          []ToolCall    `json:"tools,omitempty"`
}

type attemptLine struct {
	Sent   int64  `json:"sent_ns"`
	Failed int64  `json:"failed_ns"`
	Class  Class  `json:"class"`
	Cause  string `json:"cause"`
}

type usageLine struct {
	Prompt    *int64 `json:"prompt_tokens,omitempty"`
	Output    *int64 `json:"completion_tokens,omitempty"`
	Cached    *int64 `json:"cached_tokens,omitempty"`
	Reasoning *int64 `json:"reasoning_tokens,omitempty"`
}

type timingsLine struct {
	PromptN       *int64   `json:"prompt_n,omitempty"`
	PromptMS      *float64 `json:"prompt_ms,omitempty"`
	PredictedN    *int64   `json:"predicted_n,omitempty"`
	PredictedMS   *float64 `json:"predicted_ms,omitempty"`
	CacheN        *int64   `json:"cache_n,omitempty"`
	DraftN        *int64   `json:"draft_n,omitempty"`
	DraftAccepted *int64   `json:"draft_n_accepted,omitempty"`
}

func pointer[T any](o evidence.Opt[T]) *T {
	if !o.OK {
		return nil
	}
	return &o.V
}

func option[T any](p *T) evidence.Opt[T] {
	if p == nil {
		return evidence.None[T]()
	}
	return evidence.Some(*p)
}

func nanos(m evidence.Opt[time.Duration]) *int64 { return (*int64)(pointer(m)) }

func moment(p *int64) evidence.Opt[time.Duration] { return option((*time.Duration)(p)) }

// Marshal writes a record as one line, without the line's end. Nothing is lost: Unmarshal
// gives an equal record, and so equal figures.
func (r *Record) Marshal() ([]byte, error) {
	l := line{Index: r.Index, ID: r.ID, API: r.API, Phase: r.Phase, Due: int64(r.Due), Began: nanos(r.Began), Sent: nanos(r.Sent), Wrote: nanos(r.Wrote),
		Headers: nanos(r.Headers), FirstChunk: nanos(r.FirstChunk), FirstReasoning: nanos(r.FirstReasoning), FirstContent: nanos(r.FirstContent),
		FirstTool: nanos(r.FirstTool), LastOutput: nanos(r.LastOutput), End: nanos(r.End), Closed: nanos(r.Closed), Connect: nanos(r.Connect),
		Reused: r.Reused, Status: r.Status, Class: r.Class, Cause: r.Cause, Streamed: r.Streamed, SawDone: r.SawDone, Finish: r.Finish,
		UsageAt: r.UsageAt, TokenIDs: pointer(r.TokenIDs), ChunkTokens: r.ChunkTokens, Bytes: r.Bytes, Comments: r.Comments, Model: r.Model,
		Response: r.Response, ReadLate: nanos(r.ReadLate), Stamps: r.Stamps, Text: r.Text, Reasoning: r.Reasoning, Tools: r.Tools}
	for _, a := range r.Attempts {
		l.Attempts = append(l.Attempts, attemptLine{int64(a.Sent), int64(a.Failed), a.Class, a.Cause})
	}
	if u := r.Usage; u.Present {
		l.Usage = &usageLine{pointer(u.Prompt), pointer(u.Output), pointer(u.Cached), pointer(u.Reasoning)}
	}
	if t := r.Timings; t.Present {
		l.Timings = &timingsLine{pointer(t.PromptN), pointer(t.PromptMS), pointer(t.PredictedN), pointer(t.PredictedMS), pointer(t.CacheN), pointer(t.DraftN), pointer(t.DraftAccepted)}
	}
	room := make([]int64, 0, 4*len(r.Chunks))
	l.Chunks = make([][]int64, len(r.Chunks))
	for i, c := range r.Chunks {
		from := len(room)
		room = append(room, int64(c.At), int64(c.Bytes), int64(c.Kind))
		if c.Kind&Counted != 0 {
			room = append(room, int64(c.tokens))
		}
		l.Chunks[i] = room[from:]
	}
	return json.Marshal(l)
}

// Unmarshal reads what Marshal wrote.
func (r *Record) Unmarshal(data []byte) error {
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	*r = Record{Index: l.Index, ID: l.ID, API: l.API, Phase: l.Phase, Due: time.Duration(l.Due), Began: moment(l.Began), Sent: moment(l.Sent), Wrote: moment(l.Wrote),
		Headers: moment(l.Headers), FirstChunk: moment(l.FirstChunk), FirstReasoning: moment(l.FirstReasoning), FirstContent: moment(l.FirstContent),
		FirstTool: moment(l.FirstTool), LastOutput: moment(l.LastOutput), End: moment(l.End), Closed: moment(l.Closed), Connect: moment(l.Connect),
		Reused: l.Reused, Status: l.Status, Class: l.Class, Cause: l.Cause, Streamed: l.Streamed, SawDone: l.SawDone, Finish: l.Finish,
		UsageAt: l.UsageAt, TokenIDs: option(l.TokenIDs), ChunkTokens: l.ChunkTokens, Bytes: l.Bytes, Comments: l.Comments, Model: l.Model,
		Response: l.Response, ReadLate: moment(l.ReadLate), Stamps: l.Stamps, Text: l.Text, Reasoning: l.Reasoning, Tools: l.Tools}
	for _, a := range l.Attempts {
		r.Attempts = append(r.Attempts, Attempt{time.Duration(a.Sent), time.Duration(a.Failed), a.Class, a.Cause})
	}
	if u := l.Usage; u != nil {
		r.Usage = frame.Usage{Prompt: option(u.Prompt), Output: option(u.Output), Cached: option(u.Cached), Reasoning: option(u.Reasoning), Present: true}
	}
	if t := l.Timings; t != nil {
		r.Timings = frame.Timings{PromptN: option(t.PromptN), PromptMS: option(t.PromptMS), PredictedN: option(t.PredictedN), PredictedMS: option(t.PredictedMS),
			CacheN: option(t.CacheN), DraftN: option(t.DraftN), DraftAccepted: option(t.DraftAccepted), Present: true}
	}
	for i, c := range l.Chunks {
		chunk, err := readChunk(c)
		if err != nil {
			return fmt.Errorf("record %d: chunk %d: %w", l.Index, i, err)
		}
		r.Chunks = append(r.Chunks, chunk)
	}
	return nil
}

func readChunk(c []int64) (Chunk, error) {
	const most = 1<<31 - 1
	if len(c) < 3 || len(c) > 4 || c[1] < 0 || c[1] > most || c[2] < 0 || c[2] > 255 || (len(c) == 4) != (ChunkKind(c[2])&Counted != 0) {
		return Chunk{}, errors.New("not time, bytes, kind and, if counted, tokens")
	}
	out := Chunk{At: time.Duration(c[0]), Bytes: int32(c[1]), Kind: ChunkKind(c[2])}
	if len(c) == 4 {
		if c[3] < 0 || c[3] > most {
			return Chunk{}, errors.New("tokens out of range")
		}
		out.tokens = int32(c[3])
	}
	return out, nil
}

// Lines is a sink that writes records as lines of JSON.
type Lines struct{ W io.Writer }

// Take writes one line.
func (l Lines) Take(r *Record) error {
	data, err := r.Marshal()
	if err != nil {
		return err
	}
	_, err = l.W.Write(append(data, '\n'))
	return err
}

// ReadLines reads what Lines wrote. A line that is no record ends it with an error.
func ReadLines(data []byte) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for text := range bytes.Lines(data) {
			r := new(Record)
			if err := r.Unmarshal(text); err != nil {
				yield(nil, err)
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}
