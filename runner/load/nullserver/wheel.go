package nullserver

import (
	"net"
	"sync"
	"time"
)

// slot is the grain of the wheel.
const slot = 250 * time.Microsecond

const slots = int(maxGap/slot) + 2

// stream is an answer that is being written.
type stream struct {
	conn net.Conn
	gap  int // slots
	per  int // chunks in one write
	left int
	all  int
	done chan bool // true: the connection can go on
}

// wheel writes the chunks of all streams when they are due.
type wheel struct {
	mu    sync.Mutex
	now   int
	due   [slots][]*stream
	count int
	total int // streams ever, for the spread
	work  chan struct{}
	stop  chan struct{}
}

func newWheel() *wheel {
	return &wheel{work: make(chan struct{}, 1), stop: make(chan struct{})}
}

// add puts a stream on the wheel, at a place of its gap that spreads streams evenly.
func (w *wheel) add(s *stream) {
	w.mu.Lock()
	w.total++
	phase := uint64(w.total) * 0x9e3779b97f4a7c15 >> 32 // golden ratio: evenly, in any number
	ahead := 1 + int(phase*uint64(s.gap)>>32)
	w.put(s, ahead)
	w.count++
	w.mu.Unlock()
	select {
	case w.work <- struct{}{}:
	default:
	}
}

func (w *wheel) put(s *stream, ahead int) {
	at := (w.now + ahead) % slots
	w.due[at] = append(w.due[at], s)
}

// turn is the goroutine of the wheel.
func (w *wheel) turn() {
	var out []byte
	var late []*stream
	next := time.Now()
	for {
		w.mu.Lock()
		idle := w.count == 0
		w.mu.Unlock()
		if idle {
			select {
			case <-w.stop:
				return
			case <-w.work:
				next = time.Now()
			}
		}
		select {
		case <-w.stop:
			return
		default:
		}
		next = next.Add(slot)
		pause(time.Until(next))
		w.mu.Lock()
		w.now = (w.now + 1) % slots
		late, w.due[w.now] = w.due[w.now], late[:0]
		w.mu.Unlock()
		for _, s := range late {
			out = w.write(s, out[:0])
		}
		if time.Since(next) > 100*time.Millisecond {
			next = time.Now() // far behind: do not try to catch up
		}
	}
}

// write sends the next chunks of a stream and puts the stream back.
func (w *wheel) write(s *stream, out []byte) []byte {
	for range min(s.per, s.left) {
		out = appendToken(out)
		s.left--
	}
	if s.left == 0 {
		out = appendLast(out, s.all)
	}
	_, err := s.conn.Write(out)
	w.mu.Lock()
	if err == nil && s.left > 0 {
		w.put(s, s.gap)
	} else {
		w.count--
	}
	w.mu.Unlock()
	if err != nil || s.left == 0 {
		s.done <- err == nil
	}
	return out
}
