package store

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/store/evidence"
)

// fileJob keeps and commits without end, and says what is done when it is.
func fileJob(path string) error {
	ctx := context.Background()
	a, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	start := time.Now().UnixNano()
	for i := 0; ; i++ {
		var in []evidence.Incoming
		for j := range 5 {
			in = append(in, evidence.Incoming{Name: "x.json", Origin: "file", Data: fmt.Appendf(nil, "%d %d %d", start, i, j)})
		}
		kept, err := a.Keep(ctx, in)
		if err != nil {
			return err
		}
		large := bytes.Repeat(fmt.Appendf(nil, "%d %d,", start, i), 100_000)
		one, err := a.KeepStream(ctx, evidence.Incoming{Name: "large.json", Origin: "stdin"}, bytes.NewReader(large))
		if err != nil {
			return err
		}
		kept = append(kept, one)
		var results []evidence.Result
		for j, k := range kept {
			fmt.Println("kept", k.Digest)
			results = append(results, evidence.Result{Kept: k, Reading: syntheticReading("2026-09-01-crash", i*10+j, 2, 5)})
		}
		if err := a.Commit(ctx, results); err != nil {
			return err
		}
		for _, k := range kept {
			fmt.Println("done", k.Digest)
		}
	}
}

// TestKilled kills a process that files evidence, again and again, and opens what it
// leaves: whatever was reported is there, and nothing is half there.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive.db")
	said := map[string]string{}
	for round := range 10 {
		cmd := child(t, "file", path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for i := 0; i < 8+3*round && lines.Scan(); i++ {
			noteDown(said, lines.Text())
		}
		time.Sleep(time.Duration(round) * 3 * time.Millisecond) // not always right after a report
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			noteDown(said, lines.Text())
		}
		cmd.Wait()
		checkAfterCrash(t, path, said)
	}
	if len(said) < 50 {
		t.Errorf("only %d artifacts were reported; the test proves little", len(said))
	}
}

func noteDown(said map[string]string, line string) {
	if word, digest, ok := strings.Cut(line, " "); ok && len(digest) == 64 {
		said[digest] = word
	}
}

func checkAfterCrash(t *testing.T, path string, said map[string]string) {
	t.Helper()
	ctx := context.Background()
	a, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if faults, err := a.CheckFile(ctx); err != nil || len(faults) > 0 {
		t.Fatalf("the file is not sound: %v, %v", faults, err)
	}
	if _, bad, err := a.VerifyDigests(ctx, nil); err != nil || len(bad) > 0 {
		t.Fatalf("bad artifacts: %v, %v", bad, err)
	}
	for digest, word := range said {
		row, err := a.FindArtifact(ctx, digest)
		if err != nil {
			t.Fatalf("%s was reported as %s: %v", digest, word, err)
		}
		if word == "done" && (row.State != evidence.Accepted || row.Runs != 10) {
			t.Fatalf("%s was reported as done and is %s with %d runs", digest, row.State, row.Runs)
		}
	}
	pending, err := a.Pending(ctx, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range pending {
		if got, err := a.DerivedOf(ctx, k.ArtifactID); err != nil || bytes.Count(got, []byte("\n")) != 1 {
			t.Fatalf("pending artifact %s has derived rows: %s, %v", k.Digest.Short(), got, err)
		}
		commitOne(t, a, k, syntheticReading("2026-09-01-crash", int(k.ArtifactID), 2, 5))
	}
	if pending, err = a.Pending(ctx, 0, 0); err != nil || len(pending) > 0 {
		t.Fatalf("%d artifacts are still pending, %v", len(pending), err)
	}
}
