package account

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"
	"golang.org/x/text/unicode/norm"
)

// params of argon2id. They stand in every hash, so that stronger ones can come later.
type params struct {
	memory  uint32 // KiB
	time    uint32
	threads uint8
}

// current parameters: the second choice of RFC 9106, for machines that do other work too.
var current = params{memory: 64 << 10, time: 3, threads: 2}

// strongest bounds what a hash may ask of the machine that checks it.
var strongest = params{memory: 1 << 20, time: 16, threads: 16}

const (
	saltSize = 16
	keySize  = 32

	shortestPassword = 12
	longestPassword  = 1024 // bytes
)

// CheckPassword says what is wrong with a password that somebody chose.
func CheckPassword(name, password string) error {
	switch {
	case !utf8.ValidString(password):
		return errors.New("the password is no UTF-8 text")
	case len(password) > longestPassword:
		return fmt.Errorf("the password has %d bytes, more than %d", len(password), longestPassword)
	case utf8.RuneCountInString(password) < shortestPassword:
		return fmt.Errorf("the password is shorter than %d characters", shortestPassword)
	case strings.Contains(strings.ToLower(password), strings.ToLower(name)) && name != "":
		return errors.New("the password contains the name")
	case len(uniqueRunes(password)) < 5:
		return errors.New("the password has fewer than 5 different characters")
	}
	return nil
}

func uniqueRunes(s string) map[rune]bool {
	seen := map[rune]bool{}
	for _, r := range s {
		seen[r] = true
	}
	return seen
}

// HashPassword makes the text that is kept of a password.
func HashPassword(password string, rand io.Reader) (string, error) {
	salt := make([]byte, saltSize)
	if _, err := io.ReadFull(rand, salt); err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	key := current.key(password, salt)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, current.memory, current.time, current.threads,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key)), nil
}

func (p params) key(password string, salt []byte) []byte {
	return argon2.IDKey([]byte(norm.NFC.String(password)), salt, p.time, p.memory, p.threads, keySize)
}

// PasswordFits reports whether a password is the one of a hash, and whether the hash is
// weaker than one made today. It takes as long for a hash that cannot be read, so that
// nobody learns from the time which names exist.
func PasswordFits(encoded, password string) (ok, weak bool) {
	p, salt, key, err := parseHash(encoded)
	if err != nil || len(password) > longestPassword {
		current.key("", make([]byte, saltSize))
		return false, false
	}
	ok = subtle.ConstantTimeCompare(p.key(password, salt), key) == 1
	return ok, ok && (p.memory < current.memory || p.time < current.time)
}

func parseHash(encoded string) (p params, salt, key []byte, err error) {
	parts := strings.Split(encoded, "$")
	bad := errors.New("is no argon2id hash")
	if len(encoded) > 512 || len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return p, nil, nil, bad
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.time, &p.threads); err != nil {
		return p, nil, nil, bad
	}
	if fmt.Sprintf("m=%d,t=%d,p=%d", p.memory, p.time, p.threads) != parts[3] || p.time < 1 || p.threads < 1 || p.memory < 8*uint32(p.threads) ||
		p.memory > strongest.memory || p.time > strongest.time || p.threads > strongest.threads {
		return p, nil, nil, bad
	}
	if salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil || len(salt) < 8 {
		return p, nil, nil, bad
	}
	if key, err = base64.RawStdEncoding.DecodeString(parts[5]); err != nil || len(key) != keySize {
		return p, nil, nil, bad
	}
	return p, salt, key, nil
}
