package account

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
)

// Prefixes of secrets, so that a search of logs and repositories finds them.
const (
	SessionPrefix    = "assay_s_"
	InvitationPrefix = "assay_i_"
)

const secretBytes = 32

// NewSecret makes a secret of 256 random bits behind a prefix.
func NewSecret(prefix string, rand io.Reader) (string, error) {
	raw := make([]byte, secretBytes)
	if _, err := io.ReadFull(rand, raw); err != nil {
		return "", fmt.Errorf("make a secret: %w", err)
	}
	return prefix + base64.RawURLEncoding.EncodeToString(raw), nil
}

// SecretDigest is what the archive keeps of a secret; false for what has not the form of
// one.
func SecretDigest(prefix, secret string) ([32]byte, bool) {
	rest, ok := strings.CutPrefix(secret, prefix)
	if !ok || len(rest) != base64.RawURLEncoding.EncodedLen(secretBytes) {
		return [32]byte{}, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(rest)
	if err != nil || len(raw) != secretBytes || base64.RawURLEncoding.EncodeToString(raw) != rest {
		return [32]byte{}, false
	}
	return sha256.Sum256([]byte(secret)), true
}
