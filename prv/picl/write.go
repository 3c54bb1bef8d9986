package picl

// Writing the new format, for ParaGraph and other readers of PICL.
//
// PICL records calls, a Paraver trace states and messages. So each state other than computation becomes a call, whose
// kind follows from the state's meaning and from the message that begins or ends with it. Other messages become calls
// that take no time, where they are sent, posted and received. A task is a processor, a thread a process, a user
// function a user event. Records that PICL cannot hold are left out: counters, other events, and the physical send of a
// message for which its sender does not wait.

import (
	"bufio"
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"pview/prv"
	"pview/prv/calls"
	"pview/prv/extrae"
	"pview/prv/extrae/system"
)

// System events that are written but not read.
const (
	syncSend       = -23
	waitRecv       = -60
	waitRecvLong   = -61
	fileWrite      = -221
	idleEvent      = -601
	systemOverhead = -602
	userOverhead   = -603
)

// callOf is the system event of a state without a message; 0: computation, or nothing.
var callOf = map[extrae.Meaning]int32{extrae.Idle: idleEvent, extrae.Waiting: barrier,
	extrae.Communicating: systemOverhead, extrae.Ready: systemOverhead,
	extrae.Overhead: systemOverhead, extrae.IO: fileWrite, extrae.Unknown: userOverhead}

// Write writes a trace in the new format, in the order of time. The error is that of out, or ctx.Err().
func Write(ctx context.Context, out io.Writer, t *prv.Trace) error {
	o := &writer{t: t, out: bufio.NewWriterSize(out, 1<<18), unit: t.Unit.Nanoseconds(),
		states: extrae.StatesOf(t.Labels, extrae.Auto), types: calls.TypesOf(t.Labels),
		groups: map[int64]int32{}, users: map[functionKey]int32{}}
	o.name()
	var q queue
	for i := range t.Threads {
		next, stop := iter.Pull(o.moments(i))
		defer stop()
		if m, ok := next(); ok {
			q = append(q, &source{m, i, next})
		}
	}
	heap.Init(&q)
	for n := 0; len(q) > 0; n++ {
		if n&0xfff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s := q[0]
		o.record(s.thread, &s.moment)
		var more bool
		if s.moment, more = s.next(); more {
			heap.Fix(&q, 0)
		} else {
			heap.Pop(&q)
		}
	}
	return o.out.Flush()
}

// writer is a trace being written.
type writer struct {
	t      *prv.Trace
	out    *bufio.Writer
	unit   int64 // ns
	line   []byte
	states *extrae.States
	types  *calls.Types
	groups map[int64]int32       // by MPI call: the system event of a collective operation
	users  map[functionKey]int32 // user events
}

// functionKey is a user function: an event type and value.
type functionKey struct {
	typ   uint32
	value int64
}

// moment is a record of a process.
type moment struct {
	time  int64
	kind  kind
	event int32
	comm  int32 // message that it belongs to; -1: none
}

// source is the next moment of a process.
type source struct {
	moment
	thread int
	next   func() (moment, bool)
}

// queue has the processes in the order of their next moments.
type queue []*source

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].time, q[j].time), cmp.Compare(q[i].thread, q[j].thread)) < 0
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push and Pop are for package heap.
func (q *queue) Push(x any) { *q = append(*q, x.(*source)) }

// Pop removes the last one.
func (q *queue) Pop() any {
	last := len(*q) - 1
	s := (*q)[last]
	*q = (*q)[:last]
	return s
}

// of reports whether an event type belongs to a family.
func (o *writer) of(typ uint32, f extrae.Family) bool {
	i, ok := o.types.Family(typ)
	return ok && calls.Families[i].Family == f
}

// name numbers the user functions, and writes their names.
func (o *writer) name() {
	for i := range o.t.Threads {
		ev := &o.t.Threads[i].Events
		for row, typ := range ev.Type {
			if ev.Value.At(row) != 0 && o.of(typ, extrae.Functions) {
				o.users[functionKey{typ, ev.Value.At(row)}] = 0
			}
		}
	}
	list := make([]functionKey, 0, len(o.users))
	for k := range o.users {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b functionKey) int {
		return cmp.Or(cmp.Compare(a.typ, b.typ), cmp.Compare(a.value, b.value))
	})
	for u, k := range list {
		o.users[k] = int32(u)
		name := strings.Join(strings.Fields(o.t.Labels.ValueName(k.typ, k.value)), " ")
		fmt.Fprintf(o.out, "%d %d 0.0 -1 -1 1 0 %s\n", labelRecord, u,
			cmp.Or(name, fmt.Sprintf("%d:%d", k.typ, k.value)))
	}
}

// group returns the system event of a collective operation of MPI; 0 for other calls.
func (o *writer) group(typ uint32, value int64) int32 {
	if id, ok := o.groups[value]; ok {
		return id
	}
	name := strings.ToLower(strings.TrimPrefix(strings.ToUpper(o.t.Labels.ValueName(typ, value)), "MPI_"))
	id := int32(0)
	for i := range systemEvents {
		e := &systemEvents[i]
		if (e.class() == system.Collective || e.id == barrier) && (e.name == name || e.name+"v" == name) {
			id = int32(e.id)
		}
	}
	o.groups[value] = id
	return id
}

// record writes a line: an entry has the arguments of the call, an exit the results.
func (o *writer) record(thread int, m *moment) {
	task := o.t.ThreadTask[thread]
	b := strconv.AppendInt(o.line[:0], [...]int64{enter: entryRecord, leave: exitRecord}[m.kind], 10)
	b = strconv.AppendInt(append(b, ' '), int64(m.event), 10)
	ns := m.time * o.unit
	b = fmt.Appendf(b, " %d.%09d %d %d", ns/1e9, ns%1e9, task, int32(thread)-o.t.Tasks[task].FirstThread)
	var data []int64
	if e, _ := eventOf(int(m.event)); m.comm >= 0 {
		data = o.data(e.role, m)
	}
	b = strconv.AppendInt(append(b, ' '), int64(len(data)), 10)
	if len(data) > 0 {
		b = append(b, " 2"...)
	}
	for _, v := range data {
		b = strconv.AppendInt(append(b, ' '), v, 10)
	}
	o.line = append(b, '\n')
	o.out.Write(o.line)
}

// data returns the data of a record of a message. A request is the number of its message, from 1.
func (o *writer) data(r role, m *moment) []int64 {
	c := &o.t.Comms
	full := func(thread int32) []int64 {
		task := o.t.ThreadTask[thread]
		return []int64{c.Size[m.comm], c.Tag[m.comm], int64(task), int64(thread - o.t.Tasks[task].FirstThread)}
	}
	tag, request := []int64{c.Tag[m.comm]}, []int64{int64(m.comm) + 1}
	begins := m.kind == enter
	switch r {
	case sendCall:
		if begins {
			return full(c.Recv[m.comm])
		}
		return nil
	case recvBegin:
		if begins {
			return tag
		}
		return request
	case recvDone:
		if begins {
			return request
		}
	default:
		if begins {
			return tag
		}
	}
	return full(c.Send[m.comm])
}
