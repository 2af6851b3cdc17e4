package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
)

// Exit codes. Scripts rely on them.
const (
	exitOK    = 0
	exitError = 1
	exitUsage = 2

	exitRefused = 3 // done, and the answer is no

	exitInterrupted = 130 // 128 + SIGINT

	exitPipe = 141 // 128 + SIGPIPE, as a shell reports it
)

// exitCodes is the table that the help and the README print.
var exitCodes = []struct {
	code    int
	meaning string
}{
	{exitOK, "done; for ingest: every input reached an end state, quarantine included"},
	{exitError, "not done, or a check failed; standard error says what and where"},
	{exitUsage, "the command line is wrong; nothing was done"},
	{exitRefused, "done, and the answer is no: compare ends unknown or blocked, claims --strict found a published figure that does not hold, signoff refuses or a sign-off is not current"},

	{exitInterrupted, "run was stopped; what it had measured is written as aborted"},
	{exitPipe, "the reader of standard output went away"},
}

// usageError is a fault of the command line.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// refusedError is an answer that scripts must not overlook.
type refusedError struct{ error }

func (r refusedError) Unwrap() error { return r.error }

// interruptedError is work that somebody stopped.
type interruptedError struct{ error }

func (i interruptedError) Unwrap() error { return i.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// exitCode maps an error to its code. A broken pipe is told to nobody: whoever closed
// it knows.
func exitCode(err error) (code int, message string) {
	var usage usageError
	var refused refusedError
	var interrupted interruptedError
	switch {
	case err == nil:
		return exitOK, ""
	case errors.Is(err, syscall.EPIPE):
		return exitPipe, ""
	case errors.As(err, &usage):
		return exitUsage, err.Error()
	case errors.As(err, &refused):
		return exitRefused, err.Error()
	case errors.As(err, &interrupted):
		return exitInterrupted, err.Error()
	case errors.Is(err, context.Canceled):
		return exitError, "stopped before the end; what was committed stays"
	}
	return exitError, err.Error()
}
