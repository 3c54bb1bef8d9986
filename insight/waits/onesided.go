package waits

// One-sided communication with post, start, complete and wait: a Win_wait waits for the last Win_complete of its origins.
//
// The groups of these calls are not recorded. Who the origins are follows from the accesses: those that name the rank of the waiting task, and whose
// Win_complete lies in the time since the Win_post. Ranks are those of the ptask, since the communicator of a window is not recorded either.

import (
	"cmp"
	"context"
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

// earlyWaits adds what each Win_wait waits for to the candidates by thread.
func (a *analysis) earlyWaits(ctx context.Context, by [][]candidate) {
	watch := parallel.NewWatch(ctx)
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
		p := &a.t.Ptasks[a.t.Tasks[a.t.ThreadTask[i]].Ptask]
		at, last := 0, map[int32]int{}
		for _, x := range l.accesses {
			watch.Step()
			for at = max(at, int(x.call)); at < c.len() && c.kind[at].Call != extrae.WinComplete; at++ {
				watch.Step()
			}
			if at == c.len() || x.rank < 0 || x.rank >= int64(p.Tasks) {
				continue
			}
			target := a.t.Tasks[p.FirstTask+int32(x.rank)].FirstThread
			if n, ok := last[target]; !ok || n != at { // several accesses of an epoch end once
				last[target] = at
				ends[target] = append(ends[target], completion{c.enter[at], c.exit[at], int32(i)})
			}
		}
	}
	return ends
}
