package engine

// Matching as MPI defines it, for programs and networks that need more than a stream of messages for each pair of tasks
// and tag: send modes, requests, wildcards, and networks on which a short message overtakes a long one.
//
// A receive takes, of each sender, the earliest message that it accepts; so a message that has overtaken another one
// waits for it. A message goes to the earliest receive that accepts it. Without wildcards both follow from two queues
// for each channel. A task with wildcards ("open") has one list of messages and one of receives; it is matched after
// all else at an instant, so that of messages that arrive together the one of the lowest sender is first.
//
// A message under rendezvous is matched before it leaves, any other one when it is there.

import (
	"slices"

	"pview/sim"
)

// mailbox matches the messages of a simulation.
type mailbox struct {
	letters  []letter // by transfer
	lanes    []lane   // by channel
	posts    []post   // from 1
	free     []int32
	requests [][]request // by thread
	open     []*openBox  // by task; nil: no wildcards
	ready    int64       // ready sends before their receive
	waiting  []int64     // by task: messages that have arrived and are not delivered
}

// letter is what a transfer is to the mailbox.
type letter struct {
	mode    sim.SendMode
	taken   bool // the mailbox has the transfer
	arrived bool
	delayed bool // by rendezvous: it leaves when it is matched
	blocks  bool // its sender is blocked
	request int32
	post    int32 // of a delayed one that has been matched
	match   int64
	next    int32 // in a lane
}

// lane holds the messages and receives of a channel that are not matched: queues of transfers, of posts, of posts whose
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
	later   int32 // in that of anonymous posts
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

// newMailbox returns the mailbox, or nil where the queues of channels are enough.
func (e *engine) newMailbox(ordered bool) *mailbox {
	if !e.p.HasHandling() && !ordered && e.rules[sim.BlockingSend] != sim.SendAcknowledged && e.m.StandardSend == sim.ModeStandard {
		return nil
	}
	b := &mailbox{lanes: make([]lane, len(e.channels)), posts: make([]post, 1), requests: make([][]request,
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

// message is the one at a thread's record.
func (t *thread) message() *sim.Message { return &t.src.Messages[t.arg[t.pc]] }

// handling is that of the message at a thread's record.
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

// modeOf is the mode of a send: its own, or that of the rules for a standard one. delayed: it leaves by rendezvous.
func (e *engine) modeOf(t *thread, m *sim.Message, k sim.Kind, h sim.Handling) (mode sim.SendMode, delayed bool) {
	if h.Mode == sim.ModeStandard {
		h.Mode = e.m.StandardSend
	}
	if h.Mode != sim.ModeStandard {
		return h.Mode, false
	}
	rule := e.rules[sim.BlockingSend]
	waits := e.large(m, k) || !e.ordered && e.rendezvous(t, m, k)
	switch {
	case rule == sim.SendAcknowledged && (waits || e.m.EagerLimit < 0 && !e.m.EagerSends), waits && e.ordered:
		return sim.ModeSynchronous, false
	case rule == sim.SendSynchronous && (k == sim.Send || k == sim.SendRendezvous || h.Request != 0):
		return sim.ModeNoSpace, waits
	}
	return sim.ModeBuffered, waits && rule != sim.SendAcknowledged
}

// postSend sends a message.
func (e *engine) postSend(i int32, t *thread, k sim.Kind) {
	m, h := t.message(), t.handling()
	if !t.started && e.startup(i, t, e.net.startup(t.task, m.Peer, m)) {
		return
	}
	b := e.mail
	n := e.newMessage(i, t, m, h.Routine)
	l := b.letter(n)
	mode, delayed := e.modeOf(t, m, k, h)
	*l = letter{mode: mode, delayed: delayed, taken: true, request: h.Request, match: m.Match}
	if !delayed {
		e.net.request(n)
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
		e.proceed(i, t, false)
	case immediate || done:
		e.proceed(i, t, false)
	default:
		l.blocks = true
		e.block(i, t, sim.StateSending, h.Routine)
	}
	if b.open[m.Peer] != nil {
		b.open[m.Peer].letters = append(b.open[m.Peer].letters, n)
		if delayed {
			e.matchLater(m.Peer)
		}
		return
	}
	lane := &b.lanes[m.Channel()]
	if mode == sim.ModeReady && lane.posts.first == 0 {
		b.ready++
	}
	b.pushLetter(&lane.letters, n)
	if delayed {
		e.matchLane(lane)
	}
}

// newMessage makes the transfer of a message.
func (e *engine) newMessage(i int32, t *thread, m *sim.Message, routine uint8) int32 {
	s := &e.stats[t.task]
	s.MessagesSent++
	s.BytesSent += m.Size
	n := e.newTransfer()
	tr := &e.transfers[n]
	tr.sender, tr.from, tr.to, tr.channel, tr.size, tr.tag = i, t.task, m.Peer, m.Channel(), m.Size, m.Tag
	tr.logicalSend, tr.linked, tr.instance, tr.routine = t.reached, -1, -1, routine
	tr.cpu = e.cpuOf(t)
	e.net.plan(tr, m)
	return n
}

// block stops a thread in an operation.
func (e *engine) block(i int32, t *thread, state uint8, routine uint8) {
	t.blocked = e.now
	if routine > 0 {
		state = sim.StateCollective
	}
	e.setState(i, t, state)
}

// unblock lets a thread go on after an operation in which it was blocked.
func (e *engine) unblock(i int32, sum *float64) {
	t := &e.threads[i]
	*sum += e.now - t.blocked
	e.endWait(i, t)
}

// endWait lets a thread go on whose operation has ended, from its CPU if it spins there.
func (e *engine) endWait(i int32, t *thread) {
	requeue := true
	if n := &e.nodes[t.node]; n.held == i+1 {
		e.letGoHeld(n)
	}
	if t.onCPU { // it spins
		t.timer, t.phase, requeue = 0, computing, false
		if e.keep {
			e.stopWaiting(i, t)
			return
		}
		e.leaveCPU(t)
	}
	e.proceed(i, t, requeue)
	if !e.keep && e.isDirty(t.node) {
		e.dispatch(t.node)
	}
}

// sum is where the blocked time of a thread in a message of a routine is counted.
func (e *engine) sum(i int32, routine uint8, send bool) *float64 {
	task := &e.tasks[e.threads[i].task]
	switch {
	case routine > 0:
		return &task.inColl
	case send:
		return &task.blockedSend
	}
	return &task.blockedRecv
}

// sent completes a send.
func (e *engine) sent(n int32) {
	l, tr := &e.mail.letters[n], &e.transfers[n]
	if l.request != 0 {
		r := e.mail.request(tr.sender, l.request)
		awaited := r.state == awaitedSend
		l.request = 0
		if r.state = completed; awaited {
			r.state = noRequest
			e.unblock(tr.sender, e.sum(tr.sender, tr.routine, true))
		}
	} else if l.blocks {
		l.blocks = false
		e.unblock(tr.sender, e.sum(tr.sender, tr.routine, true))
	}
}

// mailArrived is called when a message is in the memory of its receiver.
func (e *engine) mailArrived(n int32) {
	b := e.mail
	l, tr := &b.letters[n], &e.transfers[n]
	l.arrived = true
	b.waiting[tr.to]++
	s := &e.stats[tr.to]
	s.MaxQueue = max(s.MaxQueue, b.waiting[tr.to])
	if l.mode == sim.ModeNoSpace {
		e.sent(n)
	}
	if l.delayed {
		e.deliver(n, l.post)
		return
	}
	if b.open[tr.to] != nil {
		e.matchLater(tr.to)
		return
	}
	e.matchLane(&b.lanes[tr.channel])
}

// matchLane pairs the messages and receives of a channel that can be.
func (e *engine) matchLane(lane *lane) {
	b := e.mail
	for lane.letters.first != 0 && lane.posts.first != 0 {
		n := lane.letters.first
		if l := &b.letters[n]; !l.arrived && !l.delayed {
			return
		}
		p := b.pop(&lane.posts, nextPost)
		if b.posts[p].probe {
			e.probeDone(p)
			continue
		}
		e.matched(b.popLetter(&lane.letters), p)
	}
}

// matched pairs a message with a receive: it is delivered, or leaves.
func (e *engine) matched(n, p int32) {
	l := &e.mail.letters[n]
	if !l.delayed || l.arrived {
		e.deliver(n, p)
		return
	}
	l.post = p
	if l.mode == sim.ModeBuffered {
		e.sent(n) // a sender under rendezvous goes on when the message leaves
	}
	e.net.request(n)
}

// deliver hands a message to its receive; the receiver goes on before a sender that waited for it.
func (e *engine) deliver(n, p int32) {
	b := e.mail
	post, tr := &b.posts[p], &e.transfers[n]
	i := post.thread
	e.stats[e.threads[i].task].BytesRecv += tr.size
	b.waiting[tr.to]--
	if e.out != nil {
		e.out.comm(tr, i, e.cpuOf(&e.threads[i]), post.posted)
	}
	post.done = true
	routine := post.h.Routine
	request, blocks := post.h.Request, post.blocks
	switch {
	case blocks:
		e.stats[e.threads[i].task].WaitingRecvs++
		b.release(p)
		if request != 0 {
			b.request(i, request).state = noRequest
		}
		e.unblock(i, e.sum(i, routine, false))
	case request != 0:
		b.request(i, request).state = completed
		e.stats[e.threads[i].task].ImmediateRecvs++
		b.release(p)
	default:
		e.stats[e.threads[i].task].ImmediateRecvs++
	}
	if m := b.letters[n].mode; m == sim.ModeSynchronous || m == sim.ModeReady {
		e.sent(n)
	}
	b.letters[n] = letter{}
	e.freeTransfers = append(e.freeTransfers, n)
}

// release frees a post that nobody will ask for.
func (b *mailbox) release(p int32) {
	b.free = append(b.free, p)
}

// newReceive begins a receive or a probe, which may be complete at once.
func (e *engine) newReceive(i int32, t *thread, k sim.Kind) int32 {
	b := e.mail
	m, h := t.message(), t.handling()
	if k != sim.Irecv {
		h.Request = 0
	}
	p := b.newPost(post{message: m, h: h, thread: i, posted: t.reached, probe: k == sim.Probe})
	if b.open[t.task] != nil {
		b.open[t.task].posts = append(b.open[t.task].posts, p)
		e.matchLater(t.task)
	} else {
		b.push(&b.lanes[m.Channel()].posts, p, nextPost)
	}
	return p
}

// mailReceive is a blocking receive or probe.
func (e *engine) mailReceive(i int32, t *thread, k sim.Kind) {
	m := t.message()
	if k != sim.Probe && !t.started && e.rules[sim.ReceiverLatency] == sim.ReceiverPays && e.startup(i, t, e.receiveLatency(t, m)) {
		return
	}
	p := e.newReceive(i, t, k)
	if e.completesNow(t, m, p) {
		e.proceed(i, t, false)
		return
	}
	e.mail.posts[p].blocks = true
	e.await(i, t, e.mail.posts[p].h.Routine)
}

// completesNow matches a new receive of a task without wildcards, and frees it where it is complete.
func (e *engine) completesNow(t *thread, m *sim.Message, p int32) bool {
	if e.mail.open[t.task] != nil {
		return false
	}
	e.matchLane(&e.mail.lanes[m.Channel()])
	if e.mail.posts[p].done {
		e.mail.release(p)
		return true
	}
	return false
}

// await blocks a receiver, after a busy wait if there is one.
func (e *engine) await(i int32, t *thread, routine uint8) {
	if e.spins() {
		t.blocked = e.now
		e.spin(i, t)
		return
	}
	e.block(i, t, sim.StateWaiting, routine)
}

// mailIrecv begins an immediate receive. One without a request is completed by a Wait with the same envelope.
func (e *engine) mailIrecv(i int32, t *thread) {
	b := e.mail
	m := t.message()
	p := e.newReceive(i, t, sim.Irecv)
	if r := b.posts[p].h.Request; r != 0 {
		*b.request(i, r) = request{pendingReceive, p, m}
	} else {
		b.push(&b.lanes[m.Channel()].anonymous, p, laterPost)
	}
	if b.open[t.task] == nil {
		e.matchLane(&b.lanes[m.Channel()])
	}
	e.proceed(i, t, false)
}

// mailWait completes the oldest immediate receive of its envelope; without one it is a receive.
func (e *engine) mailWait(i int32, t *thread) {
	b := e.mail
	m := t.message()
	lane := &b.lanes[m.Channel()]
	if lane.anonymous.first == 0 {
		e.mailReceive(i, t, sim.Recv)
		return
	}
	if !t.started && e.rules[sim.ReceiverLatency] == sim.ReceiverPays && e.startup(i, t, e.receiveLatency(t, m)) {
		return
	}
	p := b.pop(&lane.anonymous, laterPost)
	if e.opt.LogicalRecvAtWait {
		b.posts[p].posted = t.reached
	}
	if b.posts[p].done {
		b.release(p)
		e.proceed(i, t, false)
		return
	}
	b.posts[p].thread, b.posts[p].blocks = i, true
	e.await(i, t, b.posts[p].h.Routine)
}

// waitRequest blocks until an immediate operation is complete.
func (e *engine) waitRequest(i int32, t *thread) {
	b := e.mail
	h := t.handling()
	r := b.request(i, h.Request)
	if r.state != noRequest && r.message != nil && !t.started && e.rules[sim.ReceiverLatency] == sim.ReceiverPays &&
		e.startup(i, t, e.receiveLatency(t, r.message)) {
		return
	}
	switch r.state {
	case pendingSend:
		r.state = awaitedSend
		e.block(i, t, sim.StateSending, h.Routine)
	case pendingReceive:
		b.posts[r.work].blocks = true
		e.await(i, t, h.Routine)
	default: // complete, or nothing was begun
		r.state = noRequest
		e.proceed(i, t, false)
	}
}

// probeDone lets a probing thread go on.
func (e *engine) probeDone(p int32) {
	post := &e.mail.posts[p]
	post.done = true
	if post.blocks {
		e.unblock(post.thread, e.sum(post.thread, 0, false))
		e.mail.release(p)
	}
}

// matchLater matches an open task after all else at this instant.
func (e *engine) matchLater(task int32) {
	if box := e.mail.open[task]; !box.due {
		box.due = true
		e.schedule(e.now, mailDue, task)
	}
}

// matchOpen pairs the messages and receives of an open task.
func (e *engine) matchOpen(task int32) {
	b := e.mail
	box := b.open[task]
	box.due = false
	for k := 0; k < len(box.posts); {
		p := box.posts[k]
		at := e.firstFor(box, p)
		if at < 0 {
			k++
			continue
		}
		box.posts = slices.Delete(box.posts, k, k+1)
		if b.posts[p].probe {
			e.probeDone(p)
			continue
		}
		n := box.letters[at]
		box.letters = slices.Delete(box.letters, at, at+1)
		e.matched(n, p)
	}
}

// firstFor is the message that a receive of an open task gets, or -1: of the earliest acceptable ones of each sender
// that are there, the first to arrive; of several at once that of the lowest sender. (An announced one, under
// rendezvous, counts as there.)
func (e *engine) firstFor(box *openBox, p int32) int {
	b := e.mail
	best := -1
	var seen []int32 // senders with an earlier acceptable message
	for k, n := range box.letters {
		tr := &e.transfers[n]
		if slices.Contains(seen, tr.from) || !e.accepts(p, tr, b.letters[n].match) {
			continue
		}
		seen = append(seen, tr.from)
		l := &b.letters[n]
		if !l.arrived && !l.delayed {
			continue
		}
		if best >= 0 {
			o := &e.transfers[box.letters[best]]
			if a, c := e.there(n), e.there(box.letters[best]); a > c || a == c && tr.from > o.from {
				continue
			}
		}
		best = k
	}
	return best
}

// there is when a message arrived or was announced.
func (e *engine) there(n int32) float64 {
	if e.mail.letters[n].delayed {
		return e.transfers[n].logicalSend
	}
	return e.transfers[n].arrived
}

// mailed performs the operation at a thread's record if it is one of the mailbox.
func (e *engine) mailed(i int32, t *thread, k sim.Kind) bool {
	switch k {
	case sim.Send, sim.SendRendezvous, sim.Isend, sim.IsendRendezvous:
		e.postSend(i, t, k)
	case sim.Recv, sim.Probe:
		e.mailReceive(i, t, k)
	case sim.Irecv:
		e.mailIrecv(i, t)
	case sim.Wait:
		e.mailWait(i, t)
	case sim.WaitRequest:
		e.waitRequest(i, t)
	default:
		return false
	}
	return true
}

// takes reports whether a transfer is a message of the mailbox.
func (b *mailbox) takes(n int32) bool { return int(n) < len(b.letters) && b.letters[n].taken }

// unreceived are the messages that no receive has got, in the order of channels and of sending.
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
func (e *engine) accepts(p int32, tr *transfer, match int64) bool {
	post := &e.mail.posts[p]
	m, h := post.message, &post.h
	rematch := h.Open() || h.Wildcard() && e.rules[sim.Wildcards] == sim.WildcardsRematch
	if !rematch {
		return tr.channel == m.Channel()
	}
	return tr.routine == h.Routine && match == m.Match && (h.AnySource || tr.from == m.Peer) &&
		(h.AnyTag || tr.tag == m.Tag)
}
