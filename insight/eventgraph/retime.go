package eventgraph

import (
	"context"

	"pview/prv"
)

// Times maps the times of the records of a trace to those of another one. They must increase on each thread.
type Times struct {
	At    func(thread int32, at int64) int64
	Until func(thread int32, at int64) int64 // for things that end: states, and events for which Ends is true
	Ends  func(p prv.Pair) bool              // nil: no events
	// Change changes the values of a line of events at a time, thread by thread, in order; nil: unchanged.
	Change func(thread int32, at int64, line []prv.Pair)
}

// Retimed returns a trace with other times, which lasts until end. The error is ctx's, or says what the records
// contradict.
func Retimed(ctx context.Context, t *prv.Trace, end int64, times Times) (*prv.Trace, error) {
	b := prv.NewBuilder(prv.Header{Date: t.Date, Unit: t.Unit, Resources: t.Resources,
		Communicators: t.Communicators, End: end})
	for i := range t.Threads {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		thread := int32(i)
		s := &t.Threads[i].States
		for k := range s.Len() {
			b.State(thread, 0, times.At(thread, s.Begin[k]), times.Until(thread, s.Until(k, t.Duration)), s.Value[k])
		}
		e := &t.Threads[i].Events
		for k := 0; k < e.Len(); {
			at, ends := e.Time[k], false
			var pairs []prv.Pair
			for first := k; k < e.Len() && (k == first || !e.Lines.Has(k)); k++ {
				p := prv.Pair{Type: e.Type[k], Value: e.Value.At(k)}
				pairs = append(pairs, p)
				ends = ends || times.Ends != nil && times.Ends(p)
			}
			if times.Change != nil {
				times.Change(thread, at, pairs)
			}
			if ends {
				b.Event(thread, 0, times.Until(thread, at), pairs...)
			} else {
				b.Event(thread, 0, times.At(thread, at), pairs...)
			}
		}
	}
	c := &t.Comms
	for m := range c.Len() {
		out := prv.Comm{Send: c.Send[m], Recv: c.Recv[m], Size: c.Size[m], Tag: c.Tag[m]}
		for role := range out.Times {
			thread := c.Recv[m]
			if prv.Role(role) == prv.LogicalSend || prv.Role(role) == prv.PhysicalSend {
				thread = c.Send[m]
			}
			out.Times[role] = times.At(thread, c.Times[role][m])
		}
		b.Comm(out)
	}
	out, err := b.Build()
	if err == nil {
		out.Path, out.Labels, out.Names = t.Path, t.Labels, t.Names
	}
	return out, err
}
