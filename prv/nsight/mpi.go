package nsight

// MPI: calls, and the sends and receives among them.

import (
	"cmp"
	"slices"
	"strings"

	"pview/prv/extrae"
	"pview/prv/kineto"
)

// end is an end of a message.
type end struct {
	process    *process
	row        int32
	comm, tag  int64
	other      int64 // rank
	size       int64
	begin, end int64
}

// wait is a call that completes a request.
type wait struct {
	row        int32
	request    int64
	begin, end int64
}

// mpi returns the tables of MPI.
func (r *report) mpi() []table {
	list := []table{
		{"MPI_P2P_EVENTS", "start end globalTid textId commHandle tag remoteRank size requestHandle", r.messageRow},
		{"MPI_COLLECTIVES_EVENTS", "start end globalTid textId size recvSize", func(v []value) {
			p, row, ok := r.mpiRow(v, extrae.MPICollective)
			if !ok {
				return
			}
			begin := whole(v[0])
			for i, kind := range []*kineto.Kind{r.kinds.sent, r.kinds.received} {
				if n, ok := number(v[4+i]); ok && n >= 0 {
					p.Event(row, begin, p.index(kind), -1, n)
				}
			}
		}},
		{"MPI_START_WAIT_EVENTS", "start end globalTid textId requestHandle", func(v []value) {
			p, row, ok := r.mpiRow(v, extrae.MPIPointToPoint)
			request, has := number(v[4])
			if ok && has && !strings.Contains(r.textOf(v[3]), "Start") {
				p.waited = append(p.waited, wait{row, request, whole(v[0]), whole(v[1])})
			}
		}},
	}
	for _, t := range []struct {
		name string
		typ  uint32
	}{{"MPI_OTHER_EVENTS", extrae.MPIOther}, {"MPI_IO_EVENTS", extrae.MPIFile}, {"MPI_RMA_EVENTS", extrae.MPIOneSided}} {
		list = append(list, table{t.name, "start end globalTid textId", func(v []value) { r.mpiRow(v, t.typ) }})
	}
	return list
}

// mpiRow adds a call.
func (r *report) mpiRow(v []value, typ uint32) (p *process, row int32, ok bool) {
	name := cmp.Or(r.textOf(v[3]), "MPI call")
	p, row, begin, end, ok := r.onThread(v, func() string { return name })
	if ok {
		p.Span(row, begin, end, p.Name(name), p.index(r.kinds.call(name, typ)))
	}
	return p, row, ok
}

// messageRow adds a call with one or both ends of a message.
func (r *report) messageRow(v []value) {
	p, row, ok := r.mpiRow(v, extrae.MPIPointToPoint)
	other, has := number(v[6])
	if !ok || !has || other < 0 {
		return
	}
	e := end{process: p, row: row, comm: whole(v[4]), tag: whole(v[5]), other: other, size: max(whole(v[7]), 0),
		begin: whole(v[0]), end: whole(v[1])}
	name := strings.ToLower(strings.TrimPrefix(r.textOf(v[3]), "MPI_"))
	switch {
	case strings.Contains(name, "sendrecv") || strings.Contains(name, "probe"): // send or receive: unknown
	case strings.Contains(name, "send"):
		p.sends = append(p.sends, e)
	case strings.Contains(name, "recv"):
		if request, ok := number(v[8]); ok && strings.HasPrefix(name, "i") {
			p.posted = append(p.posted, posted{len(p.receives), row, request})
		}
		p.receives = append(p.receives, e)
	}
}

// posted is a receive that a later call completes.
type posted struct {
	receive int
	row     int32
	request int64
}

// complete ends each posted receive with the call that waits for it: the first later one with its request.
func (p *process) complete() {
	slices.SortStableFunc(p.waited, func(x, y wait) int { return cmp.Compare(x.begin, y.begin) })
	of := map[int64][]wait{}
	for _, w := range p.waited {
		of[w.request] = append(of[w.request], w)
	}
	for _, o := range p.posted {
		e := &p.receives[o.receive]
		list := of[o.request]
		i, _ := slices.BinarySearchFunc(list, e.end, func(w wait, t int64) int { return cmp.Compare(w.begin, t) })
		if i < len(list) {
			e.end = list[i].end
		}
	}
}

// channel identifies the sends and receives that can match.
type channel struct{ from, to, tag, comm int64 }

// pair finds the messages: the ends of a channel are paired in order. Equal communicator handles go first, since a
// communicator may have different handles on different ranks.
func pair(list []*process) (messages []kineto.Message, unmatched int) {
	var sends, receives []end
	for _, p := range list {
		p.complete()
		sends, receives = append(sends, p.sends...), append(receives, p.receives...)
	}
	for _, handles := range []bool{true, false} {
		waiting := map[channel][]end{}
		key := func(from, to int64, e *end) channel {
			c := channel{from, to, e.tag, 0}
			if handles {
				c.comm = e.comm
			}
			return c
		}
		order := func(list []end) {
			slices.SortStableFunc(list, func(x, y end) int {
				return cmp.Or(cmp.Compare(x.begin, y.begin), cmp.Compare(x.process.key, y.process.key),
					cmp.Compare(x.row, y.row), cmp.Compare(x.tag, y.tag), cmp.Compare(x.other, y.other))
			})
		}
		order(sends)
		order(receives)
		for i := range sends {
			c := key(sends[i].process.rank, sends[i].other, &sends[i])
			waiting[c] = append(waiting[c], sends[i])
		}
		var left []end
		for _, to := range receives {
			c := key(to.other, to.process.rank, &to)
			q := waiting[c]
			if len(q) == 0 {
				left = append(left, to)
				continue
			}
			from := q[0]
			waiting[c] = q[1:]
			messages = append(messages, kineto.Message{From: from.process.Rank, To: to.process.Rank,
				FromRow: from.row, ToRow: to.row, Size: max(from.size, to.size), Tag: from.tag,
				Times: [4]int64{from.begin, from.begin, to.begin, to.end}})
		}
		receives, sends = left, sends[:0]
		for _, q := range waiting {
			sends = append(sends, q...)
		}
	}
	return messages, len(sends) + len(receives)
}
