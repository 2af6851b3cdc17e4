package enginetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server that ends by itself is reported at once, with what it said last.
func TestServerThatEnds(t *testing.T) {
	script := filepath.Join(t.TempDir(), "server")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nseq 100000\necho 'error: no model for' \"$2\" >&2\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := start(t, script, Options{Model: "a.gguf", Slots: 1, Context: 64})
	if err == nil {
		t.Fatal("it started")
	}
	for _, want := range []string{"ended before it was ready", "error: no model for a.gguf"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in: %v", want, err)
		}
	}
	if len(err.Error()) > 2*tailBytes {
		t.Errorf("%d bytes of error", len(err.Error()))
	}
}

func TestServerThatIsNotThere(t *testing.T) {
	if _, err := start(t, filepath.Join(t.TempDir(), "none"), Options{}); err == nil {
		t.Fatal("it started")
	}
}
