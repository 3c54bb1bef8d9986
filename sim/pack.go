package sim

import (
	"context"
	"math/bits"
	"slices"
)

// Packer makes threads small: equal values, messages and collective calls of a thread become one row. Its memory is
// reused from thread to thread. The zero value is ready.
type Packer struct {
	values   rowTable[uint64]
	messages rowTable[messageKey]
	calls    rowTable[CollectiveCall]
}

// messageKey decides whether two records have the same message. Linking numbers streams of messages by their direction,
// which follows from the kind.
type messageKey struct {
	Message
	Handling
	direction Kind
}

func directionOf(k Kind) Kind {
	switch {
	case k.IsSend():
		return Send
	case k >= Recv && k <= Probe:
		return Recv
	}
	return k
}

// Pack returns a copy of the thread whose equal rows are shared. Its rows are numbered in the order of their first use.
// The error is ctx.Err().
func (p *Packer) Pack(ctx context.Context, t *Thread) (Thread, error) {
	n := len(t.kind)
	p.values.reset(min(n, len(t.values)))
	p.messages.reset(min(n, len(t.Messages)))
	p.calls.reset(min(n, len(t.Collectives)))
	out := Thread{packed: true, kind: slices.Clone(t.kind), types: slices.Clone(t.types), arg: make([]uint32, n)}
	for row, k := range t.kind {
		if row&0x1ff == 0 && ctx.Err() != nil {
			return Thread{}, ctx.Err()
		}
		switch {
		case k == otherEvent:
			out.arg[row] = p.values.add(t.values[t.arg[row]])
			p.values.add(t.values[t.arg[row]+1])
		case k == Compute || k >= ReactiveEvent:
			if out.arg[row] = t.arg[row]; t.arg[row]&inPlace == 0 {
				v := t.values[t.arg[row]]
				out.arg[row] = p.values.row(v, v)
			}
		case k.HasMessage():
			m := messageKey{*t.Message(row), t.Handled(row), directionOf(k)}
			out.arg[row] = p.messages.row(m, folded(uint64(m.Size)^uint64(m.Tag)<<20,
				uint64(m.Match)<<32^uint64(m.Peer)<<8^uint64(m.direction)^mixing))
		case k.IsCollective():
			c := t.Call(row)
			if sizes := t.CallSizes(row); sizes != nil {
				out.arg[row] = p.calls.add(*c)
				out.setSizes(out.arg[row], sizes)
				continue
			}
			out.arg[row] = p.calls.row(*c,
				uint64(c.Sent)^uint64(c.Received)<<20^uint64(c.Communicator)<<40^uint64(c.Op)<<56)
		}
	}
	out.values, out.Collectives = slices.Clone(p.values.rows), slices.Clone(p.calls.rows)
	p.keepMessages(t, &out)
	return out, nil
}

// keepMessages copies the messages and their handling.
func (p *Packer) keepMessages(t, out *Thread) {
	out.Messages = make([]Message, len(p.messages.rows))
	if t.Handling != nil {
		out.Handling = make([]Handling, len(out.Messages))
	}
	for i := range p.messages.rows {
		out.Messages[i] = p.messages.rows[i].Message
		if t.Handling != nil {
			out.Handling[i] = p.messages.rows[i].Handling
		}
	}
}

func (t *Thread) setSizes(row uint32, sizes []int64) {
	if t.Sizes == nil {
		t.Sizes = map[uint32][]int64{}
	}
	t.Sizes[row] = sizes
}

// rowTable finds an equal row among those used last. It forgets others: a table of all values of a thread, most of
// which may be different bursts, would take more memory than it saves.
type rowTable[K comparable] struct {
	rows  []K
	slots [][2]uint32 // row + 1, the last one used first; 0: free
}

// mostSlots is half the maximum number of remembered rows.
const mostSlots = 1 << 13

// reset prepares the table for a thread with at most n rows.
func (t *rowTable[K]) reset(n int) {
	size := 1 << bits.Len(uint(min(n, mostSlots-1)))
	t.rows, t.slots = t.rows[:0], slices.Grow(t.slots[:0], size)[:size]
	clear(t.slots)
}

func (t *rowTable[K]) add(k K) uint32 {
	t.rows = append(t.rows, k)
	return uint32(len(t.rows) - 1)
}

const mixing = 0x9e3779b97f4a7c15

// row returns a row that equals k; the hash decides where to look for it.
func (t *rowTable[K]) row(k K, hashed uint64) uint32 {
	slot := &t.slots[folded(hashed, mixing)&uint64(len(t.slots)-1)]
	if i := slot[0]; i != 0 && t.rows[i-1] == k {
		return i - 1
	}
	if i := slot[1]; i != 0 && t.rows[i-1] == k {
		slot[0], slot[1] = i, slot[0]
		return i - 1
	}
	i := t.add(k)
	slot[0], slot[1] = i+1, slot[0]
	return i
}
