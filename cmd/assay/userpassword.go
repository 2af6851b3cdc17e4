package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"golang.org/x/term"
)

// password asks on the terminal, twice, or reads a line from standard input. It is never
// an argument: those are seen by everybody on the machine.
func (r *root) password(ctx context.Context, stdin bool, what string) (string, error) {
	if stdin {
		return r.secretLine("password")
	}
	f, ok := r.env.Stdin.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return "", errors.New("there is no terminal to ask for the password on; use --password-stdin, or let the person set it (\"assay user invite NAME\")")
	}
	first, err := r.hidden(ctx, f, what)
	if err != nil {
		return "", err
	}
	again, err := r.hidden(ctx, f, "again")
	if err != nil {
		return "", err
	}
	if first != again {
		return "", errors.New("the two passwords differ; nothing was changed")
	}
	return first, nil
}

// hidden reads a line that the terminal does not show. An interrupt gives the terminal
// back as it was.
func (r *root) hidden(ctx context.Context, f *os.File, what string) (string, error) {
	fd := int(f.Fd())
	before, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("read the password: %w", err)
	}
	fmt.Fprintf(r.env.Stderr, "%s: ", what)
	type answer struct {
		text []byte
		err  error
	}
	typed := make(chan answer, 1)
	go func() { // ends with the process when it was interrupted
		b, err := term.ReadPassword(fd)
		typed <- answer{b, err}
	}()
	select {
	case a := <-typed:
		fmt.Fprintln(r.env.Stderr)
		if a.err != nil {
			return "", fmt.Errorf("read the password: %w", a.err)
		}
		return string(a.text), nil
	case <-ctx.Done():
		fmt.Fprintln(r.env.Stderr)
		return "", errors.Join(ctx.Err(), term.Restore(fd, before))
	}
}
