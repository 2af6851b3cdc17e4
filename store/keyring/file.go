package keyring

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Ring is a folder of keys.
type Ring struct{ dir string }

// New names the folder. It is made when the first key is.
func New(dir string) *Ring { return &Ring{dir: dir} }

// Dir is the folder.
func (r *Ring) Dir() string { return r.dir }

// mostKey bounds a file of a key.
const mostKey = 16 << 10

// read gives the bytes of a key file, or fs.ErrNotExist.
func (r *Ring) read(name string) ([]byte, error) {
	path := filepath.Join(r.dir, name)
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("key %s: is no regular file", path)
	case info.Size() > mostKey:
		return nil, fmt.Errorf("key %s: %d bytes are no key", path, info.Size())
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("key %s: others may read it (mode %04o); run \"chmod 600 %s\", and replace the key if somebody could have", path, info.Mode().Perm(), path)
	}
	return os.ReadFile(path)
}

// write makes a key file: whole or not at all, never over another.
func (r *Ring) write(name string, data []byte) error {
	if err := r.makeDir(); err != nil {
		return err
	}
	path := filepath.Join(r.dir, name)
	part, err := r.part(name, data)
	if err != nil {
		return err
	}
	defer os.Remove(part)
	if err := os.Link(part, path); err != nil { // fails where the file is: a rename would not
		return fmt.Errorf("key %s: %w", path, err)
	}
	return r.sync()
}

// replace puts other bytes in the place of a key file.
func (r *Ring) replace(name string, data []byte) error {
	if err := r.makeDir(); err != nil {
		return err
	}
	part, err := r.part(name, data)
	if err != nil {
		return err
	}
	if err := os.Rename(part, filepath.Join(r.dir, name)); err != nil {
		os.Remove(part)
		return fmt.Errorf("key %s: %w", name, err)
	}
	return r.sync()
}

func (r *Ring) part(name string, data []byte) (string, error) {
	f, err := os.CreateTemp(r.dir, "."+name+"-*") // mode 0600
	if err != nil {
		return "", fmt.Errorf("folder of keys %s: %w", r.dir, err)
	}
	_, werr := f.Write(data)
	err = errors.Join(werr, f.Sync(), f.Close())
	if err != nil {
		os.Remove(f.Name())
		return "", fmt.Errorf("key %s: %w", name, err)
	}
	return f.Name(), nil
}

func (r *Ring) makeDir() error {
	// One level only: a folder whose place does not exist is a mistyped one.
	if err := os.Mkdir(r.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("folder of keys: %w; name another with --keys", err)
	}
	return nil
}

func (r *Ring) sync() error {
	d, err := os.Open(r.dir)
	if err != nil {
		return fmt.Errorf("folder of keys: %w", err)
	}
	return errors.Join(d.Sync(), d.Close())
}

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
