package keyring

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

func TestPersonKey(t *testing.T) {
	r := New(filepath.Join(t.TempDir(), "keys"))
	p, err := r.Create("ada", "correct horse battery", rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Create("ada", "another password", rand.Reader); err == nil {
		t.Error("a key was made over another")
	}
	if _, _, err := r.Unlock("ada", "wrong horse battery"); !errors.Is(err, ErrPassword) {
		t.Errorf("a wrong password: %v", err)
	}
	signs := func(password string) {
		t.Helper()
		signer, public, err := r.Unlock("ada", password)
		if err != nil {
			t.Fatal(err)
		}
		signed, err := note.Sign(&note.Note{Text: "assay-statement/v1\n"}, signer)
		if err != nil {
			t.Fatal(err)
		}
		v, err := note.NewVerifier(public.Verifier)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := note.Open(signed, note.VerifierList(v)); err != nil || public != p {
			t.Errorf("the signature does not hold under %s: %v", public.Fingerprint, err)
		}
	}
	signs("correct horse battery")
	if err := r.Rekey("ada", "wrong horse battery", "a new password here", rand.Reader); !errors.Is(err, ErrPassword) {
		t.Errorf("rekeyed with a wrong password: %v", err)
	}
	if err := r.Rekey("ada", "correct horse battery", "a new password here", rand.Reader); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Unlock("ada", "correct horse battery"); !errors.Is(err, ErrPassword) {
		t.Error("the old password still opens the key")
	}
	signs("a new password here")
	again, err := r.Replace("ada", "a third password here", rand.Reader)
	if err != nil || again.Verifier == p.Verifier {
		t.Errorf("replaced by %v (%v)", again, err)
	}
	for _, name := range []string{"../ada", "", "a/b", ".hidden", strings.Repeat("a", 60)} {
		if _, err := r.Create(name, "correct horse battery", rand.Reader); err == nil {
			t.Errorf("a key for %q was made", name)
		}
	}
}

// TestPersonKeyIsBound: the file of one person under the name of another, with another
// public half, or with any byte changed, opens nothing.
func TestPersonKeyIsBound(t *testing.T) {
	r := New(t.TempDir())
	if _, err := r.Create("ada", "correct horse battery", rand.Reader); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(r.Dir(), "person-ada.key")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "PRIVATE") || strings.Contains(string(data), "horse") {
		t.Error("the file shows what it hides")
	}
	eva := strings.ReplaceAll(string(data), `"ada"`, `"eva"`)
	if err := os.WriteFile(filepath.Join(r.Dir(), "person-eva.key"), []byte(eva), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Unlock("eva", "correct horse battery"); !errors.Is(err, ErrPassword) {
		t.Errorf("ada's key opens under the name eva: %v", err)
	}
	other := strings.Replace(string(data), "person-ada+", "person-adb+", 1)
	if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Unlock("ada", "correct horse battery"); !errors.Is(err, ErrPassword) {
		t.Errorf("the key opens with another public half: %v", err)
	}
}

// TestPersonKeyFile: the file is for its owner alone, and one that asks for more than a
// machine has, or is none, opens nothing.
func TestPersonKeyFile(t *testing.T) {
	r := New(filepath.Join(t.TempDir(), "keys"))
	if _, err := r.Create("ada", "correct horse battery", rand.Reader); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(r.Dir(), "person-ada.key")
	for p, want := range map[string]os.FileMode{r.Dir(): 0o700, path: 0o600} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", p, info.Mode().Perm(), err, want)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{
		"memory":        strings.Replace(string(data), `"memory_kib": 65536`, `"memory_kib": 4294967295`, 1),
		"time":          strings.Replace(string(data), `"time": 3`, `"time": 4000000`, 1),
		"no time":       strings.Replace(string(data), `"time": 3`, `"time": 0`, 1),
		"threads":       strings.Replace(string(data), `"threads": 2`, `"threads": 0`, 1),
		"version":       strings.Replace(string(data), `"version": 1`, `"version": 2`, 1),
		"another field": strings.Replace(string(data), `"version"`, `"x": 1, "version"`, 1),
		"half a file":   string(data[:len(data)/2]),
		"nothing":       "",
		"a short nonce": strings.Replace(string(data), `"nonce": "`, `"nonce": "", "n": "`, 1),
	} {
		if text == string(data) {
			t.Fatalf("%s: nothing was changed", what)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := r.Unlock("ada", "correct horse battery"); err == nil || strings.Contains(err.Error(), "horse") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.Unlock("ada", "correct horse battery"); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a key that others may read: %v", err)
	}
	left, err := filepath.Glob(filepath.Join(r.Dir(), ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
