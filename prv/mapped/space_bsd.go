//go:build darwin || freebsd

package mapped

import (
	"errors"
	"os"
)

// allocate makes the file system reserve room for a file of this size.
func allocate(*os.File, int64) error { return errors.ErrUnsupported }

// FreeSpace returns the bytes that are free on the file system of a folder.
func FreeSpace(string) (int64, bool) { return 0, false }
