package engine

import "math/bits"

// cpuSet is a set of CPUs of a node that finds its first member without a scan: a node may have a million.
type cpuSet struct {
	words []uint64
	low   int32 // all words before it are empty
}

func allCPUs(n int) cpuSet {
	s := cpuSet{words: make([]uint64, (n+63)/64)}
	for c := range int32(n) {
		s.add(c)
	}
	return s
}

func (s *cpuSet) add(c int32) {
	s.words[c>>6] |= 1 << (c & 63)
	s.low = min(s.low, c>>6)
}

func (s *cpuSet) remove(c int32) { s.words[c>>6] &^= 1 << (c & 63) }

// first returns the first CPU of the set, which must have one.
func (s *cpuSet) first() int32 {
	for s.words[s.low] == 0 {
		s.low++
	}
	return s.low<<6 + int32(bits.TrailingZeros64(s.words[s.low]))
}
