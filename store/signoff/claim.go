package signoff

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
)

// Namespace keeps signatures of statements apart from every other use of an SSH key:
//
//	ssh-keygen -Y sign -n assay-statement -f KEY FILE
const Namespace = "assay-statement"

// maxSignature bounds a claim's signature. A signed note holds the statement itself.
const maxSignature = maxStatement + 64<<10

// Verify checks the signature against the text with the public half alone: no archive, no
// network, no clock. Whose key it is, and since when, is for the log to say.
func (c *Claim) Verify(text string) error {
	if len(c.Signature) > maxSignature {
		return fmt.Errorf("signature: %d bytes, more than %d", len(c.Signature), maxSignature)
	}
	print, err := Fingerprint(c.Kind, c.Public)
	if err != nil {
		return err
	}
	if print != c.Fingerprint {
		return fmt.Errorf("key: its fingerprint is %s and the claim says %.100q", print, c.Fingerprint)
	}
	switch c.Kind {
	case "note":
		return c.verifyNote(text)
	case "ssh":
		return c.verifySSH(text)
	default:
		return c.verifyPasskey(text)
	}
}

// Fingerprint is how a public key is named, made of the key alone.
func Fingerprint(kind ClaimKind, public string) (string, error) {
	switch kind {
	case "note":
		v, err := note.NewVerifier(public)
		if err != nil {
			return "", fmt.Errorf("key: %w", err)
		}
		return fmt.Sprintf("%s+%08x", v.Name(), v.KeyHash()), nil
	case "ssh":
		k, err := sshPublic(public)
		if err != nil {
			return "", err
		}
		return ssh.FingerprintSHA256(k), nil
	case "passkey":
		p, err := ParsePasskey(public)
		if err != nil {
			return "", err
		}
		return p.Fingerprint(), nil
	}
	return "", fmt.Errorf("claim: %.40q is no kind of key", string(kind))
}

// SignNote signs a statement with a note key. Public is the verifier key of the signer.
func SignNote(by string, signer note.Signer, public, text string) (Claim, error) {
	signed, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		return Claim{}, fmt.Errorf("sign the statement: %w", err)
	}
	return claimOf(by, "note", public, signed, text)
}

// SignSSH signs a statement with an SSH key at hand, as ssh-keygen would.
func SignSSH(by string, signer ssh.Signer, text string, random io.Reader) (Claim, error) {
	sig, err := sshsig.SignWithRand(strings.NewReader(text), random, signer, sshsig.HashSHA512, Namespace)
	if err != nil {
		return Claim{}, fmt.Errorf("sign the statement: %w", err)
	}
	return ClaimSSH(by, authorized(signer.PublicKey()), text, sshsig.Armor(sig))
}

// ClaimSSH makes a claim of a signature that ssh-keygen made.
func ClaimSSH(by, public, text string, armored []byte) (Claim, error) {
	return claimOf(by, "ssh", public, armored, text)
}

// ClaimPasskey makes a claim of an authenticator's answer to [PasskeyChallenge].
func ClaimPasskey(by, public, text string, assertion []byte) (Claim, error) {
	return claimOf(by, "passkey", public, assertion, text)
}

// claimOf is a claim that holds; one that does not is never made.
func claimOf(by string, kind ClaimKind, public string, signature []byte, text string) (Claim, error) {
	print, err := Fingerprint(kind, public)
	if err != nil {
		return Claim{}, err
	}
	c := Claim{Account: by, Kind: kind, Fingerprint: print, Public: public, Signature: signature}
	return c, c.Verify(text)
}

func (c *Claim) verifyNote(text string) error {
	v, err := note.NewVerifier(c.Public)
	if err != nil {
		return fmt.Errorf("key: %w", err)
	}
	n, err := note.Open(c.Signature, note.VerifierList(v))
	if err != nil {
		return fmt.Errorf("signature: %w", err)
	}
	switch {
	case n.Text != text:
		return errors.New("signature: is of another text")
	case len(n.Sigs) != 1 || len(n.UnverifiedSigs) != 0:
		return errors.New("signature: want one, by the key of the claim")
	}
	return nil
}

// sshPublic reads a key in the form of authorized_keys, and only in that form: without
// options, comment or a second line.
func sshPublic(public string) (ssh.PublicKey, error) {
	if len(public) > 16<<10 {
		return nil, errors.New("key: too long")
	}
	k, _, options, rest, err := ssh.ParseAuthorizedKey([]byte(public))
	switch {
	case err != nil:
		return nil, fmt.Errorf("key: %.80q is no SSH public key", public)
	case len(options) > 0 || len(bytes.TrimSpace(rest)) > 0 || authorized(k) != public:
		return nil, errors.New("key: want an SSH public key alone: no options, no comment, one line")
	}
	if strings.Contains(k.Type(), "cert") || k.Type() == "ssh-dss" {
		return nil, fmt.Errorf("key: keys of the kind %s sign no statement", k.Type())
	}
	return k, nil
}

// authorized is a key in the form of authorized_keys, without the end of the line.
func authorized(k ssh.PublicKey) string {
	return strings.TrimSuffix(string(ssh.MarshalAuthorizedKey(k)), "\n")
}

// NormalSSH is an SSH public key as claims and accounts keep it, from a line of
// authorized_keys or of a .pub file with its comment.
func NormalSSH(line string) (string, error) {
	k, _, _, _, err := ssh.ParseAuthorizedKey([]byte(line))
	if err != nil {
		return "", fmt.Errorf("key: %.80q is no SSH public key", strings.TrimSpace(line))
	}
	public := authorized(k)
	_, err = sshPublic(public)
	return public, err
}

func (c *Claim) verifySSH(text string) error {
	k, err := sshPublic(c.Public)
	if err != nil {
		return err
	}
	sig, err := sshsig.Unarmor(c.Signature)
	if err != nil {
		return fmt.Errorf("signature: %w", err)
	}
	// What stands around the armor or in its header is not signed and would be a place to
	// change bytes without notice. Tools differ in the length of lines only.
	if unbroken(sshsig.Armor(sig)) != unbroken(c.Signature) {
		return errors.New("signature: is not written as SSH signatures are")
	}
	if err := sshsig.Verify(strings.NewReader(text), sig, k, sig.HashAlgorithm, Namespace); err != nil {
		return fmt.Errorf("signature: %w", err)
	}
	return nil
}

func unbroken(armored []byte) string {
	return strings.NewReplacer("\r\n", "", "\n", "").Replace(strings.TrimSpace(string(armored)))
}
