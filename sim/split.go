package sim

// A block of the program as threads: what if a loop that one thread executes were shared out among several (Girona's
// thesis, 3.4.1).
//
// An execution of the block costs the fork where it begins and the join where it ends; its computation takes the n-th
// part of the time. The threads take CPUs of their node that no other thread of the program is mapped to, in equal
// parts: with c CPUs for p threads, a block of n threads is min(n, c/p) times as fast. What the block calls stays with
// the one thread: messages are not divided.

import (
	"fmt"
	"strconv"
	"strings"
)

// Split is how a block is executed by several threads. Times are ns on the target machine.
type Split struct {
	Threads    int // fewer than 2: it is not split
	Fork, Join float64
}

// MaxSplit bounds the threads of a block.
const MaxSplit = 1 << 16

var timeParameter = Parameter{Kind: KindTime}

// Block returns the setting of a block; one that was never set is as fast as measured.
func (m *Machine) Block(typ uint32, value int64) Module {
	for _, a := range m.Modules {
		if a.Type == typ && a.Value == value {
			return a
		}
	}
	return Module{Type: typ, Value: value, Ratio: 1}
}

// SetBlockSpeed changes the speed of a block, which stays split as it was.
func (m *Machine) SetBlockSpeed(typ uint32, value int64, ratio float64) {
	b := m.Block(typ, value)
	b.Ratio = ratio
	m.SetModule(b)
}

// splits writes the blocks that are split.
func splits(m *Machine) string {
	var list []string
	for _, b := range m.Modules {
		if b.Threads < 2 {
			continue
		}
		text := fmt.Sprintf("%d:%d=%d", b.Type, b.Value, b.Threads)
		if b.Fork > 0 || b.Join > 0 {
			text += "," + timeParameter.Format(b.Fork)
		}
		if b.Join > 0 {
			text += "," + timeParameter.Format(b.Join)
		}
		list = append(list, text)
	}
	return strings.Join(list, ";")
}

// setSplits takes TYPE:VALUE=N, TYPE:VALUE=N,FORK and TYPE:VALUE=N,FORK,JOIN; 1 thread undoes a split.
func setSplits(m *Machine, text string) error {
	for one := range strings.SplitSeq(text, ";") {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		b, s, err := parseSplit(one)
		if err != nil {
			return err
		}
		set := m.Block(b.Type, b.Value)
		set.Split = s
		m.SetModule(set)
	}
	return nil
}

func parseSplit(text string) (b Module, s Split, err error) {
	block, how, ok := strings.Cut(text, "=")
	typ, value, ok2 := strings.Cut(block, ":")
	words := strings.Split(how, ",")
	t, err1 := strconv.ParseUint(strings.TrimSpace(typ), 10, 32)
	v, err2 := strconv.ParseUint(strings.TrimSpace(value), 10, 63)
	n, err3 := strconv.Atoi(strings.TrimSpace(words[0]))
	if !ok || !ok2 || err1 != nil || err2 != nil || err3 != nil || t == 0 || v == 0 || len(words) > 3 {
		return b, s, fmt.Errorf("must be TYPE:VALUE=THREADS,FORK,JOIN, such as 60000019:3=4,10us,20us, not %q", text)
	}
	if n < 1 || n > MaxSplit {
		return b, s, fmt.Errorf("%q: threads must be from 1 to %d", text, MaxSplit)
	}
	s.Threads = n
	for i, to := range []*float64{&s.Fork, &s.Join} {
		if len(words) > i+1 {
			if *to, err = timeParameter.Parse(words[i+1]); err != nil {
				return b, s, fmt.Errorf("%q: %w", text, err)
			}
		}
	}
	if n == 1 {
		s = Split{}
	}
	return Module{Type: uint32(t), Value: int64(v)}, s, nil
}

func (s *Split) check() error {
	if s.Threads < 0 || s.Threads > MaxSplit || !number(s.Fork) || !number(s.Join) {
		return fmt.Errorf("split over %d threads, fork %g ns, join %g ns", s.Threads, s.Fork, s.Join)
	}
	return nil
}

// widest is the largest number of threads of a block; 1 where none is split.
func (m *Machine) widest() int {
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
			if share := cpuShare(m.Nodes[i].CPUs, n); n > 0 && b.Threads > 1 && float64(b.Threads) > share {
				return fmt.Sprintf(
					"block %d:%d is split over %d threads, but node %d has %d CPUs for %d threads of the program: it is %.3g times as fast",
					b.Type, b.Value, b.Threads, i+1, m.Nodes[i].CPUs, n, share)
			}
		}
	}
	return ""
}

// cpuShare is the CPUs that a thread has to itself on a node, at least 1: where there are fewer, threads take turns.
func cpuShare(cpus, threads int) float64 { return max(1, float64(cpus)/float64(max(threads, 1))) }

// newShares finds the CPUs of a thread on each node, if a block is split.
func (e *engine) newShares() {
	if e.m.widest() == 1 {
		return
	}
	load := make([]int, len(e.nodes))
	for i := range e.threads {
		if t := &e.threads[i]; !e.leftOut(t) {
			load[t.node]++
		}
	}
	for i, n := range load {
		e.shares = append(e.shares, cpuShare(e.m.Nodes[i].CPUs, n))
	}
}

// spend makes a thread work between two events of its program.
func (e *engine) spend(i int32, t *thread, ns float64) {
	e.breakLine(i, t)
	t.phase, t.synthetic, t.left = computing, true, ns
	e.ready(i, t)
}

// joins charges the join of the block that the thread's event ends, once; it returns false when there is none, or it is
// done.
func (e *engine) joins(i int32, t *thread) bool {
	if t.joined {
		t.joined = false
		return false
	}
	typ, value := t.src.Event(int(t.pc))
	if value != 0 {
		return false
	}
	at := e.closing(t, typ)
	if at < 0 || t.modules[at].join == 0 {
		return false
	}
	t.joined = true
	e.spend(i, t, t.modules[at].join)
	return true
}
