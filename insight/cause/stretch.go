// Package cause says why code takes longer on some threads, or at some times, than on others: more executions, more
// instructions, fewer instructions per cycle, a lower clock, or a lost core; and when: always, increasingly, once,
// periodically, or on another thread each time.
//
// A stretch is a piece of computation in one code region between two calls, or two changes of region. The stretches of
// a region that all threads of an application execute equally often, and that take about as long, are a place of its
// program: the n-th stretch on one thread can be compared with the n-th on another. Stretches of a region of an
// application between the same two calls are a site.
package cause

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"pview/insight/replay"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
	"pview/prv/quantile"
)

// Stretch is a piece of computation. Times are in the trace's unit.
type Stretch struct {
	From, To int64
	// Instructions and Cycles are those of the stretch; 0 without counters.
	Instructions, Cycles float64
	// Expected is the usual time of the place at this iteration on this thread; see Run.expect.
	Expected float64
	// Extra is the time beyond Expected if that is too much to be chance; else 0.
	Extra  float64
	Thread int32
	Region int32 // of waits.Result
	Site   int32 // row of Run.Sites
	Node   int32 // of the replay: the next one on the thread
}

// Length returns the time of the stretch.
func (s *Stretch) Length() int64 { return s.To - s.From }

// Class are stretches that are comparable: a place or a site.
type Class struct {
	Region        int32 // of waits.Result
	Ptask         int32 // the application; other threads may run another program
	Before, After int32 // of a site: regions of the calls around it; -1: none
	// Of are the stretches by thread, in order of time.
	Of [][]*Stretch
	// Count is the number of stretches of each thread that has any; 0: the numbers differ, so the stretches cannot be
	// aligned.
	Count int
	// Threads are those that have any.
	Threads []int32
	Total   int64
}

// Run is the computation of a run.
type Run struct {
	*replay.Model
	Places, Sites []Class
	// ByThread are the stretches of each thread, in order of time.
	ByThread [][]Stretch
	// Counters reports whether instructions and cycles were counted.
	Counters bool
	// Clock is the usual number of cycles per time of each thread; 0 without counters.
	Clock []float64
}

// NewRun reads the computation of a run. The only error is ctx's.
func NewRun(ctx context.Context, m *replay.Model) (*Run, error) {
	if err := m.Graph.FindOffCore(ctx); err != nil {
		return nil, err
	}
	r := &Run{Model: m, ByThread: make([][]Stretch, m.Graph.T.NumThreads())}
	keys := make([][]classKey, len(r.ByThread))
	types := counterTypes(m.Graph.T)
	counted := make([]bool, len(r.ByThread))
	err := parallel.For(ctx, len(r.ByThread), func(th int) error {
		r.ByThread[th], keys[th] = stretchesOf(m, int32(th))
		counted[th] = count(m.Graph.T, int32(th), types, r.ByThread[th])
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	r.Counters = slices.Contains(counted, true)
	r.classify(keys)
	r.findClocks()
	r.expectAll()
	return r, ctx.Err()
}

// classKey makes stretches comparable.
type classKey struct{ ptask, region, before, after, ordinal int32 }

// stretchesOf cuts the computation of a thread.
func stretchesOf(m *replay.Model, thread int32) (list []Stretch, keys []classKey) {
	g := m.Graph
	cursor := g.Waits.Cursor(thread)
	nodes := m.Nodes(thread)
	next, call := 0, 0
	seen := map[int32]int32{} // by region: stretches since the last call
	calls := g.Waits.Calls(thread)
	begun := -1 // the gap between calls that seen counts in
	g.EachPart(thread, 0, g.T.Duration, func(from, to int64, part extrae.Part) {
		if part != extrae.PartUser {
			return
		}
		for from < to {
			region, until := cursor.At(from)
			stop := min(to, max(until, from+1))
			at := from
			from = stop
			if region < 0 || g.Waits.Regions[region].Call {
				continue
			}
			for call < calls && g.Waits.Call(thread, call).Exit <= at {
				call++
			}
			if call != begun {
				clear(seen)
				begun = call
			}
			for next < len(nodes) && m.Time[nodes[next]] < stop {
				next++
			}
			if next == len(nodes) {
				return
			}
			if n := len(list); n > 0 && list[n-1].To == at && keys[n-1].region == region &&
				list[n-1].Node == nodes[next] {
				list[n-1].To = stop // two states in a row
				continue
			}
			key := classKey{ptask: g.T.ThreadPtask(thread), region: region, before: -1, after: -1,
				ordinal: seen[region]}
			seen[region]++
			if call > 0 {
				key.before = g.Waits.Call(thread, call-1).Region
			}
			if call < calls {
				key.after = g.Waits.Call(thread, call).Region
			}
			list = append(list, Stretch{From: at, To: stop, Thread: thread, Node: nodes[next]})
			keys = append(keys, key)
		}
	})
	return list, keys
}

// classify makes the sites and places.
func (r *Run) classify(keys [][]classKey) {
	ids := map[classKey]int32{}
	for th := range keys {
		for i, k := range keys[th] {
			s := &r.ByThread[th][i]
			s.Region = k.region
			id, ok := ids[k]
			if !ok {
				id = int32(len(r.Sites))
				ids[k] = id
				r.Sites = append(r.Sites, Class{Region: k.region, Ptask: k.ptask, Before: k.before, After: k.after,
					Of: make([][]*Stretch, len(keys))})
			}
			s.Site = id
			r.Sites[id].add(s)
		}
	}
	for i := range r.Sites {
		r.Sites[i].finish()
	}
	regions := map[classKey]*Class{}
	var order []classKey
	for th := range r.ByThread {
		for i := range r.ByThread[th] {
			s := &r.ByThread[th][i]
			k := classKey{ptask: r.Graph.T.ThreadPtask(s.Thread), region: s.Region}
			if regions[k] == nil {
				regions[k] = &Class{Region: k.region, Ptask: k.ptask, Before: -1, After: -1,
					Of: make([][]*Stretch, len(keys))}
				order = append(order, k)
			}
			regions[k].add(s)
		}
	}
	for _, k := range order {
		c := regions[k]
		c.finish()
		if c.Count > 0 {
			r.Places = append(r.Places, c.bySize()...)
			continue
		}
		for i := range r.Sites {
			if r.Sites[i].Region == k.region && r.Sites[i].Ptask == k.ptask {
				r.Places = append(r.Places, r.Sites[i])
			}
		}
	}
}

func (c *Class) add(s *Stretch) {
	c.Of[s.Thread] = append(c.Of[s.Thread], s)
	c.Total += s.Length()
}

// finish lists the threads of a class, and determines whether its stretches can be aligned.
func (c *Class) finish() {
	aligned := true
	c.Threads, c.Count = nil, 0
	for th := range c.Of {
		if n := len(c.Of[th]); n > 0 {
			c.Threads = append(c.Threads, int32(th))
			aligned = aligned && (c.Count == 0 || c.Count == n)
			c.Count = n
		}
	}
	if !aligned {
		c.Count = 0
	}
}

// apart is the ratio of usual times from which stretches are different places, such as the levels of a multigrid
// solver.
const apart = 1.5

// bySize divides an aligned class by the usual time of its stretches.
func (c *Class) bySize() []Class {
	type execution struct {
		n     int
		usual float64
	}
	all := make([]execution, c.Count)
	column := make([]float64, len(c.Threads))
	for n := range all {
		for i, th := range c.Threads {
			column[i] = float64(c.Of[th][n].Length())
		}
		all[n] = execution{n, quantile.Median(column)}
	}
	slices.SortStableFunc(all, func(x, y execution) int { return cmp.Compare(x.usual, y.usual) })
	var out []Class
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end].usual <= apart*max(1, all[end-1].usual) {
			end++
		}
		part := Class{Region: c.Region, Ptask: c.Ptask, Before: -1, After: -1, Of: make([][]*Stretch, len(c.Of))}
		chosen := make([]int, 0, end-i)
		for _, x := range all[i:end] {
			chosen = append(chosen, x.n)
		}
		slices.Sort(chosen)
		for _, th := range c.Threads {
			for _, n := range chosen {
				part.add(c.Of[th][n])
			}
		}
		part.finish()
		out = append(out, part)
		i = end
	}
	return out
}

// counterTypes returns the types of instructions and cycles; 0 for one that is missing.
func counterTypes(t *prv.Trace) (types [2]uint32) {
	words := extrae.Of(t.Labels)
	for i, want := range [...]uint32{extrae.Instructions, extrae.Cycles} {
		if typ, ok := words.Type(want); ok {
			types[i] = typ
		}
	}
	return types
}

// count gives the stretches of a thread their instructions and cycles. Counters are read at the start and end of calls
// and functions, and hold what was counted since the last reading.
func count(t *prv.Trace, thread int32, types [2]uint32, list []Stretch) bool {
	if types[0] == 0 || types[1] == 0 {
		return false
	}
	e := &t.Threads[thread].Events
	var times []int64
	sums := [2][]float64{}
	total := [2]float64{}
	for k, typ := range e.Type {
		which := slices.Index(types[:], typ)
		if which < 0 || e.Value.At(k) < 0 {
			continue
		}
		total[which] += float64(e.Value.At(k))
		if n := len(times); n == 0 || times[n-1] != e.Time[k] {
			times = append(times, e.Time[k])
			sums[0], sums[1] = append(sums[0], total[0]), append(sums[1], total[1])
			continue
		}
		sums[which][len(times)-1] = total[which]
	}
	if len(times) < 2 {
		return false
	}
	at := func(which int, when int64) float64 {
		k := sort.Search(len(times), func(k int) bool { return times[k] >= when })
		switch {
		case k == len(times):
			return sums[which][k-1]
		case times[k] == when || k == 0:
			return sums[which][k]
		}
		part := float64(when-times[k-1]) / float64(times[k]-times[k-1])
		return sums[which][k-1] + part*(sums[which][k]-sums[which][k-1])
	}
	for i := range list {
		s := &list[i]
		s.Instructions, s.Cycles = at(0, s.To)-at(0, s.From), at(1, s.To)-at(1, s.From)
	}
	return true
}

// RegionName names the code of a class.
func (r *Run) RegionName(region int32) string { return r.Graph.ClassName(region) }
