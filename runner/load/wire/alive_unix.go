//go:build unix

package wire

import "syscall"

// Alive says whether an idle connection can still carry a request: the server has neither
// closed it nor sent anything unasked. It costs one system call.
func (c *Conn) Alive() bool {
	sys, ok := c.raw.(syscall.Conn)
	if !ok {
		return true
	}
	rc, err := sys.SyscallConn()
	if err != nil {
		return false
	}
	quiet := false
	err = rc.Read(func(fd uintptr) bool {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK)
		quiet = err == syscall.EAGAIN || err == syscall.EWOULDBLOCK
		return true
	})
	return err == nil && quiet
}
