package signoff

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"
)

// Passkey is the public half of an authenticator's key: the site that it is for and the
// key itself, in COSE form.
type Passkey struct {
	Site string // relying party id
	COSE []byte
}

const passkeyHead = "assay-passkey/v1 "

// Public is the key as claims and accounts keep it: "assay-passkey/v1 SITE BASE64".
func (p Passkey) Public() string {
	return passkeyHead + p.Site + " " + base64.StdEncoding.EncodeToString(p.COSE)
}

// Fingerprint names the key as SSH fingerprints do.
func (p Passkey) Fingerprint() string {
	sum := sha256.Sum256([]byte(p.Public()))
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:])
}

// ParsePasskey reads what Public wrote.
func ParsePasskey(public string) (Passkey, error) {
	rest, ok := strings.CutPrefix(public, passkeyHead)
	site, key, two := strings.Cut(rest, " ")
	if !ok || !two || len(public) > 8<<10 || site == "" {
		return Passkey{}, fmt.Errorf("key: %.60q is no public key of a passkey", public)
	}
	cose, err := base64.StdEncoding.DecodeString(key)
	if err != nil {
		return Passkey{}, fmt.Errorf("key: %w", err)
	}
	p := Passkey{Site: site, COSE: cose}
	if p.Public() != public {
		return Passkey{}, errors.New("key: is not written as public keys of passkeys are")
	}
	if _, err := webauthncose.ParsePublicKey(cose); err != nil {
		return Passkey{}, fmt.Errorf("key: %w", err)
	}
	return p, nil
}

// PasskeyChallenge is what an authenticator is asked to sign: the SHA-256 of the text.
func PasskeyChallenge(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// verifyPasskey checks an authenticator's answer, the JSON that a browser gives for it:
// made for signing in, to this statement's digest, at a page of the key's site, with the
// person verified, and signed by the key.
func (c *Claim) verifyPasskey(text string) error {
	p, err := ParsePasskey(c.Public)
	if err != nil {
		return err
	}
	a, err := protocol.ParseCredentialRequestResponseBytes(c.Signature)
	if err != nil {
		return fmt.Errorf("signature: an authenticator's answer cannot be read: %w", err)
	}
	origin := a.Response.CollectedClientData.Origin
	if !p.at(origin) {
		return fmt.Errorf("signature: was made at %.100q, which is no page of %s", origin, p.Site)
	}
	want := base64.RawURLEncoding.EncodeToString(PasskeyChallenge(text))
	err = a.Verify(want, p.Site, "", []string{origin}, nil, nil, protocol.TopOriginExplicitVerificationMode,
		false, true, true, p.COSE, protocol.SignaturePolicy{})
	if err != nil {
		return fmt.Errorf("signature: %w", saying(err))
	}
	return nil
}

// at reports whether an origin belongs to the site: its own host or one below it, over
// TLS or on this machine.
func (p *Passkey) at(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Path != "" || u.RawQuery != "" || u.User != nil {
		return false
	}
	host := u.Hostname()
	local := host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host).IsLoopback()
	if u.Scheme != "https" && (u.Scheme != "http" || !local) {
		return false
	}
	return host == p.Site || strings.HasSuffix(host, "."+p.Site)
}

// saying is an error of the protocol with its details, which its text leaves out.
func saying(err error) error {
	var e *protocol.Error
	if errors.As(err, &e) && e.Details != "" {
		return errors.New(e.Details)
	}
	return err
}
