package store

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The test binary runs itself again as a second process on an archive: childJob names
// the job, childPath the archive.
const (
	childJob  = "STORE_TEST_JOB"
	childPath = "STORE_TEST_ARCHIVE"
)

// childJobs are what a second process can do; they print what they have done.
var childJobs = map[string]func(path string) error{
	"create": createJob,
	"file":   fileJob,
	"repair": repairJob,
}

func TestMain(m *testing.M) {
	job, ok := childJobs[os.Getenv(childJob)]
	if !ok {
		os.Exit(m.Run())
	}
	if err := job(os.Getenv(childPath)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child is a second process on the archive at path.
func child(t *testing.T, job, path string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), childJob+"="+job, childPath+"="+path)
	return cmd
}
