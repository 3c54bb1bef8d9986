package eventgraph

// What each thread does: user time, overhead, input and output, idle, absent. Waits count as idle, even inside calls
// that a tracer records as sends. While the tracer writes its buffer the thread is not traced, as in the account.

import (
	"math"
	"sort"

	"pview/insight/waits"
	"pview/prv"
	"pview/prv/extrae"
	"pview/prv/parallel"
	"pview/prv/wide"
)

// Usage is time by part.
type Usage [extrae.NumParts]int64

func (u *Usage) User() int64     { return u[extrae.PartUser] }
func (u *Usage) Overhead() int64 { return u[extrae.PartOverhead] + u[extrae.PartIO] }
func (u *Usage) Busy() int64     { return u.User() + u.Overhead() }
func (u *Usage) Idle() int64     { return u[extrae.PartIdle] }

// Present returns the time in which the threads exist and are traced.
func (u *Usage) Present() int64 { return u.Busy() + u.Idle() }

// TotalUsage is time by part, of several threads.
type TotalUsage [extrae.NumParts]wide.Int

func (t *TotalUsage) User() float64 { return t[extrae.PartUser].Float() }
func (t *TotalUsage) Overhead() float64 {
	return t[extrae.PartOverhead].Plus(t[extrae.PartIO]).Float()
}
func (t *TotalUsage) Busy() float64    { return t.User() + t.Overhead() }
func (t *TotalUsage) Idle() float64    { return t[extrae.PartIdle].Float() }
func (t *TotalUsage) Present() float64 { return t.Busy() + t.Idle() }

// TotalOf sums the time of some threads, given the time of all.
func TotalOf(all []Usage, threads []int32) (total TotalUsage) {
	for _, th := range threads {
		total.Add(&all[th])
	}
	return total
}

// Add adds the time of a thread.
func (t *TotalUsage) Add(u *Usage) {
	for i := range t {
		t[i] = t[i].Add(u[i])
	}
}

// Utilisation returns the share of user time in the time of existing threads.
func (t *TotalUsage) Utilisation() float64 {
	whole := t.Present()
	if whole == 0 {
		return 0
	}
	return t.User() / whole
}

// EachPart calls do for the stretches of a thread in [from, to), which are as long as the records allow, in order and
// without gaps. Where there is no state the thread is idle, unless it has no states at all: then calls are idle time
// and the rest is user time.
func (g *Graph) EachPart(thread int32, from, to int64, do func(from, to int64, part extrae.Part)) {
	waits := g.Waits.Of(thread)
	w := &partWalk{Graph: g, thread: thread, do: do, flushes: g.Flushes[thread],
		waits: waits[sort.Search(len(waits), func(i int) bool { return waits[i].To > from }):]}
	s := &g.T.Threads[thread].States
	switch {
	case s.Len() > 0:
		w.eachState(s, from, to)
	case g.Driven != nil:
		w.eachEntry(from, to)
	default:
		w.eachCall(from, to)
	}
}

// partWalk passes on the stretches of a thread, from the first to the last.
type partWalk struct {
	*Graph
	thread  int32
	do      func(from, to int64, part extrae.Part)
	waits   []waits.Wait // that end after the stretches so far
	flushes []Span
}

// put passes on a stretch, divided where the thread waits, and where the tracer writes its buffer outside of user code,
// so the thread is absent.
func (g *partWalk) put(begin, end int64, part extrae.Part) {
	for begin < end {
		for len(g.waits) > 0 && g.waits[0].To <= begin {
			g.waits = g.waits[1:]
		}
		for len(g.flushes) > 0 && g.flushes[0].To <= begin {
			g.flushes = g.flushes[1:]
		}
		stop, now := end, part
		if len(g.flushes) > 0 && part != extrae.PartUser {
			stop, now = divided(begin, stop, g.flushes[0].From, g.flushes[0].To, now, extrae.PartAbsent)
		}
		if len(g.waits) > 0 && now != extrae.PartAbsent {
			stop, now = divided(begin, stop, g.waits[0].From, g.waits[0].To, now, extrae.PartIdle)
		}
		g.do(begin, stop, now)
		begin = stop
	}
}

// divided returns the first piece of a stretch from begin to end, and its part: the stretch's own part, or within in
// [from, to), which ends after begin.
func divided(begin, end, from, to int64, part, within extrae.Part) (int64, extrae.Part) {
	switch {
	case from >= end:
		return end, part
	case from > begin:
		return from, part
	}
	return min(end, to), within
}

// eachState derives the parts from states.
func (g *partWalk) eachState(s *prv.States, from, to int64) {
	gap := extrae.PartIdle
	if g.Waits.Bursts {
		gap = extrae.PartAbsent // activity between bursts is unknown
	}
	at := from
	for i := max(0, sort.Search(s.Len(), func(i int) bool { return s.Begin[i] > from })-1); i < s.Len() &&
		s.Begin[i] < to; i++ {
		if i&(parallel.Every-1) == 0 && g.Ctx.Err() != nil {
			return
		}
		begin, end := max(s.Begin[i], at), min(s.Until(i, to), to)
		if end <= begin {
			continue
		}
		g.put(at, begin, gap)
		g.put(begin, end, g.States.Part(s.Value[i]))
		at = end
	}
	g.put(at, to, gap)
}

// eachCall derives the parts of a thread without states from its calls.
func (g *partWalk) eachCall(from, to int64) {
	at := from
	for c := range g.Waits.CallsIn(g.thread, from, to) {
		g.put(at, max(at, c.Enter), extrae.PartUser)
		g.put(max(at, c.Enter), min(c.Exit, to), extrae.PartIdle)
		at = max(at, min(c.Exit, to))
	}
	if g.Waits.Calls(g.thread) == 0 && g.T.Threads[g.thread].Events.Len() == 0 {
		g.put(at, to, extrae.PartIdle)
		return
	}
	g.put(at, to, extrae.PartUser)
}

// UsageOf sums the time of a thread in a stretch by part.
func (g *Graph) UsageOf(thread int32, from, to int64) (u Usage) {
	g.EachPart(thread, from, to, func(from, to int64, part extrae.Part) { u[part] += to - from })
	return u
}

// flushesOf returns the times in which the tracer writes the buffer of a thread.
func flushesOf(t *prv.Trace, thread int32) (list []Span) {
	e := &t.Threads[thread].Events
	for k, typ := range e.Type {
		if typ != extrae.TraceFlush {
			continue
		}
		if n := len(list); e.Value.At(k) != 0 {
			list = append(list, Span{From: e.Time[k], To: math.MaxInt64})
		} else if n > 0 && list[n-1].To == math.MaxInt64 {
			list[n-1].To = e.Time[k]
		}
	}
	return list
}
