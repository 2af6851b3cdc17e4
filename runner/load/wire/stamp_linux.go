//go:build linux && (amd64 || arm64)

package wire

import (
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"
)

// stamped is a connection whose reads also bring the time at which the kernel had the
// bytes. When several segments are read at once it is the time of the last.
type stamped struct {
	*net.TCPConn
	raw syscall.RawConn
	try func(fd uintptr) bool

	at    int64 // of the last read, Unix nanoseconds; 0: the kernel did not say
	n     int
	errno syscall.Errno
	part  syscall.Iovec
	msg   syscall.Msghdr
	extra [64]byte
}

// stampNS is SO_TIMESTAMPNS, and the type of the control message it makes.
const stampNS = 35

// stamp asks the kernel for times of arrival. Without them the connection is as it was.
func stamp(c net.Conn) net.Conn {
	t, ok := c.(*net.TCPConn)
	if !ok {
		return c
	}
	raw, err := t.SyscallConn()
	if err != nil {
		return c
	}
	set := false
	if err := raw.Control(func(fd uintptr) {
		set = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, stampNS, 1) == nil
	}); err != nil || !set {
		return c
	}
	s := &stamped{TCPConn: t, raw: raw}
	s.try = s.receive // once: a closure for every read would be garbage
	s.msg.Iov, s.msg.Iovlen = &s.part, 1
	return s
}

// Read is one recvmsg.
func (s *stamped) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	s.part.Base = &p[0]
	s.part.SetLen(len(p))
	s.at, s.n = 0, 0
	if err := s.raw.Read(s.try); err != nil {
		return 0, err
	}
	switch {
	case s.errno != 0:
		return 0, os.NewSyscallError("recvmsg", s.errno)
	case s.n == 0:
		return 0, io.EOF
	}
	s.arrival()
	return s.n, nil
}

// receive is called by the runtime's poller; false waits until there is something to read.
// The call cannot block, so the scheduler need not be told of it.
func (s *stamped) receive(fd uintptr) bool {
	for {
		s.msg.Control = &s.extra[0]
		s.msg.SetControllen(len(s.extra))
		n, _, errno := syscall.RawSyscall(syscall.SYS_RECVMSG, fd, uintptr(unsafe.Pointer(&s.msg)), syscall.MSG_DONTWAIT)
		switch errno {
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			return false
		}
		s.n, s.errno = int(n), errno
		return true
	}
}

// arrival reads the control message: length, level, type, then seconds and nanoseconds.
func (s *stamped) arrival() {
	if s.msg.Controllen < uint64(syscall.SizeofCmsghdr+16) {
		return
	}
	h := (*syscall.Cmsghdr)(unsafe.Pointer(&s.extra[0]))
	if h.Level == syscall.SOL_SOCKET && h.Type == stampNS {
		at := (*syscall.Timespec)(unsafe.Pointer(&s.extra[syscall.SizeofCmsghdr]))
		s.at = at.Nano()
	}
}

// arrived is the kernel's time of the bytes last read.
func arrived(c net.Conn) int64 {
	if s, ok := c.(*stamped); ok {
		return s.at
	}
	return 0
}
