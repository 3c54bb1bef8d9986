package waits

// One-sided communication. With post, start, complete and wait, a Win_wait waits for the last Win_complete of its
// origins, and the call of an origin that blocks waits for the last Win_post of its targets. With locks, a Win_lock or
// Win_unlock waits for the Win_unlock of the holder.
//
// Neither the groups nor the targets of these calls are recorded. They follow from the accesses, which name the rank of
// their target: from a Win_start to its Win_complete, or from a Win_lock to its Win_unlock. A Win_complete never ends
// an access under a lock, whatever comes later: locking a window involves no action by its owner. Ranks are those of
// the ptask, since the communicator of a window is not recorded either.

import (
	"cmp"
	"slices"
	"sort"

	"pview/prv/extrae"
	"pview/prv/parallel"
)

// access is a Put, Get or Accumulate.
type access struct {
	call int32
	rank int64 // of the target
}

// completion is a Win_complete that ends accesses to a thread.
type completion struct {
	enter  int64
	origin int32
}

// target notes the target of the access that row k begins.
func (r *laneReader) target(k int) {
	for i, end := r.line(k); i < end; i++ {
		if r.e.Type[i] == extrae.OneSidedTarget {
			r.accesses = append(r.accesses, access{int32(r.calls.len() - 1), r.e.Value.At(i)})
		}
	}
}

// oneSided adds the waits of one-sided calls to the candidates by thread.
func (a *analysis) oneSided(watch *parallel.Watch, by [][]candidate) {
	all, found := make([][]epoch, len(a.lanes)), 0
	for i := range a.lanes {
		all[i] = a.lanes[i].epochs(watch)
		found += len(all[i])
	}
	if found == 0 {
		return
	}
	a.earlyWaits(watch, all, by)
	a.latePosts(watch, all, by)
	a.lockContention(watch, all, by)
}

// epoch is the time in which a thread may access the windows of others: from a Win_start to its Win_complete, or from a
// Win_lock to its Win_unlock.
type epoch struct {
	begin, end int32 // rows of the calls; begin -1: before the trace
	locked     bool
	accesses   []access
}

// epochs returns a thread's epochs with accesses, by their end. A Win_start replaces an open epoch of its kind, and so
// does a Win_lock; an access while both are open is under the lock, which was taken for it alone. Accesses before all
// of them and the first fence belong to the call that ends first.
func (l *lane) epochs(watch *parallel.Watch) (list []epoch) {
	if len(l.accesses) == 0 {
		return nil
	}
	rest := l.accesses
	var started, locked *epoch
	before := &epoch{begin: -1}
	end := func(e *epoch, k int, lock bool) {
		if e == nil {
			e = before
		}
		if e != nil && len(e.accesses) > 0 {
			e.end, e.locked = int32(k), lock
			list = append(list, *e)
		}
		before = nil
	}
	for k, kind := range l.calls.kind {
		watch.Step()
		switch kind.Call {
		case extrae.WinStart:
			started, before = &epoch{begin: int32(k)}, nil
		case extrae.WinLock:
			locked, before = &epoch{begin: int32(k)}, nil
		case extrae.Fence:
			before = nil
		case extrae.WinComplete:
			end(started, k, false)
			started = nil
		case extrae.WinUnlock:
			end(locked, k, true)
			locked = nil
		case extrae.Access:
			n := 0
			for n < len(rest) && rest[n].call <= int32(k) {
				n++
			}
			for _, e := range []*epoch{locked, started, before} {
				if e != nil {
					e.accesses = append(e.accesses, rest[:n]...)
					break
				}
			}
			rest = rest[n:]
		}
	}
	return list
}

// earlyWaits adds the waits of each Win_wait.
func (a *analysis) earlyWaits(watch *parallel.Watch, all [][]epoch, by [][]candidate) {
	ends := map[int32][]completion{} // by thread of the target
	for i, list := range all {
		c := &a.lanes[i].calls
		for _, e := range list {
			if e.locked {
				continue
			}
			for _, target := range a.targetsOf(watch, i, e.accesses) {
				ends[target] = append(ends[target], completion{c.enter[e.end], int32(i)})
			}
		}
	}
	for thread, list := range ends {
		slices.SortFunc(list, func(x, y completion) int {
			watch.Step()
			return cmp.Or(cmp.Compare(x.enter, y.enter), cmp.Compare(y.origin, x.origin))
		})
		c := &a.lanes[thread].calls
		for k, kind := range c.kind {
			watch.Step()
			if kind.Call != extrae.WinWait {
				continue
			}
			i := sort.Search(len(list), func(i int) bool { return list[i].enter > c.exit[k] }) - 1
			if i >= 0 && list[i].enter > c.enter[k] {
				w := Wait{Thread: thread, From: c.enter[k], To: list[i].enter, Class: EarlyWait, Cause: list[i].origin}
				by[thread] = append(by[thread], candidate{call: int32(k), Wait: w, until: w.To})
			}
		}
	}
}

// targetsOf returns the target threads of a thread's accesses, each once.
func (a *analysis) targetsOf(watch *parallel.Watch, origin int, accesses []access) (list []int32) {
	for _, x := range accesses {
		watch.Step()
		if target := a.targetOf(origin, x); target >= 0 {
			list = append(list, target)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// targetOf returns the target thread of an access, -1 for a rank that the origin's ptask does not have.
func (a *analysis) targetOf(origin int, x access) int32 {
	p := &a.t.Ptasks[a.t.Tasks[a.t.ThreadTask[origin]].Ptask]
	if x.rank < 0 || x.rank >= int64(p.Tasks) {
		return -1
	}
	return a.t.Tasks[p.FirstTask+int32(x.rank)].FirstThread
}

// latePosts adds the waits of origins' calls: for the last Win_post of the targets that begins during the call.
func (a *analysis) latePosts(watch *parallel.Watch, all [][]epoch, by [][]candidate) {
	posts := make([][]int64, len(a.lanes))
	for i := range a.lanes {
		c := &a.lanes[i].calls
		for k, kind := range c.kind {
			watch.Step()
			if kind.Call == extrae.WinPost {
				posts[i] = append(posts[i], c.enter[k])
			}
		}
	}
	for i := range a.lanes {
		c := &a.lanes[i].calls
		// waitsFor adds the wait of call k for the targets of accesses.
		waitsFor := func(k int32, accesses []access) {
			w := Wait{Thread: int32(i), From: c.enter[k], To: -1, Class: LatePost}
			for _, x := range accesses {
				watch.Step()
				target := a.targetOf(i, x)
				if target < 0 {
					continue
				}
				list := posts[target]
				n := sort.Search(len(list), func(n int) bool { return list[n] > c.exit[k] }) - 1
				if n >= 0 && list[n] > max(w.From, w.To) {
					w.To, w.Cause = list[n], target
				}
			}
			if w.To >= 0 {
				by[i] = append(by[i], candidate{call: k, Wait: w, until: w.To})
			}
		}
		for _, e := range all[i] {
			if e.locked {
				continue
			}
			if e.begin >= 0 {
				waitsFor(e.begin, e.accesses)
			}
			for n, x := range e.accesses {
				waitsFor(x.call, e.accesses[n:n+1])
			}
			waitsFor(e.end, e.accesses)
		}
	}
}

// hold is the use of a lock on a window: from the end of the Win_lock to the start of the Win_unlock.
type hold struct {
	taken, released int64
	holder          int32
}

// lockContention adds the waits for locks: for the last holder that had the lock first and releases it during the call.
// Whether locks are shared is not recorded, so such a wait is inferred from the duration of the call.
func (a *analysis) lockContention(watch *parallel.Watch, all [][]epoch, by [][]candidate) {
	holds := map[int32][]hold{} // by target
	taken := func(i int, e *epoch) int64 {
		if e.begin < 0 {
			return 0
		}
		return a.lanes[i].calls.exit[e.begin]
	}
	for i := range all {
		for k := range all[i] {
			e := &all[i][k]
			if target := a.targetOf(i, e.accesses[0]); e.locked && target >= 0 {
				holds[target] = append(holds[target], hold{taken(i, e), a.lanes[i].calls.enter[e.end], int32(i)})
			}
		}
	}
	for _, list := range holds {
		slices.SortFunc(list, func(x, y hold) int {
			watch.Step()
			return cmp.Or(cmp.Compare(x.released, y.released), cmp.Compare(y.holder, x.holder))
		})
	}
	for i := range all {
		c := &a.lanes[i].calls
		for n := range all[i] {
			e := &all[i][n]
			if !e.locked {
				continue
			}
			list := holds[a.targetOf(i, e.accesses[0])]
			for _, k := range []int32{e.begin, e.end} {
				if k < 0 {
					continue
				}
				if h := lastHold(watch, list, int32(i), c.enter[k], c.exit[k], taken(i, e)); h != nil {
					w := Wait{Thread: int32(i), From: c.enter[k], To: h.released, Class: LockContention,
						Cause: h.holder, Flags: Inferred}
					by[i] = append(by[i], candidate{call: k, Wait: w, until: w.To})
				}
			}
		}
	}
}

// lastHold returns the last hold by another thread released after from and until a time, and that began before the
// thread had the lock; nil: none.
func lastHold(watch *parallel.Watch, list []hold, thread int32, from, upTo, taken int64) *hold {
	n := sort.Search(len(list), func(n int) bool { return list[n].released > upTo }) - 1
	for ; n >= 0 && list[n].released > from; n-- {
		watch.Step()
		if h := &list[n]; h.holder != thread && h.taken < taken {
			return h
		}
	}
	return nil
}
