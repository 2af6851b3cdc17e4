package ingest

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"slices"

	"assay/store/evidence"
)

// endings digests a text as it would be with other line endings: a version control
// system may have converted a file after somebody noted its digest. Mixed endings
// become all of one kind.
type endings struct {
	own, lf, crlf hash.Hash
	scratch       []byte
	held          bool // the last byte was CR, and what follows is not known yet
	any, binary   bool
}

func newEndings() *endings {
	return &endings{own: sha256.New(), lf: sha256.New(), crlf: sha256.New()}
}

// endingChunk bounds the scratch space.
const endingChunk = 32 << 10

// Write never fails. A zero byte makes the artifact binary, or UTF-16: there the
// conversion does not apply.
func (d *endings) Write(p []byte) (int, error) {
	if d.binary || bytes.IndexByte(p, 0) >= 0 {
		d.binary = true
		return len(p), nil
	}
	for rest := p; len(rest) > 0; {
		n := min(len(rest), endingChunk)
		d.chunk(rest[:n])
		rest = rest[n:]
	}
	return len(p), nil
}

func (d *endings) chunk(p []byte) {
	d.own.Write(p)
	if !d.held && bytes.IndexByte(p, '\n') < 0 && bytes.IndexByte(p, '\r') < 0 {
		d.lf.Write(p)
		d.crlf.Write(p)
		return
	}
	lf := d.scratch[:0]
	for _, c := range p {
		if d.held && c != '\n' {
			lf = append(lf, '\r')
		}
		if d.held = c == '\r'; d.held {
			continue
		}
		lf = append(lf, c)
	}
	d.lf.Write(lf)
	d.scratch = lf
	for len(lf) > 0 {
		i := bytes.IndexByte(lf, '\n')
		if i < 0 {
			d.crlf.Write(lf)
			break
		}
		d.any = true
		d.crlf.Write(lf[:i])
		d.crlf.Write([]byte("\r\n"))
		lf = lf[i+1:]
	}
}

// digests are those that differ from the artifact's own.
func (d *endings) digests() []evidence.Digest {
	if d.held {
		d.lf.Write([]byte{'\r'})
		d.crlf.Write([]byte{'\r'})
		d.held = false
	}
	if d.binary || !d.any {
		return nil
	}
	own := evidence.Digest(d.own.Sum(nil))
	var out []evidence.Digest
	for _, h := range []hash.Hash{d.lf, d.crlf} {
		if sum := evidence.Digest(h.Sum(nil)); sum != own && !slices.Contains(out, sum) {
			out = append(out, sum)
		}
	}
	return out
}
