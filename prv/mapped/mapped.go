// Package mapped maps files into memory, and survives if they break.
//
// A mapped file can lose its bytes while it is being read: another process truncates it, the disk fills up, the server
// of a network file system goes away. The system then sends SIGBUS at the reading instruction, which ends a Go program
// without running deferred functions: the terminal stays in raw mode. Three measures together prevent that:
//
//   - Guard runs a function so that such a fault ends the function with an *Error instead of the process. Go's means
//     (debug.SetPanicOnFault) holds for one goroutine only, so whatever reads mapped memory in a goroutine of its own
//     must be guarded; package parallel does it for loops.
//   - After the first fault the addresses of the file are given zeroed memory, so that no goroutine faults there again.
//     What is computed from the zeros is worthless; but the Error of the first fault says so.
//   - A file that was truncated within its last page, or overwritten, gives other bytes and no fault. Check finds that:
//     it compares the file with its state when it was mapped.
package mapped

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"
	"unsafe"
)

// Error reports that a mapped file can no longer be read.
type Error struct {
	File string // its path when it was mapped
	Why  string
}

func (e *Error) Error() string { return fmt.Sprintf("%s can no longer be read: %s", e.File, e.Why) }

// region is a mapped file.
type region struct {
	bytes []byte
	name  string
	file  *os.File  // for Check; nil if it is not available
	time  time.Time // of the last change, zero while it is written
	whole bool      // the addresses are still those of the file
	cause *Error    // set when it has failed
}

// regions are all mapped files: a few per trace.
var regions struct {
	sync.Mutex
	list []*region
}

// Map maps the first size bytes of a file. Writes to a writable mapping go to the file.
func Map(f *os.File, size int64, writable bool) ([]byte, error) {
	if size == 0 {
		return nil, nil
	}
	b, err := mapFile(f, size, writable)
	if err != nil {
		return nil, &os.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	r := &region{bytes: b, name: f.Name(), whole: true}
	if r.file = duplicate(f); r.file != nil && !writable {
		if info, err := r.file.Stat(); err == nil {
			r.time = info.ModTime()
		}
	}
	regions.Lock()
	defer regions.Unlock()
	regions.list = append(regions.list, r)
	return b, nil
}

// Unmap removes a mapping from the address space: nothing may use it afterwards.
func Unmap(b []byte) {
	if len(b) == 0 {
		return
	}
	regions.Lock()
	defer regions.Unlock()
	regions.list = slices.DeleteFunc(regions.list, func(r *region) bool {
		if unsafe.SliceData(r.bytes) != unsafe.SliceData(b) {
			return false
		}
		if r.file != nil {
			r.file.Close()
		}
		return true
	})
	unmapMemory(b)
}

// retire ends the checks of mappings whose owner is gone, and closes their files. Their addresses stay valid for users
// that still have parts of them.
func retire(mappings ...[]byte) {
	regions.Lock()
	defer regions.Unlock()
	for _, r := range regions.list {
		if r.file != nil && r.isOneOf(mappings) {
			r.file.Close()
			r.file = nil
		}
	}
}

// Guard calls f. A fault in mapped memory ends f and is returned as an *Error.
func Guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			fault := Fault(r)
			if fault == nil {
				panic(r)
			}
			err = fault
		}
	}()
	return f()
}

// Fault returns the error of a recovered panic if it is a fault in a mapped file, else nil.
func Fault(recovered any) error {
	if e, ok := recovered.(*Error); ok {
		return e
	}
	at, ok := recovered.(interface{ Addr() uintptr })
	if !ok {
		return nil
	}
	regions.Lock()
	defer regions.Unlock()
	for _, r := range regions.list {
		if first := uintptr(unsafe.Pointer(unsafe.SliceData(r.bytes))); at.Addr() >= first &&
			at.Addr()-first < uintptr(len(r.bytes)) {
			return r.fail("it was truncated, or its file system is gone")
		}
	}
	return nil
}

// Check compares mapped files with their state when they were mapped, and returns the *Error of each that has changed.
// With arguments, it checks only those mappings.
func Check(mappings ...[]byte) error {
	regions.Lock()
	defer regions.Unlock()
	var failed []error
	for _, r := range regions.list {
		if len(mappings) == 0 || r.isOneOf(mappings) {
			if err := r.check(); err != nil {
				failed = append(failed, err)
			}
		}
	}
	return errors.Join(failed...)
}

func (r *region) isOneOf(mappings [][]byte) bool {
	return slices.ContainsFunc(mappings, func(b []byte) bool {
		return len(b) > 0 && unsafe.SliceData(b) == unsafe.SliceData(r.bytes)
	})
}

// check returns an untyped nil if the file is unchanged.
func (r *region) check() error {
	if r.cause != nil {
		return r.cause
	}
	if r.file == nil {
		return nil
	}
	info, err := r.file.Stat()
	switch {
	case err != nil:
		return r.fail(err.Error())
	case info.Size() < int64(len(r.bytes)):
		return r.fail(fmt.Sprintf("it was truncated from %d to %d bytes", len(r.bytes), info.Size()))
	case !r.time.IsZero() && !info.ModTime().Equal(r.time):
		return r.fail("it was overwritten")
	}
	return nil
}

// fail records why a file can no longer be used, and replaces it with zeros.
func (r *region) fail(why string) error {
	if r.cause == nil {
		r.cause = &Error{r.name, why}
	}
	if r.whole {
		r.whole = false
		zero(r.bytes)
	}
	return r.cause
}
