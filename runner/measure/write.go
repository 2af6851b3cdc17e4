package measure

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"assay/ingest/artifact"
)

// sidecar is a compressed file that grows while a repeat lasts. It has its name when it is
// whole, never before.
type sidecar struct {
	name, holds string
	folder      string
	file        *os.File
	zip         *gzip.Writer
	sum         hash.Hash
	size        int64
}

func newSidecar(folder, name, holds string) (*sidecar, error) {
	f, err := os.CreateTemp(folder, "."+name+"-*")
	if err != nil {
		return nil, fmt.Errorf("sidecar %s: %w", name, err)
	}
	s := &sidecar{name: name, holds: holds, folder: folder, file: f, sum: sha256.New()}
	s.zip, _ = gzip.NewWriterLevel(tallied{s}, gzip.BestSpeed) // fails on an unknown level only
	return s, nil
}

func (s *sidecar) Write(p []byte) (int, error) { return s.zip.Write(p) }

// tallied is where compressed bytes go: into the file and its digest.
type tallied struct{ s *sidecar }

func (c tallied) Write(p []byte) (int, error) {
	n, err := c.s.file.Write(p)
	c.s.sum.Write(p[:n])
	c.s.size += int64(n)
	return n, err
}

// close gives the file its name. Without close it vanishes with drop.
func (s *sidecar) close() (artifact.Sidecar, error) {
	err := errors.Join(s.zip.Close(), s.file.Sync(), s.file.Chmod(0o644), s.file.Close())
	if err == nil {
		err = os.Rename(s.file.Name(), filepath.Join(s.folder, s.name))
	}
	if err != nil {
		_ = os.Remove(s.file.Name())
		return artifact.Sidecar{}, fmt.Errorf("sidecar %s: %w", s.name, err)
	}
	return artifact.Sidecar{Name: s.name, SHA256: hex.EncodeToString(s.sum.Sum(nil)), Size: s.size, Holds: s.holds}, nil
}

// drop removes what was written so far.
func (s *sidecar) drop() {
	_ = s.file.Close()
	_ = os.Remove(s.file.Name())
}

var _ io.Writer = (*sidecar)(nil)

// save writes an artifact so that its name never stands for half of it: under a temporary
// name, synced, renamed, and the folder synced.
func save(folder, name string, run *artifact.Run) (File, error) {
	data, err := artifact.Encode(run)
	if err != nil {
		return File{}, fmt.Errorf("artifact %s: %w", name, err)
	}
	path := filepath.Join(folder, name)
	if _, err := os.Lstat(path); err == nil {
		return File{}, fmt.Errorf("artifact %s: a file of this name is there already and is not written over", path)
	}
	f, err := os.CreateTemp(folder, "."+name+"-*")
	if err != nil {
		return File{}, fmt.Errorf("artifact %s: %w", name, err)
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Sync(), f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return File{}, fmt.Errorf("artifact %s: %w", path, err)
	}
	if err := syncFolder(folder); err != nil {
		return File{}, fmt.Errorf("artifact %s: %w", path, err)
	}
	sum := sha256.Sum256(data)
	return File{Path: path, SHA256: hex.EncodeToString(sum[:]), Bytes: data, Run: run}, nil
}

func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

const maxName = 60

// fileName is a name that every file system takes and that says what is in the file.
func fileName(arm, step string, repeat int, at time.Time) string {
	return fmt.Sprintf("%s.%s.r%d.%s", plain(arm), plain(step), repeat, at.UTC().Format("20060102T150405.000Z"))
}

// plain keeps letters, digits and dashes of a name.
func plain(s string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		}
		return '-'
	}, s)
	out = strings.Trim(out, "-")
	if len(out) > maxName {
		out = out[:maxName]
	}
	if out == "" {
		return "unnamed"
	}
	return out
}
