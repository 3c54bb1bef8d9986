// Finding the communications in view.
//
// A view of a short interval of a trace with ten million messages must not visit them all, and must still find the one
// that was sent long before the interval and arrives long after it. Each sending thread's messages are in the order of
// their send time, as in prv.Thread.Comm (whose slices are used as they are unless messages were filtered). Above each
// block of 64 is the latest receive time in it, above 64 blocks the latest of those, and so on:
//
//	sends     3  5  8 | 9 12 14 | 20 21 ..      (blocks of 3 here)
//	receives  7 30  9 | 10 13 19 | 25 22 ..
//	latest      30    |    19    |   25
//
// The messages in transit in [begin, end) are those sent before end whose receive is not before begin: a prefix found
// by binary search, in which blocks that end before begin are skipped. This is O(log n) per thread, and per message
// found.
//
// Messages that arrive before they are sent, which skewed clocks produce, would break the order. They are few; each
// thread has a separate list of them, with the roles of the two times exchanged.
//
// Counting visits no message: the number of messages that touch the interval is the number that begin before its end,
// minus the number that end before its begin.

package raster

import (
	"slices"
	"sort"

	"pview/prv"
)

// CommKind is a kind of communication line.
type CommKind uint8

// The kinds: from the call of send to the call of receive, and from when the data leaves to when it arrives.
const (
	LogicalLine CommKind = iota
	PhysicalLine
)

// Roles returns the roles of the two ends of a line.
func (k CommKind) Roles() (send, recv prv.Role) {
	if k == PhysicalLine {
		return prv.PhysicalSend, prv.PhysicalRecv
	}
	return prv.LogicalSend, prv.LogicalRecv
}

// CommIndex finds the communications that touch an interval of time without
// visiting the others. Build it once per (trace, filter, objects), in the
// background; it is immutable and safe for concurrent use.
type CommIndex struct {
	tr    *prv.Trace
	kinds [2]kindIndex
}

// kindIndex is the index of one kind of line.
type kindIndex struct {
	starts []commList // by thread, sorted by the earlier time; forward and backward messages separately
	ends   []commEnds
}

// commList is a list of messages sorted by one time (low), with the latest of the other time (high) per block, per
// block of blocks, and so on.
type commList struct {
	messages  []int32
	low, high []int64 // columns of the trace, by message
	latest    [][]int64
}

// commEnds is a list of messages sorted by the time at which they end.
type commEnds struct {
	messages []int32
	high     []int64
}

const (
	blockBits = 6
	blockSize = 1 << blockBits
)

// NewCommIndex returns the index of the communications of tr that keep accepts; nil accepts all. It calls keep once per
// message.
func NewCommIndex(tr *prv.Trace, keep func(i int32) bool) *CommIndex {
	ci := &CommIndex{tr: tr}
	var kept prv.Bits
	if keep != nil {
		kept = bitsOf(tr.Comms.Len(), keep)
	}
	for k := range ci.kinds {
		ci.kinds[k] = newKindIndex(tr, CommKind(k), kept)
	}
	return ci
}

// newKindIndex returns the index of one kind of line; nil kept keeps all.
func newKindIndex(tr *prv.Trace, kind CommKind, kept prv.Bits) (x kindIndex) {
	sendRole, recvRole := kind.Roles()
	send, recv := tr.Comms.Times[sendRole], tr.Comms.Times[recvRole]
	forward, backward := kept, prv.Bits(nil)
	late := bitsOf(tr.Comms.Len(), func(i int32) bool {
		return recv[i] < send[i] && (kept == nil || kept.Has(int(i)))
	})
	if late.Count() > 0 {
		backward = late
		forward = bitsOf(tr.Comms.Len(), func(i int32) bool {
			return !late.Has(int(i)) && (kept == nil || kept.Has(int(i)))
		})
	}
	for t := range tr.Threads {
		sent, received := tr.Threads[t].Comm[sendRole], tr.Threads[t].Comm[recvRole]
		x.add(commList{messages: selectFrom(sent, forward), low: send, high: recv}, selectFrom(received, forward))
		if backward != nil {
			x.add(commList{messages: selectFrom(received, backward), low: recv, high: send}, selectFrom(sent, backward))
		}
	}
	return x
}

// bitsOf returns the set of those of the first n messages that has accepts.
func bitsOf(n int, has func(i int32) bool) prv.Bits {
	b := prv.NewBits(n)
	for i := range int32(n) {
		if has(i) {
			b.Set(int(i))
		}
	}
	return b
}

// add adds starts, lists of messages by their earlier time, and ends, messages by their later time.
func (x *kindIndex) add(starts commList, ends []int32) {
	if len(starts.messages) > 0 {
		starts.build()
		x.starts = append(x.starts, starts)
	}
	if len(ends) > 0 {
		x.ends = append(x.ends, commEnds{ends, starts.high})
	}
}

// selectFrom returns the elements that are in a set; if the set is nil, which means all, it returns the slice itself.
func selectFrom(list []int32, set prv.Bits) []int32 {
	if set == nil {
		return list
	}
	n := 0
	for _, i := range list {
		if set.Has(int(i)) {
			n++
		}
	}
	kept := make([]int32, 0, n)
	for _, i := range list {
		if set.Has(int(i)) {
			kept = append(kept, i)
		}
	}
	return kept
}

// build fills latest.
func (l *commList) build() {
	level := make([]int64, (len(l.messages)+blockSize-1)/blockSize)
	for b := range level {
		first := b * blockSize
		level[b] = l.high[l.messages[first]]
		for _, m := range l.messages[first:min(first+blockSize, len(l.messages))] {
			level[b] = max(level[b], l.high[m])
		}
	}
	for l.latest = append(l.latest, level); len(level) > blockSize; {
		above := make([]int64, 0, (len(level)+blockSize-1)/blockSize)
		for c := range slices.Chunk(level, blockSize) {
			above = append(above, slices.Max(c))
		}
		l.latest = append(l.latest, above)
		level = above
	}
}

// Visit calls f for every communication that is in transit at some time of [begin, end), or ends at begin. That
// includes those that begin before the interval and end after it, and those that arrive before they are sent. The order
// is by thread. It stops if f returns false, and reports whether it visited all.
func (ci *CommIndex) Visit(kind CommKind, begin, end int64, f func(i int32) bool) bool {
	starts := ci.kinds[kind].starts
	for i := range starts {
		l := &starts[i]
		n := sort.Search(len(l.messages), func(i int) bool { return l.low[l.messages[i]] >= end })
		if !l.visit(n, begin, 0, 1, f) {
			return false
		}
	}
	return true
}

// visit visits those of the first n messages that end at begin or later; of the list, only every step-th message from
// first on counts.
func (l *commList) visit(n int, begin int64, first, step int, f func(i int32) bool) bool {
	top := len(l.latest) - 1
	return l.visitBlocks(top, 0, len(l.latest[top]), n, begin, first, step, f)
}

// visitBlocks visits blocks from..to-1 of a level, if they have some of the first n messages.
func (l *commList) visitBlocks(level, from, to, n int, begin int64, first, step int, f func(i int32) bool) bool {
	messages := 1 << (blockBits * (level + 1)) // per block
	for b := from; b < to && b*messages < n; b++ {
		if l.latest[level][b] < begin {
			continue
		}
		if level > 0 {
			if !l.visitBlocks(level-1, b<<blockBits, min((b+1)<<blockBits, len(l.latest[level-1])), n, begin, first,
				step, f) {
				return false
			}
			continue
		}
		for k := sampleFrom(b*blockSize, first, step); k < min((b+1)*blockSize, n); k += step {
			if m := l.messages[k]; l.high[m] >= begin && !f(m) {
				return false
			}
		}
	}
	return true
}

// Count returns how many communications Visit would visit.
func (ci *CommIndex) Count(kind CommKind, begin, end int64) int {
	n := 0
	x := &ci.kinds[kind]
	for i := range x.starts {
		l := &x.starts[i]
		n += sort.Search(len(l.messages), func(i int) bool { return l.low[l.messages[i]] >= end })
	}
	for i := range x.ends {
		l := &x.ends[i]
		n -= sort.Search(len(l.messages), func(i int) bool { return l.high[l.messages[i]] >= begin })
	}
	return max(n, 0)
}

// sampleFrom returns the first of first, first+step, first+2*step ... that is at least i; 0 <= first < step.
func sampleFrom(i, first, step int) int {
	if i <= first {
		return first
	}
	return i + (step-(i-first)%step)%step
}

// sample calls f for one in step of the messages that Visit visits: the same messages for every interval.
func (ci *CommIndex) sample(kind CommKind, begin, end int64, step int, f func(i int32)) {
	for list := range ci.kinds[kind].starts {
		l := &ci.kinds[kind].starts[list]
		const spread = 7919 // keeps short lists from always contributing their first messages
		first := list * spread % step
		at := func(t int64) int {
			return sort.Search(len(l.messages), func(i int) bool { return l.low[l.messages[i]] >= t })
		}
		here := at(begin) // messages before it have begun earlier: some are still in transit
		l.visit(here, begin, first, step, func(i int32) bool { f(i); return true })
		for i, n := sampleFrom(here, first, step), at(end); i < n; i += step {
			f(l.messages[i])
		}
	}
}
