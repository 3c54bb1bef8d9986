//go:build linux || darwin || freebsd

package prv

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// mapMemory returns memory of the system's, zeroed, that unmap gives back at once.
func mapMemory(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

// mapNothing returns addresses without memory: only their length may be asked.
func mapNothing(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, n, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

// seal makes a mapping read-only.
func seal(b []byte) {
	if len(b) > 0 {
		unix.Mprotect(b, unix.PROT_READ)
	}
}

func unmap(b []byte) {
	if len(b) > 0 {
		unix.Munmap(b)
	}
}

// canMap is whether files can be mapped on this system.
const canMap = true

// releasePages takes the pages of a mapped file out of the process's memory. They stay in
// the system's file cache as long as it has room, and come back when they are touched.
func releasePages(b []byte) {
	if len(b) > 0 {
		unix.Madvise(b, unix.MADV_DONTNEED)
	}
}

// reserve gives a file its size, and makes sure that there is room for it: a page of a
// mapping that finds no room would be the end of the process.
func reserve(f *os.File, size int64) error {
	if size == 0 {
		return nil
	}
	err := allocate(f, size)
	if err == nil || !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	// File systems that cannot are made to by writing.
	if _, err := io.CopyN(io.NewOffsetWriter(f, 0), zeros{}, size); err != nil {
		return err
	}
	return f.Sync()
}

// zeros reads as zeros without end.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// lockFile takes the lock of a file, or fails when another process holds it. It is
// given up when the file is closed, however the process ends.
func lockFile(f *os.File) error {
	return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
}
