package synth

import "pview/prv"

// Pattern is a kind of program.
type Pattern struct {
	Name       string
	Doc        string // one line
	iterations int    // the default
	begin      func(*engine)
	iterate    func(e *engine, i int)
	end        func(*engine)
}

// Patterns are the kinds of programs.
var Patterns = []Pattern{
	{"stencil", "a grid of tasks that exchange borders each iteration and sum every fifth", 50, start, stencil, finish},
	{"ring", "tasks that pass a message around, with a barrier every tenth iteration", 50, start, ring, finish},
	{"collective", "transposition by Alltoall, then Allreduce", 50, start, transpose, finish},
	{"master-worker", "task 0 gives work of three sizes to the others", 50, start,
		func(e *engine, i int) { e.masterWorker() }, finish},
	{"pipeline", "items that pass through all tasks one after the other", 50, start,
		func(e *engine, i int) { e.pipe(i) }, finish},
	{"demo", "the story of the demonstration trace: see demo.go", 1, startDemo, func(*engine, int) {}, finish},
}

func findPattern(name string) *Pattern {
	for i := range Patterns {
		if Patterns[i].Name == name {
			return &Patterns[i]
		}
	}
	return nil
}

// start starts the processes, one shortly after the other, and MPI.
func start(e *engine) {
	for task := range e.opt.Tasks {
		l := e.main(task)
		e.enter(l, stateNotCreated)
		l.now = e.about(2_000_000, 40)
		e.enter(l, stateRunning)
		e.event(typeApplication, 1)
		e.with(typeCPU, int64(l.cpu))
		e.emit(l)
		for th := 1; th < e.opt.Threads; th++ {
			e.enter(&e.lanes[task*e.opt.Threads+th], stateNotCreated)
		}
		l.function, l.ipc = functionMain, e.about(1000, 25)
		e.pass(l, e.about(150_000, 30))
	}
	e.together(mpiInit, 1_200_000)
	for task := range e.opt.Tasks {
		e.call(e.main(task), mpiRank, e.about(400, 50))
	}
}

// together is a call that no task leaves before all have entered.
func (e *engine) together(c call, cost int64) {
	last := int64(0)
	for task := range e.opt.Tasks {
		l := e.main(task)
		e.begin(l, c)
		last = max(last, l.now)
	}
	for task := range e.opt.Tasks {
		l := e.main(task)
		e.passUntil(l, last+e.about(cost, 10))
		e.end(l, c)
	}
}

// finish ends MPI and the processes.
func finish(e *engine) {
	e.together(mpiFinalize, 600_000)
	end := int64(0)
	for task := range e.opt.Tasks {
		l := e.main(task)
		e.pass(l, e.about(200_000, 50))
		e.event(typeApplication, 0)
		e.emit(l)
		end = max(end, l.now)
	}
	for i := range e.lanes {
		l := &e.lanes[i]
		if i%e.opt.Threads == 0 {
			e.enter(l, stateIdle)
		}
		l.now = max(l.now, end)
	}
}

func stencil(e *engine, i int) {
	e.markAll(typeIteration, int64(i+1))
	e.compute(functionKernel, func(task int) int64 { return e.work(task) * 3 / 4 })
	e.halo(e.opt.Message)
	e.compute(functionBorder, func(task int) int64 { return e.work(task) / 4 })
	if i%5 == 4 {
		e.collective(mpiAllreduce, 8)
	}
}

func ring(e *engine, i int) {
	e.markAll(typeIteration, int64(i+1))
	e.compute(functionKernel, e.work)
	if e.opt.Tasks > 1 {
		e.shift(e.opt.Message)
	}
	if i%10 == 9 {
		e.collective(mpiBarrier, 0)
	}
}

func transpose(e *engine, i int) {
	e.markAll(typeIteration, int64(i+1))
	e.compute(functionTranspose, e.work)
	e.collective(mpiAlltoall, e.opt.Message)
	e.compute(functionKernel, e.work)
	e.collective(mpiAllreduce, 8)
}

func (e *engine) masterWorker() {
	if e.opt.Tasks == 1 {
		e.compute(functionKernel, e.work)
		return
	}
	e.serve()
}

var _ Sink = (*prv.Builder)(nil)
var _ Sink = (*prv.Encoder)(nil)
