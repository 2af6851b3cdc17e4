package store

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// chunkSize is how many bytes of an artifact one frame holds. A smaller artifact is
// one frame of its own size; a viewer that jumps into a large one unpacks one frame.
const chunkSize = 1 << 20

// The codec is shared: its tables are large and may be used from several goroutines.
// Note: a window as large as the chunk is enough, and one encoder at a time keeps
// the memory of intake bounded.
var codec = sync.OnceValues(func() (*zstd.Encoder, *zstd.Decoder) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(chunkSize),
		zstd.WithLowerEncoderMem(true), zstd.WithZeroFrames(true))
	if err != nil {
		panic(err) // the options are constants
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(4*chunkSize))
	if err != nil {
		panic(err)
	}
	return enc, dec
})

// pack compresses one chunk behind dst.
func pack(dst, data []byte) []byte {
	enc, _ := codec()
	return enc.EncodeAll(data, dst)
}

// unpack restores a chunk of known size into dst.
func unpack(dst, body []byte, size int) ([]byte, error) {
	_, dec := codec()
	if cap(dst) < size {
		dst = make([]byte, 0, size)
	}
	out, err := dec.DecodeAll(body, dst[:0])
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	if len(out) != size {
		return nil, fmt.Errorf("unpack: %d bytes, want %d", len(out), size)
	}
	return out, nil
}

// packed is a compressed chunk with its place in the artifact.
type packed struct {
	start, size int64
	body        []byte
}

// packAll splits data into chunks and compresses them.
func packAll(data []byte) []packed {
	var out []packed
	for start := 0; start < len(data); start += chunkSize {
		part := data[start:min(start+chunkSize, len(data))]
		out = append(out, packed{int64(start), int64(len(part)), pack(nil, part)})
	}
	return out
}
