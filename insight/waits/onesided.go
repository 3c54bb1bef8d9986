package waits

// One-sided communication. With post, start, complete and wait, a Win_wait waits for the last Win_complete of its origins, and the call of an origin
// that blocks waits for the last Win_post of its targets. With locks, a Win_lock or Win_unlock waits for the Win_unlock of the holder.
//
// Neither the groups nor the targets of these calls are recorded. They follow from the accesses, which name the rank of their target: from a Win_start
// to its Win_complete, or from a Win_lock to its Win_unlock. Ranks are those of the ptask, since the communicator of a window is not recorded either.

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
	enter, exit int64
	origin      int32
}

// target notes the target of the access that row k begins.
func (r *laneReader) target(k int) {
	for i, end := r.line(k); i < end; i++ {
		if r.e.Type[i] == extrae.OneSidedTarget {
			r.accesses = append(r.accesses, access{int32(r.calls.len() - 1), r.e.Value[i]})
		}
	}
}

// oneSided adds what one-sided calls wait for to the candidates by thread.
func (a *analysis) oneSided(watch *parallel.Watch, by [][]candidate) {
	a.earlyWaits(watch, by)
	a.latePosts(watch, by)
	a.lockContention(watch, by)
}

// earlyWaits adds what each Win_wait waits for.
func (a *analysis) earlyWaits(watch *parallel.Watch, by [][]candidate) {
	ends := a.completions(watch)
	for thread, list := range ends {
		slices.SortFunc(list, func(x, y completion) int {
			watch.Step()
			return cmp.Or(cmp.Compare(x.enter, y.enter), cmp.Compare(y.origin, x.origin))
		})
		c := &a.lanes[thread].calls
		posted := int64(0)
		for k, kind := range c.kind {
			watch.Step()
			switch kind.Call {
			case extrae.WinPost:
				posted = c.enter[k]
			case extrae.WinWait:
				i := sort.Search(len(list), func(i int) bool { return list[i].enter > c.exit[k] }) - 1
				if i >= 0 && list[i].exit > posted && list[i].enter > c.enter[k] {
					w := Wait{Thread: thread, From: c.enter[k], To: list[i].enter, Class: EarlyWait, Cause: list[i].origin}
					by[thread] = append(by[thread], candidate{call: int32(k), Wait: w, until: w.To})
				}
			}
		}
	}
}

// completions are the ends of the accesses, by thread of the target.
func (a *analysis) completions(watch *parallel.Watch) map[int32][]completion {
	ends := map[int32][]completion{}
	for i := range a.lanes {
		l := &a.lanes[i]
		c := &l.calls
		at, last := 0, map[int32]int{}
		for _, x := range l.accesses {
			watch.Step()
			for at = max(at, int(x.call)); at < c.len() && c.kind[at].Call != extrae.WinComplete; at++ {
				watch.Step()
			}
			target := a.targetOf(i, x)
			if at == c.len() || target < 0 {
				continue
			}
			if n, ok := last[target]; !ok || n != at { // several accesses of an epoch end once
				last[target] = at
				ends[target] = append(ends[target], completion{c.enter[at], c.exit[at], int32(i)})
			}
		}
	}
	return ends
}

// epoch is the time in which a thread may access the windows of others: from a Win_start to its Win_complete, or from a Win_lock to its Win_unlock.
type epoch struct {
	begin, end int32 // rows of the calls
	accesses   []access
}

// epochs calls do for the epochs of a thread that have accesses, in order. One that begins inside another takes its place.
func (l *lane) epochs(watch *parallel.Watch, begin, end extrae.Call, do func(e epoch)) {
	if len(l.accesses) == 0 {
		return
	}
	rest, from := l.accesses, int32(-1)
	upTo := func(k int32) (passed []access) {
		n := sort.Search(len(rest), func(i int) bool { return rest[i].call >= k })
		passed, rest = rest[:n], rest[n:]
		return passed
	}
	for k, kind := range l.calls.kind {
		watch.Step()
		switch kind.Call {
		case begin:
			from = int32(k)
			upTo(from)
		case end:
			if passed := upTo(int32(k)); from >= 0 && len(passed) > 0 {
				do(epoch{from, int32(k), passed})
			}
			from = -1
		}
	}
}

// targetOf is the thread that an access is to, -1 for a rank that the ptask of the origin does not have.
func (a *analysis) targetOf(origin int, x access) int32 {
	p := &a.t.Ptasks[a.t.Tasks[a.t.ThreadTask[origin]].Ptask]
	if x.rank < 0 || x.rank >= int64(p.Tasks) {
		return -1
	}
	return a.t.Tasks[p.FirstTask+int32(x.rank)].FirstThread
}

// latePosts adds what the calls of origins wait for: the last Win_post of the targets that begins while the call lasts.
func (a *analysis) latePosts(watch *parallel.Watch, by [][]candidate) {
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
		a.lanes[i].epochs(watch, extrae.WinStart, extrae.WinComplete, func(e epoch) {
			waitsFor(e.begin, e.accesses)
			for n, x := range e.accesses {
				waitsFor(x.call, e.accesses[n:n+1])
			}
			waitsFor(e.end, e.accesses)
		})
	}
}

// hold is the use of a lock on a window: from the end of the Win_lock to the begin of the Win_unlock.
type hold struct {
	taken, released int64
	holder          int32
}

// lockContention adds what locks wait for: the last holder that had the lock first and releases it while the call lasts. Whether locks are shared is
// not recorded, so that such a wait is inferred from the time that the call takes.
func (a *analysis) lockContention(watch *parallel.Watch, by [][]candidate) {
	holds := map[int32][]hold{} // by target
	for i := range a.lanes {
		c := &a.lanes[i].calls
		a.lanes[i].epochs(watch, extrae.WinLock, extrae.WinUnlock, func(e epoch) {
			if target := a.targetOf(i, e.accesses[0]); target >= 0 {
				holds[target] = append(holds[target], hold{c.exit[e.begin], c.enter[e.end], int32(i)})
			}
		})
	}
	for _, list := range holds {
		slices.SortFunc(list, func(x, y hold) int {
			watch.Step()
			return cmp.Or(cmp.Compare(x.released, y.released), cmp.Compare(y.holder, x.holder))
		})
	}
	for i := range a.lanes {
		c := &a.lanes[i].calls
		a.lanes[i].epochs(watch, extrae.WinLock, extrae.WinUnlock, func(e epoch) {
			list := holds[a.targetOf(i, e.accesses[0])]
			for _, k := range []int32{e.begin, e.end} {
				n := sort.Search(len(list), func(n int) bool { return list[n].released > c.exit[k] }) - 1
				for n >= 0 && list[n].released > c.enter[k] && (list[n].holder == int32(i) || list[n].taken >= c.exit[e.begin]) {
					n--
					watch.Step()
				}
				if n >= 0 && list[n].released > c.enter[k] {
					w := Wait{Thread: int32(i), From: c.enter[k], To: list[n].released, Class: LockContention, Cause: list[n].holder, Flags: Inferred}
					by[i] = append(by[i], candidate{call: k, Wait: w, until: w.To})
				}
			}
		})
	}
}
