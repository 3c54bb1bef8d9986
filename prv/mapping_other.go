//go:build !linux && !darwin && !freebsd

package prv

import (
	"errors"
	"os"
)

// canMap is whether files can be mapped on this system. Where they cannot there is
// no index, and all records are kept in memory.
const canMap = false

func mapMemory(int) ([]byte, error)  { return nil, errors.ErrUnsupported }
func mapNothing(int) ([]byte, error) { return nil, errors.ErrUnsupported }
func reserve(*os.File, int64) error  { return errors.ErrUnsupported }
func lockFile(*os.File) error        { return errors.ErrUnsupported }
func freeSpace(string) (int64, bool) { return 0, false }
func releasePages([]byte)            {}
func seal([]byte)                    {}
func unmap([]byte)                   {}
