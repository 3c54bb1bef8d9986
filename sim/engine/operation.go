package engine

// Operations of a thread: messages and their matching.

import (
	"slices"

	"pview/sim"
)

// channel is the stream of messages between two tasks with one tag and match. Its queues
// are circular lists, stored as their last element; 0: empty.
type channel struct {
	receivers int32 // threads that are blocked, index + 1
	arrived   int32 // completed transfers
	senders   int32 // transfers that wait for their receiver
	notes     int32 // immediate receives
	probes    int32 // threads that have probed
}

// transfer is a message in flight.
type transfer struct {
	sender   int32 // thread
	from, to int32 // tasks
	channel  int32
	tag      int64
	size     int64
	next     int32

	outPort, inPort, pool int32
	outLink, inLink       int32
	cpu                   int32    // of the sender, in the trace
	instance              int32    // of a Reduce; -1 for a message
	remote                sim.Kind // Put or Get; else 0
	routine               uint8    // see Handling

	blocks  bool // its sender is blocked until it may go
	noted   bool // logicalRecv is known: an immediate receive was there first
	borrows bool // it may rob, and be robbed of, output links
	inFirst bool // it takes the input link first
	waitsIn bool // it waits for its input link
	holds   bool // its sender is blocked until it has arrived

	waitsBus bool // it waits for a bus

	duration, flight                       float64
	requested                              float64
	linked                                 float64 // when it got its links; < 0: not yet
	logicalSend, physicalSend, logicalRecv float64
	arrived                                float64
}

// note is an immediate receive without a message yet.
type note struct {
	at   float64
	next int32
}

func (e *engine) newTransfer() int32 {
	if n := len(e.freeTransfers); n > 0 {
		tr := e.freeTransfers[n-1]
		e.freeTransfers = e.freeTransfers[:n-1]
		e.transfers[tr] = transfer{}
		return tr
	}
	if len(e.transfers) == cap(e.transfers) { // append copies large slices five times as often
		e.transfers = slices.Grow(e.transfers, len(e.transfers))
	}
	e.transfers = append(e.transfers, transfer{})
	return int32(len(e.transfers) - 1)
}

func (e *engine) pushTransfer(list *int32, tr int32) {
	if *list == 0 {
		e.transfers[tr].next = tr
	} else {
		last := &e.transfers[*list]
		e.transfers[tr].next = last.next
		last.next = tr
	}
	*list = tr
}

func (e *engine) popTransfer(list *int32) int32 {
	last := &e.transfers[*list]
	first := last.next
	if first == *list {
		*list = 0
	} else {
		last.next = e.transfers[first].next
	}
	return first
}

func (e *engine) pushNote(list *int32, at float64) {
	var n int32
	if k := len(e.freeNotes); k > 0 {
		n = e.freeNotes[k-1]
		e.freeNotes = e.freeNotes[:k-1]
	} else {
		e.notes = append(e.notes, note{})
		n = int32(len(e.notes) - 1)
	}
	e.notes[n] = note{at: at, next: n}
	if *list != 0 {
		e.notes[n].next = e.notes[*list].next
		e.notes[*list].next = n
	}
	*list = n
}

func (e *engine) popNote(list *int32) float64 {
	first := e.notes[*list].next
	if first == *list {
		*list = 0
	} else {
		e.notes[*list].next = e.notes[first].next
	}
	e.freeNotes = append(e.freeNotes, first)
	return e.notes[first].at
}

func (e *engine) pushReceiver(list *int32, i int32) {
	n := i + 1
	if *list == 0 {
		e.threads[i].next = n
	} else {
		e.threads[i].next = e.threads[*list-1].next
		e.threads[*list-1].next = n
	}
	*list = n
}

func (e *engine) popReceiver(list *int32) int32 {
	first := e.threads[*list-1].next
	if first == *list {
		*list = 0
	} else {
		e.threads[*list-1].next = e.threads[first-1].next
	}
	return first - 1
}

// operate performs the operation at the thread's record.
func (e *engine) operate(i int32, t *thread) {
	if !t.started {
		t.reached = e.now
	}
	k := t.kind[t.pc]
	if e.mail != nil && e.mailed(i, t, k) {
		return
	}
	switch k {
	case sim.Send, sim.SendRendezvous, sim.Isend, sim.IsendRendezvous, sim.SendPort:
		e.send(i, t, k)
	case sim.Recv, sim.Wait, sim.RecvPort:
		e.receive(i, t, k)
	case sim.Irecv:
		e.postReceive(i, t)
	case sim.Probe:
		e.probe(i, t)
	case sim.Put, sim.Get:
		e.access(i, t, k)
	case sim.Flush:
		e.flush(i, t)
	case sim.SemaphoreWait:
		e.awaitSignal(i, t)
	case sim.SemaphoreSignal:
		e.signal(i, t)
	case sim.Collective:
		e.joinCollective(i, t)
	case sim.CollectiveStart:
		e.startCollective(i, t)
	case sim.CollectiveWait:
		e.waitCollective(i, t)
	case sim.Reduce:
		if e.rules[sim.ReduceKind] == sim.ReduceCollective {
			e.joinCollective(i, t)
		} else {
			e.reduce(i, t)
		}
	}
}

// rendezvous reports whether a message waits for its receiver.
func (e *engine) rendezvous(t *thread, m *sim.Message, k sim.Kind) bool {
	return m.Peer == t.task && e.rules[sim.SelfMessage] == sim.SelfRendezvous || e.large(m, k)
}

// large reports whether a message waits for its receiver by its size, or as the record says.
func (e *engine) large(m *sim.Message, k sim.Kind) bool {
	switch {
	case e.m.EagerSends:
		return false
	case e.m.EagerLimit >= 0:
		return m.Size >= e.m.EagerLimit
	}
	return k == sim.SendRendezvous || k == sim.IsendRendezvous
}

func (e *engine) send(i int32, t *thread, k sim.Kind) {
	m := t.message()
	if !t.started && e.startup(i, t, e.net.startup(t.task, m.Peer, m)) {
		return
	}
	s := &e.stats[t.task]
	s.MessagesSent++
	s.BytesSent += m.Size
	n := e.newTransfer()
	tr := &e.transfers[n]
	tr.sender, tr.from, tr.to, tr.channel, tr.size, tr.tag = i, t.task, m.Peer, m.Channel(), m.Size, m.Tag
	tr.logicalSend, tr.linked, tr.instance = t.reached, -1, -1
	tr.cpu = e.nodes[t.node].firstCPU + t.cpu
	e.net.plan(tr, m)
	ch := &e.channels[m.Channel()]
	if e.rendezvous(t, m, k) {
		switch {
		case ch.notes != 0:
			tr.logicalRecv, tr.noted = e.popNote(&ch.notes), true
		case ch.receivers != 0:
		default:
			e.pushTransfer(&ch.senders, n)
			if ch.probes != 0 {
				e.probed(ch)
			}
			if k == sim.Isend || k == sim.IsendRendezvous {
				e.proceed(i, t, false)
				return
			}
			tr.blocks = true
			e.setState(i, t, sim.StateWaiting)
			return
		}
	}
	e.sendOff(i, t, n, k)
}

// sendOff requests a transfer and lets its sender continue: immediately, or, if synchronous, on arrival.
func (e *engine) sendOff(i int32, t *thread, n int32, k sim.Kind) {
	hold := e.rules[sim.BlockingSend] == sim.SendSynchronous && (k == sim.Send || k == sim.SendRendezvous)
	e.transfers[n].holds = hold
	e.net.request(n)
	if hold {
		e.setState(i, t, sim.StateSending)
		return
	}
	e.proceed(i, t, false)
}

// letGo starts the transfer of a sender that waited for its receiver.
func (e *engine) letGo(n int32) {
	if tr := &e.transfers[n]; tr.blocks {
		t := &e.threads[tr.sender]
		e.sendOff(tr.sender, t, n, t.kind[t.pc])
		return
	}
	e.net.request(n)
}

func (e *engine) postReceive(i int32, t *thread) {
	m := t.message()
	ch := &e.channels[m.Channel()]
	if ch.senders != 0 {
		n := e.popTransfer(&ch.senders)
		e.transfers[n].logicalRecv, e.transfers[n].noted = e.now, true
		e.letGo(n)
	} else {
		e.pushNote(&ch.notes, e.now)
	}
	e.proceed(i, t, false)
}

func (e *engine) receive(i int32, t *thread, k sim.Kind) {
	m := t.message()
	if !t.started && e.rules[sim.ReceiverLatency] == sim.ReceiverPays && e.startup(i, t, e.receiveLatency(t, m)) {
		return
	}
	t.blocked = e.now
	if k == sim.Wait && e.opt.LogicalRecvAtWait {
		t.reached = e.now
	}
	ch := &e.channels[m.Channel()]
	if ch.arrived != 0 {
		e.stats[t.task].ImmediateRecvs++
		e.notify(i, receiverLast)
		e.received(i, t, e.popTransfer(&ch.arrived))
		e.proceed(i, t, false)
		return
	}
	e.notify(i, receiverFirst)
	if e.spins() {
		e.spin(i, t)
	} else {
		e.setState(i, t, sim.StateWaiting)
	}
	e.pushReceiver(&ch.receivers, i)
	if ch.senders != 0 {
		e.letGo(e.popTransfer(&ch.senders))
	}
}

// spins reports whether receivers keep their CPU for a while. Where CPUs are shared they do not.
func (e *engine) spins() bool { return e.m.Scheduler.BusyWait > 0 && e.sharing == nil }

// spin keeps the CPU for a while before blocking. Dimemas spins for the cost of a context switch.
func (e *engine) spin(i int32, t *thread) {
	n := &e.nodes[t.node]
	if n.held == i+1 {
		n.held = 0 // it stays, whatever happens
	}
	if !t.onCPU {
		n.take(i, t)
	}
	t.phase = spinning
	t.left = 0
	e.setState(i, t, sim.StateBusyWait)
	d := e.m.Scheduler.ContextSwitch
	if e.rules[sim.SpinTime] == sim.SpinFully {
		d = e.drawn(sim.VaryBusyWait, e.m.Scheduler.BusyWait)
	}
	t.begun, t.doing = e.now, d
	t.timer = e.schedule(e.now+d, cpuDone, i)
}

func (e *engine) stopSpinning(i int32, t *thread) {
	t.phase = computing
	t.blocked = e.now
	e.setState(i, t, sim.StateWaiting)
}

// received hands a message that has arrived to the receive or wait at t's record.
func (e *engine) received(i int32, t *thread, n int32) {
	tr := &e.transfers[n]
	e.stats[t.task].BytesRecv += tr.size
	logical := t.reached
	if t.kind[t.pc] == sim.Wait {
		posted := logical
		if tr.noted {
			posted = tr.logicalRecv
		} else if ch := &e.channels[tr.channel]; ch.notes != 0 {
			posted = e.popNote(&ch.notes)
		}
		if !e.opt.LogicalRecvAtWait {
			logical = posted
		}
	}
	if e.out != nil {
		e.out.comm(tr, i, e.nodes[t.node].firstCPU+t.cpu, logical)
	}
	e.freeTransfers = append(e.freeTransfers, n)
}

// depart starts a transfer that has all its resources.
func (e *engine) depart(n int32, tr *transfer) {
	tr.physicalSend = e.now
	e.schedule(e.now+tr.duration, transferDone, n)
}

func (e *engine) transferDone(n int32) {
	e.net.release(n)
	if f := e.transfers[n].flight; f > 0 {
		e.schedule(e.now+f, arrival, n)
		return
	}
	e.arrive(n)
}

// arrive is called when a message is in the memory of its receiver.
func (e *engine) arrive(n int32) {
	tr := &e.transfers[n]
	tr.arrived = e.now
	if tr.instance >= 0 {
		e.reduceArrived(n)
		return
	}
	if tr.remote != 0 {
		e.accessed(n)
		return
	}
	if e.mail != nil && e.mail.takes(n) {
		e.mailArrived(n)
		return
	}
	if tr.holds {
		e.proceed(tr.sender, &e.threads[tr.sender], true)
	}
	ch := &e.channels[tr.channel]
	if ch.receivers == 0 {
		e.pushTransfer(&ch.arrived, n)
		if ch.probes != 0 {
			e.probed(ch)
		}
		return
	}
	i := e.popReceiver(&ch.receivers)
	t := &e.threads[i]
	e.stats[t.task].WaitingRecvs++
	e.tasks[t.task].blockedRecv += e.now - t.blocked
	e.notify(tr.sender, senderLast)
	e.received(i, t, n)
	e.endWait(i, t)
}
