package frame

import "assay/store/evidence"

// Frame is what one JSON value of a stream says. Byte slices are the insides of JSON
// strings, escapes and all.
type Frame struct {
	Type        []byte // of the Responses API
	ID          []byte
	Model       []byte
	Fingerprint []byte

	Choices   int // entries of choices
	Content   []byte
	Reasoning []byte
	Tools     []Tool
	Finish    []byte
	TokenIDs  evidence.Opt[int] // how many the choices carry
	Usage     Usage
	Timings   Timings

	Fault     []byte // the message of an error object
	FaultCode []byte // its code or type, as text
	Faulty    bool

	// SentNS is the clock of the null server when it wrote the chunk, Unix nanoseconds.
	SentNS evidence.Opt[int64]
}

// Tool is a piece of a tool call.
type Tool struct {
	Index     int
	ID        []byte
	Name      []byte
	Arguments []byte
}

// Usage is the engine's own count. Absent members are absent.
type Usage struct {
	Prompt    evidence.Opt[int64]
	Output    evidence.Opt[int64]
	Cached    evidence.Opt[int64]
	Reasoning evidence.Opt[int64]
	Present   bool
}

// Timings are the server-side clocks of llama.cpp.
type Timings struct {
	PromptN       evidence.Opt[int64]
	PromptMS      evidence.Opt[float64]
	PredictedN    evidence.Opt[int64]
	PredictedMS   evidence.Opt[float64]
	CacheN        evidence.Opt[int64]
	DraftN        evidence.Opt[int64]
	DraftAccepted evidence.Opt[int64]
	Present       bool
}

// Bears says whether the frame carries any output: text, reasoning or part of a tool call.
func (f *Frame) Bears() bool {
	return len(f.Content) > 0 || len(f.Reasoning) > 0 || len(f.Tools) > 0
}

// Parse reads data. The frame's room for tools is used again.
func (f *Frame) Parse(data []byte) error {
	*f = Frame{Tools: f.Tools[:0]}
	p := parser{b: data, f: f}
	p.space()
	if p.peek() != '{' {
		p.fail("an object")
		return p.err
	}
	p.top()
	p.space()
	if p.err == nil && p.i != len(p.b) {
		p.fail("the end")
	}
	if p.err == nil && len(f.Type) > 0 {
		p.response()
	}
	return p.err
}
