package engine

// Matching as MPI defines it, for programs and networks that need more than a stream of messages for each pair of tasks
// and tag: send modes, requests, wildcards, and networks on which a short message overtakes a long one.
//
// A receive takes, from each sender, the earliest message that it accepts, so a message that has overtaken another one
// waits for it. A message goes to the earliest receive that accepts it. Without wildcards both follow from two queues
// for each channel. A task with wildcards ("open") has one list of messages and one of receives; it is matched after
// everything else at an instant, so among messages that arrive together the lowest sender's comes first.
//
// A rendezvous message is matched before it leaves, any other one when it has arrived.

import (
	"slices"

	"pview/sim"
	"pview/sim/engine/clock"
	"pview/sim/engine/network"
)

// mailbox matches the messages of a simulation.
type mailbox struct {
	*engine
	letters  []letter // by transfer
	lanes    []lane   // by channel
	posts    []post   // from 1
	free     []int32
	requests [][]request // by thread
	open     []*openBox  // by task; nil: no wildcards
	waiting  []int64     // by task: arrived messages not yet delivered
}

// letter is a transfer as seen by the mailbox.
type letter struct {
	mode    sim.SendMode
	taken   bool // the mailbox handles the transfer
	arrived bool
	delayed bool // by rendezvous: it leaves when it is matched
	blocks  bool // its sender is blocked
	request int32
	post    int32 // of a matched delayed message
	match   int64
	next    int32 // in a lane
}

// lane holds the unmatched messages and receives of a channel: queues of transfers, of posts, and of posts whose
// old-style Wait is still to come.
type lane struct{ letters, posts, anonymous list }

// list is a queue: first and last; 0: empty.
type list struct{ first, last int32 }

// post is a receive or probe.
type post struct {
	message *sim.Message
	h       sim.Handling
	thread  int32
	next    int32 // in the queue of posts of a lane
	later   int32 // in the queue of anonymous posts
	posted  float64
	probe   bool
	done    bool
	blocks  bool // its thread is blocked
}

// request is the state of an immediate operation.
type request struct {
	state   requestState
	work    int32        // transfer of a send, post of a receive
	message *sim.Message // of a receive
}

type requestState uint8

const (
	noRequest requestState = iota
	pendingSend
	pendingReceive
	completed
	awaitedSend // its thread is blocked
)

// openBox is a task with wildcards.
type openBox struct {
	letters []int32 // in the order of sending
	posts   []int32 // in the order of posting
	due     bool
}

// newMailbox returns the mailbox, or nil if the queues of channels suffice.
func newMailbox(e *engine) *mailbox {
	if !e.p.HasHandling() && !e.ordered && e.rules[sim.BlockingSend] != sim.SendAcknowledged &&
		e.m.StandardSend == sim.ModeStandard {
		return nil
	}
	b := &mailbox{engine: e, lanes: make([]lane, len(e.streams.channels)), posts: make([]post, 1),
		requests: make([][]request,
			len(e.threads)), open: make([]*openBox, len(e.tasks)), waiting: make([]int64, len(e.tasks))}
	for i := range e.p.Threads {
		for _, h := range e.p.Threads[i].Handling {
			if h.Open() || h.Wildcard() && e.rules[sim.Wildcards] == sim.WildcardsRematch {
				b.open[e.threads[i].task] = &openBox{}
				break
			}
		}
	}
	return b
}

// message returns the message at a thread's record.
func (t *thread) message() *sim.Message { return &t.src.Messages[t.arg[t.pc]] }

// handling returns the handling of the message at a thread's record.
func (t *thread) handling() sim.Handling {
	return t.src.Handled(int(t.pc))
}

func (b *mailbox) letter(n int32) *letter {
	for int(n) >= len(b.letters) {
		b.letters = append(b.letters, letter{})
	}
	return &b.letters[n]
}

// pushLetter and popLetter queue the messages of a lane.
func (b *mailbox) pushLetter(q *list, n int32) {
	if q.last == 0 {
		q.first = n
	} else {
		b.letters[q.last].next = n
	}
	q.last = n
}

func (b *mailbox) popLetter(q *list) int32 {
	n := q.first
	if q.first = b.letters[n].next; q.first == 0 {
		q.last = 0
	}
	return n
}

// push and pop queue posts by one of their links.
func (b *mailbox) push(q *list, n int32, link func(*post) *int32) {
	*link(&b.posts[n]) = 0
	if q.last == 0 {
		q.first = n
	} else {
		*link(&b.posts[q.last]) = n
	}
	q.last = n
}

func (b *mailbox) pop(q *list, link func(*post) *int32) int32 {
	n := q.first
	if q.first = *link(&b.posts[n]); q.first == 0 {
		q.last = 0
	}
	return n
}

func nextPost(p *post) *int32  { return &p.next }
func laterPost(p *post) *int32 { return &p.later }

func (b *mailbox) newPost(p post) int32 {
	if k := len(b.free); k > 0 {
		n := b.free[k-1]
		b.free = b.free[:k-1]
		b.posts[n] = p
		return n
	}
	b.posts = append(b.posts, p)
	return int32(len(b.posts) - 1)
}

// request returns the state of a request of a thread.
func (b *mailbox) request(thread, number int32) *request {
	list := &b.requests[thread]
	for int(number) > len(*list) {
		*list = append(*list, request{})
	}
	return &(*list)[number-1]
}

// modeOf returns the mode of a send: its own, or by the rules for a standard one. delayed: it leaves by rendezvous.
func (b *mailbox) modeOf(t *thread, m *sim.Message, k sim.Kind, h sim.Handling) (mode sim.SendMode, delayed bool) {
	if h.Mode == sim.ModeStandard {
		h.Mode = b.m.StandardSend
	}
	if h.Mode != sim.ModeStandard {
		return h.Mode, false
	}
	rule := b.rules[sim.BlockingSend]
	waits := b.streams.large(m, k) || !b.ordered && b.streams.rendezvous(t, m, k)
	switch {
	case rule == sim.SendAcknowledged && (waits || b.m.EagerLimit < 0 && !b.m.EagerSends), waits && b.ordered:
		return sim.ModeSynchronous, false
	case rule == sim.SendSynchronous && (k == sim.Send || k == sim.SendRendezvous || h.Request != 0):
		return sim.ModeNoSpace, waits
	}
	return sim.ModeBuffered, waits && rule != sim.SendAcknowledged
}

// send sends a message.
func (b *mailbox) send(i int32, t *thread, k sim.Kind) {
	m, h := t.message(), t.handling()
	if !t.started && b.records.startup(i, t, b.net.Startup(t.task, m.Peer, m)) {
		return
	}
	n := b.newMessage(i, t, m, h.Routine)
	l := b.letter(n)
	mode, delayed := b.modeOf(t, m, k, h)
	*l = letter{mode: mode, delayed: delayed, taken: true, request: h.Request, match: m.Match}
	if !delayed {
		b.net.Request(n)
	}
	if k == sim.Send || k == sim.SendRendezvous {
		l.request = 0
	}
	immediate := k == sim.Isend || k == sim.IsendRendezvous
	done := mode == sim.ModeBuffered && !delayed
	switch {
	case immediate && h.Request != 0:
		*b.request(i, h.Request) = request{state: pendingSend, work: n}
		if done {
			b.request(i, h.Request).state = completed
			l.request = 0
		}
		b.records.proceed(i, t, false)
	case immediate || done:
		b.records.proceed(i, t, false)
	default:
		l.blocks = true
		b.block(i, t, sim.StateSending, h.Routine)
	}
	if b.open[m.Peer] != nil {
		b.open[m.Peer].letters = append(b.open[m.Peer].letters, n)
		if delayed {
			b.matchLater(m.Peer)
		}
		return
	}
	lane := &b.lanes[m.Channel()]
	b.pushLetter(&lane.letters, n)
	if delayed {
		b.matchLane(lane)
	}
}

// newMessage makes the transfer of a message.
func (b *mailbox) newMessage(i int32, t *thread, m *sim.Message, routine uint8) int32 {
	s := &b.stats[t.task]
	s.MessagesSent++
	s.BytesSent += m.Size
	n := b.transfers.Add()
	tr := &b.transfers.List[n]
	tr.Sender, tr.From, tr.To, tr.Channel, tr.Size, tr.Tag = i, t.task, m.Peer, m.Channel(), m.Size, m.Tag
	tr.LogicalSend, tr.Linked, tr.Instance, tr.Routine = t.reached, -1, -1, routine
	tr.Cpu = b.cpus.cpuOf(t)
	b.net.Plan(tr, m)
	return n
}

// block stops a thread in an operation.
func (b *mailbox) block(i int32, t *thread, state uint8, routine uint8) {
	t.blocked = b.Now
	if routine > 0 {
		state = sim.StateCollective
	}
	b.setState(i, t, state)
}

// unblock lets a thread continue after an operation that blocked it.
func (b *mailbox) unblock(i int32, sum *float64) {
	t := &b.threads[i]
	*sum += b.Now - t.blocked
	b.cpus.endWait(i, t)
}

// endWait lets a thread continue whose operation has ended, from its CPU if it spins there.
func (ps *processors) endWait(i int32, t *thread) {
	requeue := true
	if n := &ps.nodes[t.node]; n.held == i+1 {
		ps.releaseHeld(n)
	}
	if t.onCPU { // it spins
		t.timer, t.phase, requeue = 0, computing, false
		if ps.keep {
			ps.stopWaiting(i, t)
			return
		}
		ps.leave(t)
	}
	ps.records.proceed(i, t, requeue)
	if !ps.keep && ps.isDirty(t.node) {
		ps.dispatch(t.node)
	}
}

// sum returns the counter for the blocked time of a thread in messages of a routine.
func (b *mailbox) sum(i int32, routine uint8, send bool) *float64 {
	task := &b.tasks[b.threads[i].task]
	switch {
	case routine > 0:
		return &task.inColl
	case send:
		return &task.blockedSend
	}
	return &task.blockedRecv
}

// sent completes a send.
func (b *mailbox) sent(n int32) {
	l, tr := &b.letters[n], &b.transfers.List[n]
	if l.request != 0 {
		r := b.request(tr.Sender, l.request)
		awaited := r.state == awaitedSend
		l.request = 0
		if r.state = completed; awaited {
			r.state = noRequest
			b.unblock(tr.Sender, b.sum(tr.Sender, tr.Routine, true))
		}
	} else if l.blocks {
		l.blocks = false
		b.unblock(tr.Sender, b.sum(tr.Sender, tr.Routine, true))
	}
}

// arrive is called when a message is in the memory of its receiver.
func (b *mailbox) arrive(n int32) {
	l, tr := &b.letters[n], &b.transfers.List[n]
	l.arrived = true
	b.waiting[tr.To]++
	s := &b.stats[tr.To]
	s.MaxQueue = max(s.MaxQueue, b.waiting[tr.To])
	if l.mode == sim.ModeNoSpace {
		b.sent(n)
	}
	if l.delayed {
		b.deliver(n, l.post)
		return
	}
	if b.open[tr.To] != nil {
		b.matchLater(tr.To)
		return
	}
	b.matchLane(&b.lanes[tr.Channel])
}

// matchLane pairs the matching messages and receives of a channel.
func (b *mailbox) matchLane(lane *lane) {
	for lane.letters.first != 0 && lane.posts.first != 0 {
		n := lane.letters.first
		if l := &b.letters[n]; !l.arrived && !l.delayed {
			return
		}
		p := b.pop(&lane.posts, nextPost)
		if b.posts[p].probe {
			b.probeDone(p)
			continue
		}
		b.matched(b.popLetter(&lane.letters), p)
	}
}

// matched pairs a message with a receive: the message is delivered, or leaves.
func (b *mailbox) matched(n, p int32) {
	l := &b.letters[n]
	if !l.delayed || l.arrived {
		b.deliver(n, p)
		return
	}
	l.post = p
	if l.mode == sim.ModeBuffered {
		b.sent(n) // a rendezvous sender continues when the message leaves
	}
	b.net.Request(n)
}

// deliver hands a message to its receive; the receiver continues before a sender that waited for it.
func (b *mailbox) deliver(n, p int32) {
	post, tr := &b.posts[p], &b.transfers.List[n]
	i := post.thread
	b.stats[b.threads[i].task].BytesRecv += tr.Size
	b.waiting[tr.To]--
	if b.out != nil {
		b.out.comm(tr, i, b.cpus.cpuOf(&b.threads[i]), post.posted)
	}
	post.done = true
	routine := post.h.Routine
	request, blocks := post.h.Request, post.blocks
	switch {
	case blocks:
		t := &b.threads[i]
		// An open task is matched after everything else at an instant: its receive may have blocked for no time.
		if b.open[t.task] != nil && !b.letters[n].delayed && b.Now == t.blocked {
			b.stats[t.task].ImmediateRecvs++
		} else {
			b.stats[t.task].WaitingRecvs++
		}
		b.release(p)
		if request != 0 {
			b.request(i, request).state = noRequest
		}
		b.unblock(i, b.sum(i, routine, false))
	case request != 0:
		b.request(i, request).state = completed
		b.stats[b.threads[i].task].ImmediateRecvs++
		b.release(p)
	default:
		b.stats[b.threads[i].task].ImmediateRecvs++
	}
	if m := b.letters[n].mode; m == sim.ModeSynchronous || m == sim.ModeReady {
		b.sent(n)
	}
	b.letters[n] = letter{}
	b.transfers.Free = append(b.transfers.Free, n)
}

// release frees a post that no receive will ask for.
func (b *mailbox) release(p int32) {
	b.free = append(b.free, p)
}

// newReceive begins a receive or a probe, which may complete immediately.
func (b *mailbox) newReceive(i int32, t *thread, k sim.Kind) int32 {
	m, h := t.message(), t.handling()
	if k != sim.Irecv {
		h.Request = 0
	}
	p := b.newPost(post{message: m, h: h, thread: i, posted: t.reached, probe: k == sim.Probe})
	if b.open[t.task] != nil {
		b.open[t.task].posts = append(b.open[t.task].posts, p)
		b.matchLater(t.task)
	} else {
		b.push(&b.lanes[m.Channel()].posts, p, nextPost)
	}
	return p
}

// receive is a blocking receive or probe.
func (b *mailbox) receive(i int32, t *thread, k sim.Kind) {
	m := t.message()
	if k != sim.Probe && !t.started && b.rules[sim.ReceiverLatency] == sim.ReceiverPays &&
		b.records.startup(i, t, b.streams.receiveLatency(t, m)) {
		return
	}
	p := b.newReceive(i, t, k)
	if b.completesNow(t, m, p) {
		b.records.proceed(i, t, false)
		return
	}
	b.posts[p].blocks = true
	b.await(i, t, b.posts[p].h.Routine)
}

// completesNow matches a new receive of a task without wildcards, and frees it if it is complete.
func (b *mailbox) completesNow(t *thread, m *sim.Message, p int32) bool {
	if b.open[t.task] != nil {
		return false
	}
	b.matchLane(&b.lanes[m.Channel()])
	if b.posts[p].done {
		b.release(p)
		return true
	}
	return false
}

// await blocks a receiver, after a busy wait if there is one.
func (b *mailbox) await(i int32, t *thread, routine uint8) {
	if b.cpus.spins() {
		t.blocked = b.Now
		b.cpus.spin(i, t)
		return
	}
	b.block(i, t, sim.StateWaiting, routine)
}

// irecv begins an immediate receive. One without a request is completed by a Wait with the same envelope.
func (b *mailbox) irecv(i int32, t *thread) {
	m := t.message()
	p := b.newReceive(i, t, sim.Irecv)
	if r := b.posts[p].h.Request; r != 0 {
		*b.request(i, r) = request{pendingReceive, p, m}
	} else {
		b.push(&b.lanes[m.Channel()].anonymous, p, laterPost)
	}
	if b.open[t.task] == nil {
		b.matchLane(&b.lanes[m.Channel()])
	}
	b.records.proceed(i, t, false)
}

// wait completes the oldest immediate receive of its envelope; without one it is a receive.
func (b *mailbox) wait(i int32, t *thread) {
	m := t.message()
	lane := &b.lanes[m.Channel()]
	if lane.anonymous.first == 0 {
		b.receive(i, t, sim.Recv)
		return
	}
	if !t.started && b.rules[sim.ReceiverLatency] == sim.ReceiverPays &&
		b.records.startup(i, t, b.streams.receiveLatency(t, m)) {
		return
	}
	p := b.pop(&lane.anonymous, laterPost)
	if b.opt.LogicalRecvAtWait {
		b.posts[p].posted = t.reached
	}
	if b.posts[p].done {
		b.release(p)
		b.records.proceed(i, t, false)
		return
	}
	b.posts[p].thread, b.posts[p].blocks = i, true
	b.await(i, t, b.posts[p].h.Routine)
}

// waitRequest blocks until an immediate operation is complete.
func (b *mailbox) waitRequest(i int32, t *thread) {
	h := t.handling()
	r := b.request(i, h.Request)
	if r.state != noRequest && r.message != nil && !t.started && b.rules[sim.ReceiverLatency] == sim.ReceiverPays &&
		b.records.startup(i, t, b.streams.receiveLatency(t, r.message)) {
		return
	}
	switch r.state {
	case pendingSend:
		r.state = awaitedSend
		b.block(i, t, sim.StateSending, h.Routine)
	case pendingReceive:
		b.posts[r.work].blocks = true
		b.await(i, t, h.Routine)
	default: // complete, or never begun
		r.state = noRequest
		b.records.proceed(i, t, false)
	}
}

// probeDone lets a probing thread continue.
func (b *mailbox) probeDone(p int32) {
	post := &b.posts[p]
	post.done = true
	if post.blocks {
		b.unblock(post.thread, b.sum(post.thread, 0, false))
		b.release(p)
	}
}

// matchLater matches an open task after everything else at this instant.
func (b *mailbox) matchLater(task int32) {
	if box := b.open[task]; !box.due {
		box.due = true
		b.Schedule(b.Now, clock.MailDue, task)
	}
}

// matchOpen pairs the messages and receives of an open task.
func (b *mailbox) matchOpen(task int32) {
	box := b.open[task]
	box.due = false
	for k := 0; k < len(box.posts); {
		p := box.posts[k]
		at := b.firstFor(box, p)
		if at < 0 {
			k++
			continue
		}
		box.posts = slices.Delete(box.posts, k, k+1)
		if b.posts[p].probe {
			b.probeDone(p)
			continue
		}
		n := box.letters[at]
		box.letters = slices.Delete(box.letters, at, at+1)
		b.matched(n, p)
	}
}

// firstFor returns the message that a receive of an open task gets, or -1: among each sender's earliest acceptable
// message, if it has arrived, the first to arrive; the lowest sender's if several arrived together. (A message
// announced by rendezvous counts as arrived.)
func (b *mailbox) firstFor(box *openBox, p int32) int {
	best := -1
	var seen []int32 // senders with an earlier acceptable message
	for k, n := range box.letters {
		tr := &b.transfers.List[n]
		if slices.Contains(seen, tr.From) || !b.accepts(p, tr, b.letters[n].match) {
			continue
		}
		seen = append(seen, tr.From)
		l := &b.letters[n]
		if !l.arrived && !l.delayed {
			continue
		}
		if best >= 0 {
			o := &b.transfers.List[box.letters[best]]
			if a, c := b.there(n), b.there(box.letters[best]); a > c || a == c && tr.From > o.From {
				continue
			}
		}
		best = k
	}
	return best
}

// there returns the time when a message arrived or was announced.
func (b *mailbox) there(n int32) float64 {
	if b.letters[n].delayed {
		return b.transfers.List[n].LogicalSend
	}
	return b.transfers.List[n].Arrived
}

// operate performs the operation at a thread's record if the mailbox handles it.
func (b *mailbox) operate(i int32, t *thread, k sim.Kind) bool {
	switch k {
	case sim.Send, sim.SendRendezvous, sim.Isend, sim.IsendRendezvous:
		b.send(i, t, k)
	case sim.Recv, sim.Probe:
		b.receive(i, t, k)
	case sim.Irecv:
		b.irecv(i, t)
	case sim.Wait:
		b.wait(i, t)
	case sim.WaitRequest:
		b.waitRequest(i, t)
	default:
		return false
	}
	return true
}

// takes reports whether a transfer is a message handled by the mailbox.
func (b *mailbox) takes(n int32) bool { return int(n) < len(b.letters) && b.letters[n].taken }

// unreceived returns the messages that no receive got, by channel, in order of sending.
func (b *mailbox) unreceived() (list []int32) {
	for i := range b.lanes {
		for n := b.lanes[i].letters.first; n != 0; n = b.letters[n].next {
			list = append(list, n)
		}
	}
	for _, box := range b.open {
		if box != nil {
			list = append(list, box.letters...)
		}
	}
	return list
}

// accepts reports whether a receive accepts a message.
func (b *mailbox) accepts(p int32, tr *network.Transfer, match int64) bool {
	post := &b.posts[p]
	m, h := post.message, &post.h
	rematch := h.Open() || h.Wildcard() && b.rules[sim.Wildcards] == sim.WildcardsRematch
	if !rematch {
		return tr.Channel == m.Channel()
	}
	return tr.Routine == h.Routine && match == m.Match && (h.AnySource || tr.From == m.Peer) &&
		(h.AnyTag || tr.Tag == m.Tag)
}
