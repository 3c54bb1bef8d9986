package eventgraph

// Computation without a core, as shown by counters. A counter of core time shows it directly. Otherwise cycles do: a
// stretch with far fewer of them per time than usual for its region was partly off its core. The time without a core
// comes first in the stretch between two readings.

import (
	"context"
	"math"
	"slices"

	"pview/prv/extrae"
	"pview/prv/parallel"
	"pview/prv/quantile"
)

// Thresholds on cycles.
const (
	fewestReadings = 5    // of a region, to know its usual cycles per time
	farFewer       = 0.9  // a stretch without a core has at most this share of them,
	unusual        = 8    // and is this many median deviations below,
	leastFewer     = 0.5  // unless it has less than this share
	bestPart       = 0.05 // a thread has its best clock in at least this share of its time
	others         = 0.75 // this share of threads does not exceed the usual clock
)

// SameClock is the share of the usual clock from which a thread's clock counts as equal.
const SameClock = 0.97

// reading is a stretch of computation from one reading of a counter to the next.
type reading struct {
	from, to int64
	count    int64
	region   int32
}

func (r *reading) rate() float64 { return float64(r.count) / float64(r.to-r.from) }

// usualRate has the median of the cycles per time in a region, and the median deviation from it.
type usualRate struct {
	rate, off float64
	readings  int
}

// offCore finds the time of each thread without a core.
type offCore struct {
	*Graph
	found [][]Span              // by thread
	typ   uint32                // of cycles
	of    []map[int32]usualRate // by thread and region
	best  []float64             // clock, by thread
}

// FindOffCore finds the time of all threads without a core, once. The only error is ctx's.
func (g *Graph) FindOffCore(ctx context.Context) error {
	if g.OffCore != nil {
		return nil
	}
	n := g.T.NumThreads()
	c := &offCore{Graph: g, found: make([][]Span, n), of: make([]map[int32]usualRate, n), best: make([]float64, n)}
	if g.Driven == nil {
		if err := c.look(ctx); err != nil {
			return err
		}
	}
	g.OffCore = c.found
	return nil
}

// look looks at the counter that shows it.
func (c *offCore) look(ctx context.Context) error {
	each := func(do func(thread int)) error {
		return parallel.For(ctx, len(c.found), func(th int) error {
			do(th)
			return ctx.Err()
		})
	}
	if typ := extrae.TaskClock(c.T.Labels); typ != 0 {
		unit := c.T.Unit.Nanoseconds()
		return each(func(th int) {
			for r := range c.readings(int32(th), typ) {
				c.isOff(th, &r, (r.to-r.from)-(r.count+unit-1)/unit)
			}
		})
	}
	var ok bool
	if c.typ, ok = extrae.Of(c.T.Labels).Type(extrae.Cycles); !ok {
		return nil
	}
	if err := each(c.learn); err != nil {
		return err
	}
	all, usual := c.ofAll(), quantile.Below(slices.Clone(c.best), others)
	return each(func(th int) { c.find(th, all, c.best[th] >= SameClock*usual) })
}

func (c *offCore) isOff(thread int, r *reading, time int64) {
	if time = min(time, r.to-r.from); time > 0 {
		c.found[thread] = append(c.found[thread], Span{From: r.from, To: r.from + time})
	}
}

// readings returns the readings of a counter that lie within one state of computation, in order.
func (g *Graph) readings(thread int32, typ uint32) func(yield func(reading) bool) {
	return func(yield func(reading) bool) {
		e, st := &g.T.Threads[thread].Events, &g.T.Threads[thread].States
		regions := g.Waits.Cursor(thread)
		before, i := int64(0), 0
		for k, t := range e.Type {
			if t != typ {
				continue
			}
			from, to := before, e.Time[k]
			before = to
			if from >= to {
				continue
			}
			for i < st.Len() && st.Until(i, g.T.Duration) < to {
				i++
			}
			if i == st.Len() || st.Begin[i] > from || g.States.Part(st.Value[i]) != extrae.PartUser {
				continue
			}
			region, _ := regions.At(from)
			if !yield(reading{from, to, max(0, e.Value.At(k)), region}) {
				return
			}
		}
	}
}

// learn finds the usual rates and the best clock of a thread.
func (c *offCore) learn(thread int) {
	rates, clocks := map[int32][]float64{}, Rates{}
	for r := range c.readings(int32(thread), c.typ) {
		rates[r.region] = append(rates[r.region], r.rate())
		clocks.Add(float64(r.count), float64(r.to-r.from))
	}
	c.of[thread] = map[int32]usualRate{}
	for region, own := range rates {
		u := quantile.Below(own, 0.5)
		off := make([]float64, len(own))
		for i, x := range own {
			off[i] = math.Abs(x - u)
		}
		c.of[thread][region] = usualRate{u, quantile.Below(off, 0.5), len(own)}
	}
	c.best[thread] = clocks.Clocks(bestPart)[0]
}

// ofAll compares the threads: a region with enough readings has the rate that most threads do not exceed.
func (c *offCore) ofAll() map[int32]usualRate {
	rates, offs, readings := map[int32][]float64{}, map[int32][]float64{}, map[int32]int{}
	for _, own := range c.of {
		for region, u := range own {
			rates[region], offs[region] = append(rates[region], u.rate), append(offs[region], u.off)
			readings[region] += u.readings
		}
	}
	all := map[int32]usualRate{}
	for region, n := range readings {
		if n >= fewestReadings {
			all[region] = usualRate{quantile.Below(rates[region], others), quantile.Below(offs[region], 1-others), n}
		}
	}
	return all
}

// find finds the stretches of a thread with far fewer cycles per time than their region usually has: on the thread
// itself, or on the others if it has their clock. If it usually has fewer than they in that region alone, SameClock is
// the bound.
func (c *offCore) find(thread int, all map[int32]usualRate, sameClock bool) {
	for r := range c.readings(int32(thread), c.typ) {
		u, every := c.of[thread][r.region], all[r.region]
		few, far := u.readings < fewestReadings, farFewer
		switch {
		case every.readings == 0 || few && !sameClock:
			continue
		case few:
			u = every
		case sameClock && every.rate > u.rate:
			if u.rate < SameClock*every.rate {
				far = SameClock
			}
			u.rate, u.off = every.rate, min(u.off, every.off)
		}
		if limit := max(leastFewer*u.rate, min(far*u.rate, u.rate-unusual*u.off)); r.rate() < limit {
			c.isOff(thread, &r, (r.to-r.from)-int64(float64(r.count)/u.rate))
		}
	}
}

// Without returns the time of a thread in a stretch without a core, once FindOffCore has found it.
func (g *Graph) Without(thread int32, from, to int64) int64 {
	return TimeIn(g.OffCore[thread], from, to)
}

// TimeIn returns the part of a stretch of time that lies in spans, which are in order.
func TimeIn(list []Span, from, to int64) (sum int64) {
	i, _ := slices.BinarySearchFunc(list, from, func(s Span, at int64) int {
		if s.To <= at {
			return -1
		}
		return 1
	})
	for ; i < len(list) && list[i].From < to; i++ {
		sum += min(to, list[i].To) - max(from, list[i].From)
	}
	return sum
}
