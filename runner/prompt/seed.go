package prompt

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// draws is a stream of choices. Bounded draws are made here, by one multiplication, so
// that they stay the same whatever the standard library does.
type draws struct{ pcg rand.PCG }

// mix turns parts into 256 bits. Their lengths are mixed in: no two lists of parts are alike.
func mix(parts ...string) [32]byte {
	h := sha256.New()
	var n [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		h.Write([]byte(p))
	}
	return [32]byte(h.Sum(nil))
}

// seed begins the stream of one text: domain keeps what is measured apart from what only
// calibrates.
func (d *draws) seed(seed [32]byte, domain string, index int) {
	b := append(seed[:], domain...)
	b = binary.BigEndian.AppendUint64(b, uint64(index))
	s := sha256.Sum256(b)
	d.pcg.Seed(binary.BigEndian.Uint64(s[:8]), binary.BigEndian.Uint64(s[8:16]))
}

// below draws from 0 to n-1.
func (d *draws) below(n int) int {
	return int((d.pcg.Uint64() >> 32) * uint64(n) >> 32)
}
