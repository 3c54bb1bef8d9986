package engine

// Operations of a thread: messages and their matching.

import "pview/sim"

// channel is the stream of messages between two tasks with one tag and match. Its queues
// are circular lists, stored as their last element; 0: empty.
type channel struct {
	receivers int32 // threads that are blocked, index + 1
	arrived   int32 // completed transfers
	senders   int32 // transfers that wait for their receiver
	notes     int32 // immediate receives
	probes    int32 // threads that have probed
}

// streams has the messages of a program that matches them only by sender, receiver and tag.
type streams struct {
	*engine
	channels  []channel
	notes     []note // from 1
	freeNotes []int32
}

// note is an immediate receive without a message yet.
type note struct {
	at   float64
	next int32
}

func (st *streams) pushNote(list *int32, at float64) {
	var n int32
	if k := len(st.freeNotes); k > 0 {
		n = st.freeNotes[k-1]
		st.freeNotes = st.freeNotes[:k-1]
	} else {
		st.notes = append(st.notes, note{})
		n = int32(len(st.notes) - 1)
	}
	st.notes[n] = note{at: at, next: n}
	if *list != 0 {
		st.notes[n].next = st.notes[*list].next
		st.notes[*list].next = n
	}
	*list = n
}

func (st *streams) popNote(list *int32) float64 {
	first := st.notes[*list].next
	if first == *list {
		*list = 0
	} else {
		st.notes[*list].next = st.notes[first].next
	}
	st.freeNotes = append(st.freeNotes, first)
	return st.notes[first].at
}

func (st *streams) pushReceiver(list *int32, i int32) {
	n := i + 1
	if *list == 0 {
		st.threads[i].next = n
	} else {
		st.threads[i].next = st.threads[*list-1].next
		st.threads[*list-1].next = n
	}
	*list = n
}

func (st *streams) popReceiver(list *int32) int32 {
	first := st.threads[*list-1].next
	if first == *list {
		*list = 0
	} else {
		st.threads[*list-1].next = st.threads[first-1].next
	}
	return first - 1
}

// rendezvous reports whether a message waits for its receiver.
func (st *streams) rendezvous(t *thread, m *sim.Message, k sim.Kind) bool {
	return m.Peer == t.task && st.rules[sim.SelfMessage] == sim.SelfRendezvous || st.large(m, k)
}

// large reports whether a message waits for its receiver by its size or by the record.
func (st *streams) large(m *sim.Message, k sim.Kind) bool {
	switch {
	case st.m.EagerSends:
		return false
	case st.m.EagerLimit >= 0:
		return m.Size >= st.m.EagerLimit
	}
	return k == sim.SendRendezvous || k == sim.IsendRendezvous
}

func (st *streams) send(i int32, t *thread, k sim.Kind) {
	m := t.message()
	if !t.started && st.records.startup(i, t, st.net.Startup(t.task, m.Peer, m)) {
		return
	}
	s := &st.stats[t.task]
	s.MessagesSent++
	s.BytesSent += m.Size
	n := st.transfers.Add()
	tr := &st.transfers.List[n]
	tr.Sender, tr.From, tr.To, tr.Channel, tr.Size, tr.Tag = i, t.task, m.Peer, m.Channel(), m.Size, m.Tag
	tr.LogicalSend, tr.Linked, tr.Instance = t.reached, -1, -1
	tr.Cpu = st.cpus.nodes[t.node].firstCPU + t.cpu
	st.net.Plan(tr, m)
	ch := &st.channels[m.Channel()]
	if st.rendezvous(t, m, k) {
		switch {
		case ch.notes != 0:
			tr.LogicalRecv, tr.Noted = st.popNote(&ch.notes), true
		case ch.receivers != 0:
		default:
			st.transfers.Push(&ch.senders, n)
			if ch.probes != 0 {
				st.probed(ch)
			}
			if k == sim.Isend || k == sim.IsendRendezvous {
				st.records.proceed(i, t, false)
				return
			}
			tr.Blocks = true
			st.setState(i, t, sim.StateWaiting)
			return
		}
	}
	st.sendOff(i, t, n, k)
}

// sendOff requests a transfer and lets its sender continue: immediately, or, if synchronous, on arrival.
func (st *streams) sendOff(i int32, t *thread, n int32, k sim.Kind) {
	hold := st.rules[sim.BlockingSend] == sim.SendSynchronous && (k == sim.Send || k == sim.SendRendezvous)
	st.transfers.List[n].Holds = hold
	st.net.Request(n)
	if hold {
		st.setState(i, t, sim.StateSending)
		return
	}
	st.records.proceed(i, t, false)
}

// releaseSender starts the transfer of a sender that waited for its receiver.
func (st *streams) releaseSender(n int32) {
	if tr := &st.transfers.List[n]; tr.Blocks {
		t := &st.threads[tr.Sender]
		st.sendOff(tr.Sender, t, n, t.kind[t.pc])
		return
	}
	st.net.Request(n)
}

func (st *streams) postReceive(i int32, t *thread) {
	m := t.message()
	ch := &st.channels[m.Channel()]
	if ch.senders != 0 {
		n := st.transfers.Pop(&ch.senders)
		st.transfers.List[n].LogicalRecv, st.transfers.List[n].Noted = st.Now, true
		st.releaseSender(n)
	} else {
		st.pushNote(&ch.notes, st.Now)
	}
	st.records.proceed(i, t, false)
}

func (st *streams) receive(i int32, t *thread, k sim.Kind) {
	m := t.message()
	if !t.started && st.rules[sim.ReceiverLatency] == sim.ReceiverPays &&
		st.records.startup(i, t, st.receiveLatency(t, m)) {
		return
	}
	t.blocked = st.Now
	if k == sim.Wait && st.opt.LogicalRecvAtWait {
		t.reached = st.Now
	}
	ch := &st.channels[m.Channel()]
	if ch.arrived != 0 {
		st.stats[t.task].ImmediateRecvs++
		st.cpus.notify(i, receiverLast)
		st.received(i, t, st.transfers.Pop(&ch.arrived))
		st.records.proceed(i, t, false)
		return
	}
	st.cpus.notify(i, receiverFirst)
	if st.cpus.spins() {
		st.cpus.spin(i, t)
	} else {
		st.setState(i, t, sim.StateWaiting)
	}
	st.pushReceiver(&ch.receivers, i)
	if ch.senders != 0 {
		st.releaseSender(st.transfers.Pop(&ch.senders))
	}
}

// received hands an arrived message to the receive or wait at t's record.
func (st *streams) received(i int32, t *thread, n int32) {
	tr := &st.transfers.List[n]
	st.stats[t.task].BytesRecv += tr.Size
	logical := t.reached
	if t.kind[t.pc] == sim.Wait {
		posted := logical
		if tr.Noted {
			posted = tr.LogicalRecv
		} else if ch := &st.channels[tr.Channel]; ch.notes != 0 {
			posted = st.popNote(&ch.notes)
		}
		if !st.opt.LogicalRecvAtWait {
			logical = posted
		}
	}
	if st.out != nil {
		st.out.comm(tr, i, st.cpus.nodes[t.node].firstCPU+t.cpu, logical)
	}
	st.transfers.Free = append(st.transfers.Free, n)
}
