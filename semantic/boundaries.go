package semantic

import (
	"sort"

	"pview/prv"
)

// Boundaries are the records at which the thread function of a window begins bursts of a
// thread, in Paraver's order. They tell to which of several bursts that meet at one time
// a message belongs: it is that during which its record is read.
type Boundaries struct {
	time []int64
	kind []markKind
}

// Boundaries returns those of a thread, nil for a derived window, which listens to no
// records.
func (e *Evaluator) Boundaries(thread int32) *Boundaries {
	if e.derived != nil {
		return nil
	}
	m := e.threadOf(thread).marks(e.calls[prv.LevelThread].thread.listen)
	b := &Boundaries{time: m.time[1:]}
	if m.kind != nil {
		b.kind = m.kind[1:]
	}
	return b
}

// Begin returns when the burst begins to which a message belongs, given the role in which
// it counts and the time of that.
func (b *Boundaries) Begin(c *prv.Comms, i int, r prv.Role, t int64) int64 {
	sent := c.Times[prv.LogicalSend][i]
	n := sort.Search(len(b.time), func(k int) bool { return b.time[k] > t || b.time[k] == t && !b.precedes(k, r, sent) })
	if n == 0 {
		return 0
	}
	return b.time[n-1]
}

// precedes reports whether a boundary is read before the record of a message at the same
// time. The record that ends a burst still belongs to it. An event and a logical receive
// have no order but that of the file, in which a message stands where it is sent.
func (b *Boundaries) precedes(k int, r prv.Role, sent int64) bool {
	kind, own := event, ownSend+markKind(r)
	if b.kind != nil {
		kind = b.kind[k]
	}
	if kind == event && own == ownRecv {
		return sent >= b.time[k]
	}
	return kindOrder[kind] < kindOrder[own]
}
