//go:build !purego

package store

// prefetch brings what holds for n threads into the cache; first is that of the first thread of all.
//
//go:noescape
func prefetch(first *current, threads *int32, n int)

// fetch brings what holds for threads into the cache; -1 stands for none.
func (p *packer) fetch(threads []int32) {
	if len(threads) > 0 {
		prefetch(&p.current[0], &threads[0], len(threads))
	}
}

// putAVX2 stores records of n numbers, and returns how many of these. It stops at a record for which the columns have
// no room.
//
//go:noescape
func putAVX2(c *laneColumns, b *uint32, n int) (done int)

// put does what putPlain does.
func (c *laneColumns) put(b []uint32) {
	if fastFields && len(b) > 0 {
		b = b[putAVX2(c, &b[0], len(b)):]
	}
	c.putPlain(b)
}
