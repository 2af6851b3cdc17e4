package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"assay/store/export"
)

var fence = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// served is what a command says once it answers.
var served = regexp.MustCompile(`http://127\.0\.0\.1:\d+/`)

// TestReadmeCommands runs every command of the README, in order, in one folder that
// has the example evidence. Commands that serve are started, asked for their first
// page and stopped; make targets that run the tests are only looked up.
func TestReadmeCommands(t *testing.T) {
	root := repoRoot(t)
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "assets"), filepath.Join(dir, "assets")); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, block := range fence.FindAllSubmatch(text, -1) {
		for line := range strings.SplitSeq(strings.TrimSpace(string(block[1])), "\n") {
			n++
			t.Run(line, func(t *testing.T) {
				switch {
				case line == "make demo":
					serves(t, root, line)
				case strings.HasPrefix(line, "make "):
					shell(t, root, strings.Replace(line, "make ", "make -n ", 1))
				case strings.HasPrefix(line, "curl "):
					asks(t, dir, line)
				case strings.HasPrefix(line, "assay serve"):
					serves(t, dir, "exec "+strings.Replace(line, ":8321", ":0", 1)) // the signal reaches assay, not a shell
				default:
					shell(t, dir, line)
				}
			})
		}
	}
	if n < 15 {
		t.Errorf("found only %d commands in the README", n)
	}
}

func command(ctx context.Context, dir, line string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "sh", "-euc", line)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "DEMO=--listen 127.0.0.1:0", "MAKEFLAGS=", "ASSAY_DB=")
	return cmd
}

func shell(t *testing.T, dir, line string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := command(ctx, dir, line).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}

// asks runs a command that asks the server of the README, with one on another port.
func asks(t *testing.T, dir, line string) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed")
	}
	started(t, dir, "exec assay serve --public-read --listen 127.0.0.1:0", func(address string) {
		if !strings.Contains(line, "http://127.0.0.1:8321/") {
			t.Errorf("%s does not ask the server of the README", line)
		}
		shell(t, dir, strings.Replace(line, "http://127.0.0.1:8321/", address, 1))
	})
}

// serves starts a command and gets the first page within a second of the address that
// it prints.
func serves(t *testing.T, dir, line string) {
	t.Helper()
	started(t, dir, line, func(address string) {
		client := http.Client{Timeout: time.Second}
		res, err := client.Get(address)
		if err != nil {
			t.Fatalf("first page: %v", err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != http.StatusOK || !bytes.Contains(body, []byte("<html")) {
			t.Fatalf("first page: %s %v", res.Status, err)
		}
	})
}

// started starts a command, waits for the address it prints, and stops it with SIGINT
// once use has returned.
func started(t *testing.T, dir, line string, use func(address string)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // make demo may build first
	defer cancel()
	cmd := command(ctx, dir, line)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	defer func() { _ = stop() }()
	address := ""
	lines := bufio.NewScanner(out)
	for address == "" && lines.Scan() {
		address = served.FindString(lines.Text())
	}
	if address == "" {
		t.Fatalf("%s printed no address:\n%s", line, stderr.String())
	}
	use(address)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, out)
	if err := cmd.Wait(); err != nil && !strings.HasPrefix(line, "make") { // make reports the signal
		t.Fatalf("%s did not stop well: %v\n%s", line, err, stderr.String())
	}
}

// TestReadmeDependencies compares the modules of the README with go.mod, both ways.
func TestReadmeDependencies(t *testing.T) {
	root := repoRoot(t)
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([A-Za-z0-9./-]+)` \\| (v[^ ]+) \\|").FindAllSubmatch(text, -1)
	if len(rows) < 8 {
		t.Fatalf("%d dependencies in the README", len(rows))
	}
	for _, r := range rows {
		if !bytes.Contains(mod, []byte(fmt.Sprintf("\t%s %s", r[1], r[2]))) {
			t.Errorf("README says %s %s; go.mod does not", r[1], r[2])
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^\t([^ \n]+) (v[^ \n]+)$`).FindAllSubmatch(mod, -1) { // what stands without // indirect
		if !bytes.Contains(text, []byte(fmt.Sprintf("| `%s` | %s |", m[1], m[2]))) {
			t.Errorf("README does not say why %s %s is there", m[1], m[2])
		}
	}
}

// TestReadmeTables compares the README with what the code does: exit codes, commands
// and the columns of the three kinds it lists.
func TestReadmeTables(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repoRoot(t), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	readme := string(text)
	for _, c := range exitCodes {
		if want := fmt.Sprintf("| %d | %s |", c.code, c.meaning); !strings.Contains(readme, want) {
			t.Errorf("README lacks %s", want)
		}
	}
	for _, c := range newRoot(&env{}).cmd.Commands() {
		if c.Runnable() && c.Name() != "help" && c.Name() != "completion" && !strings.Contains(readme, "| `"+c.Name()) {
			t.Errorf("README has no row for the command %s", c.Name())
		}
	}
	for _, k := range []export.Kind{export.Measurements, export.Facts, export.Runs} {
		var names []string
		for _, c := range export.Columns(k) {
			names = append(names, c.Name)
		}
		if want := fmt.Sprintf("| %s | %s |", k, strings.Join(names, ", ")); !strings.Contains(readme, want) {
			t.Errorf("README lacks %s", want)
		}
	}
}

// TestColumnsDoc keeps docs/columns.md equal to the columns in the code.
func TestColumnsDoc(t *testing.T) {
	path := filepath.Join(repoRoot(t), "docs", "columns.md")
	got := columnsDoc()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-file +code), go test -update writes it:\n%s", path, d)
	}
}

func columnsDoc() string {
	var b strings.Builder
	b.WriteString("# Columns of the exports\n\nWritten by a test from the code; the order is the order of the columns. " +
		"Columns marked *wide* come with `--wide` only; filters may name all of them.\n")
	for _, k := range export.Kinds {
		fmt.Fprintf(&b, "\n## %s\n\n| column | holds |\n| --- | --- |\n", k)
		documented := len(export.Columns(k))
		for i, c := range export.WideColumns(k) {
			mark := ""
			if i >= documented {
				mark = " *wide*"
			}
			fmt.Fprintf(&b, "| `%s`%s | %s |\n", c.Name, mark, c.Help)
		}
	}
	return b.String()
}
