package replay

// A changed run as a trace: the records of each thread keep their order and move with its nodes.

import (
	"context"
	"sort"

	"pview/insight/eventgraph"
	"pview/prv"
)

// clock maps times of a thread from the run to the changed run: between two nodes first the thread's own time, then its
// wait.
type clock struct {
	from, to []int64 // corresponding times, in order
}

// at returns the time in the changed run.
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

// clocks returns the clocks of all threads.
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

// Trace returns the run with a change, as a trace. The error is ctx's, or says what the records contradict.
func (m *Model) Trace(ctx context.Context, e *Edit) (*prv.Trace, error) {
	t, clocks, end := m.Graph.T, m.clocks(e), int64(0)
	for i := range clocks {
		end = max(end, clocks[i].at(t.Duration))
	}
	at := func(thread int32, at int64) int64 { return clocks[thread].at(at) }
	return eventgraph.Retimed(ctx, t, end, eventgraph.Times{At: at, Until: at, Change: newCounted(t, at).change})
}
