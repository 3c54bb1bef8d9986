package tui

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"pview/filter"
	"pview/prv"
	"pview/tui/timeline"
)

// recordKind is a kind of record that What/Where lists.
type recordKind uint8

const (
	stateRecord recordKind = iota
	eventRecord
	commRecord
)

// record names one record of a trace; a message has one per end.
type record struct {
	kind   recordKind
	role   prv.Role // of a message: LogicalSend or LogicalRecv
	thread int32
	index  int32 // into the thread's states or events, or into the trace's messages
}

// time is where the record stands: the begin of a state, the logical time of a
// message's end.
func (r record) time(t *prv.Trace) int64 {
	switch r.kind {
	case stateRecord:
		return t.Threads[r.thread].States.Begin[r.index]
	case eventRecord:
		return t.Threads[r.thread].Events.Time[r.index]
	}
	return t.Comms.Times[r.role][r.index]
}

func (r record) cpu(t *prv.Trace) int32 {
	switch r.kind {
	case stateRecord:
		return t.Threads[r.thread].StateCPU(int(r.index))
	case eventRecord:
		return t.Threads[r.thread].EventCPU(int(r.index))
	}
	return t.CommCPU(int(r.index), r.role)
}

// partner is the other end of a message.
func (r record) partner(t *prv.Trace) record {
	r.role = prv.LogicalRecv - r.role
	r.thread = t.Comms.Thread(int(r.index), r.role)
	return r
}

// raw is the record as a .prv has it; in hexadecimal when hex.
func (r record) raw(t *prv.Trace, hex bool) string {
	object := func(thread, cpu int32) []int64 {
		p, ta, th := t.ThreadID(thread)
		return []int64{int64(cpu), int64(p), int64(ta), int64(th)}
	}
	var fields []int64
	switch r.kind {
	case stateRecord:
		s := &t.Threads[r.thread].States
		fields = append(append([]int64{1}, object(r.thread, r.cpu(t))...), s.Begin[r.index], s.End[r.index], int64(s.Value[r.index]))
	case eventRecord:
		e := &t.Threads[r.thread].Events
		fields = append(append([]int64{2}, object(r.thread, r.cpu(t))...), e.Time[r.index])
		first := r.firstOfLine(t)
		for i := first; i == first || i < e.Len() && len(e.Lines) > 0 && !e.Lines.Has(i); i++ {
			fields = append(fields, int64(e.Type[i]), e.Value[i])
		}
	default:
		c, i := &t.Comms, r.index
		fields = append(append([]int64{3}, object(c.Send[i], t.CommCPU(int(i), prv.LogicalSend))...), c.Times[prv.LogicalSend][i], c.Times[prv.PhysicalSend][i])
		fields = append(append(fields, object(c.Recv[i], t.CommCPU(int(i), prv.LogicalRecv))...), c.Times[prv.LogicalRecv][i], c.Times[prv.PhysicalRecv][i], c.Size[i], c.Tag[i])
	}
	text := make([]string, len(fields))
	for i, f := range fields {
		if text[i] = strconv.FormatInt(f, 10); hex && i > 0 {
			text[i] = fmt.Sprintf("%#x", f)
		}
	}
	return strings.Join(text, ":")
}

// firstOfLine is the first pair of the line that an event stands on.
func (r record) firstOfLine(t *prv.Trace) int {
	e := &t.Threads[r.thread].Events
	i := int(r.index)
	for len(e.Lines) > 0 && i > 0 && !e.Lines.Has(i) {
		i--
	}
	return i
}

// around is what collect looks for.
type around struct {
	tr                    *prv.Trace
	level                 prv.Level
	object                int
	t                     int64
	pass                  *filter.Pass // nil lets everything pass
	states, events, comms bool
	each                  int // records of a kind, per thread, on either side
	from, to              int64
	list                  []record
}

// scanLimit bounds how many records are passed over while one that passes the
// filter is looked for.
const scanLimit = 20000

// collect returns the records of an object around a time, in order: all that there
// are between the first and the last.
func (a *around) collect() []record {
	threads := timeline.ThreadsOf(a.tr, a.level, a.object)
	a.each = max(200/max(len(threads), 1), 3)
	a.from, a.to = math.MinInt64, math.MaxInt64
	for _, th := range threads {
		t := &a.tr.Threads[th]
		if a.states {
			a.side(t.States.Len(), func(i int) int64 { return t.States.Begin[i] }, func(i int) (record, bool) {
				return record{kind: stateRecord, thread: th, index: int32(i)}, true
			})
		}
		if a.events {
			a.side(t.Events.Len(), func(i int) int64 { return t.Events.Time[i] }, func(i int) (record, bool) {
				return record{kind: eventRecord, thread: th, index: int32(i)}, a.pass == nil || a.pass.Events.Has(t.Events.Type[i], t.Events.Value[i])
			})
		}
		if a.comms {
			a.messages(t, th, prv.LogicalSend)
			a.messages(t, th, prv.LogicalRecv)
		}
	}
	return a.sorted()
}

func (a *around) messages(t *prv.Thread, th int32, role prv.Role) {
	list, times := t.Comm[role], a.tr.Comms.Times[role]
	a.side(len(list), func(i int) int64 { return times[list[i]] }, func(i int) (record, bool) {
		return record{kind: commRecord, role: role, thread: th, index: list[i]}, a.pass == nil || a.pass.Comms.Has(int(list[i]))
	})
}

// side adds the nearest of n records, sorted by time, on both sides of a.t. Where
// it stops before the first or the last, the list is complete only up to there.
func (a *around) side(n int, time func(int) int64, get func(int) (record, bool)) {
	at := sort.Search(n, func(i int) bool { return time(i) > a.t })
	walk := func(i, step int) (stopped int) {
		for found, passed := 0, 0; i >= 0 && i < n; i += step {
			if found == a.each || passed == scanLimit {
				return i
			}
			passed++
			if r, ok := get(i); ok && a.owns(r) {
				a.list = append(a.list, r)
				found++
			}
		}
		return i
	}
	if i := walk(at-1, -1); i >= 0 {
		a.from = max(a.from, time(i)+1)
	}
	if i := walk(at, 1); i < n {
		a.to = min(a.to, time(i)-1)
	}
}

// owns reports whether a record belongs to the object; on a CPU or node not all
// records of a thread do.
func (a *around) owns(r record) bool {
	return !a.level.IsResource() || timeline.ObjectOf(a.tr, a.level, r.thread, r.cpu(a.tr)) == a.object
}

// sorted returns what was found between from and to, by time. What shares a time
// stands as Paraver orders it: messages, events, states.
func (a *around) sorted() []record {
	a.list = slices.DeleteFunc(a.list, func(r record) bool {
		t := r.time(a.tr)
		return t < a.from && t < a.t || t > a.to && t > a.t
	})
	slices.SortFunc(a.list, func(p, q record) int {
		return cmp.Or(cmp.Compare(p.time(a.tr), q.time(a.tr)), cmp.Compare(q.kind, p.kind),
			cmp.Compare(p.thread, q.thread), cmp.Compare(p.index, q.index))
	})
	return a.list
}
