package keyring

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/text/unicode/norm"

	"assay/store/account"
)

// ErrPassword means that a password does not open the key.
var ErrPassword = errors.New("the password does not open the key")

// Person is the public half of a person's key.
type Person struct {
	Verifier    string // as notes are checked with
	Fingerprint string // how pages and statements name it
}

// sealed is a file of a person's key.
type sealed struct {
	Version  int    `json:"version"`
	Name     string `json:"name"`
	Verifier string `json:"verifier"`
	KDF      kdf    `json:"argon2id"`
	Nonce    []byte `json:"nonce"`
	Secret   []byte `json:"secret"` // the secret half, XChaCha20-Poly1305, bound to name and verifier
}

type kdf struct {
	Time    uint32 `json:"time"`
	Memory  uint32 `json:"memory_kib"`
	Threads uint8  `json:"threads"`
	Salt    []byte `json:"salt"`
}

// today's cost of trying a password on a file that was stolen.
var today = kdf{Time: 3, Memory: 64 << 10, Threads: 2}

func personFile(name string) (string, error) {
	if err := account.CheckName(name); err != nil {
		return "", err
	}
	return "person-" + name + ".key", nil
}

// Create makes a person's key under their password. There must be none.
func (r *Ring) Create(name, password string, rand io.Reader) (Person, error) {
	file, err := personFile(name)
	if err != nil {
		return Person{}, err
	}
	secret, public, err := note.GenerateKey(rand, "person-"+name)
	if err != nil {
		return Person{}, fmt.Errorf("make a key: %w", err)
	}
	data, err := seal(name, public, secret, password, rand)
	if err != nil {
		return Person{}, err
	}
	return Person{public, Fingerprint(public)}, r.write(file, data)
}

// Fingerprint names a verifier key: its name and hash.
func Fingerprint(verifier string) string {
	parts := strings.SplitN(verifier, "+", 3)
	if len(parts) < 3 {
		return ""
	}
	return parts[0] + "+" + parts[1]
}

func seal(name, public, secret, password string, rand io.Reader) ([]byte, error) {
	s := sealed{Version: 1, Name: name, Verifier: public, KDF: today, Nonce: make([]byte, chacha20poly1305.NonceSizeX)}
	s.KDF.Salt = make([]byte, 16)
	for _, b := range [][]byte{s.Nonce, s.KDF.Salt} {
		if _, err := io.ReadFull(rand, b); err != nil {
			return nil, fmt.Errorf("seal a key: %w", err)
		}
	}
	aead, err := s.aead(password)
	if err != nil {
		return nil, err
	}
	s.Secret = aead.Seal(nil, s.Nonce, []byte(secret), s.bound())
	return json.MarshalIndent(s, "", "  ")
}

func (s *sealed) bound() []byte { return []byte(s.Name + "\n" + s.Verifier) }

type cipherText interface {
	Seal(dst, nonce, plaintext, additional []byte) []byte
	Open(dst, nonce, ciphertext, additional []byte) ([]byte, error)
}

func (s *sealed) aead(password string) (cipherText, error) {
	k := s.KDF
	if k.Time < 1 || k.Time > 16 || k.Threads < 1 || k.Threads > 16 || k.Memory < 8*uint32(k.Threads) || k.Memory > 1<<20 || len(k.Salt) < 8 {
		return nil, errors.New("its parameters are out of bounds")
	}
	key := argon2.IDKey([]byte(norm.NFC.String(password)), k.Salt, k.Time, k.Memory, k.Threads, chacha20poly1305.KeySize)
	return chacha20poly1305.NewX(key)
}

func (r *Ring) person(name string) (*sealed, error) {
	file, err := personFile(name)
	if err != nil {
		return nil, err
	}
	data, err := r.read(file)
	if err != nil {
		return nil, err
	}
	var s sealed
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil || s.Version != 1 || s.Name != name || len(s.Nonce) != chacha20poly1305.NonceSizeX {
		return nil, fmt.Errorf("key of %s: the file cannot be read; restore it from a backup, or make another key", name)
	}
	return &s, nil
}

// HasPerson reports whether a person has a key here.
func (r *Ring) HasPerson(name string) (bool, error) {
	_, err := r.person(name)
	if missing(err) {
		return false, nil
	}
	return err == nil, err
}

// Public is the public half of a person's key.
func (r *Ring) Public(name string) (Person, error) {
	s, err := r.person(name)
	if err != nil {
		return Person{}, err
	}
	return Person{s.Verifier, Fingerprint(s.Verifier)}, nil
}

// Unlock opens a person's key with their password; ErrPassword when it does not fit.
func (r *Ring) Unlock(name, password string) (note.Signer, Person, error) {
	s, err := r.person(name)
	if err != nil {
		return nil, Person{}, err
	}
	secret, err := s.open(password)
	if err != nil {
		return nil, Person{}, fmt.Errorf("key of %s: %w", name, err)
	}
	signer, err := note.NewSigner(string(secret))
	if err != nil {
		return nil, Person{}, fmt.Errorf("key of %s: cannot be read", name)
	}
	return signer, Person{s.Verifier, Fingerprint(s.Verifier)}, nil
}

func (s *sealed) open(password string) ([]byte, error) {
	aead, err := s.aead(password)
	if err != nil {
		return nil, err
	}
	secret, err := aead.Open(nil, s.Nonce, s.Secret, s.bound())
	if err != nil {
		return nil, ErrPassword
	}
	return secret, nil
}

// Rekey puts a person's key under another password.
func (r *Ring) Rekey(name, old, password string, rand io.Reader) error {
	s, err := r.person(name)
	if err != nil {
		return err
	}
	secret, err := s.open(old)
	if err != nil {
		return fmt.Errorf("key of %s: %w", name, err)
	}
	data, err := seal(name, s.Verifier, string(secret), password, rand)
	if err != nil {
		return err
	}
	file, err := personFile(name)
	if err != nil {
		return err
	}
	return r.replace(file, data)
}

// Replace makes a new key for a person whose old password is gone. The old key can sign
// nothing any more; its public half has to be revoked.
func (r *Ring) Replace(name, password string, rand io.Reader) (Person, error) {
	file, err := personFile(name)
	if err != nil {
		return Person{}, err
	}
	secret, public, err := note.GenerateKey(rand, "person-"+name)
	if err != nil {
		return Person{}, fmt.Errorf("make a key: %w", err)
	}
	data, err := seal(name, public, secret, password, rand)
	if err != nil {
		return Person{}, err
	}
	return Person{public, Fingerprint(public)}, r.replace(file, data)
}
