package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay/assets/example"
)

// shellOf calls the program with one archive; standard input is a line.
type shellOf struct {
	t   *testing.T
	db  string
	now time.Time
}

func (s *shellOf) do(stdin string, args ...string) (code int, stdout, stderr string) {
	s.t.Helper()
	s.now = s.now.Add(time.Second)
	var out, errs bytes.Buffer
	code = run(s.t.Context(), env{Args: append([]string{"--db", s.db}, args...), Stdin: strings.NewReader(stdin + "\n"), Stdout: &out, Stderr: &errs, Now: func() time.Time { return s.now }})
	return code, out.String(), errs.String()
}

func (s *shellOf) ok(stdin string, args ...string) string {
	s.t.Helper()
	code, stdout, stderr := s.do(stdin, args...)
	if code != 0 {
		s.t.Fatalf("assay %v: %d\n%s%s", args, code, stdout, stderr)
	}
	return stdout
}

func (s *shellOf) refused(stdin, why string, args ...string) {
	s.t.Helper()
	if code, stdout, stderr := s.do(stdin, args...); code != exitRefused || !strings.Contains(stdout+stderr, why) {
		s.t.Errorf("assay %v: %d, want %d and %q in\n%s%s", args, code, exitRefused, why, stdout, stderr)
	}
}

const testPassword = "a long pass phrase 77"

// decided is an archive with the campaign that can be signed, and two people.
func decided(t *testing.T) *shellOf {
	dir := t.TempDir()
	s := &shellOf{t: t, db: filepath.Join(dir, "a.db"), now: clock}
	s.ok("", "demo", "--files", filepath.Join(dir, "files"))
	s.ok("", "ingest", "--campaign", example.Campaign, filepath.Join(dir, "files", "complete"))
	s.ok(testPassword, "user", "add", "ada", "--role", "reviewer", "--password-stdin")
	s.ok(testPassword, "user", "add", "grace", "--role", "promoter", "--password-stdin")
	return s
}

var openItem = regexp.MustCompile(`(?m)^open +([0-9a-f]+) `)

// prepared is a draft of which everything is acknowledged.
func (s *shellOf) prepared(campaign, decision string) string {
	s.t.Helper()
	out := s.ok("", "signoff", "prepare", campaign, "--as", "ada", "--decision", decision, "--scope", "chat", "--reason", "as measured")
	draft := regexp.MustCompile(`^draft (\d+):`).FindStringSubmatch(out)[1]
	items := openItem.FindAllStringSubmatch(out, -1)
	if len(items) == 0 {
		s.t.Fatalf("nothing to acknowledge:\n%s", out)
	}
	for _, i := range items {
		s.ok("", "signoff", "ack", draft, i[1], "--as", "ada", "--reason", "accepted")
	}
	s.ok("", "signoff", "prepare", "--draft", draft, "--as", "ada", "--ready")
	return draft
}

func TestSignOffCommands(t *testing.T) {
	s := decided(t)
	draft := s.prepared(example.Campaign, "promote")
	s.refused("", "has no right to sign", "signoff", "sign", draft, "--as", "ada", "--password-stdin")
	if code, _, stderr := s.do("the wrong password", "signoff", "sign", draft, "--as", "grace", "--password-stdin"); code != exitError || !strings.Contains(stderr, "do not fit together") {
		t.Errorf("%d %s", code, stderr)
	}
	if out := s.ok(testPassword, "signoff", "sign", draft, "--as", "grace", "--password-stdin"); !strings.HasPrefix(out, "S-0001: promote of qwen38-27b-fp8 for promotion, signed by grace with ") {
		t.Error(out)
	}
	s.refused(testPassword, "is closed", "signoff", "sign", draft, "--as", "grace", "--password-stdin")
	var lines []signoffJSON
	if err := json.Unmarshal([]byte(s.ok("", "signoff", "list", "--json")), &lines); err != nil || len(lines) != 1 || lines[0].State != "current" || lines[0].Decision != "promote" {
		t.Errorf("%v %+v", err, lines)
	}
	if out := s.ok("", "signoff", "check", "--all"); strings.Count(out, "\n  ok  ") < 15 || strings.Contains(out, "\n  NO  ") {
		t.Error(out)
	}
	var shown signoffJSON
	if err := json.Unmarshal([]byte(s.ok("", "signoff", "show", "1", "--json")), &shown); err != nil || !strings.HasPrefix(shown.Statement, "assay-statement/v1\ndecision: promote\n") || len(shown.Checks) < 15 {
		t.Errorf("%v %+v", err, shown)
	}
	if out := s.ok("", "export", "signoffs"); !strings.Contains(out, ",promote,grace,") || !strings.Contains(out, ",current,") {
		t.Error(out)
	}
	// It turns stale by itself, with the reason, and current again when that is taken back.
	s.ok("", "ingest", filepath.Join(filepath.Dir(s.db), "files", "later"))
	s.ok("", "supersede", "telemetry-fp8.json", "telemetry-fp8-under-load.json", "--author", "ada", "--reason", "measured under load")
	s.refused("", "was superseded by", "signoff", "check", "S-0001")
	if out := s.ok("", "signoff", "list"); !strings.HasPrefix(out, "S-0001\tstale\t") || !strings.Contains(out, "measured under load") {
		t.Error(out)
	}
	s.ok("", "marks", "withdraw", "1", "--author", "ada", "--reason", "the wrong file")
	s.ok("", "signoff", "check", "S-0001")
	s.refused("", "has no right to sign", "signoff", "withdraw", "S-0001", "--as", "ada", "--reason", "no")
	s.ok("", "signoff", "withdraw", "S-0001", "--as", "grace", "--reason", "a fault was found")
	s.refused("", "grace withdrew it: a fault was found", "signoff", "check", "S-0001")
	s.ok("", "verify")
}

// TestSignOffOffline: a statement that is carried to another machine and back, signed with
// ssh-keygen, and a key file used at once.
func TestSignOffOffline(t *testing.T) {
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("no ssh-keygen here")
	}
	s := decided(t)
	dir := t.TempDir()
	key, file := filepath.Join(dir, "id"), filepath.Join(dir, "statement.txt")
	keygen := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(tool, args...).CombinedOutput(); err != nil {
			t.Fatalf("ssh-keygen %v: %v: %s", args, err, out)
		}
	}
	keygen("-q", "-t", "ed25519", "-N", "", "-C", "grace at a desk", "-f", key)
	print := strings.TrimSpace(regexp.MustCompile(`SHA256:\S+`).FindString(s.ok("", "user", "key", "add", "grace", key+".pub")))
	draft := s.prepared(example.Campaign, "hold")
	if err := os.WriteFile(file, []byte(s.ok("", "signoff", "statement", draft, "--as", "grace", "--key", print)), 0o600); err != nil {
		t.Fatal(err)
	}
	keygen("-q", "-Y", "sign", "-n", "assay-statement", "-f", key, file)
	if out := s.ok("", "signoff", "sign", "--as", "grace", "--statement", file, "--signature", file+".sig"); !strings.Contains(out, "signed by grace with "+print) {
		t.Error(out)
	}
	s.refused("", "no open draft", "signoff", "sign", "--as", "grace", "--statement", file, "--signature", file+".sig")
	s.ok("", "signoff", "check", "S-0001")

	draft = s.prepared(example.Campaign, "hold")
	s.ok("", "signoff", "sign", draft, "--as", "grace", "--ssh-key", key)
	s.ok("", "signoff", "check", "--all")
	// Another person's key, and one that is nobody's.
	draft = s.prepared(example.Campaign, "hold")
	keygen("-q", "-t", "ed25519", "-N", "", "-f", key+"2")
	s.refused("", "the key is none that grace signs with", "signoff", "sign", draft, "--as", "grace", "--ssh-key", key+"2")
	s.ok("", "user", "key", "revoke", "grace", print)
	s.refused("", "the key is none that grace signs with", "signoff", "sign", draft, "--as", "grace", "--ssh-key", key)
	s.ok("", "signoff", "check", "--all")
}

// TestSignOffSeeds: promoting what the seeds hold is refused at the command line too, with
// the gates by name, however it is signed.
func TestSignOffSeeds(t *testing.T) {
	shared := sharedCorpus(t)
	s := decided(t)
	s.ok("", "ingest", filepath.Join(shared, "corpus", "seeds"))
	draft := s.prepared("2026-09-04-qwen38-27b-pro6000-possibility", "promote")
	for _, gate := range []string{"refused gate       tools (C-OVERLOAD)", "refused gate       canaries (C-GATE-VOCAB)", "refused gate       licence (C-LICENSE)", "refused gate       quality", "refused gate       endurance (C-ENDURANCE)"} {
		s.refused("", gate, "signoff", "preview", draft, "--as", "grace")
		s.refused(testPassword, gate, "signoff", "sign", draft, "--as", "grace", "--password-stdin")
		s.refused("", gate, "signoff", "statement", draft, "--as", "grace")
	}
	if out := s.ok("", "signoff", "list"); out != "" {
		t.Error(out)
	}
}
