package semantic

import (
	"context"
	"math"

	"pview/prv"
)

// The thesis' functions of CPUs: they combine all threads that are on the CPU, while Paraver today takes the last
// thread seen. A thread is on a CPU while its state record names the CPU; a thread without states, while its last event
// does. A CPU without a thread is 0 whatever the function. These functions separate an unused CPU from an idle one
// whose threads wait for it: the queue length is In State {5}, Adding.

// cpuFoldRow computes the row of a CPU from the rows of the threads that have
// records on it.
func (e *Evaluator) cpuFoldRow(ctx context.Context, cpu int32, threads []int32, row func(th int32) bursts) (bursts,
	error) {
	rows := make([]bursts, 0, len(threads))
	for _, th := range threads {
		rows = append(rows, whileThere(row(th), e.presence(&e.trace.Threads[th], cpu)))
	}
	if len(rows) == 0 {
		return newBursts(e.end, 0, 0), nil
	}
	f := e.calls[prv.LevelCPU]
	there := make([]float64, 0, len(rows))
	all := f.fold.all
	entry := *f.Entry
	entry.fold = foldAll(func(c []float64, changed int, p params) float64 {
		there = there[:0]
		for _, v := range c {
			if !math.IsNaN(v) {
				there = append(there, v)
			}
		}
		if len(there) == 0 {
			return 0
		}
		return all(there, changed, p)
	})
	return foldRows(ctx, rows, e.end, bound{&entry, f.p})
}

// presence returns a row that is 1 while the thread is on the CPU, else 0.
func (e *Evaluator) presence(th *prv.Thread, cpu int32) bursts {
	b := newBursts(e.end, 0, 0)
	put := func(t int64, there float64) {
		last := len(b.value) - 1
		switch {
		case t >= e.end || there == b.value[last]:
		case t <= b.begin[last]: // it leaves and comes at the same time
			b.value[last] = there
		default:
			b.add(t, there)
		}
	}
	for i, begin := range th.States.Begin {
		put(begin, truth(th.StateCPU(i) == cpu))
		if end := th.States.End[i]; end != prv.NoEnd {
			put(end, 0)
		}
	}
	if th.States.Len() == 0 {
		for i, t := range th.Events.Time {
			put(t, truth(th.EventCPU(i) == cpu))
		}
	}
	return b
}

// whileThere returns a row that is NaN where the thread is not on the CPU.
func whileThere(row, there bursts) bursts {
	out := bursts{end: row.end}
	union(row, there, func(t int64, i, j int) {
		v := math.NaN()
		if there.value[j] != 0 {
			v = row.value[i]
		}
		out.add(t, v)
	})
	return out
}
