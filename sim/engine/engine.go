// Package engine simulates a program on a machine: an event loop.
//
// A thread is ready (in its node's queue), on a CPU (with a timer for the end of its stay), blocked (until a message,
// an operation or a partner wakes it), or finished. It acts at the end of a stay on a CPU: records that take no time
// run one after another up to the next computation or operation. After an operation the thread returns to the queue
// with its next computation, or with an empty one if there is none, so that the threads of a node take turns even while
// no time passes. After each event every node with ready threads and free CPUs dispatches them, in the order of nodes.
//
// These rules and their order are those of Dimemas 5.5.0: they decide ties, and ties decide who waits. No memory is
// allocated per record: everything in flight is in pools.
package engine

import (
	"context"
	"fmt"

	"pview/sim"
	"pview/sim/engine/clock"
	"pview/sim/engine/network"
)

// Run simulates a program on a machine. The result depends only on the arguments. The error is ctx.Err() when ctx ends,
// a *Deadlock if threads wait forever, or reports an impossible machine or mapping.
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

// engine is the state that the parts of a simulation share: they embed it to reach each other.
type engine struct {
	p     *sim.Program
	m     *sim.Machine
	opt   *sim.Options
	rules sim.Rules
	rng   *sim.Random // nil: no parameter has a distribution

	clock.Timers
	nowNS    int64
	threads  []thread
	tasks    []task
	finished int // threads
	stats    []sim.TaskStats
	out      *recorder // nil: totals only

	cpus        processors
	records     records
	openMP      openMP
	streams     streams
	mail        *mailbox // nil: the queues of streams suffice
	remote      remote
	collectives collectives
	transfers   network.Transfers
	net         network.Network
	ordered     bool        // a direct network: no rendezvous, and messages may overtake each other
	repeat      *repetition // nil: nothing is repeated

	localPerByte, netPerByte []float64 // by node, by cluster: ns
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
	e := &engine{p: p, m: m, opt: opt, rules: opt.Rules, rng: sim.NewRandom(m), Timers: clock.NewTimers(),
		stats: make([]sim.TaskStats, len(p.Tasks))}
	if err := e.placeTasks(); err != nil {
		return nil, err
	}
	channels, semaphores, err := p.Linked()
	if err != nil {
		return nil, err
	}
	e.cpus.init(e)
	e.records.init(e)
	e.openMP.init(e)
	e.streams = streams{engine: e, channels: make([]channel, channels), notes: make([]note, 1, 64)}
	e.remote = remote{engine: e, semaphores: make([]semaphore, semaphores)}
	e.transfers = network.Transfers{Timers: &e.Timers, List: make([]network.Transfer, 1, 64),
		Waits: make([]network.Wait, len(e.tasks))}
	e.collectives.init(e)
	for i := range m.Nodes {
		e.localPerByte = append(e.localPerByte, sim.NsPerByte(m.Nodes[i].Local.Bandwidth))
	}
	for i := range m.Clusters {
		e.netPerByte = append(e.netPerByte, sim.NsPerByte(m.Clusters[i].Bandwidth))
	}
	h := network.Host{Transfers: &e.transfers, Machine: m, Rules: &e.rules, Random: e.rng,
		Node:       make([]int32, len(e.tasks)),
		Operations: &e.collectives, LocalPerByte: e.localPerByte, NetPerByte: e.netPerByte}
	for i := range e.tasks {
		h.Node[i] = e.tasks[i].node
	}
	if e.net, e.ordered, err = network.New(h); err != nil {
		return nil, err
	}
	e.mail = newMailbox(e)
	if e.repeat, err = newRepetition(e); err != nil {
		return nil, err
	}
	if opt.Trace {
		e.out = newRecorder(e)
	}
	return e, nil
}

// placeTasks maps the tasks and creates the threads.
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
		e.records.loadWork(t)
		t.requeue = true
		e.cpus.ready(int32(i), t)
	}
	e.cpus.dispatchAll()
	e.cpus.startClock()
}

// run handles the events one by one.
func (e *engine) run(ctx context.Context) error {
	e.start()
	step := max(checkStep, len(e.threads)) // computing the progress visits every thread
	for n := 1; ; n++ {
		if n%step == 0 {
			if err := e.report(ctx); err != nil {
				return err
			}
		}
		before := e.Now
		tm, ok := e.Next()
		if !ok {
			break
		}
		if e.Now != before {
			if e.repeat != nil && e.repeat.ends() {
				return e.repeat.stopAt(before)
			}
			if !(e.Now <= latest) {
				return e.tooLate(before)
			}
			e.nowNS = wholeNS(e.Now)
		}
		e.handle(tm.What, tm.Who, tm.Seq)
		if !e.cpus.keep || !e.More() {
			e.cpus.dispatchAll()
		}
	}
	if e.repeat != nil && e.repeat.over {
		return e.repeat.stopAt(e.Now)
	}
	if e.finished < len(e.threads) {
		return e.deadlock()
	}
	return nil
}

// handle dispatches an event to the part concerned.
func (e *engine) handle(what clock.Happening, who int32, seq uint64) {
	switch what {
	case clock.CPUDone:
		e.cpus.stayOver(who, seq)
	case clock.TransferDone:
		e.transferDone(who)
	case clock.Arrival:
		e.arrive(who)
	case clock.CollectiveDone:
		e.collectives.done(who)
	case clock.LinkPassed:
		e.net.Hop(who)
	case clock.MailDue:
		e.mail.matchOpen(who)
	case clock.WorkShared:
		e.cpus.sharing.due(who, seq)
	case clock.NothingShared:
		e.cpus.sharing.done(who)
	case clock.PolicyTick:
		e.cpus.tick()
	case clock.MayPreempt:
		e.cpus.mayPreempt(who)
	}
}

// report passes on the progress. The error is ctx.Err().
func (e *engine) report(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.opt.Progress != nil {
		e.opt.Progress(e.progress())
	}
	return nil
}

// latest is the time, ns, at which Dimemas also stops: eight years. Soon after it, whole nanoseconds no longer fit into
// 64 bits.
const latest = 2.52e17

// tooLate reports that the next event is beyond the latest time.
func (e *engine) tooLate(before float64) error {
	return fmt.Errorf(
		"after %.9f s of the simulation nothing happens until %.3g s, and it goes no further than %.3g s (8 "+
			"years): a time or a latency is too long, or a ratio or a bandwidth too small",
		before/1e9, e.Now/1e9, latest/1e9)
}

// leftOut reports whether a thread belongs to an application that does not run.
func (e *engine) leftOut(t *thread) bool {
	return e.opt.Only > 0 && int(e.p.Tasks[t.task].Ptask) != e.opt.Only-1
}

func (e *engine) progress() (done, total int64) {
	if e.repeat != nil {
		return e.repeat.progress(e.Now)
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
		e.repeat.passed(i, t)
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

// transferDone is called when a transfer no longer needs the network.
func (e *engine) transferDone(n int32) {
	e.net.Release(n)
	if f := e.transfers.List[n].Flight; f > 0 {
		e.Schedule(e.Now+f, clock.Arrival, n)
		return
	}
	e.arrive(n)
}

// arrive is called when a message is in the memory of its receiver.
func (e *engine) arrive(n int32) {
	tr := &e.transfers.List[n]
	tr.Arrived = e.Now
	if tr.Instance >= 0 {
		e.collectives.reduceArrived(n)
		return
	}
	if tr.Remote != 0 {
		e.remote.accessed(n)
		return
	}
	if e.mail != nil && e.mail.takes(n) {
		e.mail.arrive(n)
		return
	}
	if tr.Holds {
		e.records.proceed(tr.Sender, &e.threads[tr.Sender], true)
	}
	ch := &e.streams.channels[tr.Channel]
	if ch.receivers == 0 {
		e.transfers.Push(&ch.arrived, n)
		if ch.probes != 0 {
			e.streams.probed(ch)
		}
		return
	}
	i := e.streams.popReceiver(&ch.receivers)
	t := &e.threads[i]
	e.stats[t.task].WaitingRecvs++
	e.tasks[t.task].blockedRecv += e.Now - t.blocked
	e.cpus.notify(tr.Sender, senderLast)
	e.streams.received(i, t, n)
	e.cpus.endWait(i, t)
}
