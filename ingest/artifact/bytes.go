package artifact

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Encode checks the run and gives its canonical bytes: RFC 8785, with a line feed at the
// end.
func Encode(r *Run) ([]byte, error) {
	if err := r.Check(); err != nil {
		return nil, fmt.Errorf("run %s: %w", r.Name, err)
	}
	raw, err := json.Marshal(r, json.FormatNilSliceAsNull(true))
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", r.Name, err)
	}
	v := jsontext.Value(raw)
	if err := v.Canonicalize(); err != nil {
		return nil, fmt.Errorf("run %s: %w", r.Name, err)
	}
	if len(v) > MaxBytes {
		return nil, fmt.Errorf("run %s: %d bytes, more than %d: measure fewer requests a repeat", r.Name, len(v), MaxBytes)
	}
	return append(v, '\n'), nil
}

// Error is a fault of a document, with where it stands.
type Error struct {
	Pointer string // JSON Pointer
	Offset  int64  // byte
	Problem string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s (byte %d): %s", orRoot(e.Pointer), e.Offset, e.Problem)
}

func orRoot(p string) string {
	if p == "" {
		return "the document"
	}
	return p
}

// Decode reads a document. It is strict: an unknown or double member, a wrong type or a
// value out of bounds is an [*Error], or the list of faults of [Run.Check].
func Decode(data []byte) (*Run, error) {
	if len(data) > MaxBytes {
		return nil, &Error{Problem: fmt.Sprintf("%d bytes, more than %d", len(data), MaxBytes)}
	}
	var r Run
	err := json.Unmarshal(bytes.TrimRight(data, "\n"), &r, json.RejectUnknownMembers(true))
	var sem *json.SemanticError
	var syn *jsontext.SyntacticError
	switch {
	case errors.As(err, &sem):
		return nil, &Error{Pointer: string(sem.JSONPointer), Offset: sem.ByteOffset, Problem: problem(sem)}
	case errors.As(err, &syn):
		return nil, &Error{Pointer: string(syn.JSONPointer), Offset: syn.ByteOffset, Problem: syn.Err.Error()}
	case err != nil:
		return nil, &Error{Problem: err.Error()}
	}
	if err := r.Check(); err != nil {
		return nil, err
	}
	return &r, nil
}

func problem(e *json.SemanticError) string {
	switch {
	case errors.Is(e.Err, json.ErrUnknownName):
		return "is no member of " + Label
	case e.Err != nil:
		return e.Err.Error()
	case e.JSONKind != 0 && e.GoType != nil:
		return fmt.Sprintf("a JSON %s does not fit here", e.JSONKind)
	}
	return "does not fit here"
}
