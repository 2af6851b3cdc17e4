package store

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"assay/store/evidence"
)

// KeepStream commits one input of any size at bounded memory. in.Data is not looked
// at.
//
// Note: the chunks wait in a spool until the reader is at its end. Writing them
// straight into a transaction would hold the write lock for as long as the slowest
// sender takes, and keep every other process out.
func (a *Archive) KeepStream(ctx context.Context, in evidence.Incoming, r io.Reader) (evidence.Kept, error) {
	s := &spool{dir: filepath.Dir(a.abs)}
	defer s.close()
	sum, size, err := s.fill(ctx, r)
	if err != nil {
		return evidence.Kept{}, fmt.Errorf("keep %s: %w", in.Name, err)
	}
	var kept evidence.Kept
	err = a.write(ctx, "keep artifact", func(w *writing) error {
		var err error
		kept, err = w.keep(in, sum, size, s.feed)
		return err
	})
	if err != nil {
		return evidence.Kept{}, err
	}
	return kept, nil
}

// spoolMemory is how many compressed bytes wait in memory before a file is used.
const spoolMemory = 4 << 20

// spool holds the compressed chunks of one input, the first ones in memory and the
// rest in a nameless file beside the archive.
type spool struct {
	dir    string
	head   []packed
	held   int64
	file   *os.File
	named  bool // the system does not remove open files
	tail   []extent
	offset int64
}

// extent is a chunk whose frame lies in the spool file.
type extent struct{ start, size, offset, length int64 }

// fill reads r to its end, hashes it and spools its chunks.
func (s *spool) fill(ctx context.Context, r io.Reader) (sum evidence.Digest, size int64, err error) {
	hash := sha256.New()
	buf := make([]byte, chunkSize)
	var frame []byte
	for {
		if err := ctx.Err(); err != nil {
			return sum, size, err
		}
		n, end, err := readChunk(r, buf)
		if err != nil {
			return sum, size, fmt.Errorf("read at byte %d: %w", size+int64(n), err)
		}
		if n > 0 {
			hash.Write(buf[:n])
			frame = pack(frame[:0], buf[:n])
			if err := s.add(size, int64(n), frame); err != nil {
				return sum, size, err
			}
			size += int64(n)
		}
		if end {
			return evidence.Digest(hash.Sum(nil)), size, nil
		}
	}
}

// readChunk fills buf as far as r goes. Only io.EOF is the end: an input that breaks
// off with io.ErrUnexpectedEOF, as a cut transfer does, is an error.
func readChunk(r io.Reader, buf []byte) (n int, end bool, err error) {
	for n < len(buf) {
		m, err := r.Read(buf[n:])
		n += m
		if err == io.EOF {
			return n, true, nil
		}
		if err != nil {
			return n, false, err
		}
	}
	return n, false, nil
}

func (s *spool) add(start, size int64, frame []byte) error {
	if s.file == nil && s.held+int64(len(frame)) <= spoolMemory {
		s.held += int64(len(frame))
		s.head = append(s.head, packed{start, size, append([]byte(nil), frame...)})
		return nil
	}
	if s.file == nil {
		f, err := os.CreateTemp(s.dir, ".assay-spool-*")
		if err != nil {
			return fmt.Errorf("spool: %w", err)
		}
		s.file = f
		s.named = os.Remove(f.Name()) != nil // nameless from here on: a crash leaves nothing behind
	}
	if _, err := s.file.Write(frame); err != nil {
		return fmt.Errorf("spool: %w", err)
	}
	s.tail = append(s.tail, extent{start, size, s.offset, int64(len(frame))})
	s.offset += int64(len(frame))
	return nil
}

// feed hands the chunks out in order.
func (s *spool) feed(f func(packed) error) error {
	if err := feedOf(s.head)(f); err != nil {
		return err
	}
	var frame []byte
	for _, e := range s.tail {
		if int64(cap(frame)) < e.length {
			frame = make([]byte, e.length)
		}
		frame = frame[:e.length]
		if _, err := s.file.ReadAt(frame, e.offset); err != nil {
			return fmt.Errorf("spool: %w", err)
		}
		if err := f(packed{e.start, e.size, frame}); err != nil {
			return err
		}
	}
	return nil
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
		if s.named {
			os.Remove(s.file.Name())
		}
	}
}
