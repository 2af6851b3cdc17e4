package web

import (
	"io"
	"net/http"
	"time"
)

// A sender that goes quiet, or drips, holds a connection and a place in the queue.
const (
	uploadSilence = 30 * time.Second // between two pieces
	uploadGrace   = time.Minute      // before the rate counts
	uploadRate    = 8 << 10          // bytes a second, the least over the whole body
)

// paced renews the time to read with every piece of a body, as long as the body comes
// at a rate that makes sense.
type paced struct {
	body    io.Reader
	control *http.ResponseController
	start   time.Time
	renewed time.Time
	n       int64
}

func newPaced(w http.ResponseWriter, body io.Reader) *paced {
	return &paced{body: body, control: http.NewResponseController(w), start: time.Now()}
}

func (p *paced) Read(b []byte) (int, error) {
	if now := time.Now(); now.Sub(p.renewed) >= time.Second {
		p.renewed = now
		deadline := now.Add(uploadSilence)
		if slow := p.start.Add(uploadGrace + time.Duration(p.n/uploadRate)*time.Second); slow.Before(deadline) {
			deadline = slow
		}
		_ = p.control.SetReadDeadline(deadline) // a reader without deadlines has nothing to renew
	}
	n, err := p.body.Read(b)
	p.n += int64(n)
	return n, err
}

// oneFile is the bytes of one file of a request. It remembers how many there were and
// how they ended, which the intake's answer does not say.
type oneFile struct {
	r     io.Reader
	limit int64
	n     int64
	err   error
}

// slack is how far beyond the limit a file is read: the intake finds out itself that
// it is too large, and says so in its report.
const slack = 64 << 10

func (f *oneFile) Read(b []byte) (int, error) {
	if f.n > f.limit+slack {
		return 0, errTooLarge
	}
	n, err := f.r.Read(b)
	f.n += int64(n)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return n, err
}

// over reports whether the file is too large.
func (f *oneFile) over() bool { return f.n > f.limit }
