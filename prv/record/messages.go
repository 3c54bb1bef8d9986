package record

// Matching sends with receives.

import (
	"cmp"
	"slices"

	"pview/prv"
)

// channel identifies messages that cannot overtake each other.
type channel struct {
	comm, from, to, tag int32 // ranks are tasks of the trace
}

// messageEnd is one side of a message.
type messageEnd struct {
	thread, cpu       int32
	logical, physical int64
	size              int64
	unseen            bool // sent or received while recording was stopped
}

// waiting holds the sends or receives of a channel that have no partner yet.
type waiting struct{ sends, receives []messageEnd }

// messages holds the channels with pending sends or receives.
type messages map[channel]*waiting

// arrival is a send or a receive to be matched.
type arrival struct {
	channel
	messageEnd
	isSend bool
}

// add adds a send or a receive, and writes the message if it is now complete.
func (m *merger) add(e arrival) {
	q := m.posted[e.channel]
	if q == nil {
		q = &waiting{}
		m.posted[e.channel] = q
	}
	own, others := &q.sends, &q.receives
	if !e.isSend {
		own, others = others, own
	}
	if len(*others) == 0 {
		*own = append(*own, e.messageEnd)
		return
	}
	send, recv := e.messageEnd, (*others)[0]
	if !e.isSend {
		send, recv = recv, send
	}
	if *others = (*others)[1:]; len(*others) == 0 {
		*others = nil
		if len(m.posted) > mostIdle {
			delete(m.posted, e.channel)
		}
	}
	if send.unseen && recv.unseen {
		return
	}
	m.rest.out.Comm(prv.Comm{Send: send.thread, SendCPU: send.cpu, Recv: recv.thread, RecvCPU: recv.cpu,
		Size: send.size, Tag: int64(e.tag), Times: [4]int64{send.logical, send.physical, recv.logical, recv.physical}})
}

// mostIdle bounds the empty channels that are kept for reuse.
const mostIdle = 1 << 16

// join adds one side of a message to its channel, if its partner, a rank of the communicator, is a task of this run.
func (l *lane) join(comm, rank, tag int32, e messageEnd, isSend bool) {
	c := l.process.comms[comm]
	if c == nil || c.group == nil || rank < 0 || int(rank) >= len(c.partners()) {
		l.strange++
		return
	}
	if c.partners()[rank] < 0 {
		l.foreign++
		return
	}
	first := l.process.world.task
	ch := channel{int32(c.group.number), first + int32(l.process.rank), first + c.partners()[rank], tag}
	if !isSend {
		ch.from, ch.to = ch.to, ch.from
	}
	l.ends = append(l.ends, arrival{ch, e, isSend})
}

// sent adds a send of a call.
func (l *lane) sent(r record, call span) {
	l.join(r.comm(), r.peer(), r.tag(), messageEnd{l.stream.thread, l.stream.cpu, call.begin, call.end, r.bytes(),
		l.untraced}, true)
}

// receives holds the pending receives of a process. They enter their channels in the order of posting. A completed
// receive is held while an earlier one may still turn out to belong to the same channel.
type receives struct {
	posted    int64      // number so far
	open      []*posting // not completed, in order of posting
	byRequest map[int64]*posting
	early     map[int64]completion // of requests that another thread has posted, but whose record comes later
}

// posting is a pending receive.
type posting struct {
	order           int64
	comm, from, tag int32 // as posted: negative from and tag are wildcards
	logical         int64 // time
	again           bool  // MPI_Imrecv has set logical
	done            completion
	held            []*posting // receives that wait for this one to complete
}

// completion is a completed receive, with the partner and the tag of its message.
type completion struct {
	lane              *lane
	comm, from, tag   int32
	size              int64
	call              span
	matched, canceled bool
	unseen            bool
}

func (l *lane) completion(r record, call span) completion {
	return completion{lane: l, comm: r.comm(), from: r.peer(), tag: r.tag(), size: r.recvd(), call: call,
		unseen: l.untraced}
}

// matches reports whether a receive could get the message that another receive got.
func (p *posting) matches(c *completion) bool {
	return p.comm == c.comm && (p.from < 0 || p.from == c.from) && (p.tag < 0 || p.tag == c.tag)
}

// post adds a receive that was posted in a call.
func (l *lane) post(r record, call span) {
	rs := &l.process.receives
	rs.posted++
	p := &posting{order: rs.posted, comm: r.comm(), from: r.peer(), tag: r.tag(), logical: call.end}
	request := r.request()
	if done, ok := rs.early[request]; ok {
		delete(rs.early, request)
		p.done = done
		rs.enter(p)
		return
	}
	if rs.byRequest == nil {
		rs.byRequest, rs.early = map[int64]*posting{}, map[int64]completion{}
	}
	rs.open = append(rs.open, p)
	rs.byRequest[request] = p
}

// repost notes that the receive of an already matched message begins now.
func (l *lane) repost(r record, call span) {
	if p := l.process.receives.byRequest[r.request()]; p != nil {
		p.logical, p.again = call.end, true
	}
}

// received adds a receive whose call waits for the message.
func (l *lane) received(r record, call span) {
	rs := &l.process.receives
	done := l.completion(r, call)
	if len(rs.open) == 0 {
		done.join(call.begin)
		return
	}
	rs.posted++
	rs.enter(&posting{order: rs.posted, logical: call.begin, done: done})
}

// completed ends a receive in a call: the call's own, or one posted before.
func (l *lane) completed(r record, call span) {
	rs, request := &l.process.receives, r.request()
	if request == 0 {
		l.received(r, call)
		return
	}
	done := l.completion(r, call)
	done.matched, done.canceled = l.inMatched, r.flags()&flagFailed != 0
	p := rs.byRequest[request]
	if p == nil {
		if rs.early != nil {
			rs.early[request] = done
		}
		return
	}
	delete(rs.byRequest, request)
	p.done = done
	at := slices.Index(rs.open, p)
	rs.open = slices.Delete(rs.open, at, at+1)
	rs.enter(p)
	held := p.held
	p.held = nil
	slices.SortFunc(held, func(a, b *posting) int { return cmp.Compare(a.order, b.order) })
	for _, h := range held {
		rs.enter(h)
	}
}

// enter passes a completed receive to its channel, or lets it wait for the first receive that holds it up.
func (rs *receives) enter(p *posting) {
	if p.done.canceled {
		return
	}
	for _, before := range rs.open {
		if before.order > p.order {
			break
		}
		if before.matches(&p.done) {
			before.held = append(before.held, p)
			return
		}
	}
	p.join()
}

// join adds the receive to its channel.
func (p *posting) join() {
	logical := p.logical
	if p.done.matched && !p.again {
		logical = p.done.call.begin
	}
	p.done.join(logical)
}

func (c *completion) join(logical int64) {
	s := c.lane.stream
	c.lane.join(c.comm, c.from, c.tag, messageEnd{s.thread, s.cpu, logical, c.call.end, c.size, c.unseen}, false)
}

// end passes all completed receives to their channels: no others will complete.
func (rs *receives) end() {
	var held []*posting
	for _, p := range rs.open {
		held = append(held, p.held...)
	}
	slices.SortFunc(held, func(a, b *posting) int { return cmp.Compare(a.order, b.order) })
	for _, p := range held {
		p.join()
	}
	rs.open = nil
}
