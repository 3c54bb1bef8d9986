package picl

// Messages: sends and receives pair up by processes and tag, first in, first out (as in MPI, in the order in which
// receives are posted).

import (
	"cmp"
	"slices"

	"pview/prv"
	"pview/prv/extrae/system"
)

// channel identifies the sends and receives that can pair up.
type channel struct {
	from, to who
	tag      int64
}

// send is the sender's end of a message.
type send struct {
	thread            int32
	logical, physical int64
	size              int64
}

// receive is the receiver's end.
type receive struct {
	thread            int32
	logical, physical int64
	size              int64
	begun             []int64 // the data of a nonblocking begin
}

// processOf returns the process in the data of a message, 0 if none.
func processOf(data []int64) int32 {
	if len(data) > 3 && data[3] > 0 {
		return int32(data[3])
	}
	return 0
}

// sent adds the sender's end of a message: bytes, tag, destination, process.
func (w *walker) sent(s span, end int64) {
	if len(s.data) < 3 {
		w.blame(lostSend, 0, "")
		return
	}
	c := channel{from: w.who, to: who{int32(s.data[2]), processOf(s.data)}, tag: s.data[1]}
	w.sends[c] = append(w.sends[c], send{w.thread, s.since, end, max(s.data[0], 0)})
}

// received adds the receiver's end. out is the data of the end of the receive: bytes, tag, source, process. If it has
// none, in, the data of the begin, may have them.
func (w *walker) received(r *receive, in []int64, end int64, out []int64) {
	if len(out) < 3 {
		if out = in; len(out) < 3 || len(r.begun) == 0 {
			w.blame(lostReceive, 0, "")
			return
		}
	}
	r.thread, r.physical, r.size = w.thread, end, max(out[0], 0)
	w.note(end, system.ReceivedType, r.size)
	c := channel{from: who{int32(out[2]), processOf(out)}, to: w.who, tag: out[1]}
	w.receives[c] = append(w.receives[c], *r)
}

// post begins a nonblocking receive; its end names the request.
func (w *walker) post(s span, data []int64) {
	r := &receive{logical: s.since, begun: s.data}
	if len(data) == 0 {
		w.posted = append(w.posted, r)
		return
	}
	if w.requests[data[0]] != nil { // cancelled, or its completion was not traced
		w.blame(lostReceive, 0, "")
	}
	w.requests[data[0]] = r
}

// complete ends a nonblocking receive: that of the request; if the request is unknown, the oldest one without a known
// request.
func (w *walker) complete(s span, end int64, data []int64) {
	r := &receive{logical: s.since}
	if len(s.data) > 0 && w.requests[s.data[0]] != nil {
		r = w.requests[s.data[0]]
		delete(w.requests, s.data[0])
	} else if len(w.posted) > 0 {
		r, w.posted = w.posted[0], w.posted[1:]
	} else if len(data) < 3 {
		return // there is no receive to complete
	}
	w.received(r, r.begun, end, data)
}

// match makes the communications.
func (b *builder) match() {
	var list []prv.Comm
	for c, sends := range b.sends {
		receives := b.receives[c]
		slices.SortStableFunc(receives, func(x, y receive) int { return cmp.Compare(x.logical, y.logical) })
		n := min(len(sends), len(receives))
		for i := range n {
			s, r := &sends[i], &receives[i]
			list = append(list, prv.Comm{Send: s.thread, Recv: r.thread, SendCPU: b.cpu[s.thread],
				RecvCPU: b.cpu[r.thread], Size: max(s.size, r.size), Tag: c.tag,
				Times: [4]int64{prv.LogicalSend: s.logical - b.zero, prv.PhysicalSend: s.physical - b.zero,
					prv.LogicalRecv: r.logical - b.zero, prv.PhysicalRecv: r.physical - b.zero}})
		}
		b.lose(lostSend, len(sends)-n)
	}
	for c, receives := range b.receives {
		b.lose(lostReceive, max(0, len(receives)-len(b.sends[c])))
	}
	slices.SortFunc(list, func(x, y prv.Comm) int {
		return cmp.Or(cmp.Compare(x.Times[prv.PhysicalSend], y.Times[prv.PhysicalSend]), cmp.Compare(x.Send, y.Send),
			cmp.Compare(x.Times[prv.LogicalSend], y.Times[prv.LogicalSend]),
			cmp.Compare(x.Recv, y.Recv), cmp.Compare(x.Times[prv.LogicalRecv], y.Times[prv.LogicalRecv]),
			cmp.Compare(x.Tag, y.Tag), cmp.Compare(x.Times[prv.PhysicalRecv], y.Times[prv.PhysicalRecv]))
	})
	for _, c := range list {
		b.out.Comm(c)
	}
}

func (b *builder) lose(p problem, n int) {
	for range n {
		b.blame(p, 0, "")
	}
}
