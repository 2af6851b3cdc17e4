package wire

import "fmt"

// Body takes the framing off the bytes of a body.
type Body struct {
	state bodyState
	left  int64 // bytes of the chunk or of the body still to come
	room  int   // bytes that trailers and chunk lines may still take
	digit bool  // a digit of the chunk size has come
	// UntilClose is true for a body that only the end of the connection ends.
	UntilClose bool
}

type bodyState uint8

const (
	bodyData  bodyState = iota // plain bytes: by length or until close
	chunkSize                  // hexadecimal digits
	chunkExt                   // up to the end of the size line
	chunkData
	chunkCR // the line end behind the data
	trailer
	bodyDone
)

// overhead bounds one chunk line, and all trailers together.
const overhead = 16 << 10

// Begin sets b up for the response of h.
func (b *Body) Begin(h *Head) {
	*b = Body{room: overhead}
	switch {
	case h.Status == 204 || h.Status == 304:
		b.state = bodyDone
	case h.Chunked:
		b.state = chunkSize
	case h.Length >= 0:
		if b.left = h.Length; b.left == 0 {
			b.state = bodyDone
		}
	default:
		b.UntilClose = true
	}
}

// Done says whether the whole body has been taken.
func (b *Body) Done() bool { return b.state == bodyDone }

// Next gives the next run of payload in in and how much of in it used up. No payload, all
// used and no error: more bytes are needed.
func (b *Body) Next(in []byte) (payload []byte, used int, err error) {
	for used < len(in) && b.state != bodyDone {
		rest := in[used:]
		switch b.state {
		case bodyData:
			if b.UntilClose {
				return rest, len(in), nil
			}
			n := int(min(b.left, int64(len(rest))))
			if b.left -= int64(n); b.left == 0 {
				b.state = bodyDone
			}
			return rest[:n], used + n, nil
		case chunkData:
			n := int(min(b.left, int64(len(rest))))
			if b.left -= int64(n); b.left == 0 {
				b.state = chunkCR
			}
			return rest[:n], used + n, nil
		default:
			if err := b.step(rest[0]); err != nil {
				return nil, used, err
			}
			used++
		}
	}
	return nil, used, nil
}

// step takes one byte of the framing.
func (b *Body) step(c byte) error {
	if b.room--; b.room < 0 {
		return fmt.Errorf("%w: chunk framing above %d bytes", ErrProtocol, overhead)
	}
	switch b.state {
	case chunkSize:
		return b.size(c)
	case chunkExt:
		if c == '\n' {
			b.sized()
		}
	case chunkCR:
		switch c {
		case '\r':
		case '\n':
			b.state, b.digit, b.room = chunkSize, false, overhead
		default:
			return fmt.Errorf("%w: %q behind a chunk", ErrProtocol, c)
		}
	case trailer: // digit: the line so far has something in it
		switch {
		case c == '\n' && !b.digit:
			b.state = bodyDone
		case c == '\n':
			b.digit = false
		case c != '\r':
			b.digit = true
		}
	}
	return nil
}

func (b *Body) size(c byte) error {
	if digit := hexDigit(c); digit >= 0 {
		if b.left > 1<<40 {
			return fmt.Errorf("%w: chunk above %d bytes", ErrProtocol, int64(1)<<40)
		}
		b.left, b.digit = b.left<<4|digit, true
		return nil
	}
	switch {
	case !b.digit:
		return fmt.Errorf("%w: chunk size begins with %q", ErrProtocol, c)
	case c == '\n':
		b.sized()
	case c == '\r' || c == ';' || c == ' ' || c == '\t':
		b.state = chunkExt
	default:
		return fmt.Errorf("%w: chunk size holds %q", ErrProtocol, c)
	}
	return nil
}

// sized is at the end of a size line.
func (b *Body) sized() {
	if b.state = chunkData; b.left == 0 {
		b.state, b.digit = trailer, false
	}
}

func hexDigit(c byte) int64 {
	switch {
	case c >= '0' && c <= '9':
		return int64(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int64(c | 0x20 - 'a' + 10)
	}
	return -1
}
