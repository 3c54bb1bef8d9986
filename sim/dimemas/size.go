package dimemas

// The memory of a program under construction: a small file, above all a compressed one, can hold a large program.

import (
	"fmt"
	"sync/atomic"

	"pview/prv"
	"pview/sim"
)

// programSize is the memory of a program, and its limit.
type programSize struct {
	name         string // of the file
	limit, bytes int64  // limit 0: none
}

// check counts the memory of a thread, some of which was counted before. Safe for concurrent use.
func (s *programSize) check(counted *int64, th *sim.Thread) error {
	now := th.Bytes()
	sum := atomic.AddInt64(&s.bytes, now-*counted)
	*counted = now
	return s.within(sum)
}

// checkAll counts the memory of all threads, and of the one being read, which may be nil.
func (s *programSize) checkAll(p *sim.Program, read *sim.Thread) error {
	if s.limit == 0 {
		return nil
	}
	sum := int64(0)
	if read != nil {
		sum = read.Bytes()
	}
	for i := range p.Threads {
		sum += p.Threads[i].Bytes()
	}
	return s.within(sum)
}

func (s *programSize) within(bytes int64) error {
	if s.limit == 0 || bytes <= s.limit {
		return nil
	}
	return &prv.FileError{File: s.name,
		Why: fmt.Sprintf("the program for the simulation takes more than the %d MB that --memory allows", s.limit>>20)}
}
