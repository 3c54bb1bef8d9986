package dimemas

// The records of one instant, in prv2dim's order.
//
// prv2dim merges the lines of the trace with the ends of all messages (sorted by time, then kind, then line): at the
// same time, an end goes before a line of another task, and before a line of its own task that begins with the end of a
// call. The records of a thread at one instant are then sorted by one of two comparisons. Neither is a total order, and
// the sort (the C++ library's) is not stable beyond 16 records, so the result depends on more than the comparison. It
// decides whether a Sendrecv sends first, which changes times on a machine with few links.

import (
	"cmp"
	"math/bits"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
)

// comparison reports whether a record goes before another one.
type comparison func(a, b *item) bool

// insideCall is the comparison while a call is open: ends of messages by kind, then events, with callers last, then the
// lines of callers.
func insideCall(a, b *item) bool {
	switch {
	case a.kind < event && b.kind < event:
		return a.kind < b.kind || a.kind == b.kind && a.order < b.order
	case a.kind < event || b.kind < event:
		return a.kind < event
	case a.kind != event || b.kind != event:
		return a.kind < b.kind
	}
	return beforeProbe(a, b)
}

// outsideCall is the comparison outside of calls: events, then ends of messages. A logical receive goes before nothing,
// and the end of a call is not ordered relative to the end of a message.
func outsideCall(a, b *item) bool {
	switch {
	case a.kind < event && b.kind < event:
		return a.kind == logicalSend && b.kind == physicalSend || a.kind == physicalSend && b.kind == physicalRecv
	case b.kind < event:
		return !(isCall(a.typ) && a.value == 0)
	case a.kind < event:
		return false
	case a.typ == extrae.ProbeTime && b.typ == extrae.ClusterID:
		return true
	case a.typ == extrae.ClusterID && b.typ == extrae.ProbeTime:
		return false
	}
	return beforeProbe(a, b)
}

// beforeProbe is the order of the trace, except for two events of MPI_Iprobe.
func beforeProbe(a, b *item) bool {
	switch {
	case a.typ == extrae.ProbeMisses && b.typ == extrae.ProbeTime:
		return true
	case a.typ == extrae.ProbeTime && b.typ == extrae.ProbeMisses:
		return false
	}
	return a.order < b.order
}

// insertionMost is the number of records up to which the sort is a plain insertion sort.
const insertionMost = 16

// sort is the GNU C++ library's sort: quicksort by the median of three down to runs of 16, then insertion over all.
func (less comparison) sort(list []item) {
	if len(list) > insertionMost {
		less.quick(list, 2*(bits.Len(uint(len(list)))-1))
		less.insert(list, 1, insertionMost)
		less.insert(list, insertionMost, len(list))
		return
	}
	less.insert(list, 1, len(list))
}

// insert moves each record of a run back to its place among the previous ones.
func (less comparison) insert(list []item, from, to int) {
	for i := from; i < to; i++ {
		it, j := &list[i], i
		if from == 1 && less(it, &list[0]) {
			j = 0
		} else {
			for j > 0 && less(it, &list[j-1]) {
				j--
			}
		}
		if j < i { // most are in their place
			moved := *it
			copy(list[j+1:i+1], list[j:i])
			list[j] = moved
		}
	}
}

func (less comparison) quick(list []item, depth int) {
	for len(list) > insertionMost {
		if depth == 0 {
			less.heap(list)
			return
		}
		depth--
		cut := less.partition(list)
		less.quick(list[cut:], depth)
		list = list[:cut]
	}
}

// partition moves the median of three records to the front and partitions the others around it.
func (less comparison) partition(list []item) int {
	a, b, c := 1, len(list)/2, len(list)-1
	median := b
	switch ab, ac, bc := less(&list[a], &list[b]), less(&list[a], &list[c]), less(&list[b], &list[c]); {
	case ab && bc:
	case ab && ac:
		median = c
	case ab:
		median = a
	case ac:
		median = a
	case bc:
		median = c
	}
	list[0], list[median] = list[median], list[0]
	pivot := &list[0]
	for i, j := 1, len(list); ; i++ {
		for i < len(list) && less(&list[i], pivot) { // the library trusts the pivot to end this
			i++
		}
		for j--; j > 0 && less(pivot, &list[j]); j-- {
		}
		if i >= j {
			return min(i, len(list)-1)
		}
		list[i], list[j] = list[j], list[i]
	}
}

// heap sorts by heapsort when quicksort degenerates.
func (less comparison) heap(list []item) {
	for i := len(list)/2 - 1; i >= 0; i-- {
		less.sink(list, i, list[i])
	}
	for n := len(list) - 1; n > 0; n-- {
		it := list[n]
		list[n] = list[0]
		less.sink(list[:n], 0, it)
	}
}

// sink moves a hole down to a leaf, and the record up from there.
func (less comparison) sink(list []item, hole int, it item) {
	top := hole
	for 2*hole+2 < len(list) {
		child := 2*hole + 2
		if less(&list[child], &list[child-1]) {
			child--
		}
		list[hole] = list[child]
		hole = child
	}
	if child := 2*hole + 1; child < len(list) {
		list[hole] = list[child]
		hole = child
	}
	for hole > top && less(&list[(hole-1)/2], &it) {
		list[hole] = list[(hole-1)/2]
		hole = (hole - 1) / 2
	}
	list[hole] = it
}

// endKey identifies an end of a message.
type endKey struct {
	comm int32
	kind itemKind
}

// meeting is an instant at which several tasks have lines, and messages begin or end.
type meeting struct {
	lines []line
	ends  []meetingEnd
}

// line is a line of events of a meeting.
type line struct {
	thread, task int32
	endsCall     bool
}

type meetingEnd struct {
	endKey
	thread, task int32
}

// findMeetings finds the ends of messages that sort differently among the lines of their thread than if their task were
// the only one. It examines crowded instants; elsewhere there is no difference. Lines of the same time are taken in
// thread order, as in merged traces.
func (tr *translator) findMeetings(crowded []int64) {
	tr.before = map[endKey]int{}
	if len(crowded) == 0 {
		return
	}
	at := map[int64]*meeting{}
	var filter [1 << 12]uint64 // bits of times: most lines need no search
	bit := func(t int64) (word int, mask uint64) {
		h := uint64(t) * 0x9E3779B97F4A7C15 >> 46
		return int(h >> 6), 1 << (h & 63)
	}
	for _, t := range crowded {
		w, m := bit(t)
		filter[w] |= m
		at[t] = nil
	}
	for i := range tr.t.Threads {
		e := &tr.t.Threads[i].Events
		for k, t := range e.Time {
			if w, m := bit(t); filter[w]&m == 0 || !e.Lines.Has(k) {
				continue
			}
			if x, ok := at[t]; ok {
				if x == nil {
					x = &meeting{}
					at[t] = x
				}
				x.lines = append(x.lines, line{int32(i), tr.t.ThreadTask[i], endsCall(e, k)})
			}
		}
	}
	for t, x := range at {
		if x != nil && x.lines[0].task != x.lines[len(x.lines)-1].task {
			tr.meet(t, x)
		}
	}
}

// crowded returns the times at which a thread has more records than the sort keeps in order, including ends of
// messages: rarely more than one of each kind.
func (tr *translator) crowded(th *prv.Thread) (list []int64) {
	const most = insertionMost - len(roles) // events
	time := th.Events.Time
	for k := most; k < len(time); k += most / 2 {
		t := time[k]
		if time[k-most/2] != t {
			continue
		}
		first, end := k-most/2, k+1
		for first > 0 && time[first-1] == t {
			first--
		}
		for end < len(time) && time[end] == t {
			end++
		}
		if end-first > most && tr.hasEnd(th, t) {
			list = append(list, t)
		}
		k = end - 1
	}
	return list
}

// hasEnd reports whether a message begins or ends in a thread at a time.
func (tr *translator) hasEnd(th *prv.Thread, t int64) bool {
	return slices.ContainsFunc(roles[:], func(r prv.Role) bool {
		_, ok := slices.BinarySearchFunc(th.Comm[r], t, func(c int32, t int64) int {
			return cmp.Compare(tr.t.Comms.Times[r][c], t)
		})
		return ok
	})
}

// meet simulates the merge of one instant.
func (tr *translator) meet(t int64, x *meeting) {
	for i := 0; i < len(x.lines); {
		task := tr.t.Tasks[x.lines[i].task]
		for k := range task.Threads {
			tr.addEnds(t, x, task.FirstThread+k, x.lines[i].task)
		}
		for own := x.lines[i].task; i < len(x.lines) && x.lines[i].task == own; i++ {
		}
	}
	slices.SortFunc(x.ends, func(a, b meetingEnd) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.comm, b.comm))
	})
	taken := map[int32]int{} // lines by thread
	ends := x.ends
	for i := range x.lines {
		l := &x.lines[i]
		for ; len(ends) > 0 && (ends[0].task != l.task || l.endsCall); ends = ends[1:] {
			tr.before[ends[0].endKey] = taken[ends[0].thread]
		}
		taken[l.thread]++
	}
	for _, end := range ends {
		tr.before[end.endKey] = taken[end.thread]
	}
}

// addEnds adds the ends of messages that a thread has at a time.
func (tr *translator) addEnds(t int64, x *meeting, thread, task int32) {
	for _, r := range roles {
		times := tr.t.Comms.Times[r]
		list := tr.t.Threads[thread].Comm[r]
		k, _ := slices.BinarySearchFunc(list, t, func(c int32, t int64) int { return cmp.Compare(times[c], t) })
		for ; k < len(list) && times[list[k]] == t; k++ {
			x.ends = append(x.ends, meetingEnd{endKey{list[k], kindOf[r]}, thread, task})
		}
	}
}
