package store

// Storage of packed segments between parsing and unpacking: outside of the garbage collector's heap, because each must
// be returned to the system as soon as it is unpacked (the growing columns need its memory), or in a file if there are
// too many for the memory.

import (
	"fmt"
	"os"
	"pview/prv/mapped"
	"sync/atomic"
	"unsafe"
)

// packed has the bytes of a segment.
type packed struct {
	bytes  []byte
	mapped bool  // bytes are the system's memory, not on the heap
	at     int64 // position in the spill, if bytes is nil
	size   int64
}

// leastMapped is the least number of bytes that get their own mapping.
const leastMapped = 16 << 10

// newPacked returns room for n bytes, zeroed and aligned to 8.
func newPacked(n int) packed {
	p := packed{size: int64(n)}
	if n >= leastMapped {
		if m, err := mapped.Memory(n); err == nil {
			p.bytes, p.mapped = m, true
			return p
		}
	}
	p.bytes = alignedBytes(n)
	return p
}

// alignedBytes returns n bytes, aligned to 8.
func alignedBytes(n int) []byte {
	if n == 0 {
		return nil
	}
	words := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
}

// release frees the memory.
func (s *segment) release() {
	if s.data.mapped {
		mapped.Free(s.data.bytes)
	}
	s.data.bytes, s.data.mapped = nil, false
	s.stripes = nil
}

// load returns the bytes of the segment, if necessary from the spill.
func (s *segment) load(from *spill) ([]byte, error) {
	if s.data.bytes != nil || s.data.size == 0 {
		return s.data.bytes, nil
	}
	b := alignedBytes(int(s.data.size))
	if _, err := from.file.ReadAt(b, s.data.at); err != nil {
		return nil, fmt.Errorf("reading a temporary file back: %w", err)
	}
	return b, nil
}

// spill is a temporary file of segments. It has no name, so it vanishes with the process, however it ends.
type spill struct {
	file *os.File
	size atomic.Int64
}

// newSpill makes the file in the first folder that allows it.
func newSpill(folders []string) (*spill, error) {
	f, err := namelessFile(folders)
	if err != nil {
		return nil, err
	}
	return &spill{file: f}, nil
}

// put moves the bytes of a segment into the file. Several goroutines may call it.
func (sp *spill) put(s *segment) error {
	at := sp.size.Add(s.data.size) - s.data.size
	if _, err := sp.file.WriteAt(s.data.bytes, at); err != nil {
		return err
	}
	s.release()
	s.data.at = at
	return nil
}

// namelessFile makes a temporary file and removes its name.
func namelessFile(folders []string) (*os.File, error) {
	var first error
	for _, dir := range folders {
		f, err := os.CreateTemp(dir, ".pview-")
		if err == nil {
			os.Remove(f.Name())
			return f, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}
