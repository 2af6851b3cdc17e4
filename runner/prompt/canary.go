package prompt

import (
	"encoding/binary"
	"fmt"
)

// A code is a place in the session, (slot, index), scrambled and spelt in a shape that
// ordinary text does not have: K7-QD3M-92XA. It is read back by undoing that: whose code an
// answer holds is computed, not searched.
const (
	codeLength = 12
	codeShape  = "Ld-LLdL-ddLL" // L a letter, d a digit
	letters    = "ABCDEFGHJKLMNPQRSTUVWXYZ"
	digits     = "23456789"
	codes      = 24 * 8 * (24 * 24 * 8 * 24) * (8 * 8 * 24 * 24) // of that shape

	indexBits   = 24 // requests of one repeat
	mostIndex   = 1 << indexBits
	mostSlots   = codes >> indexBits
	countSlot   = mostSlots - 1 // of prompts that only calibrate
	mostPlaces  = 300           // step + repeat; their slots lie below countSlot
	scrambleBit = 20            // half of the bits that hold a code's number
)

// slotOf numbers the pairs of step and repeat without knowing how many there are of each.
func slotOf(step, repeat int) (int, error) {
	if step < 0 || repeat < 0 || step+repeat > mostPlaces {
		return 0, fmt.Errorf("prompts: step %d of repeat %d is beyond the %d places that have codes", step, repeat, mostPlaces)
	}
	s := step + repeat
	return s*(s+1)/2 + step, nil
}

// coder spells and reads codes of one seed.
type coder struct{ keys [4]uint64 }

func newCoder(seed int64) *coder {
	c := new(coder)
	h := mix("codes", fmt.Sprint(seed))
	for i := range c.keys {
		c.keys[i] = binary.BigEndian.Uint64(h[8*i:])
	}
	return c
}

// round is one function of the Feistel network that scrambles numbers of 40 bits.
func round(half, key uint64) uint64 {
	x := (half + key) * 0x9e3779b97f4a7c15
	x ^= x >> 29
	return (x * 0xbf58476d1ce4e5b9) >> (64 - scrambleBit)
}

// scramble permutes the numbers below codes: those that leave this range are sent on until
// they are back in it.
func (c *coder) scramble(n uint64) uint64 {
	for {
		l, r := n>>scrambleBit, n&(1<<scrambleBit-1)
		for _, k := range c.keys {
			l, r = r, l^round(r, k)
		}
		if n = l<<scrambleBit | r; n < codes {
			return n
		}
	}
}

func (c *coder) unscramble(n uint64) uint64 {
	for {
		l, r := n>>scrambleBit, n&(1<<scrambleBit-1)
		for i := len(c.keys) - 1; i >= 0; i-- {
			l, r = r^round(l, c.keys[i]), l
		}
		if n = l<<scrambleBit | r; n < codes {
			return n
		}
	}
}

// code of a place.
func (c *coder) code(slot, index int) (out [codeLength]byte) {
	n := c.scramble(uint64(slot)<<indexBits | uint64(index))
	for i := codeLength - 1; i >= 0; i-- {
		switch codeShape[i] {
		case 'L':
			out[i], n = letters[n%24], n/24
		case 'd':
			out[i], n = digits[n%8], n/8
		default:
			out[i] = codeShape[i]
		}
	}
	return out
}

// values of the bytes of a code, by their kind; 0xff is none.
var letterValue, digitValue = valuesOf(letters), valuesOf(digits)

func valuesOf(alphabet string) (v [256]byte) {
	for i := range v {
		v[i] = 0xff
	}
	for i := range len(alphabet) {
		v[alphabet[i]] = byte(i)
	}
	return v
}

// place reads a code; text has its length.
func (c *coder) place(text []byte) (slot, index int, ok bool) {
	n := uint64(0)
	for i := range codeLength {
		switch b := text[i]; codeShape[i] {
		case 'L':
			if letterValue[b] == 0xff {
				return 0, 0, false
			}
			n = n*24 + uint64(letterValue[b])
		case 'd':
			if digitValue[b] == 0xff {
				return 0, 0, false
			}
			n = n*8 + uint64(digitValue[b])
		default:
			if b != codeShape[i] {
				return 0, 0, false
			}
		}
	}
	n = c.unscramble(n)
	return int(n >> indexBits), int(n & (mostIndex - 1)), true
}
