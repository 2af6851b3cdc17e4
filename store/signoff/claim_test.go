package signoff

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/descope/virtualwebauthn"
	"github.com/go-webauthn/webauthn/protocol"
	"golang.org/x/crypto/ssh"
	"golang.org/x/mod/sumdb/note"
)

const signedText = "assay-statement/v1\ndecision: hold\n"

func noteClaim(t *testing.T) Claim {
	t.Helper()
	secret, public, err := note.GenerateKey(rand.Reader, "grace")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(secret)
	if err != nil {
		t.Fatal(err)
	}
	c, err := SignNote("grace", signer, public, signedText)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func sshClaim(t *testing.T, key any) Claim {
	t.Helper()
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	c, err := SignSSH("grace", signer, signedText, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// passkeyAnswer is what a browser hands over when an authenticator was asked to sign text.
func passkeyAnswer(t *testing.T, site, origin, text string, verified bool) (Passkey, []byte) {
	t.Helper()
	cred := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2)
	auth := virtualwebauthn.NewAuthenticator()
	auth.Options.UserNotVerified = !verified
	auth.AddCredential(cred)
	rp := virtualwebauthn.RelyingParty{ID: site, Name: "assay", Origin: origin}
	options := virtualwebauthn.AssertionOptions{Challenge: PasskeyChallenge(text), RelyingPartyID: site}
	return Passkey{Site: site, COSE: coseOf(t, cred)}, []byte(virtualwebauthn.CreateAssertionResponse(rp, auth, cred, options))
}

func TestClaimsHold(t *testing.T) {
	_, ed, _ := ed25519.GenerateKey(rand.Reader)
	ec, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	p, answer := passkeyAnswer(t, "bench.example", "https://bench.example", signedText, true)
	pass, err := ClaimPasskey("grace", p.Public(), signedText, answer)
	if err != nil {
		t.Fatal(err)
	}
	claims := map[string]Claim{"note": noteClaim(t), "ssh ed25519": sshClaim(t, ed), "ssh ecdsa": sshClaim(t, ec), "passkey": pass}
	for name, c := range claims {
		if err := c.Verify(signedText); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := c.Verify(signedText + "x"); err == nil {
			t.Errorf("%s: holds for another text", name)
		}
		for other, o := range claims {
			if other == name {
				continue
			}
			x := c
			x.Public, x.Fingerprint, x.Kind = o.Public, o.Fingerprint, o.Kind
			if x.Verify(signedText) == nil {
				t.Errorf("%s: holds under the key of %s", name, other)
			}
		}
		x := c
		x.Fingerprint = "SHA256:other"
		if x.Verify(signedText) == nil {
			t.Errorf("%s: any fingerprint is taken", name)
		}
		for i := 0; i < len(c.Signature); i += max(1, len(c.Signature)/97) {
			x.Fingerprint, x.Signature = c.Fingerprint, append([]byte(nil), c.Signature...)
			x.Signature[i] ^= 4
			if name != "passkey" && x.Verify(signedText) == nil { // an answer has members that say nothing
				t.Errorf("%s: byte %d of the signature may be another", name, i)
			}
		}
	}
}

func TestPasskeyRefused(t *testing.T) {
	good, answer := passkeyAnswer(t, "bench.example", "https://bench.example", signedText, true)
	for name, x := range map[string]struct {
		site, origin string
		verified     bool
	}{
		"another site":           {"bench.example", "https://evil.example", true},
		"a name that ends so":    {"bench.example", "https://notbench.example", true},
		"without TLS":            {"bench.example", "http://bench.example", true},
		"person not verified":    {"bench.example", "https://bench.example", false},
		"user part of an origin": {"bench.example", "https://bench.example@evil.example", true},
	} {
		p, a := passkeyAnswer(t, x.site, x.origin, signedText, x.verified)
		if _, err := ClaimPasskey("grace", p.Public(), signedText, a); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	for _, origin := range []string{"http://localhost:8080", "https://sub.localhost"} {
		p, a := passkeyAnswer(t, "localhost", origin, signedText, true)
		if _, err := ClaimPasskey("grace", p.Public(), signedText, a); err != nil {
			t.Errorf("%s: %v", origin, err)
		}
	}
	if _, err := ClaimPasskey("grace", Passkey{Site: "other.example", COSE: good.COSE}.Public(), signedText, answer); err == nil {
		t.Error("an answer for one site holds for another")
	}
	// An answer of registering is none of signing, and one signature does not serve two texts.
	var m map[string]any
	if err := json.Unmarshal(answer, &m); err != nil {
		t.Fatal(err)
	}
	r := m["response"].(map[string]any)
	raw, _ := base64.RawURLEncoding.DecodeString(r["clientDataJSON"].(string))
	r["clientDataJSON"] = base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(raw), "webauthn.get", "webauthn.create", 1)))
	changed, _ := json.Marshal(m)
	if _, err := ClaimPasskey("grace", good.Public(), signedText, changed); err == nil {
		t.Error("an answer of registering is taken")
	}
}

// TestSSHKeygen: a signature that ssh-keygen makes with the documented command line holds,
// and one for another purpose does not.
func TestSSHKeygen(t *testing.T) {
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("no ssh-keygen here")
	}
	dir := t.TempDir()
	key, file := filepath.Join(dir, "id"), filepath.Join(dir, "statement")
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(tool, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	run("-q", "-t", "ed25519", "-N", "", "-C", "grace at a desk", "-f", key)
	if err := os.WriteFile(file, []byte(signedText), 0o600); err != nil {
		t.Fatal(err)
	}
	line, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	public, err := NormalSSH(string(line))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		namespace string
		holds     bool
	}{{Namespace, true}, {"file", false}} {
		os.Remove(file + ".sig")
		run("-q", "-Y", "sign", "-n", x.namespace, "-f", key, file)
		sig, err := os.ReadFile(file + ".sig")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ClaimSSH("grace", public, signedText, sig); (err == nil) != x.holds {
			t.Errorf("namespace %s: %v", x.namespace, err)
		}
	}
}

func TestSSHKeysRefused(t *testing.T) {
	_, ed, _ := ed25519.GenerateKey(rand.Reader)
	c := sshClaim(t, ed)
	for _, public := range []string{"", "ssh-ed25519", c.Public + " comment", c.Public + "\n", "command=\"x\" " + c.Public, c.Public + "\n" + c.Public, " " + c.Public} {
		if _, err := Fingerprint("ssh", public); err == nil {
			t.Errorf("taken: %q", public)
		}
	}
	if _, err := Fingerprint("pgp", c.Public); err == nil {
		t.Error("any kind of key is taken")
	}
}

// coseOf is the public half of a credential, as an authenticator gives it at registering.
func coseOf(t *testing.T, cred virtualwebauthn.Credential) []byte {
	t.Helper()
	rp := virtualwebauthn.RelyingParty{ID: "x", Name: "x", Origin: "https://x"}
	made := virtualwebauthn.CreateAttestationResponse(rp, virtualwebauthn.NewAuthenticator(), cred,
		virtualwebauthn.AttestationOptions{Challenge: []byte("0123456789abcdef"), RelyingPartyID: "x"})
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(made))
	if err != nil {
		t.Fatal(err)
	}
	return parsed.Response.AttestationObject.AuthData.AttData.CredentialPublicKey
}
