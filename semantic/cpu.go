package semantic

import (
	"context"
	"math"
	"slices"

	"pview/prv"
)

// A CPU's row comes from the rows of the threads that have records on it.
//
// Taken in order, two kinds of records of the threads on the CPU begin bursts: records that the thread function listens
// to, and the first record of another thread than the previous burst's. The value is the thread's own at that time if
// the record that set it is on this CPU: a thread that has moved away leaves 0 behind.

// cpuFunc computes the value of a CPU from the value of its active thread.
type cpuFunc func(v float64, p params) float64

// cpuTable lists the functions of CPUs.
var cpuTable = []Entry{
	{Name: "Active Thd", Meaning: PassedOn,
		Doc: "value of the thread last seen on the CPU; 0 once it has moved to another",
		cpu: func(v float64, _ params) float64 { return v }},
	{Name: "Active Thd Sign", Doc: "1 if the value of the thread last seen on the CPU is not 0, else 0",
		cpu: func(v float64, _ params) float64 { return truth(v != 0) }},
	{Name: "Active Thd Val", Meaning: PassedOn, Doc: "value of the thread last seen on the CPU if it is listed, else 0",
		Params: listedValues,
		cpu:    func(v float64, p params) float64 { return v * truth(p.lists(0, v)) }},
	{Name: "Active Thd Val Sign", Doc: "1 if the value of the thread last seen on the CPU is listed, else 0",
		Params: listedValues,
		cpu:    func(v float64, p params) float64 { return truth(p.lists(0, v)) }},

	{Name: "Adding", Group: "Thesis", Doc: "sum of the threads on the CPU",
		fold: foldSum(func(sum float64, _ int) float64 { return sum })},
	{Name: "AddingSign", Aliases: []string{"Adding Sign"}, Group: "Thesis",
		Doc:  "1 if the sum of the threads on the CPU is greater than 0, else 0",
		fold: foldSum(func(sum float64, _ int) float64 { return truth(sum > 0) })},
	{Name: "Average", Group: "Thesis", Doc: "mean of the threads on the CPU",
		fold: foldSum(func(sum float64, n int) float64 { return sum / float64(n) })},
	{Name: "Maximum", Group: "Thesis", Doc: "maximum of the threads on the CPU", fold: foldAll(maximumOf)},
	{Name: "Minimum", Group: "Thesis", Doc: "minimum of the threads on the CPU",
		fold: foldAll(func(c []float64, _ int, _ params) float64 { return slices.Min(c) })},

	userCPU,
}

// placement records which threads have records on which CPU.
type placement struct {
	threads [][]int32 // by CPU number; threads in order
	moving  bool      // some thread has records on several CPUs
}

func newPlacement(t *prv.Trace) *placement {
	p := &placement{threads: make([][]int32, t.NumCPUs()+1)}
	put := func(cpu int32, th int) {
		if l := p.threads[cpu]; len(l) == 0 || l[len(l)-1] != int32(th) {
			p.threads[cpu] = append(l, int32(th))
		}
	}
	for i := range t.Threads {
		th := &t.Threads[i]
		put(th.CPU, i)
		for _, column := range [][]int32{th.States.CPU, th.Events.CPU} {
			p.moving = p.moving || column != nil
			last := th.CPU
			for _, cpu := range column {
				if cpu != last {
					put(cpu, i)
					last = cpu
				}
			}
		}
	}
	return p
}

// cpuRecord is a record on a CPU.
type cpuRecord struct {
	time   int64
	thread int32 // its place among the threads of the group
	kind   markKind
	heard  bool // the thread function listens to it
}

// cpuRows computes the rows of a group of CPUs, their compose applied. Each thread that has records on
// any of them is computed once.
func (e *Evaluator) cpuRows(ctx context.Context, cpus []int32) ([]bursts, error) {
	place := e.place()
	lists := make([][]cpuRecord, len(place.threads)) // by CPU; nil if not wanted
	var threads []int32
	alone := make([]bool, len(place.threads)) // by CPU: all records are of one thread
	for _, cpu := range cpus {
		threads = append(threads, place.threads[cpu]...)
		alone[cpu] = len(place.threads[cpu]) == 1
		lists[cpu] = make([]cpuRecord, 0, e.recordsAhead(place.threads[cpu]))
	}
	slices.Sort(threads)
	threads = slices.Compact(threads)
	rows := make([]bursts, len(threads))
	slot := make(map[int32]int, len(threads))
	for k, th := range threads {
		slot[th] = k
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows[k] = e.threadRow(th, true)
		e.gather(lists, alone, th, int32(k))
	}
	out := make([]bursts, len(cpus))
	for k, cpu := range cpus {
		if e.calls[prv.LevelCPU].fold.all != nil {
			var err error
			out[k], err = e.cpuFoldRow(ctx, cpu, place.threads[cpu], func(th int32) bursts { return rows[slot[th]] })
			if err != nil {
				return nil, err
			}
		} else {
			out[k] = e.cpuRow(cpu, inTime(lists[cpu]), rows)
		}
		out[k].object = int(cpu) - 1
		e.comp[prv.LevelCPU].compose(&out[k], e.comp[prv.LevelCPU].p, e.clock)
		lists[cpu] = nil
	}
	return out, ctx.Err()
}

// recordsAhead returns how many records of a CPU's threads to allocate for.
func (e *Evaluator) recordsAhead(threads []int32) int {
	n := 0
	for _, i := range threads {
		th := &e.trace.Threads[i]
		if th.States.CPU != nil || th.Events.CPU != nil {
			continue // it is elsewhere most of the time
		}
		listen := e.calls[prv.LevelThread].thread.listen
		if len(threads) > 1 || listen&(toStates|toObjects) != 0 {
			n += 2 * th.States.Len()
		}
		if len(threads) > 1 || listen&(toEvents|toObjects) != 0 {
			n += th.Events.Len()
		}
	}
	return n
}

// cpuRow computes the row of a CPU from its records and the rows of the group's
// threads.
func (e *Evaluator) cpuRow(cpu int32, records []cpuRecord, rows []bursts) bursts {
	b := newBursts(e.end, 0, len(records))
	f, states := e.calls[prv.LevelCPU], e.calls[prv.LevelThread].thread.listen&toStates != 0
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
		first := last < 0
		last = r.thread
		k := rows[last].seek(at[last], r.time)
		at[last] = k
		// If a first record begins no burst and the thread's burst begins with it, the value is 0.
		v, begins := 0.0, first && !heard && r.time > 0 && rows[last].begin[k] == r.time
		if rows[last].cpu[k] == cpu && !begins {
			v = rows[last].value[k]
		}
		// A first record that the function does not listen to ends no burst: the current one reaches back to 0.
		if v = f.cpu(v, f.p); r.time <= 0 || first && !heard {
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

// beginsAgain reports whether a state of any thread begins at time t among the later records.
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

// inTime puts records, thread after thread, in order of time. Records of one time stay thread after thread, each
// thread's in its own order, as in Paraver.
func inTime(records []cpuRecord) []cpuRecord {
	var runs [][]cpuRecord // one per thread
	for i := 0; i < len(records); {
		j := i + 1
		for j < len(records) && records[j].thread == records[i].thread {
			j++
		}
		runs = append(runs, records[i:j])
		i = j
	}
	if len(runs) <= 1 {
		return records
	}
	all := make([]cpuRecord, 0, len(records))
	for len(runs) > 0 {
		t := runs[0][0].time
		for _, r := range runs[1:] {
			t = min(t, r[0].time)
		}
		left := runs[:0]
		for _, r := range runs {
			n := 0
			for n < len(r) && r[n].time == t {
				n++
			}
			all = append(all, r[:n]...)
			if n < len(r) {
				left = append(left, r[n:])
			}
		}
		runs = left
	}
	return all
}

// gather appends the records of a thread to the lists of those of their CPUs that are wanted, in Paraver's order. Of
// communications, it takes only the entries that the thread function listens to: others begin no burst. On a CPU that
// only this thread uses, it also skips other records that the function does not listen to, except the first.
func (e *Evaluator) gather(lists [][]cpuRecord, alone []bool, thread, place int32) {
	x := e.threadOf(thread)
	th := x.records()
	listen := e.calls[prv.LevelThread].thread.listen
	put := func(cpu int32, r cpuRecord) {
		if l := lists[cpu]; l != nil && (r.heard || !alone[cpu] || len(l) == 0) {
			lists[cpu] = append(l, r)
		}
	}
	var comms *marks
	nextComm := 1
	if listen.comms() {
		comms = x.commMarks(listen)
	}
	// statesBefore adds the edges of states that come before a record of a kind at time t.
	edges := newEdgeWalk(&th.States, e.rules)
	s, ok := edges.next()
	statesBefore := func(t int64, k markKind) {
		for ; ok && before(s.time, s.kind, t, k); s, ok = edges.next() {
			heard := listen&toObjects != 0 || listen&toStates != 0 && (s.kind == stateBegin || !e.rules.hold)
			put(th.StateCPU(int(s.state)), cpuRecord{s.time, place, s.kind, heard})
		}
	}
	commsBefore := func(t int64, k markKind) {
		for ; comms != nil && nextComm < len(comms.time); nextComm++ {
			ct, ck := comms.time[nextComm], comms.kind[nextComm]
			if !before(ct, ck, t, k) {
				return
			}
			statesBefore(ct, ck)
			put(x.cpu(th, comms, nextComm), cpuRecord{ct, place, ck, true})
		}
	}
	for i, t := range th.Events.Time {
		commsBefore(t, event)
		statesBefore(t, event)
		heard := listen&(toEvents|toObjects) != 0 && e.pass.Events.Has(th.Events.Type[i], th.Events.Value.At(i))
		put(th.EventCPU(i), cpuRecord{t, place, event, heard})
	}
	commsBefore(math.MaxInt64, numMarkKinds-1)
	statesBefore(math.MaxInt64, numMarkKinds-1)
}
