package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"assay/ingest/artifact"
	"assay/runner/load"
	"assay/runner/measure"
	"assay/runner/workload"
	"assay/store/evidence"
)

// words answers chat requests with as many words as are asked for, counting four
// characters as a token.
func words(t *testing.T, pause time.Duration) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			fmt.Fprint(w, `{"data":[{"id":"m"}]}`)
			return
		}
		var q struct {
			Messages []struct{ Content string }
			Max      int `json:"max_tokens"`
		}
		if r.URL.Path != "/v1/chat/completions" || json.NewDecoder(r.Body).Decode(&q) != nil || r.Header.Get("Authorization") != "Bearer right-key" {
			http.Error(w, `{"error":{"message":"not here"}}`, http.StatusNotFound)
			return
		}
		prompt := 0
		for _, m := range q.Messages {
			prompt += (len(m.Content) + 3) / 4
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for range q.Max {
			fmt.Fprint(w, "data: {\"id\":\"x\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" word\"}}]}\n\n")
			if pause > 0 {
				if http.NewResponseController(w).Flush() != nil {
					return
				}
				select {
				case <-r.Context().Done():
					return
				case <-time.After(pause):
				}
			}
		}
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"length\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":%d,\"prompt_tokens_details\":{\"cached_tokens\":0}}}\n\ndata: [DONE]\n\n", prompt, q.Max)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

const shortWork = `name = "short"
repeats = 2
[[steps]]
name = "s"
target = 200
requests = 6
concurrency = 2
[prompt]
canary = false
tolerance = 0.05
[output]
cap = 8
mode = "forced"
`

// measuring runs the program with a key in its environment.
func measuring(ctx context.Context, stdout *bytes.Buffer, args ...string) (int, string) {
	var errs bytes.Buffer
	code := run(ctx, env{Args: args, Env: []string{"THE_KEY=right-key"}, Stdin: strings.NewReader(""), Stdout: stdout, Stderr: &errs, Now: time.Now})
	return code, errs.String()
}

func workFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "short.toml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRunIntoTheArchive(t *testing.T) {
	db, out := filepath.Join(t.TempDir(), "a.db"), filepath.Join(t.TempDir(), "out")
	var stdout bytes.Buffer
	code, stderr := measuring(t.Context(), &stdout, "--db", db, "run", "--endpoint", words(t, 0), "--workload", workFile(t, shortWork), "--campaign", "c", "--out", out,
		"--key-env", "THE_KEY", "--header", "X-Team=hidden-value", "--no-preflight", "--no-calibration", "--fact", "model_revision=abc", "--also", "anvil", "--also", "vllm", "--json")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var report runReport
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Files) != 2 || report.Interrupted {
		t.Fatalf("%+v", report)
	}
	for _, f := range report.Files {
		if f.State != evidence.Accepted || f.Completed != "6" || f.Failed != "0" || len(f.Also) != 2 || f.Figures["ttft p50"] <= 0 || f.Page != "/runs/"+f.Run {
			t.Errorf("%+v", f)
		}
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"right-key", "hidden-value"} {
			if bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s holds %s", f.Path, secret)
			}
		}
		doc, err := artifact.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if x := doc.Facts[evidence.KeyModelRevision]; x.State != string(evidence.Declared) {
			t.Errorf("model_revision %+v", x)
		}
	}
	// What was measured is in the archive under the campaign, as runs of one arm.
	stdout.Reset()
	if code, stderr := measuring(t.Context(), &stdout, "--db", db, "export", "runs", "--format", "json"); code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var rows []struct{ Campaign, Arm, Run, Protocol string }
	if err := json.Unmarshal(stdout.Bytes(), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || rows[0].Campaign != "c" || rows[0].Protocol != artifact.Protocol || rows[0].Run != report.Files[0].Run && rows[1].Run != report.Files[0].Run {
		t.Errorf("%+v", rows)
	}
}

func TestRunStopped(t *testing.T) {
	db, out := filepath.Join(t.TempDir(), "a.db"), filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithCancel(t.Context())
	go func() { // the sidecar appears when requests are sent
		defer cancel()
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if list, _ := filepath.Glob(filepath.Join(out, ".*records*")); len(list) > 0 {
				return
			}
		}
	}()
	var stdout bytes.Buffer
	code, stderr := measuring(ctx, &stdout, "--db", db, "run", "--endpoint", words(t, 20*time.Millisecond), "--workload", workFile(t, strings.Replace(shortWork, "cap = 8", "cap = 100", 1)),
		"--out", out, "--key-env", "THE_KEY", "--no-preflight", "--no-calibration")
	if code != exitInterrupted || !strings.Contains(stderr, "aborted") {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if !strings.Contains(stdout.String(), "aborted") || !strings.Contains(stdout.String(), "/runs/") {
		t.Errorf("%s", stdout.String())
	}
	if left, _ := filepath.Glob(filepath.Join(out, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRunUsage(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"everything at once", []string{"run", "--key-env", "NOT_SET", "--header", "x", "--fact", "nonsense=1", "--also", "xml"},
			[]string{"--endpoint", "--workload", "NOT_SET", "--header", "--fact", "--also"}},
		{"no such workload", []string{"run", "--endpoint", "http://127.0.0.1:1", "--workload", "nothing"}, []string{"neither a preset", "4k-c1"}},
		{"a bad file", []string{"run", "--endpoint", "http://127.0.0.1:1", "--workload", workFile(t, shortWork+"x = 1\n")}, []string{"there is no key output.x"}},
		{"an argument", []string{"run", "campaign.toml"}, []string{"takes no arguments"}},
		{"repeats", []string{"run", "--endpoint", "http://127.0.0.1:1", "--workload", "smoke", "--repeats", "1000"}, []string{"repeats"}},
		{"no such preset", []string{"run", "presets", "nothing"}, []string{"smoke"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout bytes.Buffer
			code, stderr := measuring(t.Context(), &stdout, append([]string{"--db", filepath.Join(t.TempDir(), "a.db")}, c.args...)...)
			if code != exitUsage {
				t.Errorf("exit %d", code)
			}
			for _, w := range c.want {
				if !strings.Contains(stderr, w) {
					t.Errorf("no word of %q in %s", w, stderr)
				}
			}
		})
	}
}

func TestRunPresets(t *testing.T) {
	var list, one bytes.Buffer
	if code, stderr := measuring(t.Context(), &list, "run", "presets"); code != exitOK {
		t.Fatal(stderr)
	}
	for _, w := range workload.Presets() {
		if !strings.Contains(list.String(), w.Name) {
			t.Errorf("%s is not listed", w.Name)
		}
	}
	if code, stderr := measuring(t.Context(), &one, "run", "presets", "4k-c8-forced"); code != exitOK {
		t.Fatal(stderr)
	}
	if w, err := workload.Read("x", &one); err != nil || w.Output.Mode != workload.Forced {
		t.Errorf("%v", err)
	}
}

// TestPresetsDoc keeps the table of docs/running.md whole.
func TestPresetsDoc(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(repoRoot(t), "docs", "running.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range workload.Presets() {
		if !strings.Contains(string(data), "| `"+w.Name+"` |") {
			t.Errorf("docs/running.md has no row for %s", w.Name)
		}
	}
}

func TestRunLines(t *testing.T) {
	s := measure.State{Stage: measure.StageMeasure, Step: "4k-c8", StepIndex: 2, Steps: 3, Repeat: 1, Repeats: 6, Phase: load.Measure, Planned: 108, Ended: 54, Failed: 2, Open: 8,
		Elapsed: 3725 * time.Second, ETA: evidence.Some(65 * time.Second), TTFT: evidence.Some(0.2345), TPOT: evidence.Some(0.00912), OutputRate: evidence.Some(812.4),
		Watts: []evidence.Opt[float64]{evidence.Some(310.0), evidence.None[float64]()}, LastFailure: "http_429: \x1b[2J\u202eevil " + strings.Repeat("x", 300)}
	got := strings.Join(runLines("w on http://h", &s, 100), "\n")
	want := `w on http://h  1:02:05
step 4k-c8 (2 of 3), repeat 1 of 6, measuring, 54 of 108 requests, 2 failed, about 1:05 left
[####################....................] 54/108
8 open  TTFT p50 234 ms  TPOT p50 9.12 ms  output 812 tok/s  310 W`
	if !strings.HasPrefix(got, want+"\n") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if strings.ContainsAny(got, "\x1b\u202e") {
		t.Error("a server's text draws on the terminal")
	}
	for _, width := range []int{40, 80, 120} {
		for _, l := range runLines("w on http://h", &s, width) {
			if n := len([]rune(l)); n >= width {
				t.Errorf("%d runes in a terminal of %d: %s", n, width, l)
			}
		}
	}
	empty := measure.State{Stage: measure.StageMeasure}
	if text := strings.Join(runLines("w", &empty, 80), "\n"); strings.Contains(text, "TTFT") || strings.Contains(text, "left") {
		t.Errorf("figures that nobody has: %s", text)
	}
}

// TestRunViewElsewhere: where lines stay, one is written for each change and none twice.
func TestRunViewElsewhere(t *testing.T) {
	var out bytes.Buffer
	v := newRunView(&env{Stderr: &out}, &measure.Options{Workload: &workload.Workload{Name: "w"}})
	now := time.Now()
	v.now = func() time.Time { return now }
	s := measure.State{Stage: measure.StageMeasure, Step: "a", Repeat: 1}
	v.show(s)
	v.show(s)
	s.Ended = 5
	v.show(s)
	now = now.Add(retell)
	v.show(s)
	v.file(&runFile{Path: "x\ny", State: evidence.Accepted})
	v.close()
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) != 3 || !strings.Contains(lines[1], "5 requests") || strings.Contains(out.String(), "\x1b") {
		t.Errorf("%q", lines)
	}
}
