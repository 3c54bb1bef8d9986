package sim

// A block of the program split among threads: what if several threads shared a loop that one thread executes (Girona's
// thesis, 3.4.1).
//
// An execution of the block costs the fork where it begins and the join where it ends; its computation takes 1/n of the
// time. The threads share, in equal parts, the CPUs of their node to which no other thread of the program is mapped:
// with c CPUs for p threads, a block of n threads is min(n, c/p) times as fast. Calls in the block stay with the one
// thread: messages are not divided.

import "fmt"

// Split describes the execution of a block by several threads. Times are ns on the target machine.
type Split struct {
	Threads    int // fewer than 2: not split
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

// MostSplit returns the largest number of threads of a block; 1 if none is split.
func (m *Machine) MostSplit() int {
	most := 1
	for _, b := range m.Modules {
		most = max(most, b.Threads)
	}
	return most
}

// Narrow describes the first block that has fewer CPUs than threads on a node of the program, and the consequence; ""
// if none.
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

// CPUShare returns the number of CPUs per thread on a node, at least 1: with fewer, threads take turns.
func CPUShare(cpus, threads int) float64 { return max(1, float64(cpus)/float64(max(threads, 1))) }
