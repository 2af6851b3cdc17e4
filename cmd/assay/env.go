package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"assay/store/evidence/mask"
)

// env is the world as a command sees it.
type env struct {
	Args   []string // without the program's name
	Env    []string
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Now    func() time.Time
}

// lookup reads an environment variable; "" when it is not set.
func (e *env) lookup(name string) string {
	value := ""
	for _, kv := range e.Env {
		if k, v, ok := strings.Cut(kv, "="); ok && k == name {
			value = v // the last one counts, as in os/exec
		}
	}
	return value
}

// terminal reports whether w is a terminal that a progress bar can be drawn on.
func (e *env) terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && e.lookup("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// run is the whole program: it returns the exit code.
func run(ctx context.Context, e env) int {
	// A closed pipe shall be an error of the write, not the end of the process in the
	// middle of an intake.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the process at once
	}()
	root := newRoot(&e)
	root.cmd.SetContext(ctx)
	err := root.cmd.Execute()
	if err != nil && !root.started && !errors.As(err, new(usageError)) {
		err = usageError{err}
	}
	code, message := exitCode(err)
	if message != "" {
		fmt.Fprintf(e.Stderr, "assay: %s\n", oneLine(message))
	}
	if code == exitUsage {
		fmt.Fprintf(e.Stderr, "see: %s --help\n", root.called())
	}
	return code
}

// oneLine keeps text from an artifact or a file name from drawing on a terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfeff:
			return '\uFFFD'
		}
		return r
	}, mask.Secrets(s))
}
