// Package engine simulates a program on a machine: an event loop.
//
// A thread is ready (in its node's queue), on a CPU (with a timer for the end of its stay), blocked (until a message,
// an operation or a partner wakes it), or finished. It acts at the end of a stay on a CPU: records that take no time
// run one after another up to the next computation or operation. After an operation the thread returns to the queue
// with its next computation, or with an empty one if there is none, so that the threads of a node also take turns where
// no time passes. After each event every node with ready threads and free CPUs dispatches them, in the order of nodes.
//
// These rules and their order are those of Dimemas 5.5.0: they decide ties, and ties decide who waits. No memory is
// allocated per record: everything in flight lives in pools.
package engine

import (
	"context"
	"fmt"

	"pview/sim"
)

// Run simulates a program on a machine. The result depends only on the arguments. The
// error is ctx.Err() when ctx ends, a *Deadlock when threads wait for ever, or what is
// impossible about the machine or its mapping.
func Run(ctx context.Context, p *sim.Program, m *sim.Machine, opt sim.Options) (*sim.Result, error) {
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

// engine is the state of a simulation.
type engine struct {
	p   *sim.Program
	m   *sim.Machine
	opt *sim.Options

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

	part          sim.Message // of a Reduce, as the network sees it
	groups        []group
	instances     []instance
	freeInstances []int32

	rules    sim.Rules
	rng      *rng                  // nil: no parameter has a distribution
	costs    []sim.CollectiveCosts // by cluster
	wanCosts sim.CollectiveCosts

	shares                   []float64 // by node: CPUs of a thread; nil: no block is split
	localPerByte, netPerByte []float64 // by node, by cluster: ns
	clusterNodes             []int     // by cluster

	hops, byteHops int64 // see Result

	teams []team // by task; nil without OpenMP

	repeat *repetition // nil: nothing is repeated

	busQueue, mostBusQueue int // messages that wait for a bus, and their maximum

	stats []sim.TaskStats
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
	kind   []sim.Kind // columns of src
	arg    []uint32
	values []uint64
	src    *sim.Thread

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

func newEngine(p *sim.Program, m *sim.Machine, opt *sim.Options) (*engine, error) {
	if _, _, err := p.Linked(); err != nil {
		return nil, err
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	if opt.Only < 0 || opt.Only > len(p.Ptasks) {
		return nil, fmt.Errorf("there is no application %d", opt.Only)
	}
	if err := opt.Rules.Check(); err != nil {
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
	channels, semaphores, err := p.Linked()
	if err != nil {
		return nil, err
	}
	e.channels = make([]channel, channels)
	e.semaphores = make([]semaphore, semaphores)
	e.transfers, e.notes = make([]transfer, 1, 64), make([]note, 1, 64)
	e.clusterNodes = make([]int, len(m.Clusters))
	for i := range m.Nodes {
		e.clusterNodes[m.Nodes[i].Cluster]++
		e.localPerByte = append(e.localPerByte, sim.NsPerByte(m.Nodes[i].Local.Bandwidth))
	}
	e.wanCosts = chargedCosts(m.WAN.Collectives, e.rules[sim.CollectiveCharge])
	for i := range m.Clusters {
		e.costs = append(e.costs, chargedCosts(m.Clusters[i].Collectives, e.rules[sim.CollectiveCharge]))
		e.netPerByte = append(e.netPerByte, sim.NsPerByte(m.Clusters[i].Bandwidth))
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
	e.stats = make([]sim.TaskStats, len(p.Tasks))
	if opt.Trace {
		e.out = newRecorder(e)
	}
	return e, nil
}

// placeTasks maps the tasks and creates nodes and threads.
func (e *engine) placeTasks() error {
	e.tasks = make([]task, len(e.p.Tasks))
	e.threads = make([]thread, len(e.p.Threads))
	at, err := e.m.Placement(e.p)
	if err != nil {
		return err
	}
	for i, n := range at {
		e.tasks[i].node = n
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
			th := thread{src: &e.p.Threads[i], task: int32(ti), node: e.tasks[ti].node, cpu: -1}
			th.kind, th.arg, th.values = th.src.Stored()
			e.threads[i] = th
		}
	}
	return nil
}

// checkStep is the number of events between two checks of the context.
const checkStep = 1 << 14

// start makes all threads ready.
func (e *engine) start() {
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
}

// run is the loop.
func (e *engine) run(ctx context.Context) error {
	e.start()
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
	return fmt.Errorf(
		"after %.9f s of the simulation nothing happens until %.3g s, and it goes no further than %.3g s (8 years): a time or a latency is too long, or a ratio or a bandwidth too small",
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

func (e *engine) finish(i int32, t *thread) {
	if e.repeat != nil {
		e.passed(i, t)
		return
	}
	e.end(i, t)
}

func (e *engine) end(i int32, t *thread) {
	e.setState(i, t, sim.StateNone)
	t.done = true
	e.finished++
	s := &e.stats[t.task]
	s.End = max(s.End, e.nowNS)
}
