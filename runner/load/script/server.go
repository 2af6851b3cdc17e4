package script

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// Act is what happens to the connection behind a step's bytes.
type Act int

const (
	Go        Act = iota
	Reset         // RST
	HalfClose     // FIN from the server, its receiving half stays open
	Hang          // nothing more, until the client goes
)

// Step is one write.
type Step struct {
	Wait  time.Duration
	Write string
	Raw   bool   // not framed as an HTTP chunk
	Mark  string // a name for the time of the write
	Act   Act
}

// Answer is a response. The zero status is 200, the zero type an event stream.
type Answer struct {
	Status  int
	Type    string
	Header  []string // lines of their own
	Steps   []Step
	Bare    bool // no head: the steps are all there is
	Length  bool // Content-Length instead of chunks
	Until   bool // neither: the end of the connection ends the body
	NoEnd   bool // the last chunk is left out
	Close   bool // the connection is closed behind the answer
	Quietly bool // the same, without saying so in the head
}

// Received is a request as the server got it.
type Received struct {
	ID     string // X-Request-Id
	Path   string
	Header http.Header
	Body   []byte
	Conn   int // which connection, from 0
	Nth    int // which request on it, from 0
}

// Written is a write as it happened. The bytes left between At and Done, the times just
// before and just after the call that wrote them.
type Written struct {
	Mark     string
	At, Done time.Time
}

// Server plays answers.
type Server struct {
	listener net.Listener
	play     func(Received) Answer
	mu       sync.Mutex
	over     sync.Cond // an answer has been played
	playing  map[string]bool
	truth    map[string][]Written
	conns    map[net.Conn]bool
	count    int
	done     sync.WaitGroup
	closed   chan struct{}
}

// Listen serves on a port of its own of this machine.
func Listen(play func(Received) Answer) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{listener: l, play: play, playing: map[string]bool{}, truth: map[string][]Written{}, conns: map[net.Conn]bool{}, closed: make(chan struct{})}
	s.over.L = &s.mu
	s.done.Go(s.accept)
	return s, nil
}

// URL is the base URL.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Truth is when the bytes for a request were written. It waits until all of them are.
func (s *Server) Truth(id string) []Written {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.playing[id] {
		s.over.Wait()
	}
	return s.truth[id]
}

// Close ends all connections.
func (s *Server) Close() error {
	err := s.listener.Close()
	close(s.closed)
	s.mu.Lock()
	for c := range s.conns {
		c.Close()
	}
	s.mu.Unlock()
	s.done.Wait()
	return err
}

func (s *Server) accept() {
	for {
		c, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(time.Millisecond)
			continue
		}
		s.mu.Lock()
		s.conns[c] = true
		number := s.count
		s.count++
		s.mu.Unlock()
		s.done.Go(func() { s.serve(c.(*net.TCPConn), number) })
	}
}

func (s *Server) serve(c *net.TCPConn, number int) {
	defer func() {
		c.Close()
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
	}()
	in := bufio.NewReader(c)
	for nth := 0; ; nth++ {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		answer := s.play(Received{ID: req.Header.Get("X-Request-Id"), Path: req.URL.Path, Header: req.Header, Body: body, Conn: number, Nth: nth})
		id := req.Header.Get("X-Request-Id")
		s.plays(id, true)
		goes := s.answer(c, id, answer)
		s.plays(id, false)
		if !goes {
			return
		}
	}
}

func (s *Server) plays(id string, now bool) {
	s.mu.Lock()
	s.playing[id] = now
	s.mu.Unlock()
	s.over.Broadcast()
}

// answer plays one answer and says whether the connection goes on.
func (s *Server) answer(c *net.TCPConn, id string, a Answer) bool {
	if !a.Bare {
		if _, err := io.WriteString(c, a.head()); err != nil {
			return false
		}
	}
	for _, step := range a.Steps {
		time.Sleep(step.Wait)
		out := step.Write
		if !step.Raw && !a.Bare && !a.Length && !a.Until && out != "" {
			out = fmt.Sprintf("%x\r\n%s\r\n", len(out), out)
		}
		if !s.write(c, id, step.Mark, out) {
			return false
		}
		switch step.Act {
		case Reset:
			c.SetLinger(0)
			return false
		case HalfClose:
			c.CloseWrite()
			io.Copy(io.Discard, c) // until the client goes
			return false
		case Hang:
			io.Copy(io.Discard, c)
			return false
		}
	}
	if !a.Bare && !a.Length && !a.Until && !a.NoEnd {
		if !s.write(c, id, "closed", "0\r\n\r\n") {
			return false
		}
	}
	return !a.Close && !a.Quietly && !a.Until && !a.NoEnd && !a.Bare
}

func (s *Server) write(c net.Conn, id, mark, out string) bool {
	bytes := []byte(out)
	at := time.Now()
	_, err := c.Write(bytes)
	over := time.Now()
	s.mu.Lock()
	s.truth[id] = append(s.truth[id], Written{mark, at, over})
	s.mu.Unlock()
	return err == nil
}

func (a Answer) head() string {
	status, kind := a.Status, a.Type
	if status == 0 {
		status = 200
	}
	if kind == "" {
		kind = "text/event-stream"
	}
	h := fmt.Sprintf("HTTP/1.1 %d %s\r\nContent-Type: %s\r\n", status, http.StatusText(status), kind)
	switch {
	case a.Length:
		n := 0
		for _, step := range a.Steps {
			n += len(step.Write)
		}
		h += fmt.Sprintf("Content-Length: %d\r\n", n)
	case !a.Until:
		h += "Transfer-Encoding: chunked\r\n"
	}
	if a.Close || a.Until {
		h += "Connection: close\r\n"
	}
	for _, line := range a.Header {
		h += line + "\r\n"
	}
	return h + "\r\n"
}
