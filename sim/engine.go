package sim

// The simulation: an event loop.
//
// A thread is ready (in its node's queue), on a CPU (with a timer for the end of that),
// blocked (until a message, an operation or a partner wakes it), or finished. It acts at
// the end of a stay on a CPU: records that take no time run one after another up to the
// next computation or operation; after an operation the thread goes back to the queue
// with its next computation, or with an empty one if there is none, so that the threads
// of a node also take turns where no time passes. After each event every node with ready
// threads and free CPUs dispatches them, in the order of the nodes.
//
// These rules and their order are those of Dimemas 5.5.0: they decide ties, and ties
// decide who waits. No memory is allocated per record: everything in flight lives in
// pools.

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"pview/prv/extrae"
)

// Run simulates a program on a machine. The result depends only on the arguments. The
// error is ctx.Err() when ctx ends, a *Deadlock when threads wait for ever, or what is
// impossible about the machine or its mapping.
func Run(ctx context.Context, p *Program, m *Machine, opt Options) (*Result, error) {
	e, err := newEngine(p, m, &opt)
	if err != nil {
		return nil, err
	}
	if e.out != nil {
		defer e.out.close()
	}
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	return e.result(ctx)
}

// Options select the output of a simulation, and its rules.
type Options struct {
	// Trace asks for the predicted trace.
	Trace bool
	// From and To cut the predicted trace to a window, ns; times are shifted to begin at
	// From. To 0: to the end. Totals are not affected.
	From, To int64
	// LogicalRecvAtWait puts the logical receive of an immediate receive at the begin of
	// its wait.
	LogicalRecvAtWait bool
	// DisableOpenMP simulates the computation of the threads of OpenMP programs without synchronising them.
	DisableOpenMP bool
	// Rules are the model; the zero value is that of Dimemas 5.5.0.
	Rules Rules
	// Repeat restarts applications when they end.
	Repeat Repeat
	// Only selects one application, from 1, which runs alone on the nodes that it would share with the others; 0: all.
	Only int
	// Memory bounds the memory of the predicted trace, in bytes; beyond it, its records are kept in temporary files. 0: no limit.
	Memory int64
	// Progress is called now and then with the records done and the total.
	Progress func(done, total int64)
}

// engine is the state of a simulation.
type engine struct {
	p   *Program
	m   *Machine
	opt *Options

	timers
	nowNS int64

	policy   cpuPolicy
	ranked   *ranked  // of the policy; nil: no priorities
	observer observer // the policy, if it observes threads; else nil
	clock    clocked  // the policy, if it acts periodically; else nil
	keep     bool     // the rule CPUTurns is TurnUntilBlocked
	plain    bool     // fifo, without keep, and with free context switches
	net      network
	ordered  bool     // a direct network: no rendezvous, and messages may overtake each other
	mail     *mailbox // nil: the queues of channels are enough
	sharing  *sharing // nil: the policy has queues

	contention *contention // nil: another network

	threads    []thread
	tasks      []task
	nodes      []node
	dirty      []uint64 // set of nodes with ready threads and free CPUs
	dirtyNodes int      // their number
	finished   int

	channels      []channel
	semaphores    []semaphore
	transfers     []transfer // from 1
	freeTransfers []int32
	notes         []note // from 1
	freeNotes     []int32

	part          Message // of a Reduce, as the network sees it
	groups        []group
	instances     []instance
	freeInstances []int32

	rules    Rules
	rng      *rng              // nil: no parameter has a distribution
	costs    []CollectiveCosts // by cluster
	wanCosts CollectiveCosts

	shares                   []float64 // by node: CPUs of a thread; nil: no block is split
	localPerByte, netPerByte []float64 // by node, by cluster: ns
	clusterNodes             []int     // by cluster

	hops, byteHops int64 // see Result

	teams []team // by task; nil without OpenMP

	repeat *repetition // nil: nothing is repeated

	busQueue, mostBusQueue int // messages that wait for a bus, and their maximum

	stats []TaskStats
	out   *recorder // nil: totals only
}

// phase is the activity of a thread on a CPU.
type phase uint8

const (
	computing phase = iota
	starting        // startup: the latency of a message
	spinning        // busy wait
)

// thread is a thread in the simulation.
type thread struct {
	kind   []Kind // columns of src
	arg    []uint32
	values []uint64
	src    *Thread

	pc    int32
	task  int32
	node  int32
	cpu   int32 // current or last one, 0-based in the node; -1: none yet
	next  int32 // in a channel's list of receivers, index + 1
	phase phase
	state uint8

	requeue   bool // it goes to the end of the queue
	synthetic bool // the computation is not a record
	started   bool // the startup of the operation is done
	switching bool // on a CPU for a context switch
	idle      bool
	seen      bool // it has had an event
	done      bool
	onCPU     bool
	runnable  bool  // it has just become ready
	asleep    bool  // it waits for something other than a CPU; only for an observer
	master    bool  // the master of its team
	passes    bool  // it need not wait at its current OpenMP event
	joined    bool  // the join of the block that its current event ends is charged
	sliced    bool  // the quantum ended during the startup
	flushes   bool  // it waits for its puts to arrive
	puts      int32 // in flight

	team    *team   // nil: none
	timer   uint64  // the end of its stay on the CPU
	left    float64 // of the computation or startup, ns
	used    float64 // of the quantum
	turn    float64 // when its turn on the CPU began
	begun   float64 // begin of its current activity there,
	doing   float64 // and the length of that
	check   float64 // end of its minimum run time before preemption, if that was asked for
	reached float64 // when the operation was reached
	blocked float64 // when it blocked
	since   int64   // begin of the state, ns
	event   int64   // time of the last event, ns

	modules  []module // open ones, innermost last
	fork     float64  // of the block that has just begun, ns
	executes []int32  // OpenMP tasks of the team, innermost last; first the thread's own

	background int32 // non-blocking collectives in progress
	over       int32 // completed, and not waited for
	awaitsOp   bool  // it waits for one of them
}

// module is an open block of the program.
type module struct {
	typ     uint32
	ratio   float64
	threads float64 // that share its computation, as far as there are CPUs
	join    float64 // ns
}

// task is a task in the simulation.
type task struct {
	node                             int32
	computation, startups            float64
	blockedRecv, blockedColl, inColl float64
	blockedSend                      float64
	waitLinks, waitBuses             float64
}

// node is a node in the simulation.
type node struct {
	queue    deque   // of ready threads
	free     int     // CPUs
	idle     cpuSet  // which they are
	on       []int32 // by CPU: thread + 1; 0: none
	last     []int32 // by CPU: the thread before, + 1
	firstCPU int32
	held     int32 // thread + 1 that keeps its CPU while it acts; see cpuDonePlain
}

func newEngine(p *Program, m *Machine, opt *Options) (*engine, error) {
	if !p.linked {
		return nil, fmt.Errorf("the program is not linked")
	}
	if p.unowned != nil {
		return nil, p.unowned
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	if opt.Only < 0 || opt.Only > len(p.Ptasks) {
		return nil, fmt.Errorf("there is no application %d", opt.Only)
	}
	if err := opt.Rules.check(); err != nil {
		return nil, err
	}
	p, err := opt.Rules.AsMessages(p, m)
	if err != nil {
		return nil, err
	}
	e := &engine{p: p, m: m, opt: opt, rules: opt.Rules, rng: newRNG(m), timers: newTimers()}
	if err := e.placeTasks(); err != nil {
		return nil, err
	}
	e.newPolicy()
	e.channels = make([]channel, p.channels)
	e.semaphores = make([]semaphore, p.semaphores)
	e.transfers, e.notes = make([]transfer, 1, 64), make([]note, 1, 64)
	e.clusterNodes = make([]int, len(m.Clusters))
	for i := range m.Nodes {
		e.clusterNodes[m.Nodes[i].Cluster]++
		e.localPerByte = append(e.localPerByte, nsPerByte(m.Nodes[i].Local.Bandwidth))
	}
	e.wanCosts = m.WAN.Collectives.under(e.rules[CollectiveCharge])
	for i := range m.Clusters {
		e.costs = append(e.costs, m.Clusters[i].Collectives.under(e.rules[CollectiveCharge]))
		e.netPerByte = append(e.netPerByte, nsPerByte(m.Clusters[i].Bandwidth))
	}
	if err := e.newNetwork(); err != nil {
		return nil, err
	}
	e.mail = e.newMailbox(e.ordered)
	e.newGroups()
	e.newTeams()
	e.newShares()
	if err := e.newRepetition(); err != nil {
		return nil, err
	}
	e.stats = make([]TaskStats, len(p.Tasks))
	if opt.Trace {
		e.out = newRecorder(e)
	}
	return e, nil
}

// placeTasks maps the tasks and creates nodes and threads.
func (e *engine) placeTasks() error {
	e.tasks = make([]task, len(e.p.Tasks))
	e.threads = make([]thread, len(e.p.Threads))
	for i, pt := range e.p.Ptasks {
		at, err := e.m.Mapping[min(i, len(e.m.Mapping)-1)].place(int(pt.Tasks), e.m.Nodes)
		if err != nil {
			return err
		}
		for j, n := range at {
			e.tasks[int(pt.FirstTask)+j].node = n
		}
	}
	e.nodes = make([]node, len(e.m.Nodes))
	e.dirty = make([]uint64, (len(e.nodes)+63)/64)
	first := int32(1)
	for i := range e.nodes {
		n := &e.nodes[i]
		n.free = e.m.Nodes[i].CPUs
		n.on, n.last, n.idle = make([]int32, n.free), make([]int32, n.free), allCPUs(n.free)
		n.firstCPU = first
		first += int32(n.free)
	}
	for ti := range e.p.Tasks {
		t := &e.p.Tasks[ti]
		for i := t.FirstThread; i < t.FirstThread+t.Threads; i++ {
			src := &e.p.Threads[i]
			e.threads[i] = thread{kind: src.kind, arg: src.arg, values: src.values, src: src,
				task: int32(ti), node: e.tasks[ti].node, cpu: -1}
		}
	}
	return nil
}

// checkStep is the number of events between two checks of the context.
const checkStep = 1 << 14

// run is the loop.
func (e *engine) run(ctx context.Context) error {
	for i := range e.threads {
		t := &e.threads[i]
		if len(t.kind) == 0 || e.leftOut(t) {
			e.end(int32(i), t)
			continue
		}
		e.loadWork(t)
		t.requeue = true
		e.ready(int32(i), t)
	}
	e.dispatchAll()
	e.startClock()
	step := max(checkStep, len(e.threads)) // computing the progress visits every thread
	for n := 1; ; n++ {
		if n%step == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if e.opt.Progress != nil {
				e.opt.Progress(e.progress())
			}
		}
		before := e.now
		tm, ok := e.next()
		if !ok {
			break
		}
		if e.now != before {
			if r := e.repeat; r != nil && (r.over || r.Until > 0 && e.now > r.Until) {
				return e.stopAt(before)
			}
			if !(e.now <= latest) {
				return e.tooLate(before)
			}
			e.nowNS = wholeNS(e.now)
		}
		switch tm.what {
		case cpuDone:
			if t := &e.threads[tm.who]; t.timer == tm.seq {
				switch {
				case e.keep:
					e.turnDone(tm.who, t)
				case e.plain && e.nodes[t.node].queue.n == 0:
					e.cpuDonePlain(tm.who, t)
				default:
					e.cpuDone(tm.who, t)
				}
			}
		case transferDone:
			e.transferDone(tm.who)
		case arrival:
			e.arrive(tm.who)
		case collectiveDone:
			e.collectiveDone(tm.who)
		case linkPassed:
			e.contention.hop(tm.who)
		case mailDue:
			e.matchOpen(tm.who)
		case workShared:
			e.sharing.due(tm.who, tm.seq)
		case nothingShared:
			e.sharing.done(tm.who)
		case policyTick:
			e.tick()
		case mayPreempt:
			e.mayPreempt(tm.who)
		}
		if !e.keep || !e.more() {
			e.dispatchAll()
		}
	}
	if e.repeat != nil && e.repeat.over {
		return e.stopAt(e.now)
	}
	if e.finished < len(e.threads) {
		return e.deadlock()
	}
	return nil
}

// latest is where Dimemas stops, too, ns: eight years. Soon after it, whole nanoseconds no longer fit into 64 bits.
const latest = 2.52e17

// tooLate reports that the next event is beyond the latest time.
func (e *engine) tooLate(before float64) error {
	return fmt.Errorf("after %.9f s of the simulation nothing happens until %.3g s, and it goes no further than %.3g s (8 years): a time or a latency is too long, or a ratio or a bandwidth too small",
		before/1e9, e.now/1e9, latest/1e9)
}

// leftOut reports whether a thread belongs to an application that does not run.
func (e *engine) leftOut(t *thread) bool {
	return e.opt.Only > 0 && int(e.p.Tasks[t.task].Ptask) != e.opt.Only-1
}

func (e *engine) progress() (done, total int64) {
	if e.repeat != nil {
		return e.repeat.progress(e.now)
	}
	for i := range e.threads {
		done += int64(e.threads[i].pc)
		total += int64(len(e.threads[i].kind))
	}
	return done, total
}

// wholeNS rounds a time half away from zero.
func wholeNS(t float64) int64 {
	n := int64(t)
	if t-float64(n) >= 0.5 {
		n++
	}
	return n
}

// ready puts a thread into the queue of its node, unless it keeps its CPU.
func (e *engine) ready(i int32, t *thread) {
	t.runnable = true
	n := &e.nodes[t.node]
	if t.onCPU {
		return
	}
	if n.held != 0 {
		e.letGoHeld(n)
	}
	if e.sharing != nil {
		e.sharing.start(i, t)
		return
	}
	if t.asleep {
		t.asleep = false
		e.observer.happened(i, woken, 0)
	}
	e.setState(i, t, StateReady)
	e.policy.ready(n, i, t)
	if n.free > 0 || e.ranked != nil && e.ranked.preemptive {
		e.markDirty(t.node)
	}
}

// leaveCPU frees the CPU of a thread.
func (e *engine) leaveCPU(t *thread) {
	t.onCPU = false
	n := &e.nodes[t.node]
	n.on[t.cpu] = 0
	n.idle.add(t.cpu)
	n.free++
	if n.queue.n > 0 {
		e.markDirty(t.node)
	}
}

// dispatchAll dispatches on every node that has ready threads and free CPUs, in the order of nodes.
func (e *engine) dispatchAll() {
	for w := 0; e.dirtyNodes > 0; w++ {
		for e.dirty[w] != 0 {
			e.dispatch(int32(w<<6 + bits.TrailingZeros64(e.dirty[w])))
		}
	}
}

// dispatch puts ready threads of a node on its free CPUs.
func (e *engine) dispatch(ni int32) {
	e.clean(ni)
	n := &e.nodes[ni]
	for n.queue.n > 0 && (n.free > 0 || e.preempt(n)) {
		e.putOn(n)
	}
}

// dispatchOne puts the next ready thread of a node on a CPU, as Dimemas does right after another has left one; the other
// threads of the node wait until it is their node's turn.
func (e *engine) dispatchOne(ni int32) {
	n := &e.nodes[ni]
	if n.queue.n > 0 && (n.free > 0 || e.preempt(n)) {
		e.putOn(n)
	}
	if n.queue.n == 0 || n.free == 0 && (e.ranked == nil || !e.ranked.preemptive) {
		e.clean(ni)
	}
}

// putOn puts the next thread of a node's queue on a CPU.
func (e *engine) putOn(n *node) {
	i := e.policy.next(n)
	t := &e.threads[i]
	n.take(i, t)
	if e.plain {
		e.work(i, t)
	} else {
		e.beginTurn(i, t, n)
	}
}

// take gives a thread its last CPU if that is free, else the first free one.
func (n *node) take(i int32, t *thread) {
	n.free--
	t.onCPU = true
	if t.cpu < 0 || n.on[t.cpu] != 0 {
		t.cpu = n.idle.first()
	}
	n.idle.remove(t.cpu)
	n.on[t.cpu] = i + 1
}

// work starts the activity of a thread that has a CPU.
func (e *engine) work(i int32, t *thread) {
	d := t.left
	if !e.plain {
		d = e.policy.slice(i, t, t.left)
		t.begun, t.doing = e.now, d
	}
	t.left -= d
	state := StateRunning
	task := &e.tasks[t.task]
	if t.phase == starting {
		task.startups += d
		// Dimemas shows it as running after a context switch, and after being cut by the quantum.
		if (e.m.Scheduler.ContextSwitch == 0 || e.rules[SwitchCost] == SwitchOnChange) && !t.sliced {
			state = StateStartup
		}
	} else {
		task.computation += d
		if t.idle {
			state = StateIdle
		} else if e.rules[RunningState] == RunningAfterEvent && !t.seen {
			state = stateNone
		}
	}
	e.setState(i, t, state)
	if e.keep && t.left > 0 && d > 0 {
		t.timer = e.scheduleFirst(e.now+d, cpuDone, i)
	} else {
		t.timer = e.schedule(e.now+d, cpuDone, i)
	}
}

// cpuDonePlain is cpuDone where a CPU has no state of its own and nobody waits for it. A thread that is ready again would leave it,
// enter an empty queue, and be the first to get it back: so it keeps the CPU, unless anything happens on its node in the meantime.
func (e *engine) cpuDonePlain(i int32, t *thread) {
	n := &e.nodes[t.node]
	for again := true; again; {
		n.held, t.runnable = i+1, false
		switch {
		case t.phase == spinning:
			e.stopSpinning(i, t)
		case t.phase == starting:
			t.started, t.phase = true, computing
			e.operate(i, t)
		default:
			if !t.synthetic {
				t.pc++
			}
			e.chain(i, t)
		}
		if n.held == 0 {
			again = e.goesOn(i, t)
			continue
		}
		n.held = 0
		again = t.runnable && t.left == 0 && t.phase == computing && e.timers.n == 0 && e.dirtyNodes == 0 && !e.due()
		if again {
			e.setState(i, t, StateRunning)
		}
	}
	switch {
	case t.onCPU && t.runnable:
		e.work(i, t)
		return
	case t.onCPU && t.phase != spinning:
		e.leaveCPU(t)
	}
	if e.isDirty(t.node) {
		e.dispatchOne(t.node)
	}
}

// letGoHeld takes the CPU from the thread that holds it in cpuDonePlain, and puts that into the queue if it is ready.
func (e *engine) letGoHeld(n *node) {
	i := n.held - 1
	n.held = 0
	t := &e.threads[i]
	e.leaveCPU(t)
	if t.runnable {
		e.ready(i, t)
	}
}

// cpuDone ends a thread's stay on a CPU.
func (e *engine) cpuDone(i int32, t *thread) {
	if t.switching {
		e.endSwitch(i, t)
		return
	}
	for {
		e.leaveCPU(t)
		t.runnable = false
		switch {
		case t.left > 0: // the quantum is over
			t.sliced = t.phase == starting
			e.sliceOver(i, t)
		case t.phase == spinning:
			e.stopSpinning(i, t)
		case t.phase == starting:
			t.started = true
			t.phase = computing
			e.operate(i, t)
		default:
			if !t.synthetic {
				t.pc++
			}
			e.chain(i, t)
		}
		if !e.goesOn(i, t) {
			break
		}
	}
	t.asleep = e.observer != nil && !t.runnable && !t.done && !t.onCPU
	if e.isDirty(t.node) {
		e.dispatchOne(t.node)
	}
}

// goesOn is a short cut. A thread that returns to its CPU for zero time, with nothing else
// scheduled for this instant, would be the next event anyway: it continues immediately.
func (e *engine) goesOn(i int32, t *thread) bool {
	if !e.plain || t.left != 0 || t.phase != computing || t.done || e.timers.n > 0 || e.dirtyNodes != 1 {
		return false
	}
	n := &e.nodes[t.node]
	if n.queue.n != 1 || n.queue.front() != i || n.free == 0 || e.due() {
		return false
	}
	n.queue.popFront()
	e.clean(t.node)
	n.take(i, t)
	e.setState(i, t, StateRunning)
	return true
}

func (e *engine) isDirty(n int32) bool { return e.dirty[n>>6]&(1<<(n&63)) != 0 }

// markDirty notes that a node has a ready thread and a free CPU.
func (e *engine) markDirty(n int32) {
	if !e.isDirty(n) {
		e.dirty[n>>6] |= 1 << (n & 63)
		e.dirtyNodes++
	}
}

func (e *engine) clean(n int32) {
	if e.isDirty(n) {
		e.dirty[n>>6] &^= 1 << (n & 63)
		e.dirtyNodes--
	}
}

// chain runs the records that take no time after a computation.
func (e *engine) chain(i int32, t *thread) {
	t.requeue = true
	waits := false
	if len(e.m.Modules) > 0 || e.out != nil && e.out.columns == nil {
		waits = e.chainRecorded(i, t)
	} else {
		waits = e.chainPlain(i, t)
	}
	if waits {
		return
	}
	if int(t.pc) == len(t.kind) {
		e.finish(i, t)
		return
	}
	if k := t.kind[t.pc]; k.isOperation() {
		e.operate(i, t)
		return
	}
	e.loadWork(t)
	e.ready(i, t)
}

// chainPlain is the fast path: there is nothing to do for most events but to note their time. It returns true when the thread has to
// wait at an event.
func (e *engine) chainPlain(i int32, t *thread) (waits bool) {
	kind, pc, passed := t.kind, int(t.pc), 0
records:
	for ; pc < len(kind); pc++ {
		switch k := kind[pc]; {
		case k >= plainEvent:
			t.requeue, t.seen = true, true
			t.event = e.nowNS
			passed++
		case k >= reactiveEvent:
			t.pc = int32(pc)
			if waits = e.react(i, t); waits {
				break records
			}
			if !k.notRecorded() {
				passed++
			}
		case k == Nop:
			t.requeue = false
		case k == IdleOn || k == IdleOff:
			t.idle = k == IdleOn
			t.requeue = true
		default:
			break records
		}
	}
	t.pc = int32(pc)
	if e.out != nil && passed > 0 {
		e.out.pass(i, t, passed)
	}
	if e.out != nil && waits {
		e.out.columns.threads[i].beginLine()
	}
	return waits
}

// react applies the effects of the event at the thread's record. It returns true when the thread has to wait there.
func (e *engine) react(i int32, t *thread) bool {
	typ, value := t.src.Event(int(t.pc))
	if t.team != nil && e.awaits(i, t, typ, uint64(value)) {
		return true
	}
	t.requeue = true
	e.markEvent(i, t, typ, uint64(value))
	if len(e.m.Modules) > 0 {
		e.followModules(t, typ, value)
	}
	if e.observer != nil && typ == PriorityType {
		e.observer.happened(i, priorityEvent, uint64(value))
	}
	return false
}

// markEvent applies the effect of an event on states.
func (e *engine) markEvent(i int32, t *thread, typ uint32, value uint64) {
	if value == 0 && (typ == extrae.TraceFlush || typ == extrae.TraceInit) && t.state == StateRunning && t.since >= t.event {
		t.state = StateIO
		if typ == extrae.TraceInit {
			t.state = StateOthers
		}
		if e.rules[TracerStates] == TracerOverlaps && t.since > t.event {
			e.stats[t.task].States[t.state] += t.since - t.event
			if e.out != nil {
				e.out.stretch(i, t, t.event, t.since)
			}
		}
	}
	t.seen = t.seen || typ > 0
	t.event = e.nowNS
}

// chainRecorded writes the events, those of a call on one line, and follows modules.
func (e *engine) chainRecorded(i int32, t *thread) bool {
	for ; int(t.pc) < len(t.kind); t.pc++ {
		switch k := t.kind[t.pc]; {
		case k >= reactiveEvent:
			if e.shares != nil && e.joins(i, t) {
				return true
			}
			if k >= plainEvent {
				e.pass(t)
			} else if e.react(i, t) {
				e.breakLine(i, t)
				return true
			}
			if e.out != nil {
				e.out.eventOf(i, t)
			}
			if fork := t.fork; fork > 0 {
				t.fork = 0
				t.pc++
				e.spend(i, t, fork)
				return true
			}
		case k == Nop:
			t.requeue = false
			e.endLine(i, t)
		case k == IdleOn || k == IdleOff:
			t.idle = k == IdleOn
			t.requeue = true
		default:
			e.endLine(i, t)
			return false
		}
	}
	e.endLine(i, t)
	return false
}

// pass applies the effects of a plain event.
func (e *engine) pass(t *thread) {
	t.requeue, t.seen = true, true
	t.event = e.nowNS
	if len(e.m.Modules) > 0 {
		typ, value := t.src.Event(int(t.pc))
		e.followModules(t, typ, value)
	}
}

func (e *engine) endLine(i int32, t *thread) {
	if e.out != nil {
		e.out.endLine(i, t)
	}
}

// breakLine is called where time passes between two events of a line.
func (e *engine) breakLine(i int32, t *thread) {
	e.endLine(i, t)
	if e.out != nil && e.out.columns != nil {
		e.out.columns.threads[i].beginLine()
	}
}

// followModules opens and closes blocks of the program with a changed speed.
func (e *engine) followModules(t *thread, typ uint32, value int64) {
	if value == 0 {
		e.closeModule(t, typ)
		return
	}
	of := false // the type has modules
	for i := range e.m.Modules {
		m := &e.m.Modules[i]
		if m.Type == typ && m.Value == value {
			opened := module{typ: typ, ratio: m.Ratio, threads: 1}
			if m.Threads > 1 {
				opened.threads, opened.join = min(float64(m.Threads), e.shares[t.node]), m.Join
				t.fork = m.Fork
			}
			t.modules = append(t.modules, opened)
			return
		}
		of = of || m.Type == typ
	}
	if of && e.rules[ModuleNesting] == ModulesNest { // an outer block of the same kind gets its speed back
		t.modules = append(t.modules, module{typ: typ, ratio: 1, threads: 1})
	}
}

// closing is the position of the open block that an event of a type ends: the innermost of its type; or, as in Dimemas, the oldest one if it has
// that type; -1: none. With one open block both are an ordinary end.
func (e *engine) closing(t *thread, typ uint32) int {
	if e.rules[ModuleNesting] == ModulesNest {
		for i := len(t.modules) - 1; i >= 0; i-- {
			if t.modules[i].typ == typ {
				return i
			}
		}
		return -1
	}
	if len(t.modules) > 0 && t.modules[0].typ == typ {
		return 0
	}
	return -1
}

// closeModule ends a block. In Dimemas, where the oldest has another type, it becomes the innermost.
func (e *engine) closeModule(t *thread, typ uint32) {
	if at := e.closing(t, typ); at >= 0 {
		t.modules = slices.Delete(t.modules, at, at+1)
	} else if n := len(t.modules); n > 1 && e.rules[ModuleNesting] != ModulesNest {
		oldest := t.modules[0]
		copy(t.modules, t.modules[1:])
		t.modules[n-1] = oldest
	}
}

// loadWork prepares the computation at the thread's record, or an empty one if the record
// is something else.
func (e *engine) loadWork(t *thread) {
	t.phase = computing
	if t.kind[t.pc] != Compute {
		t.synthetic, t.left = true, 0
		return
	}
	t.synthetic = false
	d := math.Float64frombits(t.values[t.arg[t.pc]])
	if n := len(t.modules); n > 0 {
		d = t.modules[n-1].apply(d)
	}
	switch s := e.drawn(VarySpeed, e.m.Nodes[t.node].Speed); s {
	case 1:
	case 0:
		d = 0
	default:
		d /= s
	}
	t.left = d
}

// apply returns the duration of a computation in the block.
func (m *module) apply(ns float64) float64 {
	switch {
	case m.ratio == 0:
		return 0
	case m.ratio < 0:
		return -m.ratio / m.threads
	}
	return ns / m.ratio / m.threads
}

// proceed continues after an operation.
func (e *engine) proceed(i int32, t *thread, requeue bool) {
	t.pc++
	t.started = false
	if int(t.pc) == len(t.kind) {
		e.finish(i, t)
		return
	}
	e.loadWork(t)
	t.requeue = requeue || e.keep // then it is either on its CPU, or woken
	e.ready(i, t)
}

// startup charges the latency of an operation on the thread's CPU, after which the thread
// returns to the operation. Less than a nanosecond is free.
func (e *engine) startup(i int32, t *thread, latency float64) bool {
	if latency < 1 {
		return false
	}
	t.phase = starting
	t.sliced = false
	t.left = latency
	t.requeue = false
	e.ready(i, t)
	return true
}

func (e *engine) finish(i int32, t *thread) {
	if e.repeat != nil {
		e.passed(i, t)
		return
	}
	e.end(i, t)
}

func (e *engine) end(i int32, t *thread) {
	e.setState(i, t, stateNone)
	t.done = true
	e.finished++
	s := &e.stats[t.task]
	s.End = max(s.End, e.nowNS)
}
