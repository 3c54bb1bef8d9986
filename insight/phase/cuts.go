package phase

// Where a run can be cut: at collective operations of all processes that no message crosses.

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
)

// cut is a collective operation of all processes, or the start of an iteration or step.
type cut struct {
	last   int64 // entry
	exit   int64 // the last exit
	comm   int64
	number int32 // among the calls of the first process
	// For steps: the phase that begins, and when on each process.
	name string
	own  []int64
}

// cuts returns the cuts that are boundaries.
func (f *finder) cuts() ([]cut, error) {
	list := f.candidates()
	if len(list) == 0 {
		return nil, nil
	}
	passed := f.passed(list)
	busy, err := f.each(list, func(s *prv.States, useful func(uint32) bool, mark func(int)) {
		markAt(parallel.NewWatch(f.ctx), s, list, useful, mark)
	})
	if err != nil {
		return nil, err
	}
	kept := list[:0]
	for i := range list {
		if !passed[i] && !busy[i] && (len(kept) == 0 || list[i].exit > kept[len(kept)-1].exit) {
			kept = append(kept, list[i])
		}
	}
	worked, err := f.each(kept, func(s *prv.States, useful func(uint32) bool, mark func(int)) {
		markBetween(parallel.NewWatch(f.ctx), s, kept, useful, mark)
	})
	if err != nil {
		return nil, err
	}
	return collapse(kept, worked), nil
}

// candidates returns the collective operations of all processes, by time.
func (f *finder) candidates() (list []cut) {
	watch := parallel.NewWatch(f.ctx)
	for comm, calls := range f.calls[0] {
		for i := range calls {
			if c, ok := f.operation(watch, comm, i); ok {
				list = append(list, c)
			}
		}
	}
	slices.SortFunc(list, func(a, b cut) int {
		return cmp.Or(cmp.Compare(a.last, b.last), cmp.Compare(a.exit, b.exit), cmp.Compare(a.comm, b.comm))
	})
	return list
}

// operation returns the operation of the first process's n-th call on a communicator, if all processes take part.
func (f *finder) operation(watch *parallel.Watch, comm int64, n int) (c cut, ok bool) {
	c = cut{comm: comm, number: int32(n)}
	for task := range f.tasks {
		watch.Step()
		own, ok := f.part(task, comm, n)
		if !ok {
			return c, false
		}
		c.last, c.exit = max(c.last, own.begin), max(c.exit, own.end)
	}
	return c, true
}

// part returns the call of a process in the operation of the first process's n-th call. The n-th calls of all processes
// match if all made the same number; else calls that overlap match, as when a part of the run was not traced.
func (f *finder) part(task int, comm int64, n int) (arrival, bool) {
	first, own := f.calls[0][comm], f.calls[task][comm]
	if len(own) == len(first) {
		return own[n], true
	}
	at := sort.Search(len(own), func(k int) bool { return own[k].begin >= first[n].end }) - 1
	if at < 0 || own[at].end <= first[n].begin {
		return arrival{}, false
	}
	return own[at], true
}

// passed marks the cuts that a message crosses: sent before and received after.
func (f *finder) passed(list []cut) []bool {
	delta := make([]int32, len(list)+1)
	c := &f.t.Comms
	watch := parallel.NewWatch(f.ctx)
	for i := range c.Len() {
		watch.Step()
		if !f.has(c.Send[i]) || !f.has(c.Recv[i]) {
			continue
		}
		from, to := c.Times[prv.LogicalSend][i], c.Times[prv.PhysicalRecv][i]
		a := sort.Search(len(list), func(k int) bool { return list[k].last > from })
		b := sort.Search(len(list), func(k int) bool { return list[k].last >= to })
		if a < b {
			delta[a]++
			delta[b]--
		}
	}
	out, open := make([]bool, len(list)), int32(0)
	for i := range out {
		open += delta[i]
		out[i] = open > 0
	}
	return out
}

// has reports whether a thread belongs to the application.
func (f *finder) has(thread int32) bool {
	return thread >= f.threads[0] && thread <= f.threads[len(f.threads)-1]
}

// each calls a function for the states of each thread, and returns the cuts marked for any of them.
func (f *finder) each(list []cut, look func(s *prv.States, useful func(uint32) bool, mark func(int))) ([]bool, error) {
	meanings := extrae.StatesOf(f.t.Labels, extrae.Auto)
	useful := func(v uint32) bool { return meanings.Meaning(v) == extrae.Useful }
	marks := make([]prv.Bits, len(f.threads)) // by worker; no more workers than threads
	err := parallel.Each(f.ctx, len(f.threads), 0, func(worker, i int) error {
		if marks[worker] == nil {
			marks[worker] = prv.NewBits(len(list))
		}
		look(&f.t.Threads[f.threads[i]].States, useful, marks[worker].Set)
		return f.ctx.Err()
	})
	out := make([]bool, len(list))
	for _, m := range marks {
		for i := range out {
			out[i] = out[i] || m != nil && m.Has(i)
		}
	}
	return out, err
}

// markAt marks the cuts at which a thread computes.
func markAt(watch *parallel.Watch, s *prv.States, list []cut, useful func(uint32) bool, mark func(int)) {
	k := 0
	for i := range list {
		at := list[i].last
		for k < s.Len() && s.Until(k, math.MaxInt64) <= at {
			watch.Step()
			k++
		}
		if k < s.Len() && s.Begin[k] < at && useful(s.Value[k]) {
			mark(i)
		}
	}
}

// markBetween marks the cuts after which a thread computes before the next.
func markBetween(watch *parallel.Watch, s *prv.States, list []cut, useful func(uint32) bool, mark func(int)) {
	k := 0
	for i := 0; i+1 < len(list); i++ {
		from, to := list[i].exit, list[i+1].last
		for k < s.Len() && s.Until(k, math.MaxInt64) <= from {
			watch.Step()
			k++
		}
		for n := k; n < s.Len() && s.Begin[n] < to; n++ {
			watch.Step()
			if useful(s.Value[n]) && s.Until(n, math.MaxInt64) > s.Begin[n] {
				mark(i)
				break
			}
		}
	}
}

// collapse joins consecutive cuts with no computation between them: it keeps the last, and of three or more also the
// first.
func collapse(list []cut, worked []bool) (boundaries []cut) {
	for i := 0; i < len(list); {
		n := i
		for n+1 < len(list) && !worked[n] {
			n++
		}
		if n-i >= 2 {
			boundaries = append(boundaries, list[i])
		}
		boundaries = append(boundaries, list[n])
		i = n + 1
	}
	return boundaries
}
