package engine

// OpenMP: synchronisation of the threads of a task.
//
// A trace shows the work of the runtime as events: 60000001 a parallel region (of the thread that opens it, the
// master), 60000018 the outlined function that each thread of the team runs, 60000005 a barrier; value 0 is the end.
// The rules are those of Dimemas 5.5.0, found by comparing totals: all threads of the team meet at the start of their
// n-th outlined function, and at the end of their n-th barrier; the master ends its n-th region when all have ended
// their n-th outlined function. Time that the traced run spent waiting there is computation like any other: it is
// simulated before the threads wait for each other again. A thread without such events, such as a stream of an
// accelerator, is not in the team. When the last has arrived, all threads of a team go through the queue of their node,
// in thread order.
//
// If threads of teams share CPUs, pview does not follow Dimemas, which does not pass on the CPU of a thread that begins
// to wait for its team (Simulator/sched/schedule.c returns from the event): it stays free until a thread becomes ready
// somewhere, and if none does, the simulation is over before its end.
//
// With OpenMP disabled no thread waits, and the computation of workers takes no time: the master's covers the whole
// region.
//
// OpenMP tasks: 60000024 creates a task, 60000023 executes one, 60000028 next to them is its number; 60000022 waits for
// the tasks that the current one has created. Each thread executes the same tasks as in the traced run, in that order;
// an execution waits for the creation of its task, the end of a taskwait for the children. Dimemas 5.5.0 never finishes
// such programs. All of these waits point backwards in the traced run, so none can last forever.

import (
	"slices"

	"pview/prv/extrae"
	"pview/sim"
)

// team has the threads of a task with OpenMP.
type team struct {
	size     int
	outlined meeting
	barrier  meeting
	ended    int   // outlined functions of workers
	regions  int   // whose end the master has reached
	master   int32 // index + 1 when it waits for workers

	tasks  []openMPTask     // the threads' own, then created ones
	number map[uint64]int32 // index in tasks, by 60000028
}

// openMPTask is a piece of work executed by a thread of the team.
type openMPTask struct {
	parent   int32
	children int32 // not done yet
	waiter   int32 // thread, index + 1: waits before the execution for the creation, after it for the children
	created  bool
}

// meeting is a point where all threads of a team wait for the last.
type meeting struct {
	waiting []int32
}

// openMP has the teams of the tasks whose threads synchronise by OpenMP.
type openMP struct {
	*engine
	teams []team // by task; nil if none
}

func (o *openMP) init(e *engine) {
	o.engine = e
	for i := range o.p.Tasks {
		t := &o.p.Tasks[i]
		if !t.OpenMP || t.Threads < 2 {
			continue
		}
		if o.teams == nil {
			o.teams = make([]team, len(o.p.Tasks))
		}
		o.teams[i].tasks = make([]openMPTask, t.Threads)
		o.teams[i].number = map[uint64]int32{}
		for n := t.FirstThread; n < t.FirstThread+t.Threads; n++ {
			th, worker := &o.threads[n], n != t.FirstThread
			if worker && !inTeam(th.src) {
				continue
			}
			th.construct = o.newConstruct(worker)
			if o.opt.DisableOpenMP {
				th.silent = worker
				continue
			}
			o.teams[i].size++
			th.executes = append(th.executes, n-t.FirstThread)
			th.team = &o.teams[i]
			th.master = !worker
		}
	}
}

// inTeam reports whether a thread takes part in parallel regions. The team does not wait for others of the task, such
// as the streams of its accelerators.
func inTeam(t *sim.Thread) bool {
	for row, k := range t.Kinds() {
		if k != sim.Event {
			continue
		}
		switch typ, _ := t.Event(row); typ {
		case extrae.OpenMPOutlined, extrae.OpenMPBarrier, extrae.OpenMPExecute, extrae.OpenMPCreate,
			extrae.OpenMPTaskwait:
			return true
		}
	}
	return false
}

// awaits reports whether a thread has to wait at an event of the OpenMP runtime; it is then blocked, and returns to the
// event when the wait is over.
func (o *openMP) awaits(i int32, t *thread, typ uint32, value uint64) bool {
	switch typ {
	case extrae.OpenMPParallel, extrae.OpenMPBarrier, extrae.OpenMPOutlined, extrae.OpenMPTaskwait,
		extrae.OpenMPExecute, extrae.OpenMPCreate:
	default:
		return false
	}
	if t.passes {
		t.passes = false
		return false
	}
	if value > 0 {
		return o.begins(i, t, typ)
	}
	return o.ends(i, t, typ)
}

// begins is awaits at the start of a piece of work.
func (o *openMP) begins(i int32, t *thread, typ uint32) bool {
	switch typ {
	case extrae.OpenMPOutlined:
		return o.meet(i, t, &t.team.outlined)
	case extrae.OpenMPCreate:
		o.createTask(t)
	case extrae.OpenMPExecute:
		return o.executeTask(i, t)
	}
	return false
}

// ends is awaits at the end of a piece of work.
func (o *openMP) ends(i int32, t *thread, typ uint32) bool {
	m := t.team
	switch {
	case typ == extrae.OpenMPOutlined && !t.master:
		m.ended++
		if m.master != 0 && m.ended >= m.regions*(m.size-1) {
			master := m.master - 1
			m.master = 0
			o.resume(master)
		}
	case typ == extrae.OpenMPBarrier:
		return o.meet(i, t, &m.barrier)
	case typ == extrae.OpenMPParallel && t.master:
		m.regions++
		o.setState(i, t, t.meetingState())
		if m.ended < m.regions*(m.size-1) {
			m.master = i + 1
		} else {
			o.resume(i)
		}
		return true
	case typ == extrae.OpenMPExecute:
		o.endTask(t)
	case typ == extrae.OpenMPTaskwait:
		own := &m.tasks[t.executes[len(t.executes)-1]]
		return own.children > 0 && o.awaitTask(i, t, own)
	}
	return false
}

// taskAt returns the task whose number accompanies the event of a thread; a new one if there is none.
func (t *thread) taskAt() int32 {
	m := t.team
	id, named := uint64(0), false
	for pc := int(t.pc) + 1; pc < len(t.kind) && t.kind[pc] >= sim.ReactiveEvent && !named; pc++ {
		switch typ, value := t.src.Event(pc); typ {
		case extrae.OpenMPTaskID:
			id, named = uint64(value), true
		case extrae.OpenMPCreate, extrae.OpenMPExecute, extrae.OpenMPTaskwait:
			pc = len(t.kind)
		}
	}
	if n, ok := m.number[id]; ok && named {
		return n
	}
	m.tasks = append(m.tasks, openMPTask{parent: -1, created: !named})
	n := int32(len(m.tasks) - 1)
	if named {
		m.number[id] = n
	}
	return n
}

// createTask makes a task a child of the one that the thread executes.
func (o *openMP) createTask(t *thread) {
	n := t.taskAt()
	x := &t.team.tasks[n]
	if x.created { // a reused number
		return
	}
	x.created, x.parent = true, t.executes[len(t.executes)-1]
	t.team.tasks[x.parent].children++
	if x.waiter != 0 {
		waiter := x.waiter - 1
		x.waiter = 0
		o.resume(waiter)
	}
}

// executeTask begins a task, or waits for its creation.
func (o *openMP) executeTask(i int32, t *thread) bool {
	n := t.taskAt()
	t.executes = append(t.executes, n)
	x := &t.team.tasks[n]
	return !x.created && o.awaitTask(i, t, x)
}

// endTask ends the task that the thread executes, and wakes a waiting parent.
func (o *openMP) endTask(t *thread) {
	last := len(t.executes) - 1
	if last == 0 { // an end without a start
		return
	}
	x := &t.team.tasks[t.executes[last]]
	t.executes = t.executes[:last]
	if x.parent < 0 {
		return
	}
	parent := &t.team.tasks[x.parent]
	if parent.children--; parent.children == 0 && parent.waiter != 0 {
		waiter := parent.waiter - 1
		parent.waiter = 0
		o.resume(waiter)
	}
}

func (o *openMP) awaitTask(i int32, t *thread, x *openMPTask) bool {
	x.waiter = i + 1
	if t.construct != nil {
		o.show(i, t)
		t.construct.paused = true
	}
	o.setState(i, t, sim.StateReady)
	return true
}

// meet blocks a thread until the rest of its team arrives; the last one wakes all.
func (o *openMP) meet(i int32, t *thread, m *meeting) bool {
	m.waiting = append(m.waiting, i)
	o.setState(i, t, t.meetingState())
	if len(m.waiting) == t.team.size {
		slices.Sort(m.waiting)
		for _, other := range m.waiting {
			o.resume(other)
		}
		m.waiting = m.waiting[:0]
	}
	return true
}

// resume wakes a thread that waited at an event.
func (o *openMP) resume(i int32) {
	t := &o.threads[i]
	t.passes = true
	t.phase, t.synthetic, t.left, t.requeue = computing, true, 0, true
	o.cpus.ready(i, t)
}
