//go:build !purego

package store

// prefetch brings what holds for n threads into the cache; first is that of the first thread of all. Go has no such
// instruction to offer. Without it, info of a trace of 16,384 threads takes 1.04 to 1.09 times the CPU time.
//
//go:noescape
func prefetch(first *current, threads *int32, n int)

// fetch brings what holds for threads into the cache; -1 stands for none.
func (p *packer) fetch(threads []int32) {
	if len(threads) > 0 {
		prefetch(&p.current[0], &threads[0], len(threads))
	}
}
