package load

import (
	"bytes"
	"fmt"
	"time"

	"assay/runner/load/frame"
	"assay/runner/load/sse"
	"assay/store/evidence"
)

// takeEvent reads one event of the stream.
func (x *exchange) takeEvent(e *sse.Event) {
	rec := x.rec
	if string(bytes.TrimRight(e.Data, " \t")) == "[DONE]" {
		if !rec.SawDone {
			rec.SawDone, rec.End = true, evidence.Some(e.At)
			x.rearm = true
		}
		return
	}
	if len(e.Data) == 0 {
		return
	}
	if err := x.frame.Parse(e.Data); err != nil {
		x.fail(BadFrame, fmt.Sprintf("event %d: %v", len(rec.Chunks)+1, err), e.At)
		return
	}
	if x.frame.Faulty || string(e.Name) == "error" {
		x.engineError(e.Data, e.At)
		return
	}
	if len(rec.Chunks) == x.client.limits.Chunks {
		x.fail(TooLarge, fmt.Sprintf("more than %d chunks", x.client.limits.Chunks), e.At)
		return
	}
	x.takeFrame(&x.frame, e.At, len(e.Data))
}

func (x *exchange) engineError(data []byte, at time.Duration) {
	message := text(x.frame.Fault)
	if message == "" {
		message = fmt.Sprintf("%.200q", data)
	}
	if code := text(x.frame.FaultCode); code != "" {
		message = code + ": " + message
	}
	x.fail(EngineError, message, at)
}

// takeFrame enters a frame into the record.
func (x *exchange) takeFrame(f *frame.Frame, at time.Duration, size int) {
	rec := x.rec
	if !rec.FirstChunk.OK {
		rec.FirstChunk = evidence.Some(at)
		x.rearm = true
	}
	if rec.Model == "" && len(f.Model) > 0 {
		rec.Model = text(f.Model)
	}
	if rec.Response == "" && len(f.ID) > 0 {
		rec.Response = text(f.ID)
	}
	c := Chunk{At: at, Bytes: int32(size)}
	mark := func(has bool, kind ChunkKind, first *Moment) {
		if has {
			if c.Kind |= kind; !first.OK {
				*first = evidence.Some(at)
			}
		}
	}
	mark(len(f.Content) > 0, Content, &rec.FirstContent)
	mark(len(f.Reasoning) > 0, Reasoning, &rec.FirstReasoning)
	mark(len(f.Tools) > 0, Tool, &rec.FirstTool)
	if c.Kind&Output != 0 {
		rec.LastOutput = evidence.Some(at)
	}
	if len(f.Finish) > 0 {
		c.Kind |= Finish
		rec.Finish = finishName(f.Finish)
	}
	if f.Usage.Present {
		c.Kind |= Usage
		rec.UsageAt = x.usagePlace(f)
		merge(&rec.Usage, &f.Usage)
	}
	if f.Timings.Present {
		rec.Timings = f.Timings
	}
	x.counter.count(f, &c, rec)
	if f.SentNS.OK {
		rec.Stamps = append(rec.Stamps, f.SentNS.V)
	}
	rec.Chunks = append(rec.Chunks, c)
	if x.req.KeepText {
		x.keepText(f)
	}
}

// usagePlace says where usage stands, as far as the stream has shown.
func (x *exchange) usagePlace(f *frame.Frame) UsagePlace {
	switch {
	case len(f.Type) > 0:
		return UsageInAnswer
	case x.rec.UsageAt != UsageNowhere && x.counter.every:
		return UsagePerChunk
	case f.Choices == 0:
		return UsageOwnChunk
	}
	return UsageLastChunk
}

func merge(into, from *frame.Usage) {
	into.Present = true
	for _, m := range []struct{ into, from *evidence.Opt[int64] }{
		{&into.Prompt, &from.Prompt}, {&into.Output, &from.Output}, {&into.Cached, &from.Cached}, {&into.Reasoning, &from.Reasoning},
	} {
		if m.from.OK {
			*m.into = *m.from
		}
	}
}

// tokenCounter finds how many tokens each chunk brought: by its token ids, or by how much a
// running count grew since the last chunk. A running count says so only while every chunk
// with output has carried it: usage on the last chunk alone is a total.
type tokenCounter struct {
	every bool
	total int64
}

func (t *tokenCounter) count(f *frame.Frame, c *Chunk, rec *Record) {
	if f.TokenIDs.OK {
		rec.TokenIDs = evidence.Some(rec.TokenIDs.V + int64(f.TokenIDs.V))
		t.set(c, rec, int64(f.TokenIDs.V), TokensByID)
		return
	}
	if rec.ChunkTokens == TokensByID {
		return
	}
	running, source := f.Usage.Output, TokensByUsage
	if !running.OK {
		running, source = f.Timings.PredictedN, TokensByTimer
	}
	if !running.OK {
		t.every = t.every && c.Kind&Output == 0
		return
	}
	if t.every && running.V >= t.total && (rec.ChunkTokens == NoTokens || rec.ChunkTokens == source) {
		t.set(c, rec, running.V-t.total, source)
	}
	t.total = max(t.total, running.V)
}

func (t *tokenCounter) set(c *Chunk, rec *Record, n int64, source TokenSource) {
	if n <= 1<<31-1 {
		c.tokens, rec.ChunkTokens = int32(n), source
		c.Kind |= Counted
	}
}

// finish is at the end of the response.
func (x *exchange) finish(at time.Duration) {
	rec := x.rec
	x.over = true
	switch x.mode {
	case readStream:
		x.over = false
		x.scanner.Feed(nil, at)
		x.scanner.Close()
		x.events(at)
		if x.over {
			return
		}
		x.over = true
	case readAnswer:
		if !x.readWhole(at) {
			return
		}
	}
	rec.Closed = evidence.Some(at)
	if !rec.End.OK {
		rec.End = evidence.Some(at)
	}
	switch {
	case x.mode == readFault:
		rec.Class = statusClass(rec.Status)
		rec.Cause = cause(x.faultText())
	case !rec.SawDone && rec.Finish == "":
		rec.Class, rec.Cause = Truncated, "the response ended without a finish reason and without [DONE]"
	case !rec.OutputTokens().OK:
		rec.Class, rec.Cause = NoUsage, "neither usage nor token ids"
	}
}

// readWhole reads an answer that was not streamed. Its only time is its end.
func (x *exchange) readWhole(at time.Duration) bool {
	if err := x.frame.Parse(x.answer); err != nil {
		x.fail(BadFrame, err.Error(), at)
		return false
	}
	f := &x.frame
	if f.Faulty {
		x.engineError(x.answer, at)
		return false
	}
	rec := x.rec
	rec.Model, rec.Response, rec.Finish = text(f.Model), text(f.ID), finishName(f.Finish)
	rec.Usage, rec.Timings = f.Usage, f.Timings
	if f.Usage.Present {
		rec.UsageAt = UsageInAnswer
	}
	if f.TokenIDs.OK {
		rec.TokenIDs = evidence.Some(int64(f.TokenIDs.V))
	}
	if x.req.KeepText {
		x.keepText(f)
	}
	return true
}

// faultText is what an error answer says, in a line.
func (x *exchange) faultText() string {
	message := fmt.Sprintf("status %d", x.rec.Status)
	if x.head.RetryAfter != "" {
		message += ", retry after " + x.head.RetryAfter
	}
	if x.frame.Parse(x.answer) == nil && x.frame.Faulty {
		return message + ": " + text(x.frame.Fault)
	}
	if len(x.answer) > 0 {
		message += fmt.Sprintf(": %.200q", x.answer)
	}
	return message
}

// keepText puts the answer together, up to the limit.
func (x *exchange) keepText(f *frame.Frame) {
	rec, most := x.rec, x.client.limits.Text
	if len(f.Content) > 0 && len(rec.Text)+len(f.Content) <= most {
		rec.Text = frame.AppendText(rec.Text, f.Content)
	}
	if len(f.Reasoning) > 0 && len(rec.Reasoning)+len(f.Reasoning) <= most {
		rec.Reasoning = frame.AppendText(rec.Reasoning, f.Reasoning)
	}
	for _, piece := range f.Tools {
		t := rec.tool(piece.Index)
		if len(piece.ID) > 0 {
			t.ID = text(piece.ID)
		}
		if len(piece.Name) > 0 {
			t.Name = text(piece.Name)
		}
		if len(t.Arguments)+len(piece.Arguments) <= most {
			t.Arguments = frame.AppendText(t.Arguments, piece.Arguments)
		}
	}
}

// tool finds the call of an index, or begins it. Indices are below 256.
func (r *Record) tool(index int) *ToolCall {
	for i := range r.Tools {
		if r.Tools[i].Index == index {
			return &r.Tools[i]
		}
	}
	r.Tools = append(r.Tools, ToolCall{Index: index})
	return &r.Tools[len(r.Tools)-1]
}

const maxName = 300

// text is the inside of a JSON string as a name or a message, bounded and on one line.
func text(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	return cause(string(frame.AppendText(nil, raw[:min(len(raw), maxName)])))
}

// finishName spares the usual reasons an allocation.
func finishName(raw []byte) string {
	switch string(raw) {
	case "stop":
		return "stop"
	case "length":
		return "length"
	case "tool_calls":
		return "tool_calls"
	case "completed":
		return "completed"
	}
	return text(raw)
}
