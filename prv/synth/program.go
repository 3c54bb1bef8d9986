package synth

import (
	"math/bits"
	"slices"

	"pview/prv"
)

// The actions of a program's tasks: compute, call MPI, read and write. Each step takes all tasks through one phase, and
// leaves each task's clock where the phase ends for it. The times of messages follow Extrae: the logical send is the
// begin of the send call, the physical send its end (Sendrecv: both its begin); the logical receive is the begin of
// Recv and Sendrecv, but the end of Irecv; the physical receive is the end of the call that completes it.

// call is an MPI function: its event and the state of a thread in it.
type call struct {
	typ   uint32
	value int64
	state uint32
}

var (
	mpiSend      = call{typePointToPoint, 1, stateSend}
	mpiRecv      = call{typePointToPoint, 2, stateRecv}
	mpiIsend     = call{typePointToPoint, 3, stateIsend}
	mpiIrecv     = call{typePointToPoint, 4, stateIrecv}
	mpiWaitall   = call{typePointToPoint, 6, stateWait}
	mpiSendrecv  = call{typePointToPoint, 41, stateSendrecv}
	mpiBcast     = call{typeCollective, 7, stateGroup}
	mpiBarrier   = call{typeCollective, 8, stateGroup}
	mpiAllreduce = call{typeCollective, 10, stateGroup}
	mpiAlltoall  = call{typeCollective, 11, stateGroup}
	mpiRank      = call{typeOtherMPI, 19, stateOthers}
	mpiInit      = call{typeOtherMPI, 31, stateOthers}
	mpiFinalize  = call{typeOtherMPI, 32, stateOthers}
	mpiFileRead  = call{typeFile, 147, stateIO}
	mpiFileWrite = call{typeFile, 149, stateIO}
)

// Costs in nanoseconds.
const (
	postCost     = 900  // of posting a receive
	sendCost     = 1400 // of giving a message to the network
	beforeCall   = 80   // of the program: calls never follow each other directly, so times tell them apart
	latencyNear  = 700  // within a node
	latencyFar   = 2200 // between nodes
	bytesPerUsIn = 9000 // bandwidth within a node
	bytesPerUs   = 3500 // and between nodes
)

// transfer returns the time that a message is in transit.
func (e *engine) transfer(from, to int, size int64) int64 {
	if e.main(from).node == e.main(to).node {
		return latencyNear + size*1000/bytesPerUsIn
	}
	return latencyFar + size*1000/bytesPerUs
}

// begin enters an MPI call.
func (e *engine) begin(l *lane, c call, more ...prv.Pair) {
	e.pass(l, beforeCall)
	e.enter(l, c.state)
	e.event(c.typ, c.value)
	e.pairs = append(e.pairs, more...)
	e.counters(l)
	e.callers(l, c)
	e.emit(l)
	l.outside, l.ipc = l.ipc, 350
}

// end leaves the call.
func (e *engine) end(l *lane, c call) {
	l.ipc = l.outside
	e.enter(l, stateRunning)
	e.event(c.typ, 0)
	e.counters(l)
	e.emit(l)
}

// callers adds the stack of a call: the function that calls, its caller, main.
func (e *engine) callers(l *lane, c call) {
	stack := [3]int64{l.function, functionStep, functionMain}
	for level := range e.opt.Callers {
		f := stack[level]
		e.with(typeCaller+uint32(level), f)
		e.with(typeCallerLine+uint32(level), callLine(f, c, level))
	}
}

// call is a call that takes its own time and does not wait.
func (e *engine) call(l *lane, c call, ns int64, more ...prv.Pair) {
	e.begin(l, c, more...)
	e.pass(l, ns)
	e.end(l, c)
}

// enterFunction and leaveFunction mark a user function.
func (e *engine) enterFunction(l *lane, f int64) {
	e.event(typeFunction, f)
	e.with(typeFunctionLine, f)
	e.counters(l)
	e.emit(l)
	l.function = f
}

func (e *engine) leaveFunction(l *lane) {
	e.event(typeFunction, 0)
	e.with(typeFunctionLine, 0)
	e.counters(l)
	e.emit(l)
	l.function = functionMain
}

// mark emits an event of the program.
func (e *engine) mark(task int, typ uint32, value int64) {
	e.event(typ, value)
	e.emit(e.main(task))
}

// markAll emits an event of the program in all tasks.
func (e *engine) markAll(typ uint32, value int64) {
	for task := range e.opt.Tasks {
		e.mark(task, typ, value)
	}
}

// compute lets each task execute a function for its own time.
func (e *engine) compute(f int64, work func(task int) int64) {
	for task := range e.opt.Tasks {
		e.computeTask(task, f, work(task))
	}
}

func (e *engine) computeTask(task int, f int64, ns int64) {
	l := e.main(task)
	e.enterFunction(l, f)
	ipc := e.about(functions[f].ipc, 5)
	if e.opt.Threads > 1 {
		e.parallel(task, f, ns, ipc)
	} else {
		l.ipc = ipc
		e.pass(l, ns)
	}
	l.ipc = 1000
	e.leaveFunction(l)
}

// parallel is an OpenMP parallel region: all threads of the task work, and at its end wait for the last.
func (e *engine) parallel(task int, f, ns, ipc int64) {
	first := task * e.opt.Threads
	team := e.lanes[first : first+e.opt.Threads]
	master := &team[0]
	e.enter(master, stateForkJoin)
	e.event(typeParallel, 1)
	e.counters(master)
	e.emit(master)
	e.pass(master, 1800)
	fork, join := master.now, int64(0)
	for th := range team {
		l := &team[th]
		e.passUntil(l, fork+int64(th)*400)
		l.ipc, l.instructions, l.cycles = ipc, 0, 0
		e.enter(l, stateRunning)
		e.event(typeOutlined, f)
		e.counters(l)
		e.emit(l)
		e.pass(l, e.about(ns, 6))
		e.enter(l, stateSynchronization)
		e.event(typeOutlined, 0)
		e.counters(l)
		e.emit(l)
		join = max(join, l.now)
	}
	for th := range team {
		e.passUntil(&team[th], join+300)
		if th > 0 {
			e.enter(&team[th], stateIdle)
		}
	}
	e.enter(master, stateRunning)
	e.event(typeParallel, 0)
	e.counters(master)
	e.emit(master)
}

// work returns the computing time of a task in an iteration: the mean, with the imbalance of the options and a little
// noise.
func (e *engine) work(task int) int64 {
	ns := e.opt.Compute
	if n := int64(e.opt.Tasks - 1); n > 0 {
		ns += ns * int64(e.opt.Imbalance) * (2*int64(task) - n) / (100 * n)
	}
	return e.about(max(ns, 1000), 3)
}

// message is the sender's half of a communication.
type message struct{ lsend, psend int64 }

// deliver completes a message at its receiver.
func (e *engine) deliver(m message, from, to int, lrecv, precv, size, tag int64) {
	a, b := e.main(from), e.main(to)
	e.comm(prv.Comm{
		Send: e.number(from), Recv: e.number(to), SendCPU: a.cpu, RecvCPU: b.cpu,
		Times: [4]int64{m.lsend, m.psend, lrecv, precv}, Size: size, Tag: tag,
	})
}

// send returns a blocking send of a message that the network accepts immediately.
func (e *engine) send(l *lane, size int64) message {
	e.begin(l, mpiSend)
	m := message{lsend: l.now}
	e.pass(l, e.about(sendCost+size/12, 10))
	m.psend = l.now
	e.end(l, mpiSend)
	return m
}

// receive is a blocking receive.
func (e *engine) receive(m message, from, to int, size, tag int64) {
	l := e.main(to)
	e.begin(l, mpiRecv)
	lrecv := l.now
	e.pass(l, e.about(postCost, 20))
	e.passUntil(l, m.psend+e.transfer(from, to, size))
	e.deliver(m, from, to, lrecv, l.now, size, tag)
	e.end(l, mpiRecv)
}

// halo exchanges the borders of a grid of tasks: Irecv, Isend, Waitall.
func (e *engine) halo(size int64) {
	const directions = 4
	n := e.opt.Tasks
	sent := slices.Grow(e.sent[:0], directions*n)[:directions*n]
	posted := slices.Grow(e.posted[:0], directions*n)[:directions*n]
	e.sent, e.posted = sent, posted
	for task := range n {
		l := e.main(task)
		e.enterFunction(l, functionHalo)
		for d := range directions {
			if e.grid.neighbour(task, d) >= 0 {
				e.call(l, mpiIrecv, e.about(postCost, 30))
				posted[directions*task+d] = l.now
			}
		}
		for d := range directions {
			if e.grid.neighbour(task, d) >= 0 {
				e.begin(l, mpiIsend)
				at := l.now
				e.pass(l, e.about(sendCost+size/40, 20))
				e.end(l, mpiIsend)
				sent[directions*task+d] = message{at, l.now}
			}
		}
		e.begin(l, mpiWaitall)
		e.pass(l, e.about(postCost, 20))
	}
	for task := range n {
		l := e.main(task)
		for d := range directions {
			if from := e.grid.neighbour(task, d); from >= 0 {
				e.passUntil(l, sent[directions*from+opposite(d)].psend+e.transfer(from, task, size))
			}
		}
		for d := range directions {
			if from := e.grid.neighbour(task, d); from >= 0 {
				e.deliver(sent[directions*from+opposite(d)], from, task, posted[directions*task+d], l.now, size,
					int64(d))
			}
		}
		e.end(l, mpiWaitall)
		e.leaveFunction(l)
	}
}

// shift passes a message around a ring of all tasks.
func (e *engine) shift(size int64) {
	n := e.opt.Tasks
	sent := slices.Grow(e.sent[:0], n)[:n]
	e.sent = sent
	for task := range n {
		l := e.main(task)
		e.begin(l, mpiSendrecv)
		sent[task] = message{l.now, l.now}
		e.pass(l, e.about(sendCost+size/40, 20))
	}
	for task := range n {
		l, from := e.main(task), (task+n-1)%n
		e.passUntil(l, sent[from].psend+e.transfer(from, task, size))
		e.deliver(sent[from], from, task, sent[task].lsend, l.now, size, 7)
		e.end(l, mpiSendrecv)
	}
}

// collective is a collective operation: each task leaves about its cost after the last one has entered.
func (e *engine) collective(c call, size int64) {
	stages := int64(bits.Len(uint(e.opt.Tasks)))
	cost := stages*latencyFar + size*1000/bytesPerUs
	if c == mpiAlltoall {
		cost += size * int64(e.opt.Tasks) * 1000 / bytesPerUs
	}
	last := int64(0)
	for task := range e.opt.Tasks {
		l := e.main(task)
		e.begin(l, c, collectivePairs(size)...)
		last = max(last, l.now)
	}
	for task := range e.opt.Tasks {
		l := e.main(task)
		e.passUntil(l, last+e.about(cost, 10))
		e.end(l, c)
	}
}

func collectivePairs(size int64) []prv.Pair {
	return []prv.Pair{{Type: typeSendSize, Value: size}, {Type: typeRecvSize, Value: size},
		{Type: typeCommunicator, Value: 1}}
}

// broadcast sends from task 0 to all, along a tree.
func (e *engine) broadcast(size int64) {
	root := e.main(0)
	e.begin(root, mpiBcast, collectivePairs(size)...)
	from := root.now
	e.pass(root, e.about(sendCost+size*1000/bytesPerUs, 10))
	e.end(root, mpiBcast)
	for task := 1; task < e.opt.Tasks; task++ {
		l := e.main(task)
		e.begin(l, mpiBcast, collectivePairs(size)...)
		e.pass(l, postCost)
		e.passUntil(l, from+int64(bits.Len(uint(task)))*(latencyFar+size*1000/bytesPerUs))
		e.end(l, mpiBcast)
	}
}

// serve is a round of master and workers: each worker asks task 0 for work, gets it, and does it. There are three sizes
// of work.
func (e *engine) serve() {
	master := e.main(0)
	workers := e.order[:0]
	for task := 1; task < e.opt.Tasks; task++ {
		workers = append(workers, task)
	}
	e.order = workers
	slices.SortStableFunc(workers, func(a, b int) int { return int(e.main(a).now - e.main(b).now) })
	for _, w := range workers {
		l := e.main(w)
		ask := e.send(l, 16)
		e.begin(l, mpiRecv)
		posted := l.now
		e.pass(l, postCost)
		e.receive(ask, w, 0, 16, 1)
		e.pass(master, e.about(2500, 40))
		work := e.send(master, e.opt.Message)
		e.passUntil(l, work.psend+e.transfer(0, w, e.opt.Message))
		e.deliver(work, 0, w, posted, l.now, e.opt.Message, 2)
		e.end(l, mpiRecv)
		class := e.rng.Int64N(3) + 1
		e.mark(w, typeClass, class)
		e.computeTask(w, functionKernel, e.about(e.opt.Compute*class*class/5+1000, 10))
		e.mark(w, typeClass, 0)
	}
}

// credits is how many items a stage of the pipeline may be ahead of the next.
const credits = 2

// pipe takes item i through all tasks, one after the other.
func (e *engine) pipe(i int) {
	n := e.opt.Tasks
	if e.taken == nil {
		e.taken = make([][credits]int64, n)
	}
	var m message
	for task := range n {
		l := e.main(task)
		if task > 0 {
			e.receive(m, task-1, task, e.opt.Message, int64(i%1000))
			e.taken[task][i%credits] = l.now
		}
		e.computeTask(task, functionKernel, e.work(task))
		if task == n-1 {
			continue
		}
		// A send ends when the next stage has room for the item.
		e.begin(l, mpiSend)
		m = message{lsend: l.now}
		e.pass(l, e.about(sendCost, 20))
		if i >= credits {
			e.passUntil(l, e.taken[task+1][i%credits])
		}
		m.psend = l.now
		e.end(l, mpiSend)
	}
}

// grid arranges tasks in two dimensions, as near to a square as they divide.
type grid struct{ width, height int }

func newGrid(tasks int) grid {
	w := 1
	for d := 1; d*d <= tasks; d++ {
		if tasks%d == 0 {
			w = d
		}
	}
	return grid{tasks / w, w}
}

// neighbour returns the neighbour of a task to the left, right, above or below, or
// -1 at the border.
func (g grid) neighbour(task, direction int) int {
	x, y := task%g.width, task/g.width
	switch direction {
	case 0:
		x--
	case 1:
		x++
	case 2:
		y--
	case 3:
		y++
	}
	if x < 0 || y < 0 || x >= g.width || y >= g.height {
		return -1
	}
	return y*g.width + x
}

// opposite returns the opposite direction.
func opposite(direction int) int { return direction ^ 1 }
