package sim

// Who gets a CPU, and for how long.

import "fmt"

// Scheduler is the policy by which the nodes give their CPUs to threads, and its
// parameters. Times are in nanoseconds.
type Scheduler struct {
	Policy        string  // a name of Policies; "" is the first
	ContextSwitch float64 // what it costs to put a thread on a CPU
	BusyWait      float64 // how long a receiver keeps its CPU while it waits
	Quantum       float64 // how long a thread may run at a time
}

// Policy is an entry of Policies.
type Policy struct {
	Name string // as Dimemas spells it
	Doc  string
	// Params names the parameters that the policy takes besides the context switch and the busy wait.
	Params []string

	new func(*engine, *Scheduler) cpuPolicy
}

// Policies are the scheduling policies.
var Policies = []Policy{
	{"FIFO", "first come, first served: a thread keeps its CPU until it blocks", nil, newFIFO},
	{"RR", "round robin: first come, first served, for a quantum at a time", []string{"Quantum"}, newRoundRobin},
	{"FIXED_PRIORITY_FIFO", "by priority; as all threads start with the same, the same as FIFO", nil, newFIFO},
}

// PolicyByName finds a policy.
func PolicyByName(name string) (*Policy, bool) {
	if name == "" {
		return &Policies[0], true
	}
	for i := range Policies {
		if Policies[i].Name == name {
			return &Policies[i], true
		}
	}
	return nil, false
}

// DefaultQuantum is the quantum of RR where none is given, in Dimemas: 3000 ns.
const DefaultQuantum = 3000

func (s *Scheduler) check() error {
	if _, ok := PolicyByName(s.Policy); !ok {
		return fmt.Errorf("there is no scheduling policy %q", s.Policy)
	}
	if !number(s.ContextSwitch) || !number(s.BusyWait) || !number(s.Quantum) {
		return fmt.Errorf("scheduler: a negative time")
	}
	return nil
}

// cpuPolicy is what a policy decides. The engine calls it with a node's queue of ready
// threads.
type cpuPolicy interface {
	// ready puts a thread into the queue of its node. t.lose says that it has to give
	// its CPU away.
	ready(n *node, thread int32, t *thread)
	// next takes out the thread that gets the next free CPU.
	next(n *node) int32
	// slice returns how much of the work of t, in nanoseconds, is done before the
	// CPU is asked back.
	slice(t *thread, work float64) float64
}

// fifo: who loses its CPU goes to the end of the queue; who does not, to the front.
type fifo struct{}

func newFIFO(*engine, *Scheduler) cpuPolicy { return fifo{} }

func (fifo) ready(n *node, thread int32, t *thread) {
	if t.lose {
		n.queue.pushBack(thread)
	} else {
		n.queue.pushFront(thread)
	}
}

func (fifo) next(n *node) int32 { return n.queue.popFront() }

func (fifo) slice(_ *thread, work float64) float64 { return work }

// roundRobin is fifo with a quantum. A thread that keeps its CPU over a startup
// keeps the rest of its quantum.
type roundRobin struct {
	fifo
	quantum float64
}

func newRoundRobin(_ *engine, s *Scheduler) cpuPolicy {
	q := s.Quantum
	if q == 0 {
		q = DefaultQuantum
	}
	return roundRobin{quantum: q}
}

func (r roundRobin) slice(t *thread, work float64) float64 {
	if t.lose || t.used >= r.quantum {
		t.used = 0
	}
	d := min(work, r.quantum-t.used)
	t.used += d
	return d
}
