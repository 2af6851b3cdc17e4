package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// errStopped ends a long input when the intake is stopped.
var errStopped = errors.New("intake was stopped")

// tooLarge is the error of an input beyond the limit.
type tooLarge int64

func (l tooLarge) Error() string {
	return fmt.Sprintf("the input is larger than %d bytes, the most that is kept; split it or raise the limit", int64(l))
}

// guardedReader reads an input within its limit and until the intake is stopped. It
// remembers the input's own error, to tell it from one of the archive.
type guardedReader struct {
	stop        context.Context
	r           io.Reader
	left, limit int64
	err         error
}

func (g *guardedReader) Read(p []byte) (int, error) {
	if g.stop.Err() != nil {
		g.err = errStopped
		return 0, g.err
	}
	n, err := g.r.Read(p)
	if g.left -= int64(n); g.left < 0 {
		g.err = tooLarge(g.limit)
		return 0, g.err
	}
	if err != nil && err != io.EOF {
		g.err = err
	}
	return n, err
}

// stoppable reads an input that may keep its reader waiting, such as a terminal or a
// connection, until the intake is stopped. What is read after that is lost.
type stoppable struct {
	stop context.Context
	r    io.Reader
	buf  []byte
	rest []byte
	err  error
}

func (s *stoppable) Read(p []byte) (int, error) {
	if len(s.rest) == 0 && s.err == nil {
		s.wait()
	}
	if len(s.rest) == 0 {
		return 0, s.err
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// wait reads once, in a goroutine that is left behind when the intake is stopped.
func (s *stoppable) wait() {
	if s.buf == nil {
		s.buf = make([]byte, 64<<10)
	}
	type answer struct {
		n   int
		err error
	}
	came := make(chan answer, 1)
	go func() {
		n, err := s.r.Read(s.buf)
		came <- answer{n, err}
	}()
	select {
	case a := <-came:
		s.rest, s.err = s.buf[:a.n], a.err
	case <-s.stop.Done():
		s.err = errStopped
	}
}
