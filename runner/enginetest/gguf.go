package enginetest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// entry is one of the metadata.
type entry struct {
	key   string
	value any
}

// tensor is made when it is written: only one is in memory at a time.
type tensor struct {
	name  string
	sizes []int // the fastest first
	fill  func([]float32)
}

func (t tensor) count() int {
	n := 1
	for _, s := range t.sizes {
		n *= s
	}
	return n
}

// Types of values as the format numbers them.
const (
	typeUint32  = uint32(4)
	typeInt32   = uint32(5)
	typeFloat32 = uint32(6)
	typeString  = uint32(8)
	typeArray   = uint32(9)

	tensorFloat32 = uint32(0)
)

// alignment is the format's own where the metadata say nothing else.
const alignment = 32

func gap(n int) int { return (alignment - n%alignment) % alignment }

// writeGGUF writes a model.
func writeGGUF(w io.Writer, entries []entry, tensors []tensor) error {
	var head bytes.Buffer
	head.WriteString("GGUF")
	put(&head, uint32(3), uint64(len(tensors)), uint64(len(entries)))
	for _, e := range entries {
		put(&head, e.key)
		switch v := e.value.(type) {
		case string:
			put(&head, typeString, v)
		case uint32:
			put(&head, typeUint32, v)
		case float32:
			put(&head, typeFloat32, v)
		case []string:
			put(&head, typeArray, typeString, uint64(len(v)))
			for _, s := range v {
				put(&head, s)
			}
		case []int32:
			put(&head, typeArray, typeInt32, uint64(len(v)), v)
		case []float32:
			put(&head, typeArray, typeFloat32, uint64(len(v)), v)
		default:
			return fmt.Errorf("%s: a %T is no value of metadata", e.key, v)
		}
	}
	at := 0
	for _, t := range tensors {
		put(&head, t.name, uint32(len(t.sizes)))
		for _, s := range t.sizes {
			put(&head, uint64(s))
		}
		put(&head, tensorFloat32, uint64(at))
		size := 4 * t.count()
		at += size + gap(size)
	}
	head.Write(make([]byte, gap(head.Len())))
	if _, err := w.Write(head.Bytes()); err != nil {
		return err
	}
	for _, t := range tensors {
		numbers := make([]float32, t.count())
		t.fill(numbers)
		if err := binary.Write(w, binary.LittleEndian, numbers); err != nil {
			return err
		}
		if _, err := w.Write(make([]byte, gap(4*len(numbers)))); err != nil {
			return err
		}
	}
	return nil
}

// put appends values; a string goes behind its length.
func put(b *bytes.Buffer, values ...any) {
	for _, v := range values {
		if s, ok := v.(string); ok {
			v = []byte(s)
			binary.Write(b, binary.LittleEndian, uint64(len(s)))
		}
		binary.Write(b, binary.LittleEndian, v) // into memory, of types of a fixed size
	}
}
