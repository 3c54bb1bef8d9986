package store

// Memory of wide traces: blocks that first hold the records of a stripe, and then columns.
//
// A fresh page costs the system two microseconds or more, as long as it takes to read a few hundred bytes of text into
// it. So the blocks of a distributed stripe are not returned: they take the columns of the next stripes. Like all
// columns in memory, columns in blocks belong to the collector's heap; a block is free when no thread has a column in
// it.

import (
	"pview/prv/mapped"
	"sync"
	"unsafe"
)

// blockNumbers is the number of 32-bit numbers in a block, slabBlocks the number of blocks allocated at a time. A block
// is one cache line shorter than 128 kB: otherwise the ends of stripes that grow at the same rate would share a few
// cache sets.
const (
	blockNumbers = 32<<10 - 16
	slabBlocks   = 32
)

// mostKept is the number of free blocks that keep their pages: if columns are too long for blocks, more blocks become
// free.
const mostKept = 256

// block is memory for numbers of 32 bits, aligned to 8 bytes.
type block []uint32

// blocks are the free blocks of a trace.
type blocks struct {
	mu   sync.Mutex
	free []block
}

// get returns a block with arbitrary contents.
func (p *blocks) get() block {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) == 0 {
		slab := asNumbers(make([]uint64, slabBlocks*blockNumbers/2))
		for ; len(slab) > 0; slab = slab[blockNumbers:] {
			p.free = append(p.free, block(slab[:blockNumbers:blockNumbers]))
		}
	}
	b := p.free[len(p.free)-1]
	p.free = p.free[:len(p.free)-1]
	return b
}

// put returns a block to the free ones.
func (p *blocks) put(b block) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) >= mostKept {
		b.releasePages()
	}
	p.free = append(p.free, b)
}

// releasePages returns the pages of free blocks to the system; their addresses stay allocated while other blocks hold
// columns.
func (p *blocks) releasePages() {
	for _, b := range p.free {
		b.releasePages()
	}
}

// releasePages returns the pages of a block, which loses its contents.
func (b block) releasePages() {
	mapped.ReleaseWhole(unsafe.Slice((*byte)(unsafe.Pointer(&b[0])), int(unsafe.Sizeof(b[0]))*len(b)))
}

// commRowsIn returns a block as an empty list of communications.
func commRowsIn(b block) []commRow {
	return unsafe.Slice((*commRow)(unsafe.Pointer(&b[0])),
		len(b)*int(unsafe.Sizeof(b[0]))/int(unsafe.Sizeof(commRow{})))[:0]
}

// blockOf returns the block that holds communications.
func blockOf(rows []commRow) block {
	return unsafe.Slice((*uint32)(unsafe.Pointer(&rows[0])), blockNumbers)
}

func asNumbers(words []uint64) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(&words[0])), 2*len(words))
}

// columnRoom makes columns in blocks. It remembers the rest of some blocks for columns that fit there.
type columnRoom struct {
	blocks *blocks
	rests  [4][]uint32
}

// columnIn returns a column of n rows, with arbitrary contents. Long columns are not made in blocks.
func columnIn[T int64 | uint32](r *columnRoom, n int) []T {
	numbers := (n*int(unsafe.Sizeof(*new(T))) + 7) / 8 * 2
	switch {
	case n == 0:
		return nil
	case numbers > blockNumbers/4:
		return make([]T, n)
	}
	at := r.find(numbers)
	first := &r.rests[at][0]
	r.rests[at] = r.rests[at][numbers:]
	return unsafe.Slice((*T)(unsafe.Pointer(first)), n)
}

// find returns a rest with room for n numbers; if there is none, a new block, which replaces the shortest rest.
func (r *columnRoom) find(numbers int) int {
	shortest := 0
	for i, rest := range r.rests {
		if len(rest) >= numbers {
			return i
		}
		if len(rest) < len(r.rests[shortest]) {
			shortest = i
		}
	}
	r.rests[shortest] = r.blocks.get()
	return shortest
}
