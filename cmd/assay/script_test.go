package main

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"assay/assets/example"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

// clock is what commands in scripts take for the time.
var clock = time.Date(2026, 9, 6, 12, 0, 0, 0, time.UTC)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"assay": func() {
			now := time.Now
			if os.Getenv("ASSAY_TEST_CLOCK") != "" {
				now = func() time.Time { return clock }
			}
			os.Exit(run(context.Background(), env{Args: os.Args[1:], Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Now: now}))
		},
	})
}

// TestScripts runs whole journeys: the commands as a shell would call them, with
// their output and exit codes.
func TestScripts(t *testing.T) {
	folder, err := filepath.Abs("../../assets/example")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("ASSAY_TEST_CLOCK", "1")
			e.Setenv("EXAMPLE", folder)
			e.Setenv("CAMPAIGN", example.Campaign)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits runs a command and checks its exit code: exits 2 assay export.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARGS...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = exitStatus(err)
	}
	if got != args[0] {
		ts.Fatalf("%v exited with %s, want %s", args[1:], got, args[0])
	}
}

func exitStatus(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return strconv.Itoa(exit.ExitCode())
	}
	return err.Error()
}
