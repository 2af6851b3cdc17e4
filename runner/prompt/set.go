package prompt

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"sync"
	"sync/atomic"

	"assay/runner/load"
)

// mostPrepared bounds the bytes of the bodies that are made ahead.
const mostPrepared = 512 << 20

// Set is the requests of one repeat of a step. It is safe for concurrent use.
type Set struct {
	maker    *Maker
	target   int64
	name     string
	repeat   int
	envelope envelope
	recipe   recipe
	slot     int
	bodies   [][]byte // of the first requests
	authors  sync.Pool
	issued   *atomic.Int64
}

var _ load.Source = (*Set)(nil)

func (s *Set) prepare(a *author, planned int) error {
	room := mostPrepared
	for i := range min(planned, mostIndex) {
		body, err := s.make(a, i)
		if err != nil {
			return err
		}
		if room -= cap(body); room < 0 {
			break
		}
		s.bodies = append(s.bodies, body)
	}
	return nil
}

func (s *Set) make(a *author, index int) ([]byte, error) {
	if err := s.maker.compose(a, &s.recipe, index); err != nil {
		return nil, err
	}
	return s.envelope.body(a.text), nil
}

func (s *Set) body(index int) ([]byte, error) {
	if index < 0 || index >= mostIndex {
		return nil, fmt.Errorf("prompts: step %q, repeat %d: there is no request %d, only 0 to %d", s.name, s.repeat, index, mostIndex-1)
	}
	if index < len(s.bodies) {
		return s.bodies[index], nil
	}
	a := s.authors.Get().(*author)
	defer s.authors.Put(a)
	return s.make(a, index)
}

// Request implements [load.Source].
func (s *Set) Request(index int) (load.Request, error) {
	body, err := s.body(index)
	if err != nil {
		return load.Request{}, err
	}
	if s.maker.w.Prompt.Canary {
		atLeast(s.issued, int64(index)+1)
	}
	return load.Request{API: s.maker.w.API, Body: body, KeepText: true}, nil
}

func atLeast(v *atomic.Int64, n int64) {
	for old := v.Load(); n > old && !v.CompareAndSwap(old, n); {
		old = v.Load()
	}
}

// Target is the prompt tokens that requests aim at.
func (s *Set) Target() int64 { return s.target }

// Digest is that of the first n prompts, in order, as they stand in their requests: equal
// digests are equal prompts, whatever is around them.
func (s *Set) Digest(n int) string {
	h := sha256.New()
	var length [8]byte
	for i := range n {
		body, err := s.body(i)
		if err != nil {
			break // beyond the last index: no request was made there
		}
		text := s.envelope.inside(body)
		binary.BigEndian.PutUint64(length[:], uint64(len(text)))
		h.Write(length[:])
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Words for what became of a code.
const (
	found    = "found"
	missing  = "missing"
	foreign  = "foreign"
	notAsked = "not-asked"
)

// Judge says whether an answer holds its request's code, in its text or its reasoning. The
// code of another request of the session is worse than none of its own.
func (s *Set) Judge(r *load.Record) string {
	if !s.maker.w.Prompt.Canary {
		return notAsked
	}
	verdict := missing
	for _, text := range [][]byte{r.Text, r.Reasoning} {
		for rest := text; ; {
			slot, index, after, ok := s.maker.coder.next(rest)
			if !ok {
				break
			}
			rest = after
			switch {
			case slot == s.slot && index == r.Index:
				verdict = found
			case s.maker.wasIssued(slot, index):
				return foreign
			}
		}
	}
	return verdict
}

// next finds the next text in the shape of a code.
func (c *coder) next(text []byte) (slot, index int, rest []byte, ok bool) {
	const head = 2 // bytes before the first hyphen
	for from := 0; ; {
		i := bytes.IndexByte(text[from:], '-')
		if i < 0 {
			return 0, 0, nil, false
		}
		i += from
		from = i + 1
		if i < head || i-head+codeLength > len(text) {
			continue
		}
		if slot, index, ok = c.place(text[i-head : i-head+codeLength]); ok {
			return slot, index, text[i-head+codeLength:], true
		}
	}
}

// codesOf counts the codes of a slot that were given out.
func (m *Maker) codesOf(slot int) *atomic.Int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.issued[slot] == nil {
		m.issued[slot] = new(atomic.Int64)
	}
	return m.issued[slot]
}

// wasIssued says whether a code in an answer is somebody's: a model may write one of that
// shape by itself.
func (m *Maker) wasIssued(slot, index int) bool {
	m.mu.Lock()
	n := m.issued[slot]
	m.mu.Unlock()
	return n != nil && int64(index) < n.Load()
}
