package engine

// Operations besides messages and collectives: semaphores between the threads of a task, access to the memory of
// other tasks, ports, and probes (thesis, 3.3). Dimemas 5.5.0 has records for none of these.

import "pview/sim"

// semaphore counts the signals that nobody has waited for, or holds the waiting threads: a list like that of a
// channel.
type semaphore struct {
	signals int32
	waiting int32
}

func (e *engine) semaphoreOf(t *thread) *semaphore {
	return &e.semaphores[t.message().Channel()]
}

// awaitSignal lets a thread pass if there is a signal for it, else it blocks.
func (e *engine) awaitSignal(i int32, t *thread) {
	s := e.semaphoreOf(t)
	if s.signals > 0 {
		s.signals--
		e.proceed(i, t, false)
		return
	}
	e.setState(i, t, sim.StateSemaphore)
	e.pushReceiver(&s.waiting, i)
}

// signal wakes the thread that has waited longest.
func (e *engine) signal(i int32, t *thread) {
	s := e.semaphoreOf(t)
	if s.waiting != 0 {
		w := e.popReceiver(&s.waiting)
		e.proceed(w, &e.threads[w], true)
	} else {
		s.signals++
	}
	e.proceed(i, t, false)
}

// access begins a put or a get: the latency on the CPU of the thread, then a transfer on the route of a message.
func (e *engine) access(i int32, t *thread, k sim.Kind) {
	m := t.message()
	if !t.started && e.startup(i, t, e.net.startup(t.task, m.Peer, m)) {
		return
	}
	from, to := t.task, m.Peer
	if k == sim.Get {
		from, to = to, from
	}
	n := e.newTransfer()
	tr := &e.transfers[n]
	tr.sender, tr.from, tr.to, tr.size = i, from, to, m.Size
	tr.logicalSend, tr.linked, tr.instance, tr.remote = t.reached, -1, -1, k
	tr.cpu = e.cpuOf(t)
	s := &e.stats[from]
	s.MessagesSent++
	s.BytesSent += m.Size
	e.net.plan(tr, m)
	if k == sim.Get {
		tr.logicalSend = e.now
		e.setState(i, t, sim.StateWaiting)
		t.blocked = e.now
		e.net.request(n)
		return
	}
	t.puts++
	e.net.request(n)
	e.proceed(i, t, false)
}

// flush blocks a thread until its puts have arrived.
func (e *engine) flush(i int32, t *thread) {
	if t.puts == 0 {
		e.proceed(i, t, false)
		return
	}
	t.flushes = true
	t.blocked = e.now
	e.setState(i, t, sim.StateWaiting)
}

// accessed is called when the bytes of a put or a get have arrived.
func (e *engine) accessed(n int32) {
	tr := &e.transfers[n]
	i, t := tr.sender, &e.threads[tr.sender]
	e.stats[tr.to].BytesRecv += tr.size
	if e.out != nil {
		e.recordAccess(tr, t)
	}
	woken := tr.remote == sim.Get
	if tr.remote == sim.Put {
		t.puts--
		woken = t.flushes && t.puts == 0
	}
	e.freeTransfers = append(e.freeTransfers, n)
	if woken {
		t.flushes = false
		e.tasks[t.task].blockedRecv += e.now - t.blocked
		e.proceed(i, t, true)
	}
}

// recordAccess writes a put or a get as a message: the passive partner is the first thread of its task.
func (e *engine) recordAccess(tr *transfer, t *thread) {
	c := *tr
	receiver, logical := e.p.Tasks[tr.to].FirstThread, tr.arrived
	if tr.remote == sim.Get {
		receiver, logical = tr.sender, t.reached
		c.sender = e.p.Tasks[tr.from].FirstThread
		c.cpu = e.cpuOf(&e.threads[c.sender])
	}
	e.out.comm(&c, receiver, e.cpuOf(&e.threads[receiver]), logical)
}

// cpuOf is the CPU of a thread in the trace.
func (e *engine) cpuOf(t *thread) int32 { return e.nodes[t.node].firstCPU + max(t.cpu, 0) }

// probe blocks a thread until a message is there, or its sender waits for it.
func (e *engine) probe(i int32, t *thread) {
	ch := &e.channels[t.message().Channel()]
	if ch.arrived != 0 || ch.senders != 0 {
		e.proceed(i, t, false)
		return
	}
	t.blocked = e.now
	e.setState(i, t, sim.StateWaiting)
	e.pushReceiver(&ch.probes, i)
}

// probed wakes the threads whose probes the new message satisfies.
func (e *engine) probed(ch *channel) {
	for ch.probes != 0 {
		i := e.popReceiver(&ch.probes)
		t := &e.threads[i]
		e.tasks[t.task].blockedRecv += e.now - t.blocked
		e.proceed(i, t, true)
	}
}

// receiveLatency is the startup of a receive: by the sender's node, which at a port is only known once there is a
// message.
func (e *engine) receiveLatency(t *thread, m *sim.Message) float64 {
	if e.ordered {
		return 0
	}
	if m.Peer >= 0 && m.Channel() != sim.NoChannel {
		return e.net.startup(m.Peer, t.task, m)
	}
	if m.Channel() == sim.NoChannel {
		return e.drawn(sim.VaryLatency, e.m.Nodes[t.node].Latency)
	}
	if ch := &e.channels[m.Channel()]; ch.arrived != 0 {
		first := &e.transfers[e.transfers[ch.arrived].next]
		return e.net.startup(first.from, t.task, m)
	}
	return e.drawn(sim.VaryLatency, e.m.Nodes[t.node].Latency)
}
