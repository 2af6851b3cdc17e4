package artifacttext

import (
	"encoding/hex"
	"fmt"
)

// HexRow is 16 bytes of a binary artifact.
type HexRow struct {
	Offset string
	Bytes  string
	Chars  string // what of them is printable ASCII, other bytes as a dot
}

// hexHead is how many bytes of a binary artifact are shown.
const hexHead = 1 << 10

// HexHead shows the beginning of a binary artifact.
func (t *Text) HexHead() ([]HexRow, error) {
	n := min(t.Size, hexHead)
	b := make([]byte, n)
	if t.raw != nil {
		copy(b, t.raw)
	} else if m, err := t.at.ReadAt(b, 0); int64(m) < n && err != nil {
		return nil, fmt.Errorf("head of the artifact: %w", err)
	}
	var rows []HexRow
	for off := 0; off < len(b); off += 16 {
		part := b[off:min(len(b), off+16)]
		row := HexRow{Offset: fmt.Sprintf("%08x", off)}
		for i, c := range part {
			if i > 0 {
				row.Bytes += " "
			}
			row.Bytes += hex.EncodeToString([]byte{c})
			if c < 0x20 || c > 0x7e {
				c = '.'
			}
			row.Chars += string(rune(c))
		}
		rows = append(rows, row)
	}
	return rows, nil
}
