//go:build linux || darwin || freebsd

package mapped

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Memory returns zeroed memory from the system, which Free releases immediately.
func Memory(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

// Addresses returns addresses without memory: only their length may be used.
func Addresses(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, n, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

// Seal makes a mapping read-only.
func Seal(b []byte) {
	if len(b) > 0 {
		unix.Mprotect(b, unix.PROT_READ)
	}
}

// Free unmaps what Memory or Addresses returned.
func Free(b []byte) {
	if len(b) > 0 {
		unix.Munmap(b)
	}
}

// Release takes the pages of a mapped file out of the process's memory. They stay in the system's file cache as long as
// it has room, and return on the next access.
func Release(b []byte) {
	if len(b) > 0 {
		unix.Madvise(b, unix.MADV_DONTNEED)
	}
}

// Reserve sets the size of a file and allocates its blocks: a mapped page that the disk has no room for would kill the
// process.
func Reserve(f *os.File, size int64) error {
	if size == 0 {
		return nil
	}
	err := allocate(f, size)
	if err == nil || !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	// File systems that cannot allocate are filled by writing.
	if _, err := io.CopyN(io.NewOffsetWriter(f, 0), zeros{}, size); err != nil {
		return err
	}
	return f.Sync()
}

// zeros reads as an endless sequence of zeros.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// Lock locks a file, or fails if another process holds the lock. The lock ends when the file is closed, however the
// process ends.
func Lock(f *os.File) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}

// IsOwn reports whether a file or folder belongs to the user and is not a link.
func IsOwn(path string) bool {
	var info unix.Stat_t
	return unix.Lstat(path, &info) == nil && int(info.Uid) == unix.Geteuid()
}
