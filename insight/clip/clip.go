// Package clip makes the trace of a time range, which is analysed as if it were a run of its own.
package clip

import (
	"context"

	"pview/prv"
)

// Of returns the trace of a time range, shifted to begin at 0; rows are the rows of its messages. States are cut at the
// ends of the range. Events at its end belong to it if they end something. What began before the range and ends in it
// has no beginning.
func Of(ctx context.Context, t *prv.Trace, from, to int64) (part *prv.Trace, rows []int32, err error) {
	b := prv.NewBuilder(prv.Header{Date: t.Date, Unit: t.Unit, Resources: t.Resources, Communicators: t.Communicators,
		End: to - from})
	for i := range t.Threads {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		s := &t.Threads[i].States
		for k := range s.Len() {
			end := s.Until(k, t.Duration)
			if begin := max(s.Begin[k], from); begin < min(end, to) {
				b.State(int32(i), 0, begin-from, min(end, to)-from, s.Value[k])
			}
		}
		keepEvents(b, int32(i), &t.Threads[i].Events, from, to)
	}
	c := &t.Comms
	for m := range c.Len() {
		var times [4]int64
		inside := true
		for role := range times {
			at := c.Times[role][m]
			inside = inside && at >= from && at <= to
			times[role] = at - from
		}
		if inside {
			b.Comm(prv.Comm{Send: c.Send[m], Recv: c.Recv[m], Size: c.Size[m], Tag: c.Tag[m], Times: times})
			rows = append(rows, int32(m))
		}
	}
	if part, err = b.Build(); err == nil {
		part.Path, part.Labels, part.Names = t.Path, t.Labels, t.Names
	}
	return part, rows, err
}

// keepEvents keeps the events of a range, line by line.
func keepEvents(b *prv.Builder, thread int32, e *prv.Events, from, to int64) {
	var pairs []prv.Pair
	for k := range e.Len() {
		if at := e.Time[k]; at >= from && (at < to || at == to && e.Value.At(k) == 0) {
			pairs = append(pairs, prv.Pair{Type: e.Type[k], Value: e.Value.At(k)})
		}
		if last := k+1 == e.Len() || e.Lines.Has(k+1); last && len(pairs) > 0 {
			b.Event(thread, 0, e.Time[k]-from, pairs...)
			pairs = pairs[:0]
		}
	}
}
