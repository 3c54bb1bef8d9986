package semantic

import (
	"context"
	"slices"
	"sort"

	"pview/prv"
)

// Boundaries are the records at which the thread function of a window begins bursts of a thread, in Paraver's order.
// They decide which of several bursts that meet at one time a message belongs to: the burst during which its record is
// read.
type Boundaries struct {
	time []int64
	kind []markKind
}

// Boundaries returns a thread's boundaries; nil for a derived window and for functions that listen to no records.
func (e *Evaluator) Boundaries(thread int32) *Boundaries {
	if e.derived != nil || e.isFound() {
		return nil
	}
	m := e.threadOf(thread).marks(e.calls[prv.LevelThread].thread.listen)
	b := &Boundaries{time: m.time[1:]}
	if m.kind != nil {
		b.kind = m.kind[1:]
	}
	return b
}

// Begin returns the start of the burst that a message belongs to, and how many earlier bursts of the thread start at
// that time. The message counts in role r at time t.
func (b *Boundaries) Begin(c *prv.Comms, i int, r prv.Role, t int64) (begin int64, before int) {
	sent := c.Times[prv.LogicalSend][i]
	n := sort.Search(len(b.time), func(k int) bool {
		return b.time[k] > t || b.time[k] == t && !b.precedes(k, r, sent)
	})
	if n == 0 {
		return 0, 0
	}
	begin = b.time[n-1]
	for k := n - 2; k >= 0 && b.time[k] == begin; k-- {
		before++
	}
	return begin, before
}

// precedes reports whether a boundary is read before the record of a message at the same time. The record that ends a
// burst still belongs to it. An event and a logical receive keep the order of the file, which has a message where it is
// sent.
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

// ReadAhead finds the burst of a row with which a message is read, in windows that join bursts. Join Bursts notices the
// end of a burst only after it has read the next one below, with its records. So the first burst below is read with the
// joined one before:
//
//	below     |--1--|--1--|--2--|--2--|--3--|
//	joined    |-----1-----|-----2-----|--3--|
//	read with |        1        |     2     |
type ReadAhead []joining

// joining is one Join Bursts: the starts of the bursts below it, and of the bursts with which these are read.
type joining struct{ below, read []int64 }

// Joins reports whether the window joins bursts, at its level or on top.
func (e *Evaluator) Joins() bool {
	return slices.ContainsFunc(e.composes(), func(c bound) bool { return c.joins })
}

// composes returns the composes of the window's level and on top, in order.
func (e *Evaluator) composes() []bound { return append([]bound{e.comp[e.level]}, e.tops...) }

// ReadAhead returns a row's ReadAhead.
func (e *Evaluator) ReadAhead(ctx context.Context, row int) (r ReadAhead, err error) {
	defer catch(&err)
	below := *e
	below.comp[e.level] = bound{Entry: &composeTable[0]} // As Is
	b, err := below.row(ctx, e.level, row)
	if err != nil {
		return nil, err
	}
	for _, c := range e.composes() {
		if c.joins {
			r = append(r, newJoining(&b))
		}
		c.compose(&b, c.p, e.clock)
	}
	return r, nil
}

func newJoining(b *bursts) joining {
	j := joining{below: slices.Clone(b.begin), read: make([]int64, len(b.begin))}
	first, before := 0, 0 // bursts below at which the joined burst, and the joined burst before it, begin
	for k, v := range b.value {
		if v != b.value[first] {
			first, before = k, first
		}
		j.read[k] = b.begin[first]
		if k == first {
			j.read[k] = b.begin[before]
		}
	}
	return j
}

// With returns the start of the burst with which a message is read. The message's burst below starts at begin and is
// the n-th (from 0) to start then.
func (r ReadAhead) With(begin int64, n int) int64 {
	for _, j := range r {
		k, ok := slices.BinarySearch(j.below, begin)
		if !ok {
			k = max(k-1, 0)
		} else if k+n < len(j.below) && j.below[k+n] == begin {
			k += n
		}
		begin, n = j.read[k], 0
	}
	return begin
}
