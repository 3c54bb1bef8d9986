package replay

// A changed run as a trace: the records of each thread keep their order and move with its nodes.

import (
	"context"
	"sort"

	"pview/prv"
)

// clock maps times of a thread from the run to the changed run: between two nodes first what the thread takes for
// itself, then its wait.
type clock struct {
	from, to []int64 // times that belong together, in order
}

// at is the time in the changed run.
func (c *clock) at(t int64) int64 {
	k := sort.Search(len(c.from), func(k int) bool { return c.from[k] > t }) - 1
	if k < 0 {
		return t
	}
	if k+1 == len(c.from) {
		return c.to[k] + t - c.from[k]
	}
	was, is := c.from[k+1]-c.from[k], c.to[k+1]-c.to[k]
	return c.to[k] + int64(float64(t-c.from[k])*float64(is)/float64(was))
}

func (c *clock) add(from, to int64) {
	if n := len(c.from); n > 0 && from <= c.from[n-1] {
		c.to[n-1] = max(c.to[n-1], to)
		return
	}
	c.from, c.to = append(c.from, from), append(c.to, to)
}

// clocks are those of all threads.
func (m *Model) clocks(e *Edit) []clock {
	now, own := m.Times(e), column(m.Own, e.own, e.owns)
	if own == nil {
		own = m.Own
	}
	all := make([]clock, len(m.nodes))
	for th, list := range m.nodes {
		c := &all[th]
		c.add(0, 0)
		was, is := int64(0), int64(0)
		for _, n := range list {
			if first := m.Own[n]; first > 0 && was+first < m.Time[n] {
				c.add(was+first, is+own[n])
			}
			c.add(m.Time[n], now[n])
			was, is = m.Time[n], now[n]
		}
	}
	return all
}

// Trace is the run with a change, as a trace. The error is that of ctx, or says what the records contradict.
func (m *Model) Trace(ctx context.Context, e *Edit) (*prv.Trace, error) {
	t := m.Graph.T
	clocks := m.clocks(e)
	h := prv.Header{Date: t.Date, Unit: t.Unit, Resources: t.Resources, Communicators: t.Communicators}
	for i := range clocks {
		h.End = max(h.End, clocks[i].at(t.Duration))
	}
	b := prv.NewBuilder(h)
	for i := range t.Threads {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		th, c := &t.Threads[i], &clocks[i]
		s := &th.States
		for k := range s.Len() {
			end := s.End[k]
			if end == prv.NoEnd {
				end = t.Duration
				if k+1 < s.Len() {
					end = s.Begin[k+1]
				}
			}
			b.State(int32(i), 0, c.at(s.Begin[k]), c.at(end), s.Value[k])
		}
		ev := &th.Events
		for k := 0; k < ev.Len(); {
			first := k
			var pairs []prv.Pair
			for ; k < ev.Len() && (k == first || !ev.Lines.Has(k)); k++ {
				pairs = append(pairs, prv.Pair{Type: ev.Type[k], Value: ev.Value[k]})
			}
			b.Event(int32(i), 0, c.at(ev.Time[first]), pairs...)
		}
	}
	comms := &t.Comms
	for k := range comms.Len() {
		from, to := &clocks[comms.Send[k]], &clocks[comms.Recv[k]]
		times := [4]int64{}
		for role := range times {
			c := to
			if prv.Role(role) == prv.LogicalSend || prv.Role(role) == prv.PhysicalSend {
				c = from
			}
			times[role] = c.at(comms.Times[role][k])
		}
		b.Comm(prv.Comm{Send: comms.Send[k], Recv: comms.Recv[k], Size: comms.Size[k], Tag: comms.Tag[k], Times: times})
	}
	out, err := b.Build()
	if err == nil {
		out.Path, out.Labels, out.Names = t.Path, t.Labels, t.Names
	}
	return out, err
}
