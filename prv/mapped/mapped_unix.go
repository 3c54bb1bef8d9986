//go:build linux || darwin || freebsd

package mapped

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Supported reports whether files can be mapped on this system.
const Supported = true

func mapFile(f *os.File, size int64, writable bool) ([]byte, error) {
	protection := unix.PROT_READ
	if writable {
		protection |= unix.PROT_WRITE
	}
	return unix.Mmap(int(f.Fd()), 0, int(size), protection, unix.MAP_SHARED)
}

func unmapMemory(b []byte) { unix.Munmap(b) }

// zero replaces a mapped file by zeroed memory. The memory is writable, because a writer may be using it.
func zero(b []byte) {
	// If the system refuses, there will be more faults, each of which is an error.
	unix.MmapPtr(-1, 0, unsafe.Pointer(unsafe.SliceData(b)), uintptr(len(b)),
		unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_FIXED)
}

// duplicate opens a file a second time, so that its state is available after the first is closed.
func duplicate(f *os.File) *os.File {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	return os.NewFile(uintptr(fd), f.Name())
}
