package jsondoc

import "io"

// windowSize is how much is read at a time. The window grows only for a token that
// is longer, and tokens are bounded.
const windowSize = 64 << 10

// window offers an artifact as UTF-8 text and knows where in the artifact each byte
// of it came from.
type window struct {
	src   io.Reader // nil once everything is in buf
	err   error     // a fault of src other than its end
	size  int64     // raw bytes taken from src, or the length of bytes in memory
	limit int64     // no more raw bytes than this are read
	over  bool      // the limit stopped the reading

	buf  []byte // text; buf[:pos] is read
	pos  int
	mark int // where the current token starts, -1 when nothing must be kept

	// Text offset base+i of buf[i] is raw offset raw+base+i, except in UTF-16, where
	// the cursor remembers one matching pair and walks on from it.
	raw   int64
	base  int64
	utf16 *wide
	in    []byte // UTF-16 read buffer
	at    int    // cursor: index in buf
	rawAt int64  // cursor: raw offset of buf[at]
}

// openWindow takes the first bytes and finds the encoding by them.
func openWindow(w *window, src io.Reader) (encoding string) {
	w.src, w.mark = src, -1
	if src != nil {
		w.buf = make([]byte, 0, windowSize)
		for len(w.buf) < cap(w.buf) && w.read() {
		}
	}
	encoding, bom := detect(w.buf)
	w.raw = int64(bom)
	rest := w.buf[bom:]
	switch encoding {
	case UTF16LE, UTF16BE, UTF16LEBOM, UTF16BEBOM:
		w.utf16 = &wide{big: encoding == UTF16BE || encoding == UTF16BEBOM}
		w.rawAt = w.raw
		w.in = make([]byte, windowSize/2)
		w.buf = w.utf16.decode(make([]byte, 0, 2*windowSize), rest, w.src == nil)
	default:
		w.buf = rest
	}
	return encoding
}

// fill reads on and reports whether text came. Text before the mark, or before pos
// when there is no mark, is dropped; mark and pos move along.
func (w *window) fill() bool {
	if w.src == nil {
		return false
	}
	keep := w.pos
	if w.mark >= 0 {
		keep = w.mark
	}
	w.drop(keep)
	if len(w.buf)+windowSize > cap(w.buf) {
		grown := make([]byte, len(w.buf), 2*cap(w.buf)+windowSize)
		copy(grown, w.buf)
		w.buf = grown
	}
	had := len(w.buf)
	for len(w.buf) == had && w.read() {
	}
	return len(w.buf) > had
}

func (w *window) drop(n int) {
	if n == 0 {
		return
	}
	if w.utf16 != nil {
		w.offset(n)
		w.at -= n
	}
	w.buf = w.buf[:copy(w.buf, w.buf[n:])]
	w.base += int64(n)
	w.pos -= n
	if w.mark >= 0 {
		w.mark -= n
	}
}

// read takes bytes from src, at least one unless it returns false, and appends their
// text to buf.
func (w *window) read() bool {
	if w.src == nil {
		return false
	}
	dst := w.buf[len(w.buf):cap(w.buf)]
	if w.utf16 != nil {
		dst = w.in
	}
	n, err := 0, error(nil)
	for tries := 0; n == 0 && err == nil; tries++ {
		if n, err = w.src.Read(dst); tries > 100 && n == 0 && err == nil {
			err = io.ErrNoProgress
		}
	}
	if w.size+int64(n) > w.limit {
		n, err, w.over = int(w.limit-w.size), io.EOF, true
	}
	w.size += int64(n)
	if err != nil {
		w.src = nil
		if err != io.EOF {
			w.err = err
		}
	}
	if w.utf16 != nil {
		w.buf = w.utf16.decode(w.buf, dst[:n], err != nil)
	} else {
		w.buf = w.buf[:len(w.buf)+n]
	}
	return n > 0
}

// need tries to have n bytes of text from pos on.
func (w *window) need(n int) bool {
	for len(w.buf)-w.pos < n {
		if !w.fill() {
			return false
		}
	}
	return true
}

// offset is the place of buf[i] in the artifact.
func (w *window) offset(i int) int64 {
	if w.utf16 == nil {
		return w.raw + w.base + int64(i)
	}
	for w.at < i {
		w.rawAt += wideLength(w.buf[w.at])
		w.at++
	}
	for w.at > i {
		w.at--
		w.rawAt -= wideLength(w.buf[w.at])
	}
	return w.rawAt
}

// here is the place of the next byte.
func (w *window) here() int64 { return w.offset(w.pos) }
