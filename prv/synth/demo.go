package synth

import "pview/prv"

// The demonstration trace shows every problem that pview can find: see phases. It lasts about two seconds.

// Demo returns the options of the demonstration trace.
func Demo() Options {
	return Options{
		Pattern: "demo", Tasks: 16, Threads: 2, Nodes: 4, Compute: 27_000_000, Message: 24 << 10, Callers: 1,
		Seed: 20261121,
	}
}

// phase is a chapter of the story.
type phase struct {
	name string
	run  func(*engine)
}

// phases returns the chapters, in order.
func phases() []phase {
	return []phase{
		{"Initialisation", demoInput},
		{"Balanced steps", demoBalanced},
		{"Drifting hot spot", demoDrift},
		{"Checkpoint", demoCheckpoint},
		{"Sweeps", demoSweeps},
		{"Late sender", demoLate},
		{"Transposition", demoTranspose},
	}
}

func phaseLabels() []prv.ValueLabel {
	list := []prv.ValueLabel{{Value: 0, Label: "Outside"}}
	for i, p := range phases() {
		list = append(list, prv.ValueLabel{Value: int64(i + 1), Label: p.name})
	}
	return list
}

// startDemo runs all chapters: the story has no iterations of equal shape.
func startDemo(e *engine) {
	start(e)
	for i, p := range phases() {
		e.markAll(typePhase, int64(i+1))
		p.run(e)
		e.markAll(typePhase, 0)
		e.flush()
	}
}

// demoInput: task 0 reads the input while the others wait for it in a broadcast.
func demoInput(e *engine) {
	l := e.main(0)
	e.enterFunction(l, functionInput)
	for range 4 {
		e.call(l, mpiFileRead, e.about(14_000_000, 25), prv.Pair{Type: typeFileSize, Value: 4 << 20})
		l.ipc = functions[functionInput].ipc
		e.pass(l, e.about(3_000_000, 30))
	}
	e.leaveFunction(l)
	e.broadcast(1 << 20)
	e.compute(functionBorder, func(int) int64 { return e.about(9_000_000, 8) })
	e.collective(mpiBarrier, 0)
}

// demoBalanced: a good run.
func demoBalanced(e *engine) {
	for i := range 9 {
		e.demoStep(i, func(int) int64 { return e.about(e.opt.Compute, 3) })
	}
}

// demoDrift: a hot spot grows and moves over the tasks; all other tasks wait for it.
func demoDrift(e *engine) {
	for i := range 12 {
		center, height := int64(i)*12, min(int64(i)+3, 8)
		e.demoStep(9+i, func(task int) int64 {
			away := int64(task)*10 - center
			bump := max(0, 30-max(away, -away)) // tenths: 3.0 at the centre, 0 three tasks away
			return e.about(e.opt.Compute*(80+bump*height/2)/100, 3)
		})
	}
}

// demoStep is a step of the simulation: cells, borders, residual.
func (e *engine) demoStep(i int, work func(task int) int64) {
	e.markAll(typeIteration, int64(i+1))
	e.compute(functionKernel, func(task int) int64 { return work(task) * 8 / 10 })
	e.halo(e.opt.Message)
	e.compute(functionBorder, func(task int) int64 { return work(task) * 2 / 10 })
	e.collective(mpiAllreduce, 8)
	e.markAll(typeResidual, 2_500_000/int64(i+1)/int64(i+1)+137)
}

// demoCheckpoint: the first task of each node writes, one node after the other; the
// others wait for them.
func demoCheckpoint(e *engine) {
	perNode := e.opt.Tasks / e.opt.Nodes
	e.collective(mpiBarrier, 0)
	disk := int64(0)
	for task := 0; task < e.opt.Tasks; task += perNode {
		l := e.main(task)
		e.enterFunction(l, functionCheckpoint)
		for range 3 {
			e.begin(l, mpiFileWrite, prv.Pair{Type: typeFileSize, Value: 16 << 20})
			e.passUntil(l, disk)
			e.pass(l, e.about(9_000_000, 20))
			disk = l.now - 6_000_000
			e.end(l, mpiFileWrite)
			e.pass(l, e.about(400_000, 20))
		}
		e.leaveFunction(l)
	}
	e.collective(mpiBarrier, 0)
}

// demoSweeps: wavefronts run over the tasks, several at a time, forward and then
// backward; the pipeline fills and drains.
func demoSweeps(e *engine) {
	for i := range 20 {
		e.sweep(i >= 10, int64(100+i))
	}
	e.collective(mpiBarrier, 0)
}

// sweep takes a wavefront through all tasks: each waits for the previous one.
func (e *engine) sweep(backward bool, tag int64) {
	n := e.opt.Tasks
	var m message
	for k := range n {
		task, before := k, k-1
		if backward {
			task, before = n-1-k, n-k
		}
		if k > 0 {
			e.receive(m, before, task, e.opt.Message, tag)
		}
		e.computeTask(task, functionSweep, e.about(5_200_000, 6))
		if k < n-1 {
			m = e.send(e.main(task), e.opt.Message)
		}
	}
}

// demoLate: task 5 computes longer before each exchange, and its neighbours wait in
// vain, then theirs.
func demoLate(e *engine) {
	for i := range 7 {
		e.markAll(typeIteration, int64(22+i))
		e.compute(functionKernel, func(task int) int64 {
			if task == 5 {
				return e.about(e.opt.Compute*17/10, 3)
			}
			return e.about(e.opt.Compute/2, 3)
		})
		e.halo(4 * e.opt.Message)
	}
	e.collective(mpiAllreduce, 8)
}

// demoTranspose: all to all, with little work in between.
func demoTranspose(e *engine) {
	for range 8 {
		e.compute(functionTranspose, func(int) int64 { return e.about(e.opt.Compute/3, 12) })
		e.collective(mpiAlltoall, 3*e.opt.Message)
	}
	e.compute(functionResidual, func(int) int64 { return e.about(e.opt.Compute/2, 5) })
	e.collective(mpiAllreduce, 64)
}
