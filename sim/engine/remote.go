package engine

// Operations other than messages and collectives: semaphores between the threads of a task, access to the memory of
// other tasks, ports, and probes (thesis, 3.3). Dimemas 5.5.0 has no records for these.

import (
	"pview/sim"
	"pview/sim/engine/network"
)

// remote has the semaphores, and the access to the memory of other tasks.
type remote struct {
	*engine
	semaphores []semaphore
}

// semaphore counts unused signals, or holds the waiting threads: a list as in a channel.
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
	if !t.started && rm.records.startup(i, t, rm.net.Startup(t.task, m.Peer, m)) {
		return
	}
	from, to := t.task, m.Peer
	if k == sim.Get {
		from, to = to, from
	}
	n := rm.transfers.Add()
	tr := &rm.transfers.List[n]
	tr.Sender, tr.From, tr.To, tr.Size = i, from, to, m.Size
	tr.LogicalSend, tr.Linked, tr.Instance, tr.Remote = t.reached, -1, -1, k
	tr.Cpu = rm.cpus.cpuOf(t)
	s := &rm.stats[from]
	s.MessagesSent++
	s.BytesSent += m.Size
	rm.net.Plan(tr, m)
	if k == sim.Get {
		tr.LogicalSend = rm.Now
		rm.setState(i, t, sim.StateWaiting)
		t.blocked = rm.Now
		rm.net.Request(n)
		return
	}
	t.puts++
	rm.net.Request(n)
	rm.records.proceed(i, t, false)
}

// flush blocks a thread until its puts have arrived.
func (rm *remote) flush(i int32, t *thread) {
	if t.puts == 0 {
		rm.records.proceed(i, t, false)
		return
	}
	t.flushes = true
	t.blocked = rm.Now
	rm.setState(i, t, sim.StateWaiting)
}

// accessed is called when the bytes of a put or a get have arrived.
func (rm *remote) accessed(n int32) {
	tr := &rm.transfers.List[n]
	i, t := tr.Sender, &rm.threads[tr.Sender]
	rm.stats[tr.To].BytesRecv += tr.Size
	if rm.out != nil {
		rm.recordAccess(tr, t)
	}
	woken := tr.Remote == sim.Get
	if tr.Remote == sim.Put {
		t.puts--
		woken = t.flushes && t.puts == 0
	}
	rm.transfers.Free = append(rm.transfers.Free, n)
	if woken {
		t.flushes = false
		rm.tasks[t.task].blockedRecv += rm.Now - t.blocked
		rm.records.proceed(i, t, true)
	}
}

// recordAccess writes a put or a get as a message: the passive partner is the first thread of its task.
func (rm *remote) recordAccess(tr *network.Transfer, t *thread) {
	c := *tr
	receiver, logical := rm.p.Tasks[tr.To].FirstThread, tr.Arrived
	if tr.Remote == sim.Get {
		receiver, logical = tr.Sender, t.reached
		c.Sender = rm.p.Tasks[tr.From].FirstThread
		c.Cpu = rm.cpus.cpuOf(&rm.threads[c.Sender])
	}
	rm.out.comm(&c, receiver, rm.cpus.cpuOf(&rm.threads[receiver]), logical)
}

// cpuOf returns the CPU of a thread in the trace.
func (ps *processors) cpuOf(t *thread) int32 { return ps.nodes[t.node].firstCPU + max(t.cpu, 0) }

// probe blocks a thread until a message has arrived, or its sender waits for it.
func (st *streams) probe(i int32, t *thread) {
	ch := &st.channels[t.message().Channel()]
	if ch.arrived != 0 || ch.senders != 0 {
		st.records.proceed(i, t, false)
		return
	}
	t.blocked = st.Now
	st.setState(i, t, sim.StateWaiting)
	st.pushReceiver(&ch.probes, i)
}

// probed wakes the threads whose probes the new message satisfies.
func (st *streams) probed(ch *channel) {
	for ch.probes != 0 {
		i := st.popReceiver(&ch.probes)
		t := &st.threads[i]
		st.tasks[t.task].blockedRecv += st.Now - t.blocked
		st.records.proceed(i, t, true)
	}
}

// receiveLatency returns the startup of a receive: it depends on the sender's node, which at a port is only known once
// there is a message.
func (st *streams) receiveLatency(t *thread, m *sim.Message) float64 {
	if st.ordered {
		return 0
	}
	if m.Peer >= 0 && m.Channel() != sim.NoChannel {
		return st.net.Startup(m.Peer, t.task, m)
	}
	if m.Channel() == sim.NoChannel {
		return st.rng.Drawn(sim.VaryLatency, st.m.Nodes[t.node].Latency)
	}
	if ch := &st.channels[m.Channel()]; ch.arrived != 0 {
		first := &st.transfers.List[st.transfers.List[ch.arrived].Next]
		return st.net.Startup(first.From, t.task, m)
	}
	return st.rng.Drawn(sim.VaryLatency, st.m.Nodes[t.node].Latency)
}
