package nullserver

import (
	"bytes"
	"errors"
	"net"
	"sync"
	"time"
)

// Server listens until it is closed.
type Server struct {
	listener net.Listener
	wheel    *wheel
	mu       sync.Mutex
	conns    map[net.Conn]struct{}
	closed   bool
	done     sync.WaitGroup
}

// Listen begins to serve on an address such as 127.0.0.1:0.
func Listen(address string) (*Server, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	s := &Server{listener: l, wheel: newWheel(), conns: map[net.Conn]struct{}{}}
	s.done.Go(s.wheel.turn)
	s.done.Go(s.accept)
	return s, nil
}

// URL is the base URL of the server.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Close ends every connection.
func (s *Server) Close() error {
	err := s.listener.Close()
	close(s.wheel.stop)
	s.mu.Lock()
	s.closed = true
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
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // out of files, for one: others will be closed
			time.Sleep(10 * time.Millisecond)
			continue
		}
		s.mu.Lock()
		if s.closed {
			c.Close()
		} else {
			s.conns[c] = struct{}{}
			s.done.Go(func() { s.serve(c) })
		}
		s.mu.Unlock()
	}
}

func (s *Server) forget(c net.Conn) {
	c.Close()
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
}

// maxRequest bounds head and body together.
const maxRequest = 8 << 20

// serve answers one connection's requests.
func (s *Server) serve(c net.Conn) {
	defer s.forget(c)
	in, out := make([]byte, 0, 1<<10), []byte(nil)
	var st stream
	for {
		var o order
		var whole bool
		if in, o, whole = read(c, in); !whole {
			return
		}
		out = append(out[:0], head...)
		out = append(out, first...)
		if o.gap > 0 {
			if _, err := c.Write(out); err != nil {
				return
			}
			if st.done == nil {
				st.done = make(chan bool, 1)
			}
			st.conn, st.gap, st.per, st.left, st.all = c, max(1, int(o.gap/slot)), o.together, o.tokens, o.tokens
			s.wheel.add(&st)
			select {
			case again := <-st.done:
				if !again {
					return
				}
			case <-s.wheel.stop:
				return
			}
			continue
		}
		for range o.tokens {
			out = appendToken(out)
		}
		out = appendLast(out, o.tokens)
		if _, err := c.Write(out); err != nil {
			return
		}
	}
}

// read takes one request off the connection; what is behind it stays in the buffer.
func read(c net.Conn, in []byte) (rest []byte, o order, ok bool) {
	for {
		if end := bytes.Index(in, []byte("\r\n\r\n")); end >= 0 {
			length, _ := member(in[:end], "Content-Length: ")
			if whole := end + 4 + length; len(in) >= whole {
				o = readOrder(in[end+4 : whole])
				return append(in[:0], in[whole:]...), o, true
			}
		}
		if len(in) > maxRequest {
			return in, o, false
		}
		if len(in) == cap(in) {
			in = append(in, 0)[:len(in)]
		}
		n, err := c.Read(in[len(in):cap(in)])
		in = in[:len(in)+n]
		if err != nil {
			return in, o, false
		}
	}
}
