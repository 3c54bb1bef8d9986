package runtest

// Small message passing programs, executed on a machine with known costs and written as a tracer would. A fault is
// planted in one of two otherwise identical programs: the difference of their ends is the cost of the fault.

import (
	"testing"

	"pview/prv"
)

// Action is the action of a step of a program.
type Action uint8

const (
	Computes  Action = iota
	Sends            // MPI_Isend, which is never completed
	SendsSync        // MPI_Ssend, which waits for the receive
	Receives         // MPI_Recv
	Posts            // MPI_Irecv
	Completes        // MPI_Wait for the first posted message not yet completed
	Tests            // a call of MPI_Test that takes time
	InRuntime
	Meets // all others of its application in an Allreduce
)

// Step is a step of a program; peers are threads from 0.
type Step struct {
	Do             Action
	Function, Time int64
	Peer           int
	Size           int64
}

// Program is the program of each task, and the costs of its machine.
type Program struct {
	Steps      [][]Step
	Apart      int // number of last tasks that form a separate application: they do not meet the others
	Nodes      int
	RoundRobin bool  // task i is on node i modulo Nodes; else consecutive tasks share a node
	Latency    int64 // of a message
	Near       int64 // of one within a node, if not 0
	Overhead   int64 // of a call
	PerByte    int64
	Collective int64
	Slow       func(from, to int) int64 // time of a message beyond the latency
}

// NewProgram returns a program of some tasks on one node, where a message takes 1000 ns.
func NewProgram(tasks int) *Program {
	return &Program{Steps: make([][]Step, tasks), Nodes: 1, Latency: 1000, Overhead: 500, Collective: 3000}
}

// Add adds a step of a task.
func (p *Program) Add(task int, s Step) { p.Steps[task] = append(p.Steps[task], s) }

// Work makes a task compute in a function.
func (p *Program) Work(task int, function, time int64) {
	p.Add(task, Step{Do: Computes, Function: function, Time: time})
}

// Send sends a message of 8 bytes.
func (p *Program) Send(from, to int) { p.Add(from, Step{Do: Sends, Peer: to, Size: 8}) }

// Recv receives a message.
func (p *Program) Recv(at, from int) { p.Add(at, Step{Do: Receives, Peer: from}) }

// All adds a step to every task of the first application.
func (p *Program) All(s Step) {
	for i := range len(p.Steps) - p.Apart {
		p.Add(i, s)
	}
}

// nodeOf returns the node of a task, from 0.
func (p *Program) nodeOf(task int) int {
	if p.RoundRobin {
		return task % p.Nodes
	}
	return task / (len(p.Steps) / p.Nodes)
}

// letter is a message in flight.
type letter struct {
	sent, left, there, size int64
	sync                    bool
}

// request is a posted receive.
type request struct {
	peer int
	at   int64
}

// way is from one task to another.
type way struct{ from, to int }

// running is a run of a program.
type running struct {
	*Program
	b     *prv.Builder
	clock []int64
	next  []int
	mail  map[way][]letter
	// posted has the uncompleted receives by task.
	posted [][]request
	met    []int64 // by task: when it arrived at the next collective operation; -1: not yet
}

// Run executes the program.
func (p *Program) Run(t *testing.T) *prv.Trace {
	t.Helper()
	h := prv.Header{Unit: prv.Nanoseconds}
	for range p.Nodes {
		h.AddNode(len(p.Steps) / p.Nodes)
	}
	for i := range p.Steps {
		if i == 0 || i == len(p.Steps)-p.Apart {
			h.AddPtask()
		}
		h.AddTask(1, p.nodeOf(i))
	}
	x := &running{Program: p, b: prv.NewBuilder(h), clock: make([]int64, len(p.Steps)),
		next: make([]int, len(p.Steps)), mail: map[way][]letter{}, met: make([]int64, len(p.Steps)),
		posted: make([][]request, len(p.Steps))}
	for i := range x.met {
		x.met[i] = -1
	}
	for x.advance() {
	}
	for i := range x.next {
		if x.next[i] < len(p.Steps[i]) {
			t.Fatalf("task %d stops at step %d of %d", i, x.next[i], len(p.Steps[i]))
		}
	}
	tr, err := x.b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// advance takes the steps that are possible; false if there are none.
func (x *running) advance() (moved bool) {
	for i := range x.Steps {
		for x.next[i] < len(x.Steps[i]) && x.take(i, &x.Steps[i][x.next[i]]) {
			x.next[i]++
			moved = true
		}
	}
	return x.meet() || moved
}

// take takes a step of a task if it can.
func (x *running) take(i int, s *Step) bool {
	now := x.clock[i]
	switch s.Do {
	case Computes:
		x.compute(i, s)
	case InRuntime:
		x.b.State(int32(i), 0, now, now+s.Time, 7)
		x.clock[i] += s.Time
	case Tests:
		x.call(i, now+s.Time, 50000003, 39, 6)
	case Sends:
		x.mail[way{i, s.Peer}] = append(x.mail[way{i, s.Peer}], letter{sent: now, left: now + x.Overhead,
			there: now + x.Overhead + x.takes(i, s.Peer, s.Size), size: s.Size})
		x.call(i, now+x.Overhead, 50000001, 3, 10)
	case SendsSync:
		return x.sendSync(i, s)
	case Receives:
		return x.receive(i, s.Peer, now, 2, 3)
	case Posts:
		x.posted[i] = append(x.posted[i], request{s.Peer, now})
		x.call(i, now+x.Overhead, 50000001, 4, 11)
	case Completes:
		if first := x.posted[i][0]; !x.receive(i, first.peer, first.at, 5, 8) {
			return false
		}
		x.posted[i] = x.posted[i][1:]
	case Meets:
		x.met[i] = now
		return false
	}
	return true
}

// takes returns the time of a message in flight.
func (x *running) takes(from, to int, size int64) int64 {
	t := x.Latency
	if x.Near > 0 && x.nodeOf(from) == x.nodeOf(to) {
		t = x.Near
	}
	t += x.PerByte * size
	if x.Slow != nil {
		t += x.Slow(from, to)
	}
	return t
}

func (x *running) compute(i int, s *Step) {
	now := x.clock[i]
	x.clock[i] += s.Time
	x.b.State(int32(i), 0, now, x.clock[i], 1)
	x.b.Event(int32(i), 0, now, prv.Pair{Type: 60000019, Value: s.Function})
	x.b.Event(int32(i), 0, x.clock[i], prv.Pair{Type: 60000019})
}

// call is a call of MPI up to a time.
func (x *running) call(i int, until int64, typ uint32, value int64, state uint32) {
	now := x.clock[i]
	x.b.State(int32(i), 0, now, until, state)
	x.b.Event(int32(i), 0, now, prv.Pair{Type: typ, Value: value})
	x.b.Event(int32(i), 0, until, prv.Pair{Type: typ})
	x.clock[i] = until
}

// sendSync offers a message, and continues once the receiver has taken it, which its second attempt detects.
func (x *running) sendSync(i int, s *Step) bool {
	w := way{i, s.Peer}
	if n := len(x.mail[w]); n == 0 {
		x.mail[w] = []letter{{sent: x.clock[i], size: s.Size, sync: true}}
		return false
	}
	if l := x.mail[w][0]; l.left > 0 {
		x.mail[w] = nil
		x.call(i, l.left, 50000001, 34, 4)
		return true
	}
	return false
}

// receive completes the receive of a message, posted at a time, in a call of MPI.
func (x *running) receive(i, from int, posted, value int64, state uint32) bool {
	w, now := way{from, i}, x.clock[i]
	list := x.mail[w]
	if len(list) == 0 || list[0].sync && list[0].left > 0 {
		return false
	}
	l := &list[0]
	if l.sync {
		l.left = max(posted, l.sent) + x.takes(from, i, l.size)
		l.there = l.left
	} else {
		x.mail[w] = list[1:]
	}
	end := max(now+x.Overhead, l.there)
	x.b.Comm(prv.Comm{Send: int32(from), Recv: int32(i), Size: l.size, Times: [4]int64{prv.LogicalSend: l.sent,
		prv.PhysicalSend: l.left, prv.LogicalRecv: posted, prv.PhysicalRecv: end}})
	x.call(i, end, 50000001, value, state)
	return true
}

// meet executes the collective operation at which all tasks of the first application have arrived.
func (x *running) meet() bool {
	last := int64(0)
	all := x.met[:len(x.met)-x.Apart]
	for _, at := range all {
		if at < 0 {
			return false
		}
		last = max(last, at)
	}
	for i := range all {
		x.call(i, last+x.Collective, 50000002, 10, 13)
		x.met[i] = -1
		x.next[i]++
	}
	return true
}
