package engine

// Operations besides messages and collectives: semaphores between the threads of a task, access to the memory of
// other tasks, ports, and probes (thesis, 3.3). Dimemas 5.5.0 has records for none of these.

import "pview/sim"

// remote has the semaphores, and the access to the memory of other tasks.
type remote struct {
	*engine
	semaphores []semaphore
}

// semaphore counts the signals that nobody has waited for, or holds the waiting threads: a list like that of a
// channel.
type semaphore struct {
	signals int32
	waiting int32
}

func (rm *remote) semaphoreOf(t *thread) *semaphore {
	return &rm.semaphores[t.message().Channel()]
}

// awaitSignal lets a thread pass if there is a signal for it, else it blocks.
func (rm *remote) awaitSignal(i int32, t *thread) {
	s := rm.semaphoreOf(t)
	if s.signals > 0 {
		s.signals--
		rm.records.proceed(i, t, false)
		return
	}
	rm.setState(i, t, sim.StateSemaphore)
	rm.streams.pushReceiver(&s.waiting, i)
}

// signal wakes the thread that has waited longest.
func (rm *remote) signal(i int32, t *thread) {
	s := rm.semaphoreOf(t)
	if s.waiting != 0 {
		w := rm.streams.popReceiver(&s.waiting)
		rm.records.proceed(w, &rm.threads[w], true)
	} else {
		s.signals++
	}
	rm.records.proceed(i, t, false)
}

// access begins a put or a get: the latency on the CPU of the thread, then a transfer on the route of a message.
func (rm *remote) access(i int32, t *thread, k sim.Kind) {
	m := t.message()
	if !t.started && rm.records.startup(i, t, rm.net.startup(t.task, m.Peer, m)) {
		return
	}
	from, to := t.task, m.Peer
	if k == sim.Get {
		from, to = to, from
	}
	n := rm.transfers.add()
	tr := &rm.transfers.list[n]
	tr.sender, tr.from, tr.to, tr.size = i, from, to, m.Size
	tr.logicalSend, tr.linked, tr.instance, tr.remote = t.reached, -1, -1, k
	tr.cpu = rm.cpus.cpuOf(t)
	s := &rm.stats[from]
	s.MessagesSent++
	s.BytesSent += m.Size
	rm.net.plan(tr, m)
	if k == sim.Get {
		tr.logicalSend = rm.now
		rm.setState(i, t, sim.StateWaiting)
		t.blocked = rm.now
		rm.net.request(n)
		return
	}
	t.puts++
	rm.net.request(n)
	rm.records.proceed(i, t, false)
}

// flush blocks a thread until its puts have arrived.
func (rm *remote) flush(i int32, t *thread) {
	if t.puts == 0 {
		rm.records.proceed(i, t, false)
		return
	}
	t.flushes = true
	t.blocked = rm.now
	rm.setState(i, t, sim.StateWaiting)
}

// accessed is called when the bytes of a put or a get have arrived.
func (rm *remote) accessed(n int32) {
	tr := &rm.transfers.list[n]
	i, t := tr.sender, &rm.threads[tr.sender]
	rm.stats[tr.to].BytesRecv += tr.size
	if rm.out != nil {
		rm.recordAccess(tr, t)
	}
	woken := tr.remote == sim.Get
	if tr.remote == sim.Put {
		t.puts--
		woken = t.flushes && t.puts == 0
	}
	rm.transfers.free = append(rm.transfers.free, n)
	if woken {
		t.flushes = false
		rm.tasks[t.task].blockedRecv += rm.now - t.blocked
		rm.records.proceed(i, t, true)
	}
}

// recordAccess writes a put or a get as a message: the passive partner is the first thread of its task.
func (rm *remote) recordAccess(tr *transfer, t *thread) {
	c := *tr
	receiver, logical := rm.p.Tasks[tr.to].FirstThread, tr.arrived
	if tr.remote == sim.Get {
		receiver, logical = tr.sender, t.reached
		c.sender = rm.p.Tasks[tr.from].FirstThread
		c.cpu = rm.cpus.cpuOf(&rm.threads[c.sender])
	}
	rm.out.comm(&c, receiver, rm.cpus.cpuOf(&rm.threads[receiver]), logical)
}

// cpuOf is the CPU of a thread in the trace.
func (ps *processors) cpuOf(t *thread) int32 { return ps.nodes[t.node].firstCPU + max(t.cpu, 0) }

// probe blocks a thread until a message is there, or its sender waits for it.
func (st *streams) probe(i int32, t *thread) {
	ch := &st.channels[t.message().Channel()]
	if ch.arrived != 0 || ch.senders != 0 {
		st.records.proceed(i, t, false)
		return
	}
	t.blocked = st.now
	st.setState(i, t, sim.StateWaiting)
	st.pushReceiver(&ch.probes, i)
}

// probed wakes the threads whose probes the new message satisfies.
func (st *streams) probed(ch *channel) {
	for ch.probes != 0 {
		i := st.popReceiver(&ch.probes)
		t := &st.threads[i]
		st.tasks[t.task].blockedRecv += st.now - t.blocked
		st.records.proceed(i, t, true)
	}
}

// receiveLatency is the startup of a receive: by the sender's node, which at a port is only known once there is a
// message.
func (st *streams) receiveLatency(t *thread, m *sim.Message) float64 {
	if st.ordered {
		return 0
	}
	if m.Peer >= 0 && m.Channel() != sim.NoChannel {
		return st.net.startup(m.Peer, t.task, m)
	}
	if m.Channel() == sim.NoChannel {
		return st.rng.drawn(sim.VaryLatency, st.m.Nodes[t.node].Latency)
	}
	if ch := &st.channels[m.Channel()]; ch.arrived != 0 {
		first := &st.transfers.list[st.transfers.list[ch.arrived].next]
		return st.net.startup(first.from, t.task, m)
	}
	return st.rng.drawn(sim.VaryLatency, st.m.Nodes[t.node].Latency)
}
