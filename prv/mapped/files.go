package mapped

import (
	"os"
	"runtime"
	"unsafe"
)

// Files are mapped files with one owner, such as those of an index.
type Files struct {
	List [][]byte
	kept runtime.Cleanup // see Keep
}

// Open maps a whole file for reading; nil if it is empty. The caller unmaps it.
func Open(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return Map(f, info.Size(), false)
}

// Close unmaps the files. Nothing may use them afterwards; files that a returned trace keeps are never closed.
func (f *Files) Close() {
	f.kept.Stop() // the addresses may be mapped again, for another owner
	for _, b := range f.List {
		Unmap(b)
	}
	f.List = nil
}

// Keep leaves the files mapped for good, since parts of them may outlive f. When f is collected, their pages leave the
// process's memory, and the files are closed.
func (f *Files) Keep() {
	f.kept = runtime.AddCleanup(f, func(list [][]byte) {
		retire(list...)
		release(list)
	}, f.List)
}

// Release takes the files' pages out of the process's memory.
func (f *Files) Release() { release(f.List) }

func release(list [][]byte) {
	for _, b := range list {
		Release(b)
	}
}

// ReleaseWhole releases the whole pages within memory.
func ReleaseWhole(b []byte) {
	if len(b) == 0 {
		return
	}
	first, page := uintptr(unsafe.Pointer(&b[0])), uintptr(os.Getpagesize())
	from, to := (first+page-1)&^(page-1)-first, (first+uintptr(len(b)))&^(page-1)-first
	if int(to) > int(from) {
		Release(b[from:to])
	}
}
