package store

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestReadOnlyFile opens an archive that the user may read and not write. A test that
// runs as root puts its file access under another user, for one thread.
func TestReadOnlyFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "archive.db")
	a, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{filepath.Dir(dir): 0o755, dir: 0o555, path: 0o444} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	failed := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if os.Geteuid() == 0 {
			syscall.Setfsuid(65534)
		}
		a, err := Open(t.Context(), path, Options{})
		if err == nil {
			a.Close()
		}
		failed <- err
	}()
	err = <-failed
	if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "permissions") {
		t.Errorf("error %v, want advice about permissions", err)
	}
}
