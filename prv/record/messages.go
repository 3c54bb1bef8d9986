package record

// Matching sends with receives.

import "pview/prv"

// channel identifies the messages that do not overtake each other.
type channel struct {
	comm, from, to, tag int32 // ranks are tasks of the trace
}

// messageEnd is one side of a message.
type messageEnd struct {
	thread, cpu       int32
	logical, physical int64
	size              int64
}

// waiting are the sends or the receives of a channel whose partners have not come yet.
type waiting struct{ sends, receives []messageEnd }

// messages are the channels with something under way.
type messages map[channel]*waiting

// add adds a send or a receive, and writes the message when it is whole.
func (m *merger) add(ch channel, e messageEnd, isSend bool) {
	q := m.posted[ch]
	if q == nil {
		q = &waiting{}
		m.posted[ch] = q
	}
	own, others := &q.sends, &q.receives
	if !isSend {
		own, others = others, own
	}
	if len(*others) == 0 {
		*own = append(*own, e)
		return
	}
	send, recv := e, (*others)[0]
	if !isSend {
		send, recv = recv, send
	}
	if *others = (*others)[1:]; len(*others) == 0 {
		*others = nil
		if len(m.posted) > mostIdle {
			delete(m.posted, ch)
		}
	}
	m.out.Comm(prv.Comm{Send: send.thread, SendCPU: send.cpu, Recv: recv.thread, RecvCPU: recv.cpu, Size: send.size,
		Tag: int64(ch.tag), Times: [4]int64{send.logical, send.physical, recv.logical, recv.physical}})
}

// mostIdle bounds the channels that are kept while they are empty, to be used again.
const mostIdle = 1 << 16

// join adds one side of a message to the channel of a record, if its partner is a task of this run.
func (l *lane) join(r record, e messageEnd, isSend bool) {
	c, rank := l.process.comms[r.comm()], r.peer()
	if c == nil || c.group == nil || rank < 0 || int(rank) >= len(c.partners()) || c.partners()[rank] < 0 {
		l.strange++
		return
	}
	first := l.process.world.task
	ch := channel{int32(c.group.number), first + int32(l.process.rank), first + c.partners()[rank], r.tag()}
	if !isSend {
		ch.from, ch.to = ch.to, ch.from
	}
	l.add(ch, e, isSend)
}

// sent adds a send of a call.
func (l *lane) sent(r record, call span) {
	l.join(r, messageEnd{l.stream.thread, l.stream.cpu, call.begin, call.end, r.bytes()}, true)
}

// received adds a receive that completed in a call of this thread.
func (l *lane) received(r record, call span) {
	l.join(r, messageEnd{l.stream.thread, l.stream.cpu, call.begin, call.end, r.recvd()}, false)
}

// receive adds a receive that was posted in a call, if it completed: anywhere in the process, later.
func (l *lane) receive(request int64, call span) {
	p := l.process
	if request <= 0 || request >= int64(len(p.done)) || p.done[request].record == 0 {
		return
	}
	at := p.done[request]
	s := p.streams[at.stream]
	r := s.at(int(at.record - 1))
	end, in, ok := l.spanOf(s, r.aux())
	if !ok {
		return
	}
	logical := call.end
	if again, ok := p.again[request]; ok {
		if posted, _, ok := l.spanOf(p.streams[again.stream], int64(again.record)); ok {
			logical = posted.end
		}
	} else if kind := in.kind(); kind < len(l.kinds) && l.kinds[kind].match {
		logical = end.begin
	}
	l.join(r, messageEnd{s.thread, s.cpu, logical, end.end, r.recvd()}, false)
}
