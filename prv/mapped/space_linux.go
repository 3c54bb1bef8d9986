package mapped

import (
	"os"

	"golang.org/x/sys/unix"
)

// allocate makes the file system reserve room for a file of this size.
func allocate(f *os.File, size int64) error {
	return unix.Fallocate(int(f.Fd()), 0, 0, size)
}

// FreeSpace returns the bytes that are free on the file system of a folder.
func FreeSpace(dir string) (int64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
