package enginetest

import (
	"os/exec"
	"syscall"
)

// own gives the server a process group of its own, so that all of it can be ended, and has
// the kernel end it when the test's process ends without clearing up.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func kill(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
