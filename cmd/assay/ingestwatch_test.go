package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/assets/example"
	"assay/ingest"
	"assay/store/evidence"
)

// watching runs ingest --watch beside the test; lines gives what it prints, stop ends it.
func watching(t *testing.T, db, dir string, more ...string) (lines <-chan ingest.FileReport, stop func() (int, string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	out := make(chan ingest.FileReport, 100)
	go func() {
		defer close(out)
		for s := bufio.NewScanner(r); s.Scan(); {
			var f ingest.FileReport
			if err := json.Unmarshal(s.Bytes(), &f); err != nil {
				t.Errorf("%s: %v", s.Text(), err)
			}
			out <- f
		}
	}()
	type end struct {
		code   int
		stderr string
	}
	ended := make(chan end, 1)
	go func() {
		code, stderr := call(ctx, w, append([]string{"--db", db, "ingest", "--json", "--watch", dir}, more...)...)
		w.Close()
		ended <- end{code, stderr}
	}()
	return out, func() (int, string) {
		cancel()
		e := <-ended
		return e.code, e.stderr
	}
}

func next(t *testing.T, lines <-chan ingest.FileReport) ingest.FileReport {
	t.Helper()
	select {
	case f, ok := <-lines:
		if !ok {
			t.Fatal("the watch ended")
		}
		return f
	case <-time.After(20 * time.Second):
		t.Fatal("nothing was taken in")
	}
	return ingest.FileReport{}
}

func quiet(t *testing.T, lines <-chan ingest.FileReport, why string) {
	t.Helper()
	select {
	case f, ok := <-lines:
		if ok {
			t.Errorf("%s: %s %s", why, f.State, f.Path)
		}
	case <-time.After(2500 * time.Millisecond):
	}
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	docs, err := example.Documents()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	db := filepath.Join(dir, "own.db") // the archive may lie in its own drop folder
	outside := filepath.Join(t.TempDir(), "secret.json")
	put(t, outside, []byte(`{"outside": 1}`))
	put(t, filepath.Join(dir, "early.json"), docs[0].Data)
	if err := os.Symlink(outside, filepath.Join(dir, "link.json")); err != nil {
		t.Fatal(err)
	}
	lines, stop := watching(t, db, dir, "--campaign", "nightly")
	if f := next(t, lines); f.State != evidence.Accepted || !strings.HasSuffix(f.Path, "/early.json") || f.Runs == 0 {
		t.Errorf("a file that was there: %+v", f)
	}

	// A file that is written slowly is taken in whole, once.
	f, err := os.Create(filepath.Join(dir, "slow.json"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		n := len(docs[1].Data)
		if _, err := f.Write(docs[1].Data[i*n/8 : (i+1)*n/8]); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
	}
	f.Close()
	if f := next(t, lines); f.State != evidence.Accepted || !strings.HasSuffix(f.Path, "slow.json") {
		t.Errorf("a slow file: %+v", f)
	}

	// One that waits under another name is taken in when it is renamed.
	put(t, filepath.Join(dir, "sub", "matrix.json.part"), docs[2].Data)
	quiet(t, lines, "an unfinished file")
	if err := os.Rename(filepath.Join(dir, "sub", "matrix.json.part"), filepath.Join(dir, "sub", "matrix.json")); err != nil {
		t.Fatal(err)
	}
	if f := next(t, lines); f.State != evidence.Accepted || !strings.HasSuffix(f.Path, "sub/matrix.json") {
		t.Errorf("a renamed file: %+v", f)
	}

	put(t, filepath.Join(dir, "early.json"), []byte(`{"changed": true}`))
	if f := next(t, lines); f.State != evidence.Archived || !strings.HasSuffix(f.Path, "early.json") {
		t.Errorf("a file with other bytes: %+v", f)
	}
	quiet(t, lines, "every file is taken in once")
	code, stderr := stop()
	if code != exitOK {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if !strings.Contains(stderr, "link.json is a link") {
		t.Errorf("the link is not named: %s", stderr)
	}

	// After a restart everything is known.
	lines, stop = watching(t, db, dir)
	for range 3 {
		if f := next(t, lines); f.State != evidence.Duplicate {
			t.Errorf("after a restart: %+v", f)
		}
	}
	if code, stderr := stop(); code != exitOK {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

func TestWatchRefuses(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "a.db")
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"ingest", "--watch", filepath.Join(dir, "none")}, exitError, "watch"},
		{[]string{"ingest", "--watch", dir, "x.json"}, exitUsage, "without PATH"},
		{[]string{"ingest", "--watch", ""}, exitUsage, "name a folder"},
	} {
		code, stderr := call(t.Context(), io.Discard, append([]string{"--db", db}, tt.args...)...)
		if code != tt.code || !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: %d %s", tt.args, code, stderr)
		}
	}
}

// TestSteadyFile keeps nothing of a file that changes while it is read.
func TestSteadyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	put(t, path, []byte("1234"))
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	s := &steady{File: f, was: &watched{size: info.Size(), mtime: info.ModTime()}}
	if b, err := io.ReadAll(s); err != nil || string(b) != "1234" {
		t.Errorf("%q, %v", b, err)
	}
	s.was.size = 3
	if _, err := s.Read(make([]byte, 1)); err != errChanged {
		t.Errorf("error %v, want %v", err, errChanged)
	}
}
