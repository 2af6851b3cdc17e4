package main

import (
	"context"
	"os"
	"time"
)

func main() {
	os.Exit(run(context.Background(), env{Args: os.Args[1:], Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Now: time.Now}))
}
