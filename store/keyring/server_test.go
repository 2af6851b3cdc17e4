package keyring

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestServerKeyIsMadeOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "keys")
	var wg sync.WaitGroup
	got := make([]string, 8)
	for i := range got {
		wg.Go(func() {
			s, err := New(dir).Server("archive", rand.Reader)
			if err != nil {
				t.Error(err)
				return
			}
			got[i] = s.Verifier
		})
	}
	wg.Wait()
	for _, v := range got {
		if v == "" || v != got[0] {
			t.Fatalf("several keys were made: %q", got)
		}
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "server.key"): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s has mode %v (%v), want %v", path, info.Mode().Perm(), err, want)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("the folder holds %v (%v), want the key alone", left, err)
	}
}

func TestServerKeyRefused(t *testing.T) {
	fresh := func(t *testing.T) (*Ring, string) {
		r := New(t.TempDir())
		if _, err := r.Server("archive", rand.Reader); err != nil {
			t.Fatal(err)
		}
		return r, filepath.Join(r.Dir(), "server.key")
	}
	for name, spoil := range map[string]func(path string) error{
		"others may read it": func(path string) error { return os.Chmod(path, 0o640) },
		"two lines":          func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) },
		"secret half":        func(path string) error { return os.WriteFile(path, []byte("PRIVATE+KEY+x\ny\n"), 0o600) },
		"bytes are no key":   func(path string) error { return os.WriteFile(path, make([]byte, 1<<20), 0o600) },
		"no regular file": func(path string) error {
			if err := os.Rename(path, path+".away"); err != nil {
				return err
			}
			return os.Symlink(path+".away", path)
		},
	} {
		r, path := fresh(t)
		if err := spoil(path); err != nil {
			t.Fatal(err)
		}
		_, err := r.Server("archive", rand.Reader)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "PRIVATE") {
			t.Errorf("the error shows the key: %v", err)
		}
	}
	r, path := fresh(t)
	other, _ := fresh(t)
	mine, _ := os.ReadFile(path)
	theirs, _ := os.ReadFile(filepath.Join(other.Dir(), "server.key"))
	mixed := strings.SplitN(string(mine), "\n", 2)[0] + "\n" + strings.SplitN(string(theirs), "\n", 2)[1]
	if err := os.WriteFile(path, []byte(mixed), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Server("archive", rand.Reader); err == nil || !strings.Contains(err.Error(), "belong together") {
		t.Errorf("halves of two keys are taken: %v", err)
	}
}

func TestRotation(t *testing.T) {
	r := New(t.TempDir())
	first, err := r.Server("archive", rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	next, err := r.NextServer("archive", rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.NextServer("archive", rand.Reader) // a rotation that was cut short
	if err != nil || again.Verifier != next.Verifier || next.Verifier == first.Verifier {
		t.Fatalf("next %q, then %q (%v)", next.Verifier, again.Verifier, err)
	}
	kept, err := r.Promote()
	if err != nil || kept != "server-1.key" {
		t.Fatalf("kept as %q (%v)", kept, err)
	}
	now, err := r.Server("archive", rand.Reader)
	if err != nil || now.Verifier != next.Verifier {
		t.Errorf("in use is %q (%v), want %q", now.Verifier, err, next.Verifier)
	}
}
