package evidence

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
)

// TokenRow is a token of a script, as lists show it. Its secret is
// shown once, when it is made, and kept nowhere.
type TokenRow struct {
	ID        int64
	Name      string
	CreatedUS int64
	UsedUS    int64  // 0 when nobody used it yet; kept to the minute
	RevokedUS int64  // 0 while it holds
	ExpiresUS int64  // 0 for never
	Rights    string // what it may: "hand-in", "read", separated by spaces
	Owner     string // the account it ends with, "" for none
}

// Holds says whether the token was not revoked. Its time may still be over.
func (t *TokenRow) Holds() bool { return t.RevokedUS == 0 }

// May reports whether the token has a right.
func (t *TokenRow) May(right string) bool {
	for r := range strings.FieldsSeq(t.Rights) {
		if r == right {
			return true
		}
	}
	return false
}

// ErrTaken means that a name is in use.
var ErrTaken = errors.New("the name is taken")

// tokenMark starts every secret, so that people and scanners know one when they see it.
const tokenMark = "assay_"

// tokenBytes is how many random bytes a secret has.
const tokenBytes = 32

// NewToken makes the secret of a token out of random bytes.
func NewToken(random io.Reader) (string, error) {
	var b [tokenBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("random bytes: %w", err)
	}
	return tokenMark + base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// TokenDigest is what is kept of a secret. It says whether the text can be a secret at
// all. A secret has 256 random bits, so that one round of SHA-256 cannot be guessed back.
func TokenDigest(secret string) (d Digest, ok bool) {
	digits, ok := strings.CutPrefix(secret, tokenMark)
	if !ok || len(digits) != base64.RawURLEncoding.EncodedLen(tokenBytes) {
		return Digest{}, false
	}
	return DigestOf([]byte(secret)), true
}
