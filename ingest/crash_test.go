package ingest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/ingest"
	"assay/store"
	"assay/store/evidence"
)

// The test binary runs itself again as the process that is killed.
const crashEnv = "ASSAY_TEST_CRASH"

func TestMain(m *testing.M) {
	if spec := os.Getenv(crashEnv); spec != "" {
		crashChild(spec)
		return
	}
	if spec := os.Getenv(benchEnv); spec != "" {
		benchChild(spec)
		return
	}
	os.Exit(m.Run())
}

// crashChild takes a folder in, and writes a line for each input whose end state is
// committed.
func crashChild(spec string) {
	db, dir, _ := strings.Cut(spec, "\n")
	ctx := context.Background()
	a, err := store.Open(ctx, db, store.Options{Now: clock})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	opt := options()
	opt.Done = func(f ingest.FileReport) {
		line, _ := json.Marshal(f)
		os.Stdout.Write(append(line, '\n'))
	}
	_, err = ingest.Take(ctx, a, []ingest.Source{ingest.Path(dir)}, opt)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	a.Close()
}

// crashTree is a folder of inputs of every kind, one of them long.
func crashTree(t *testing.T) string {
	files := map[string]string{}
	for i := range 300 {
		switch i % 5 {
		case 0, 1, 2:
			files[fmt.Sprintf("d%d/rows-%03d.json", i%7, i)] = rowsDocument(i, 1+i%12)
		case 3:
			files[fmt.Sprintf("d%d/log-%03d.txt", i%7, i)] = strings.Repeat(fmt.Sprintf("line %d\n", i), 50)
		case 4:
			files[fmt.Sprintf("d%d/cut-%03d.json", i%7, i)] = rowsDocument(i, 2)[:900]
		}
	}
	files["d3/twice.json"] = files["d0/rows-000.json"]
	files["d4/long.json"] = `{"schema":"lab.rows/v1","rows":[` + strings.Repeat(`{"name":"long","ttft_ms":1.5,"pad":"`+strings.Repeat("p", 400)+`"},`, 22_000) + `{}]}`
	return writeTree(t, files)
}

// rowsDocument is a document that labReader knows: an arm of some 700 bytes per row.
func rowsDocument(seed, rows int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{\n  \"schema\": \"lab.rows/v1\",\n  \"observed\": \"2026-09-%02d\",\n  \"rows\": [", 1+seed%28)
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    {\n      \"name\": \"arm %d of %d\",\n      \"engine\": {\"name\": \"engine\", \"version\": \"1.%d\", \"image\": \"registry.example/engine@sha256:%064x\"},\n"+
			"      \"ttft_ms\": %d.%03d,\n      \"ttft_p95_ms\": %d.25,\n      \"e2e_s\": 4.%03d,\n      \"decode_tok_s\": 61.%02d,\n      \"output_tok_s\": %d.5,\n"+
			"      \"gates\": [{\"name\": \"smoke\", \"status\": \"passed\"}, {\"name\": \"tools\", \"status\": \"passed\", \"detail\": \"20/20\"}],\n"+
			"      \"gaps_ms\": [16.25, 15.75, 17.5, 16.0, 16.125, 15.5, 18.75, 16.5],\n"+
			"      \"note\": \"row %d of document %d, warm cache, thinking off, one card\"\n    }",
			i, seed, seed, seed, 50+i, (seed*7919+i)%1000, 90+i, i%1000, i%100, 400+i, i, seed)
	}
	b.WriteString("\n  ]\n}\n")
	return b.String()
}

// TestKilledAtAnyInstant kills intakes at growing times. Whatever they had reported is
// in the archive, and a later run completes the rest.
func TestKilledAtAnyInstant(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes")
	}
	dir, db := crashTree(t), filepath.Join(t.TempDir(), "archive.db")
	kills, pause := 0, 10*time.Millisecond
	for round := 0; ; round++ {
		done, finished := runAndKill(t, db, dir, pause)
		checkReported(t, db, dir, done)
		if finished {
			break
		}
		kills++
		pause += pause/4 + time.Duration(5+round%3*4)*time.Millisecond
		if round > 100 {
			t.Fatal("no run comes to its end")
		}
	}
	t.Logf("%d runs were killed", kills)
	a := openArchive(t, db)
	r := take(t, a, options(), ingest.Path(dir))
	if r.Duplicate != len(r.Files) || len(r.Resumed) > 0 {
		t.Errorf("a run after the last one: %d of %d are duplicates, %d resumed", r.Duplicate, len(r.Files), len(r.Resumed))
	}
	fresh := newArchive(t)
	take(t, fresh, options(), ingest.Path(dir))
	if got, want := rowsOf(t, a), rowsOf(t, fresh); got != want {
		t.Error("the derived rows differ from those of an intake that nobody killed")
	}
}

// runAndKill runs an intake for a while and returns what it reported.
func runAndKill(t *testing.T, db, dir string, after time.Duration) (done []ingest.FileReport, finished bool) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashEnv+"="+db+"\n"+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(after, func() { cmd.Process.Kill() })
	defer kill.Stop()
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break // a last line without an end is no report
		}
		if err != nil {
			t.Fatal(err)
		}
		var f ingest.FileReport
		if err := json.Unmarshal(line, &f); err != nil {
			t.Fatalf("the intake says %s", line)
		}
		done = append(done, f)
	}
	return done, cmd.Wait() == nil
}

// checkReported opens the archive as the killed process left it, and looks for what
// was reported.
func checkReported(t *testing.T, db, dir string, done []ingest.FileReport) {
	a, err := store.Open(context.Background(), db, store.Options{Now: clock})
	if err != nil {
		t.Fatalf("the archive does not open after a kill: %v", err)
	}
	defer a.Close()
	for _, f := range done {
		row, err := a.FindArtifact(context.Background(), f.SHA256)
		if err != nil {
			t.Fatalf("%s was reported and is not there: %v", f.Path, err)
		}
		if row.State == evidence.Pending || f.State != evidence.Duplicate && row.State != f.State {
			t.Errorf("%s was reported %s and is %s", f.Path, f.State, row.State)
		}
		want, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := a.OpenArtifact(context.Background(), row.ID)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		r.Close()
		if err != nil || string(got) != string(want) {
			t.Errorf("%s has other bytes in the archive, %v", f.Path, err)
		}
	}
	faults, err := a.CheckFile(context.Background())
	if err != nil || len(faults) > 0 {
		t.Errorf("the file is damaged: %v, %v", faults, err)
	}
}

func rowsOf(t *testing.T, a *store.Archive) string {
	t.Helper()
	var b strings.Builder
	if err := a.DumpDerived(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
