//go:build !linux && !darwin && !freebsd

package mapped

import (
	"errors"
	"os"
)

func Memory(int) ([]byte, error)     { return nil, errors.ErrUnsupported }
func Addresses(int) ([]byte, error)  { return nil, errors.ErrUnsupported }
func Reserve(*os.File, int64) error  { return errors.ErrUnsupported }
func Lock(*os.File) error            { return errors.ErrUnsupported }
func FreeSpace(string) (int64, bool) { return 0, false }
func IsOwn(string) bool              { return false }
func Release([]byte)                 {}
func Seal([]byte)                    {}
func Free([]byte)                    {}
