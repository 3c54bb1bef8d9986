package replay

import (
	"math"

	"pview/insight/eventgraph"
	"pview/prv"
	"pview/prv/extrae"
)

// counted adapts counter readings to a changed run. Code that takes longer counts proportionally more. Shortened code
// first loses time without cycles, and counts less only for the rest.
type counted struct {
	trace  *prv.Trace
	at     func(thread int32, at int64) int64
	cycles uint32 // the type; 0: none
	thread int32  // being read
	last   int64  // reading
	clock  float64
}

func newCounted(t *prv.Trace, at func(thread int32, at int64) int64) *counted {
	cycles, _ := extrae.Of(t.Labels).Type(extrae.Cycles)
	return &counted{trace: t, at: at, cycles: cycles, thread: -1}
}

// change changes the readings of a line of events.
func (c *counted) change(thread int32, at int64, line []prv.Pair) {
	if thread != c.thread {
		c.thread, c.last, c.clock = thread, 0, c.clockOf(thread)
	}
	reads, cycles := false, 0.0
	for _, p := range line {
		if extrae.IsCounter(c.trace.Labels, p.Type) {
			reads = true
			if p.Type == c.cycles {
				cycles = float64(p.Value)
			}
		}
	}
	was, is := float64(at-c.last), float64(c.at(thread, at)-c.at(thread, c.last))
	if !reads || was <= 0 {
		return
	}
	c.last = at
	f := is / was
	if f < 1 && cycles > 0 {
		f = min(1, c.clock*is/cycles)
	}
	if f == 1 {
		return
	}
	for i := range line {
		if extrae.IsCounter(c.trace.Labels, line[i].Type) {
			line[i].Value = int64(math.Round(f * float64(line[i].Value)))
		}
	}
}

// clockOf returns the greatest number of cycles per time of a thread.
func (c *counted) clockOf(thread int32) float64 {
	e := &c.trace.Threads[thread].Events
	var rates eventgraph.Rates
	last := int64(0)
	for k, typ := range e.Type {
		if typ == c.cycles && c.cycles != 0 {
			rates.Add(float64(e.Value.At(k)), float64(e.Time[k]-last))
			last = e.Time[k]
		}
	}
	return rates.Clocks(0)[0]
}
