package mask

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Kind says what was found.
type Kind string

const (
	APIKey     Kind = "api-key"     // a token with the prefix of its issuer
	Bearer     Kind = "bearer"      // the credentials of an Authorization header
	JWT        Kind = "jwt"         // a signed token
	PrivateKey Kind = "private-key" // a PEM block
	URLLogin   Kind = "url-login"   // user and password in a URL
	NamedValue Kind = "named"       // the value of something called a password, token or key

	CardID      Kind = "gpu-uuid"
	WindowsPath Kind = "windows-path"
	UserPath    Kind = "unix-user-path"
	Host        Kind = "host"
	Address     Kind = "ip"             // an address that is neither loopback nor a placeholder
	Placeholder Kind = "placeholder-ip" // documentation and shared address space
	Hardware    Kind = "mac-address"
)

// Secret reports whether the kind is a credential. Everything else is private data.
func (k Kind) Secret() bool {
	switch k {
	case APIKey, Bearer, JWT, PrivateKey, URLLogin, NamedValue:
		return true
	}
	return false
}

// Span is a part of a text.
type Span struct {
	Start, End int
	Kind       Kind
	Keep       int // bytes from Start on that stay as they are: the prefix of the kind
	Tail       int // bytes before End that stay: the name of a file
}

// Find lists what a text holds, in order and without overlaps.
func Find(s string) []Span { return find(s, true) }

// Secrets replaces the secrets of a text.
func Secrets(s string) string { return replace(s, find(s, false)) }

// Private replaces the secrets and the private data of a text.
func Private(s string) string { return replace(s, find(s, true)) }

// HasSecret reports whether there is a secret in the text.
func HasSecret(s string) bool { return len(find(s, false)) > 0 }

func replace(s string, spans []Span) string {
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, p := range spans {
		b.WriteString(s[at : p.Start+p.Keep])
		b.WriteString(p.label(s[p.Start+p.Keep : p.End-p.Tail]))
		at = p.End - p.Tail
	}
	b.WriteString(s[at:])
	return b.String()
}

// label stands for what is masked.
func (p Span) label(gone string) string {
	switch p.Kind {
	case WindowsPath, UserPath:
		return "…[path " + short(gone) + "]"
	case CardID:
		return "…[" + short(gone) + "]"
	case Host:
		return "host-" + short(gone)
	case Address, Placeholder:
		return "ip-" + short(gone)
	case Hardware:
		return "mac-" + short(gone)
	}
	return hidden(len(gone))
}

func hidden(n int) string { return "…[masked " + strconv.Itoa(n) + "]" }

// isMasked reports whether a label of ours stands at the start of a text.
func isMasked(s string) bool { return strings.HasPrefix(s, "…[") }

// short labels private data. Spellings that differ only in case are one thing.
func short(s string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(s)))
	return hex.EncodeToString(sum[:3])
}
