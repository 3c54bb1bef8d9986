package diagnose_test

// Small message passing programs, executed on a machine with known costs and written as a tracer would. A fault is
// planted in one of two programs that are alike otherwise: the difference of their ends is the cost of the fault.

import (
	"testing"

	"pview/prv"
)

// action is the action of a step of a program.
type action uint8

const (
	computes  action = iota
	sends            // without waiting
	sendsSync        // and waits for the receive
	receives
	tests // a call of MPI_Test that takes time
	runtime
	meets // all others, in an Allreduce
)

// step is a step of a program; peers are threads from 0.
type step struct {
	do             action
	function, time int64
	peer           int
	size           int64
}

// program is the program of each task, and the costs of its machine.
type program struct {
	steps      [][]step
	nodes      int
	latency    int64 // of a message
	near       int64 // of one within a node, if not 0
	overhead   int64 // of a call
	perByte    int64
	collective int64
	slow       func(from, to int) int64 // what a message takes beyond the latency
}

// newProgram is a program of some tasks on one node, where a message takes 1000 ns.
func newProgram(tasks int) *program {
	return &program{steps: make([][]step, tasks), nodes: 1, latency: 1000, overhead: 500, collective: 3000}
}

func (p *program) add(task int, s step) { p.steps[task] = append(p.steps[task], s) }

func (p *program) work(task int, function, time int64) {
	p.add(task, step{do: computes, function: function, time: time})
}

func (p *program) send(from, to int) { p.add(from, step{do: sends, peer: to, size: 8}) }
func (p *program) recv(at, from int) { p.add(at, step{do: receives, peer: from}) }

// all lets every task take a step.
func (p *program) all(s step) {
	for i := range p.steps {
		p.add(i, s)
	}
}

// letter is a message on its way.
type letter struct {
	sent, left, there, size int64
	sync                    bool
}

// way is from one task to another.
type way struct{ from, to int }

// execution is a run of a program.
type execution struct {
	*program
	b     *prv.Builder
	clock []int64
	next  []int
	mail  map[way][]letter
	met   []int64 // by task: when it has arrived at the collective operation that is next; -1
}

// run executes the program.
func (p *program) run(t *testing.T) *prv.Trace {
	t.Helper()
	h := prv.Header{Unit: prv.Nanoseconds}
	perNode := len(p.steps) / p.nodes
	for range p.nodes {
		h.AddNode(perNode)
	}
	h.AddPtask()
	for i := range p.steps {
		h.AddTask(1, i/perNode)
	}
	x := &execution{program: p, b: prv.NewBuilder(h), clock: make([]int64, len(p.steps)),
		next: make([]int, len(p.steps)), mail: map[way][]letter{}, met: make([]int64, len(p.steps))}
	for i := range x.met {
		x.met[i] = -1
	}
	for x.advance() {
	}
	for i := range x.next {
		if x.next[i] < len(p.steps[i]) {
			t.Fatalf("task %d stops at step %d of %d", i, x.next[i], len(p.steps[i]))
		}
	}
	tr, err := x.b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// advance takes the steps that are possible; false if there are none.
func (x *execution) advance() (moved bool) {
	for i := range x.steps {
		for x.next[i] < len(x.steps[i]) && x.step(i, &x.steps[i][x.next[i]]) {
			x.next[i]++
			moved = true
		}
	}
	return x.meet() || moved
}

// step takes a step of a task if it can.
func (x *execution) step(i int, s *step) bool {
	now := x.clock[i]
	switch s.do {
	case computes:
		x.compute(i, s)
	case runtime:
		x.b.State(int32(i), 0, now, now+s.time, 7)
		x.clock[i] += s.time
	case tests:
		x.call(i, now+s.time, 50000003, 39, 6)
	case sends:
		x.mail[way{i, s.peer}] = append(x.mail[way{i, s.peer}], letter{sent: now, left: now + x.overhead,
			there: now + x.overhead + x.takes(i, s.peer, s.size), size: s.size})
		x.call(i, now+x.overhead, 50000001, 3, 10)
	case sendsSync:
		return x.sendSync(i, s)
	case receives:
		return x.receive(i, s)
	case meets:
		x.met[i] = now
		return false
	}
	return true
}

// takes is the time of a message on its way.
func (x *execution) takes(from, to int, size int64) int64 {
	t := x.latency
	perNode := len(x.steps) / x.nodes
	if x.near > 0 && from/perNode == to/perNode {
		t = x.near
	}
	t += x.perByte * size
	if x.slow != nil {
		t += x.slow(from, to)
	}
	return t
}

func (x *execution) compute(i int, s *step) {
	now := x.clock[i]
	x.clock[i] += s.time
	x.b.State(int32(i), 0, now, x.clock[i], 1)
	x.b.Event(int32(i), 0, now, prv.Pair{Type: 60000019, Value: s.function})
	x.b.Event(int32(i), 0, x.clock[i], prv.Pair{Type: 60000019})
}

// call is a call of MPI up to a time.
func (x *execution) call(i int, until int64, typ uint32, value int64, state uint32) {
	now := x.clock[i]
	x.b.State(int32(i), 0, now, until, state)
	x.b.Event(int32(i), 0, now, prv.Pair{Type: typ, Value: value})
	x.b.Event(int32(i), 0, until, prv.Pair{Type: typ})
	x.clock[i] = until
}

// sendSync offers a message, and goes on once the receiver has taken it, as its second attempt finds.
func (x *execution) sendSync(i int, s *step) bool {
	w := way{i, s.peer}
	if n := len(x.mail[w]); n == 0 {
		x.mail[w] = []letter{{sent: x.clock[i], size: s.size, sync: true}}
		return false
	}
	if l := x.mail[w][0]; l.left > 0 {
		x.mail[w] = nil
		x.call(i, l.left, 50000001, 34, 4)
		return true
	}
	return false
}

func (x *execution) receive(i int, s *step) bool {
	w, now := way{s.peer, i}, x.clock[i]
	list := x.mail[w]
	if len(list) == 0 || list[0].sync && list[0].left > 0 {
		return false
	}
	l := &list[0]
	if l.sync {
		l.left = max(now, l.sent) + x.takes(s.peer, i, l.size)
		l.there = l.left
	} else {
		x.mail[w] = list[1:]
	}
	end := max(now+x.overhead, l.there)
	x.b.Comm(prv.Comm{Send: int32(s.peer), Recv: int32(i), Size: l.size, Times: [4]int64{prv.LogicalSend: l.sent,
		prv.PhysicalSend: l.left, prv.LogicalRecv: now, prv.PhysicalRecv: end}})
	x.call(i, end, 50000001, 2, 3)
	return true
}

// meet executes the collective operation at which all tasks have arrived.
func (x *execution) meet() bool {
	last := int64(0)
	for _, at := range x.met {
		if at < 0 {
			return false
		}
		last = max(last, at)
	}
	for i := range x.met {
		x.call(i, last+x.collective, 50000002, 10, 13)
		x.met[i] = -1
		x.next[i]++
	}
	return true
}
