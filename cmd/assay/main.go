package main

import (
	"context"
	"os"
	"runtime/debug"
	"time"

	"assay/ingest"
)

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(ingest.MemoryTarget)
	}
	os.Exit(run(context.Background(), env{Args: os.Args[1:], Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Now: time.Now}))
}
