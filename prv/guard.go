package prv

import (
	"fmt"
	"runtime/debug"
)

// guarded calls f, which may touch mapped files. When the system cannot give the
// bytes of such a file (the disk is full behind its back, someone cut it short, the
// server is gone), that is an error and not the end of the process.
func guarded(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch r := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }:
			err = fmt.Errorf("a mapped file cannot be read or written any more: %v", r)
		default:
			panic(r)
		}
	}()
	return f()
}
