package otf2

// Messages: their ends at the locations, and how the ends are matched.

import (
	"cmp"
	"context"
	"slices"

	"pview/prv"
	"pview/prv/parallel"
)

// channel identifies messages that can pair up: both ends have the same channel.
type channel struct {
	comm, from, to int32 // communicator, tasks
	tag            uint32
}

func (c *channel) compare(o *channel) int {
	return cmp.Or(cmp.Compare(c.comm, o.comm), cmp.Compare(c.from, o.from), cmp.Compare(c.to, o.to),
		cmp.Compare(c.tag, o.tag))
}

// send and receive are the ends of messages. In a channel they pair up in the order of ticks: when the send began, and
// when the receive was posted.
type (
	send struct {
		channel
		thread            int32
		ticks             int64
		logical, physical int64
		size              uint64
	}
	receive struct {
		channel
		thread            int32
		post              int32 // -1: not posted separately
		ticks             int64
		logical, physical int64
		size              uint64
	}
)

// absurd is a size that no message has: such sizes are treated as unknown.
const absurd = 1 << 62

// send notes the begin of a message.
func (l *lane) send(e *event) {
	c, ok := l.channel(e, true)
	if !ok {
		return
	}
	m := send{channel: c, thread: l.thread, ticks: l.ticks, logical: l.now, physical: l.now, size: e.fields[3]}
	if l.call >= 0 {
		m.logical, m.physical = l.callStart, l.callStart
	}
	l.sends = append(l.sends, m)
}

// receive notes the end of a message.
func (l *lane) receive(e *event) {
	post := int32(-1)
	if e.id == evIrecv {
		if k, ok := l.requests[e.fields[4]]; ok {
			post = k
			delete(l.requests, e.fields[4])
		}
	}
	c, ok := l.channel(e, false)
	if !ok {
		return
	}
	m := receive{channel: c, thread: l.thread, post: post, ticks: l.ticks, logical: l.now, physical: l.now,
		size: e.fields[3]}
	switch {
	case post >= 0:
		m.ticks = l.posts[post].ticks
	case e.id == evRecv && l.call >= 0:
		m.logical = l.callStart
	}
	l.receives = append(l.receives, m)
}

// channel returns the channel of a message; ok is false if one of its ends does not exist.
func (l *lane) channel(e *event, sends bool) (c channel, ok bool) {
	k := l.own.comms.find(e.fields[1])
	if k < 0 || !l.ranks[k].known {
		l.noComm++
		return c, false
	}
	peer := l.ranks[k].peer(uint32(e.fields[0]), l.task)
	if peer < 0 {
		l.noPeer++
		return c, false
	}
	c = channel{k, l.task, peer, uint32(e.fields[2])}
	if !sends {
		c.from, c.to = c.to, c.from
	}
	return c, true
}

// matched holds the messages that a task receives, and counts of unmatched ends.
type matched struct {
	comms                 []prv.Comm
	order                 []int32 // of the messages of all tasks, by send time
	lostSends, lostPosted int64   // ends without a partner
	sizes                 int64   // messages whose ends have different sizes
}

// match pairs the ends of messages, task by task.
func (a *archive) match(ctx context.Context, lanes []*lane) (*matched, error) {
	tasks := len(a.header.Tasks)
	sends, receives := make([][]send, tasks), make([][]receive, tasks)
	toSend, toReceive := make([]int, tasks), make([]int, tasks)
	for _, l := range lanes {
		for i := range l.sends {
			toSend[l.sends[i].to]++
		}
		toReceive[l.task] += len(l.receives)
	}
	for t := range tasks {
		sends[t], receives[t] = make([]send, 0, toSend[t]), make([]receive, 0, toReceive[t])
	}
	for _, l := range lanes { // in the order of definition, which decides between equal times
		for i := range l.sends {
			to := l.sends[i].to
			sends[to] = append(sends[to], l.sends[i])
		}
		receives[l.task] = append(receives[l.task], l.receives...)
		l.sends, l.receives = nil, nil
	}
	parts := make([]matched, tasks)
	err := parallel.For(ctx, tasks, func(t int) error {
		parts[t].pair(sends[t], receives[t])
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := &matched{}
	count := 0
	for i := range parts {
		count += len(parts[i].comms)
	}
	all.comms = make([]prv.Comm, 0, count)
	for i := range parts {
		p := &parts[i]
		all.comms = append(all.comms, p.comms...)
		all.lostSends += p.lostSends
		all.lostPosted += p.lostPosted
		all.sizes += p.sizes
	}
	all.order = orderBy(len(all.comms), func(x, y int32) int {
		a, b := &all.comms[x], &all.comms[y]
		return cmp.Or(cmp.Compare(a.Times[prv.PhysicalSend], b.Times[prv.PhysicalSend]), cmp.Compare(a.Send, b.Send))
	})
	return all, nil
}

// orderBy returns the numbers below n in order; equal ones keep their order. It sorts numbers, since rows have 70
// bytes.
func orderBy(n int, compare func(x, y int32) int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	slices.SortFunc(list, func(x, y int32) int { return cmp.Or(compare(x, y), cmp.Compare(x, y)) })
	return list
}

// pair pairs the ends of the messages that a task receives: first in, first out.
func (p *matched) pair(sends []send, receives []receive) {
	from := orderBy(len(sends), func(x, y int32) int {
		return cmp.Or(sends[x].compare(&sends[y].channel), cmp.Compare(sends[x].ticks, sends[y].ticks))
	})
	to := orderBy(len(receives), func(x, y int32) int {
		return cmp.Or(receives[x].compare(&receives[y].channel), cmp.Compare(receives[x].ticks, receives[y].ticks))
	})
	p.comms = make([]prv.Comm, 0, min(len(sends), len(receives)))
	for len(from) > 0 && len(to) > 0 {
		s, r := &sends[from[0]], &receives[to[0]]
		switch order := s.compare(&r.channel); {
		case order < 0:
			p.lostSends++
			from = from[1:]
			continue
		case order > 0:
			p.lostPosted++
			to = to[1:]
			continue
		}
		size := s.size
		if size >= absurd {
			size = r.size
		}
		if size >= absurd {
			size = 0
		}
		if s.size != r.size && max(s.size, r.size) < absurd {
			p.sizes++
		}
		p.comms = append(p.comms, prv.Comm{Send: s.thread, Recv: r.thread, Size: int64(size), Tag: int64(s.tag),
			Times: [4]int64{prv.LogicalSend: s.logical, prv.PhysicalSend: s.physical, prv.LogicalRecv: r.logical,
				prv.PhysicalRecv: r.physical}})
		from, to = from[1:], to[1:]
	}
	p.lostSends += int64(len(from))
	p.lostPosted += int64(len(to))
}

// columns returns the messages in columns.
func (p *matched) columns() (c prv.Comms) {
	n := len(p.comms)
	c.Send, c.Recv, c.Size, c.Tag = make([]int32, n), make([]int32, n), make([]int64, n), make([]int64, n)
	for r := range c.Times {
		c.Times[r] = make([]int64, n)
	}
	for i, k := range p.order {
		m := &p.comms[k]
		c.Send[i], c.Recv[i], c.Size[i], c.Tag[i] = m.Send, m.Recv, m.Size, m.Tag
		for r := range c.Times {
			c.Times[r][i] = m.Times[r]
		}
	}
	return c
}
