package workload

// Bursts: the states of useful work, or regions between events.

import (
	"cmp"
	"context"
	"slices"

	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
)

// place is the place of a burst.
type place struct {
	begin, end int64
	thread     int32
}

// extractBursts finds the bursts of all threads, in order of their start.
func extractBursts(ctx context.Context, t *prv.Trace, opt Options) (*Set, error) {
	lists := make([][]place, len(t.Threads))
	find := (&burstFinder{t: t, states: extrae.StatesOf(t.Labels, extrae.Auto)}).ofStates
	if len(opt.Types) > 0 {
		find = (&burstFinder{t: t, types: opt.Types}).regions
	}
	from, to := opt.window(t)
	err := parallel.Each(ctx, len(t.Threads), opt.Workers, func(_, i int) error {
		if opt.has(int32(i)) {
			lists[i] = slices.DeleteFunc(find(int32(i)), func(p place) bool { return p.begin < from || p.end > to })
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	n := 0
	for _, list := range lists {
		n += len(list)
	}
	all := slices.Concat(lists...)
	slices.SortStableFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.thread, b.thread))
	})
	s := &Set{n: n, Thread: make([]int32, n), Begin: make([]int64, n), End: make([]int64, n)}
	duration := s.add("duration", "ns", "end - begin").Values
	unit := float64(t.Unit.Nanoseconds())
	for i, p := range all {
		s.Thread[i], s.Begin[i], s.End[i] = p.thread, p.begin, p.end
		duration[i] = float64(p.end-p.begin) * unit
	}
	return s, nil
}

type burstFinder struct {
	t      *prv.Trace
	states *extrae.States
	types  []uint32
}

// ofStates returns the states of useful work of a thread.
func (f *burstFinder) ofStates(thread int32) (list []place) {
	s := &f.t.Threads[thread].States
	for i, v := range s.Value {
		if end := s.Until(i, f.t.Duration); f.states.Meaning(v) == extrae.Useful && end > s.Begin[i] {
			list = append(list, place{s.Begin[i], end, thread})
		}
	}
	return list
}

// regions returns the stretches from each nonzero event of the types to the next event of its type.
func (f *burstFinder) regions(thread int32) (list []place) {
	e := &f.t.Threads[thread].Events
	open := map[uint32]int64{}
	for i, typ := range e.Type {
		if !slices.Contains(f.types, typ) {
			continue
		}
		if begin, ok := open[typ]; ok && e.Time[i] > begin {
			list = append(list, place{begin, e.Time[i], thread})
		}
		delete(open, typ)
		if e.Value.At(i) != 0 {
			open[typ] = e.Time[i]
		}
	}
	slices.SortStableFunc(list, func(a, b place) int { return cmp.Compare(a.begin, b.begin) })
	return list
}
