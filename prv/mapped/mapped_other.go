//go:build !linux && !darwin && !freebsd

package mapped

import (
	"errors"
	"os"
)

// Supported reports whether files can be mapped on this system.
const Supported = false

func mapFile(*os.File, int64, bool) ([]byte, error) { return nil, errors.ErrUnsupported }
func unmapMemory([]byte)                            {}
func zero([]byte)                                   {}
func duplicate(*os.File) *os.File                   { return nil }
