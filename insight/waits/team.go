package waits

// Constructs of OpenMP: the barriers of a team, idle workers, locks, tasks.

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"pview/prv/extrae"
	"pview/prv/parallel"
)

// parallelRegion is a parallel region of a task, and the thread that opens it.
type parallelRegion struct {
	span
	opener int32
}

// regionsOf returns the parallel regions of a task not inside another one, by time.
func (a *analysis) regionsOf(watch *parallel.Watch, task int32) (list []parallelRegion) {
	t := a.t.Tasks[task]
	if t.Threads < 2 {
		return nil
	}
	for th := t.FirstThread; th < t.FirstThread+t.Threads; th++ {
		for _, s := range a.lanes[th].opens {
			list = append(list, parallelRegion{s, th})
		}
	}
	slices.SortFunc(list, func(x, y parallelRegion) int {
		watch.Step()
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.opener, y.opener))
	})
	n := 0
	for _, r := range list {
		if n == 0 || r.from >= list[n-1].to {
			list[n] = r
			n++
		}
	}
	return list[:n]
}

// findTeams makes the instances of a task's teams.
func (a *analysis) findTeams(ctx context.Context, task int32, in *instances) error {
	t := a.t.Tasks[task]
	next := make([]struct{ work, team int }, t.Threads)
	var ends []part
	calls := map[extrae.Call][][]part{} // the members' n-th calls of each kind
	counts := map[extrae.Call]int{}
	regions := a.regionsOf(parallel.NewWatch(ctx), task)
	in.list, in.parts = make([]Instance, 0, len(regions)), make([]part, 0, len(regions)*int(t.Threads))
	for n, r := range regions {
		if n&0x3f == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		ends = ends[:0]
		clear(calls)
		for i := range t.Threads {
			th := t.FirstThread + i
			l, at := &a.lanes[th], &next[i]
			// The team is whoever executes an outlined function in the region.
			last := int64(-1)
			for ; at.work < len(l.work) && l.work[at.work].from < r.to; at.work++ {
				if l.work[at.work].from >= r.from {
					last = l.work[at.work].to
				}
			}
			if last >= 0 {
				ends = append(ends, part{enter: last, exit: last, thread: th, call: -1})
			}
			clear(counts)
			for ; at.team < len(l.team) && l.team[at.team].from < r.to; at.team++ {
				c := &l.team[at.team]
				if c.from < r.from {
					continue
				}
				k := counts[c.kind]
				counts[c.kind]++
				if k == len(calls[c.kind]) {
					calls[c.kind] = append(calls[c.kind], nil)
				}
				calls[c.kind][k] = append(calls[c.kind][k], part{enter: c.from, exit: c.to, thread: th, call: -1})
			}
		}
		in.addTeam(TeamImplicit, a.t.Tasks[task].Ptask, implicit(ends))
		for _, kind := range []extrae.Call{extrae.TeamBarrier, extrae.TeamJoin} {
			for _, parts := range calls[kind] {
				in.addTeam(TeamExplicit, a.t.Tasks[task].Ptask, parts)
			}
		}
	}
	return nil
}

// implicit makes all members of a team leave when the last one is done.
func implicit(ends []part) []part {
	last := int64(0)
	for i := range ends {
		last = max(last, ends[i].enter)
	}
	for i := range ends {
		ends[i].exit = last
	}
	return ends
}

func (in *instances) addTeam(class Class, ptask int32, parts []part) {
	if len(parts) < 2 {
		return
	}
	first := int32(len(in.parts))
	in.parts = append(in.parts, parts...)
	in.close(Instance{Class: class, Comm: -1, Ptask: ptask, first: first})
}

// idleWaits adds the stretches of a task's workers between two of its parallel regions; list has all of these.
func (a *analysis) idleWaits(watch *parallel.Watch, task int32, list []parallelRegion, add func(Wait)) {
	t := a.t.Tasks[task]
	for n := 0; n+1 < len(list); n++ {
		from, next := list[n].to, list[n+1]
		if done := a.lastWork(t.FirstThread, t.Threads, list[n]); done >= 0 {
			from = done
		}
		for th := t.FirstThread; th < t.FirstThread+t.Threads; th++ {
			watch.Step()
			l := &a.lanes[th]
			if th == next.opener || l.isAway(next.from) {
				continue
			}
			if begin := max(from, l.tracedSince(next.from)); begin < next.from && !l.busyIn(begin, next.from) {
				add(Wait{Thread: th, From: begin, To: next.from, Class: IdleWorker, Cause: next.opener})
			}
		}
	}
}

// lastWork returns the end of the last outlined function in a region; -1 if there is none.
func (a *analysis) lastWork(first, threads int32, r parallelRegion) int64 {
	last := int64(-1)
	for th := first; th < first+threads; th++ {
		w := a.lanes[th].work
		if i := sort.Search(len(w), func(i int) bool { return w[i].from >= r.to }) - 1; i >= 0 && w[i].from >= r.from {
			last = max(last, w[i].to)
		}
	}
	return last
}

// busyIn reports whether a thread has a call or an outlined function that overlaps a stretch.
func (l *lane) busyIn(from, to int64) bool {
	c := &l.calls
	if i := sort.Search(c.len(), func(i int) bool { return c.exit[i] > from }); i < c.len() && c.enter[i] < to {
		return true
	}
	i := sort.Search(len(l.work), func(i int) bool { return l.work[i].to > from })
	return i < len(l.work) && l.work[i].from < to
}

// holding is the time from obtaining a lock to its release.
type holding struct {
	span
	thread int32
}

// lockWaits adds the waits for a task's locks: until each earlier holder has released the lock.
func (a *analysis) lockWaits(watch *parallel.Watch, task int32, add func(Wait)) {
	t := a.t.Tasks[task]
	held := map[uint32][]holding{}
	for th := t.FirstThread; th < t.FirstThread+t.Threads; th++ {
		for _, u := range a.lanes[th].locks {
			watch.Step()
			if u.got < 0 {
				continue
			}
			if u.released < 0 {
				u.released = a.t.Duration
			}
			held[u.typ] = append(held[u.typ], holding{span{u.got, u.released}, th})
		}
	}
	for _, list := range held {
		slices.SortFunc(list, func(x, y holding) int {
			watch.Step()
			return cmp.Or(cmp.Compare(x.to, y.to), cmp.Compare(x.thread, y.thread))
		})
	}
	for th := t.FirstThread; th < t.FirstThread+t.Threads; th++ {
		for _, u := range a.lanes[th].locks {
			list, from, until := held[u.typ], u.asked, u.got
			if until < 0 {
				until = a.t.Duration
			}
			for i := sort.Search(len(list), func(i int) bool {
				return list[i].to > u.asked
			}); i < len(list) && list[i].to <= until; i++ {
				watch.Step()
				if h := list[i]; h.thread != th && h.to > from {
					add(Wait{Thread: th, From: from, To: h.to, Class: LockWait, Cause: h.thread})
					from = h.to
				}
			}
		}
	}
}

// taskWaits adds the stretches of a taskwait in which its thread executes no task. The cause is the thread that
// finishes the process's last task in that time.
func (a *analysis) taskWaits(watch *parallel.Watch, task int32, add func(Wait)) {
	t := a.t.Tasks[task]
	var ends []holding
	for th := t.FirstThread; th < t.FirstThread+t.Threads; th++ {
		for _, run := range a.lanes[th].tasks {
			if run.to >= 0 {
				ends = append(ends, holding{run.span, th})
			}
		}
	}
	slices.SortFunc(ends, func(x, y holding) int {
		watch.Step()
		return cmp.Or(cmp.Compare(x.to, y.to), cmp.Compare(y.thread, x.thread))
	})
	for th := t.FirstThread; th < t.FirstThread+t.Threads; th++ {
		l := &a.lanes[th]
		for _, w := range l.waits {
			i := sort.Search(len(ends), func(i int) bool { return ends[i].to > w.to }) - 1
			if i < 0 || ends[i].thread == th {
				continue
			}
			from, last, cause := w.from, ends[i].to, ends[i].thread
			k := sort.Search(len(l.tasks), func(k int) bool { return l.tasks[k].to > w.from || l.tasks[k].to < 0 })
			for ; k < len(l.tasks) && l.tasks[k].from < last; k++ {
				watch.Step()
				if stop := l.tasks[k].from; stop > from {
					add(Wait{Thread: th, From: from, To: stop, Class: TaskWait, Cause: cause})
				}
				from = max(from, l.tasks[k].to)
			}
			if last > from {
				add(Wait{Thread: th, From: from, To: last, Class: TaskWait, Cause: cause})
			}
		}
	}
}
