package keyring

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Server is the key that signs checkpoints.
type Server struct {
	Signer   note.Signer
	Verifier string // the public half, as others check with it
}

const (
	serverFile = "server.key"
	nextFile   = "server-next.key"
)

// Server opens the server's key, which is made with randomness from rand when there is
// none. name is what the key is called in notes.
func (r *Ring) Server(name string, rand io.Reader) (*Server, error) {
	for range 2 { // two processes may make it at the same time: the second finds the first's
		data, err := r.read(serverFile)
		if err == nil {
			return r.parse(serverFile, data)
		}
		if !missing(err) {
			return nil, err
		}
		fresh, err := generate(name, rand)
		if err != nil {
			return nil, err
		}
		if err := r.write(serverFile, fresh); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	data, err := r.read(serverFile)
	if err != nil {
		return nil, err
	}
	return r.parse(serverFile, data)
}

// ServerPublic is the public half of the server's key; fs.ErrNotExist when there is none.
// Nothing is made.
func (r *Ring) ServerPublic() (string, error) {
	data, err := r.read(serverFile)
	if err != nil {
		return "", err
	}
	s, err := r.parse(serverFile, data)
	if err != nil {
		return "", err
	}
	return s.Verifier, nil
}

// generate makes the text of a key file: the secret half, then the public one.
func generate(name string, rand io.Reader) ([]byte, error) {
	secret, public, err := note.GenerateKey(rand, name)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	return []byte(secret + "\n" + public + "\n"), nil
}

func (r *Ring) parse(file string, data []byte) (*Server, error) {
	path := filepath.Join(r.dir, file)
	secret, public, ok := strings.Cut(strings.TrimSuffix(string(data), "\n"), "\n")
	if !ok {
		return nil, fmt.Errorf("key %s: want two lines, the secret half and the public one; restore it from a backup", path)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		return nil, fmt.Errorf("key %s: the secret half cannot be read; restore it from a backup", path) // never print it
	}
	verifier, err := note.NewVerifier(public)
	if err != nil || verifier.Name() != signer.Name() || verifier.KeyHash() != signer.KeyHash() {
		return nil, fmt.Errorf("key %s: the halves do not belong together; restore it from a backup", path)
	}
	return &Server{Signer: signer, Verifier: public}, nil
}

// NextServer makes the key that follows, beside the one in use. An unfinished rotation
// finds the one it made before.
func (r *Ring) NextServer(name string, rand io.Reader) (*Server, error) {
	data, err := r.read(nextFile)
	if missing(err) {
		if data, err = generate(name, rand); err != nil {
			return nil, err
		}
		err = r.write(nextFile, data)
	}
	if err != nil {
		return nil, err
	}
	return r.parse(nextFile, data)
}

// Promote puts the next key in use and keeps the old one under a number.
func (r *Ring) Promote() (kept string, err error) {
	for n := 1; n < 10_000; n++ {
		kept = fmt.Sprintf("server-%d.key", n)
		err := os.Link(filepath.Join(r.dir, serverFile), filepath.Join(r.dir, kept))
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("keep the old key: %w", err)
		}
		if err := os.Rename(filepath.Join(r.dir, nextFile), filepath.Join(r.dir, serverFile)); err != nil {
			return "", fmt.Errorf("put the new key in use: %w", err)
		}
		return kept, r.sync()
	}
	return "", errors.New("too many old keys")
}
