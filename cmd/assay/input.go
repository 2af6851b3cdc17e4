package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// readBounded reads a file whole. One with more bytes than it may have is an error: a part
// of it is nothing that was asked for.
func readBounded(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAtMost(f, name, most)
}

// readInput is readBounded for a name that may be -, which is standard input.
func (r *root) readInput(name string, most int64) ([]byte, error) {
	if name == "-" {
		return readAtMost(r.env.Stdin, name, most)
	}
	return readBounded(name, most)
}

func readAtMost(in io.Reader, name string, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s: more than %d bytes", name, most)
	}
	return data, err
}

// secretLine reads a password or passphrase from standard input: one line.
func (r *root) secretLine(what string) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r.env.Stdin, 4096)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the %s: %w", what, err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}
