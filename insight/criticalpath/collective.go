package criticalpath

// Collective operations: the path goes to the last arrival.

import "pview/sim"

// followCollective goes through a collective operation. The participants are known from the events of the
// calls; without these from the states, which end together.
func (f *finder) followCollective(record int, begin int64) bool {
	ref, ok := f.calls.at(f.thread, begin)
	if !ok {
		return f.followStates(record, begin)
	}
	g := &f.calls.groups[ref.group]
	own := &g.members[ref.member].calls[ref.number]
	last := f.lastArrival(g, ref, own)
	if last == nil || last.begin <= own.begin {
		f.stay(min(own.begin, begin), Collective)
		return true
	}
	if last.begin >= f.at && f.again(record) > 0 {
		return false
	}
	f.stay(last.begin, Collective)
	f.jump(last.thread)
	return true
}

// lastArrival returns the call of an operation that delayed own: the last to begin so far, unless the operation has a
// root and does not wait for everybody.
func (f *finder) lastArrival(g *group, ref callRef, own *call) *call {
	var last, root, latest *call
	soonest := own.end
	for m := range g.members {
		c, ok := g.part(ref, m, f.at+1)
		if !ok {
			continue
		}
		if c.root {
			root = c
		}
		if latest == nil || c.begin > latest.begin {
			latest = c
		}
		soonest = min(soonest, c.end)
		if c != own && c.begin <= f.at && (last == nil || c.begin > last.begin) {
			last = c
		}
	}
	if latest == nil || soonest > latest.begin && !f.inReduce(own) {
		return last // nobody left before all had arrived
	}
	switch {
	case oneToAll[own.value]:
		if root == nil || root.begin > f.at {
			return nil
		}
		return root
	case allToOne[own.value] && root != nil && root != own:
		return nil
	}
	return last
}

// inReduce reports whether the thread is in a Reduce that is simulated as messages to the root.
func (f *finder) inReduce(own *call) bool {
	if !allToOne[own.value] {
		return false
	}
	k := f.lookup(f.thread, f.at)
	return k >= 0 && f.value(f.thread, k) == uint32(sim.StateReady)
}

// isGroupState reports whether a state can belong to a collective operation.
func isGroupState(v uint32) bool {
	return v == uint32(sim.StateCollective) || v == uint32(sim.StateCollectiveWork) || v == uint32(sim.StateStartup)
}

// ending returns the state of a thread that ends at a time, if it is one of a collective operation.
func (f *finder) ending(thread int32, at int64) (record int, ok bool) {
	k := f.lookup(thread, at)
	return k, k >= 0 && f.end(thread, k) == at && isGroupState(f.value(thread, k))
}

// followStates goes through a collective operation known from its states only. Its latency and transfer have the same
// times on all threads (which waited before, each since its own arrival); if they take no time, only the waits are
// visible, which end together.
func (f *finder) followStates(record int, begin int64) bool {
	v := f.value(f.thread, record)
	if !isGroupState(v) {
		return false
	}
	if v != uint32(sim.StateStartup) && record > 0 && f.value(f.thread, record-1) == uint32(sim.StateStartup) &&
		f.end(f.thread, record-1) == begin {
		begin = f.t.Threads[f.thread].States.Begin[record-1] // the latency comes first
	}
	if same := f.together(begin); len(same) > 1 {
		f.stay(begin, Collective)
		f.toLastOf(same)
		return true
	}
	if v != uint32(sim.StateCollective) {
		return false
	}
	last, ok := f.lastWithoutWait()
	if !ok || f.again(record) > 0 {
		return false
	}
	f.jump(last)
	return true
}

// ptaskThreads returns the threads of the ptask that the path is in.
func (f *finder) ptaskThreads() (first, end int32) {
	pt := f.t.Ptasks[f.t.Tasks[f.t.ThreadTask[f.thread]].Ptask]
	last := f.t.Tasks[pt.FirstTask+pt.Tasks-1]
	return f.t.Tasks[pt.FirstTask].FirstThread, last.FirstThread + last.Threads
}

// together returns the threads in a collective operation from begin until now.
func (f *finder) together(begin int64) (threads []int32) {
	first, end := f.ptaskThreads()
	for th := first; th < end; th++ {
		k, ok := f.ending(th, f.at)
		if !ok {
			continue
		}
		s := &f.t.Threads[th].States
		if s.Begin[k] == begin || k > 0 && s.Begin[k-1] == begin && f.value(th, k-1) == uint32(sim.StateStartup) {
			threads = append(threads, th)
		}
	}
	return threads
}

// toLastOf goes to the last thread to arrive at an operation that begins now: the one without a wait before it.
func (f *finder) toLastOf(threads []int32) {
	latest, who := int64(-1), f.thread
	for _, th := range threads {
		arrived := f.at
		if k, ok := f.ending(th, f.at); ok && f.value(th, k) == uint32(sim.StateCollective) {
			arrived = f.t.Threads[th].States.Begin[k]
		}
		if arrived > latest || arrived == latest && th == f.thread {
			latest, who = arrived, th
		}
	}
	f.stay(latest, Resources) // all had arrived, but not all buses were free
	f.jump(who)
}

// lastWithoutWait returns the thread that others waited for in an operation that takes no time: in the smallest
// communicator with all threads that waited until now, one that did not.
func (f *finder) lastWithoutWait() (int32, bool) {
	first, end := f.ptaskThreads()
	waits := map[int32]bool{}
	for th := first; th < end; th++ {
		if k, ok := f.ending(th, f.at); ok && f.value(th, k) == uint32(sim.StateCollective) {
			waits[f.t.ThreadTask[th]] = true
		}
	}
	best, size := int32(-1), int(end-first)+1
	for _, tasks := range f.communicators() {
		if len(tasks) >= size || len(tasks) <= len(waits) || !containsAll(tasks, waits) {
			continue
		}
		if th, ok := f.arrivedNow(tasks, waits); ok {
			best, size = th, len(tasks)
		}
	}
	return best, best >= 0
}

func containsAll(tasks []int32, waits map[int32]bool) bool {
	n := 0
	for _, t := range tasks {
		if waits[t] {
			n++
		}
	}
	return n == len(waits)
}

// arrivedNow finds a task of a communicator that has not waited, and in which a state ends now.
func (f *finder) arrivedNow(tasks []int32, waits map[int32]bool) (int32, bool) {
	for _, task := range tasks {
		if waits[task] {
			continue
		}
		t := f.t.Tasks[task]
		for th := t.FirstThread; th < t.FirstThread+t.Threads; th++ {
			if k := f.lookup(th, f.at); k >= 0 && f.end(th, k) == f.at {
				return th, true
			}
		}
	}
	return 0, false
}

// communicators returns the communicators of the path's ptask, as lists of tasks: those in the trace, and one with all
// tasks.
func (f *finder) communicators() [][]int32 {
	ptask := f.t.Tasks[f.t.ThreadTask[f.thread]].Ptask
	if f.comms == nil {
		f.comms = make([][][]int32, len(f.t.Ptasks))
		for i, pt := range f.t.Ptasks {
			var all []int32
			for n := range pt.Tasks {
				all = append(all, pt.FirstTask+n)
			}
			f.comms[i] = [][]int32{all}
		}
		for _, c := range f.t.Communicators {
			if p, _, tasks, ok := c.Members(&f.t.Resources); ok {
				f.comms[p] = append(f.comms[p], tasks)
			}
		}
	}
	return f.comms[ptask]
}
