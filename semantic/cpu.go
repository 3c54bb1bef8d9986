package semantic

import (
	"slices"

	"pview/prv"
)

// cpuFunc computes the value of a CPU from that of the thread that is active
// on it.
type cpuFunc func(v float64, p params) float64

// cpuTable lists the functions of CPUs.
var cpuTable = []Entry{
	{Name: "Active Thd", Doc: "value of the thread that was last seen on the CPU; 0 when it has gone to another",
		cpu: func(v float64, _ params) float64 { return v }},
}

// cpuRecord is a record on a CPU.
type cpuRecord struct {
	time   int64
	thread int32 // index among the threads given
	kind   markKind
	heard  bool // the thread function listens to it
}

// cpuRow computes the row of a CPU from the rows of the threads that have
// records on it.
//
// The records of all threads on the CPU, in order, are what begins bursts: those
// that the thread function listens to, and whatever record is the first of
// another thread than that of the burst before. The value is the thread's own at that time,
// provided that the record which gave it to the thread is of this CPU: a thread
// that has moved on leaves 0 behind.
func (e *Evaluator) cpuRow(cpu int32, threads []int32, rows []bursts) bursts {
	records := e.cpuRecords(cpu, threads)
	b := newBursts(e.end, 0, len(records))
	f, states := e.calls[prv.LevelCPU], e.calls[prv.LevelThread].thread.listen == toStates
	at := make([]int, len(rows))
	last := int32(-1)
	for i := range records {
		r := &records[i]
		heard := r.heard && !(states && r.kind == stateEnd && beginsAgain(records[i+1:], r.time))
		if !heard && r.thread == last {
			continue
		}
		if r.time >= e.end {
			break
		}
		last = r.thread
		k := rows[last].seek(at[last], r.time)
		at[last] = k
		v := 0.0
		if rows[last].cpu[k] == cpu {
			v = rows[last].value[k]
		}
		if v = f.cpu(v, f.p); r.time <= 0 {
			b.value[0] = v
		} else {
			b.add(r.time, v)
		}
	}
	return b
}

// seek returns the last burst that begins at t or before, given one that does.
func (b *bursts) seek(i int, t int64) int {
	for i+1 < len(b.begin) && b.begin[i+1] <= t {
		i++
	}
	return i
}

// beginsAgain reports whether a state of any thread begins at time t further on.
func beginsAgain(after []cpuRecord, t int64) bool {
	for i := range after {
		if after[i].time != t {
			return false
		}
		if after[i].kind == stateBegin {
			return true
		}
	}
	return false
}

// cpuRecords returns the records of threads on a CPU in Paraver's order: by
// time, at one time thread after thread, and each thread's in their own order.
func (e *Evaluator) cpuRecords(cpu int32, threads []int32) []cpuRecord {
	lists := make([][]cpuRecord, len(threads))
	n := 0
	for k, th := range threads {
		lists[k] = e.recordsOn(cpu, th, int32(k))
		n += len(lists[k])
	}
	if len(lists) == 1 {
		return lists[0]
	}
	all := make([]cpuRecord, 0, n)
	for len(lists) > 0 {
		all, lists = takeTogether(all, lists)
	}
	return all
}

// takeTogether moves the records of the earliest time from the lists to all,
// thread after thread, and drops the lists that are through.
func takeTogether(all []cpuRecord, lists [][]cpuRecord) ([]cpuRecord, [][]cpuRecord) {
	t := lists[0][0].time
	for _, l := range lists[1:] {
		t = min(t, l[0].time)
	}
	left := lists[:0]
	for _, l := range lists {
		n := 0
		for n < len(l) && l[n].time == t {
			n++
		}
		all = append(all, l[:n]...)
		if n < len(l) {
			left = append(left, l[n:])
		}
	}
	return all, left
}

// recordsOn returns the records of a thread on a CPU, in Paraver's order.
func (e *Evaluator) recordsOn(cpu, thread, index int32) []cpuRecord {
	th := &e.trace.Threads[thread]
	listen := e.calls[prv.LevelThread].thread.listen
	edges := stateEdges(&th.States, e.rules)
	out := make([]cpuRecord, 0, len(edges)+th.Events.Len())
	states := listen == toStates
	k := 0
	for i, t := range th.Events.Time {
		for k < len(edges) && (edges[k].time < t || edges[k].time == t && edges[k].kind == stateEnd) {
			out = e.appendEdge(out, th, edges[k], cpu, index, states)
			k++
		}
		if th.EventCPU(i) == cpu {
			heard := listen == toEvents && e.pass.Events.Has(th.Events.Type[i], th.Events.Value[i])
			out = append(out, cpuRecord{t, index, event, heard})
		}
	}
	for ; k < len(edges); k++ {
		out = e.appendEdge(out, th, edges[k], cpu, index, states)
	}
	return out
}

func (e *Evaluator) appendEdge(out []cpuRecord, th *prv.Thread, s edge, cpu, index int32, heard bool) []cpuRecord {
	if th.StateCPU(int(s.state)) != cpu {
		return out
	}
	heard = heard && (s.kind == stateBegin || !e.rules.hold)
	return append(out, cpuRecord{s.time, index, s.kind, heard})
}

// threadsOn returns the threads that have a state or an event on a CPU.
func threadsOn(t *prv.Trace, cpu int32) []int32 {
	var on []int32
	for th := range t.Threads {
		if hasRecordOn(&t.Threads[th], cpu) {
			on = append(on, int32(th))
		}
	}
	return on
}

func hasRecordOn(th *prv.Thread, cpu int32) bool {
	if th.CPU == cpu && (th.States.CPU == nil && th.States.Len() > 0 || th.Events.CPU == nil && th.Events.Len() > 0) {
		return true
	}
	return slices.Contains(th.States.CPU, cpu) || slices.Contains(th.Events.CPU, cpu)
}
