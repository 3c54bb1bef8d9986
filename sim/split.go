package sim

// A block of the program as threads: what if a loop that one thread executes were shared out among several (Girona's
// thesis, 3.4.1).
//
// An execution of the block costs the fork where it begins and the join where it ends; its computation takes the n-th
// part of the time. The threads take CPUs of their node that no other thread of the program is mapped to, in equal
// parts: with c CPUs for p threads, a block of n threads is min(n, c/p) times as fast. What the block calls stays with
// the one thread: messages are not divided.

import "fmt"

// Split tells how several threads execute a block. Times are ns on the target machine.
type Split struct {
	Threads    int // fewer than 2: it is not split
	Fork, Join float64
}

// MaxSplit bounds the threads of a block.
const MaxSplit = 1 << 16

func (s *Split) check() error {
	if s.Threads < 0 || s.Threads > MaxSplit || !number(s.Fork) || !number(s.Join) {
		return fmt.Errorf("split over %d threads, fork %g ns, join %g ns", s.Threads, s.Fork, s.Join)
	}
	return nil
}

// widest is the largest number of threads of a block; 1 where none is split.
func (m *Machine) MostSplit() int {
	most := 1
	for _, b := range m.Modules {
		most = max(most, b.Threads)
	}
	return most
}

// Narrow describes the first block that has fewer CPUs than threads on a node of the program, and what that means; ""
// where there is none.
func (m *Machine) Narrow(p *Program) string {
	load, err := m.Load(p)
	if err != nil {
		return ""
	}
	for _, b := range m.Modules {
		for i, n := range load {
			if share := CPUShare(m.Nodes[i].CPUs, n); n > 0 && b.Threads > 1 && float64(b.Threads) > share {
				return fmt.Sprintf(
					"block %d:%d is split over %d threads, but node %d has %d CPUs for %d threads of the program: "+
						"it is %.3g times as fast",
					b.Type, b.Value, b.Threads, i+1, m.Nodes[i].CPUs, n, share)
			}
		}
	}
	return ""
}

// cpuShare is the CPUs that a thread has to itself on a node, at least 1: where there are fewer, threads take turns.
func CPUShare(cpus, threads int) float64 { return max(1, float64(cpus)/float64(max(threads, 1))) }
