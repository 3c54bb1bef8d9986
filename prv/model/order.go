package model

// The time order of records.

import (
	"context"
	"slices"

	"pview/prv/parallel"
)

// Sort sorts the states by begin; FileOrder keeps their order in the file.
func (c *States) Sort() {
	order := c.FileOrder
	timeOrder(order, c.Begin)
	permute(c.Begin, order)
	permute(c.End, order)
	permute(c.Value, order)
	permute(c.CPU, order)
}

// Sort sorts the events by time.
func (c *Events) Sort() {
	order := make([]int32, len(c.Time))
	timeOrder(order, c.Time)
	permute(c.Time, order)
	permute(c.Type, order)
	permute(c.Value.Small, order)
	permute(c.CPU, order)
	lines := NewBits(len(order))
	for i, from := range order {
		if c.Lines.Has(int(from)) {
			lines.Set(i)
		}
	}
	c.Lines = lines
}

// timeOrder fills order with the row numbers, sorted stably by time.
func timeOrder(order []int32, times []int64) {
	for i := range order {
		order[i] = int32(i)
	}
	sortByTime(order, times)
}

// sortByTime sorts row numbers by time; those of the same time keep their order. Traces are nearly in order, but not
// quite (a message is placed at its physical send, a buffer was flushed late), so the sorted run at the start is kept
// and each later row is moved back to its place, until that has cost more than a full sort.
func sortByTime(rows []int32, times []int64) {
	budget := 8 * len(rows)
	for i := 1; i < len(rows); i++ {
		row, at := rows[i], times[rows[i]]
		j := i
		for j > 0 && times[rows[j-1]] > at {
			rows[j] = rows[j-1]
			j--
		}
		rows[j] = row
		if budget -= i - j; budget < 0 {
			slices.SortStableFunc(rows, func(a, b int32) int {
				switch {
				case times[a] < times[b]:
					return -1
				case times[a] > times[b]:
					return 1
				}
				return 0
			})
			return
		}
	}
}

// permute puts the rows of a column, if there is one, in the given order.
func permute[T any](col []T, order []int32) {
	if col == nil {
		return
	}
	// Traces are nearly in order: only rows that move are copied.
	first, last := 0, len(order)
	for first < last && int(order[first]) == first {
		first++
	}
	for last > first && int(order[last-1]) == last-1 {
		last--
	}
	moved := make([]T, last-first)
	for i, from := range order[first:last] {
		moved[i] = col[from]
	}
	copy(col[first:], moved)
}

// DropConstantCPUs drops the CPU columns of communications that repeat Thread.CPU: the columns are made just in case.
func (t *Trace) DropConstantCPUs() {
	c := &t.Comms
	for i := range c.SendCPU {
		if c.SendCPU[i] != t.Threads[c.Send[i]].CPU || c.RecvCPU[i] != t.Threads[c.Recv[i]].CPU {
			return
		}
	}
	c.SendCPU, c.RecvCPU = nil, nil
}

// OrderComms fills Thread.Comm: the communications of each thread, per role.
func (t *Trace) OrderComms(ctx context.Context, orders *[4][]int32, workers int) error {
	return parallel.Each(ctx, 2, workers, func(_, i int) error {
		if i == 0 {
			return t.orderSide(ctx, orders, LogicalSend, t.Comms.Send)
		}
		return t.orderSide(ctx, orders, LogicalRecv, t.Comms.Recv)
	})
}

// orderSide fills the orders of the two roles of one end, logical and physical; threads are the threads at that end.
// Identical orders share memory, unless both already have columns.
func (t *Trace) orderSide(ctx context.Context, orders *[4][]int32, logical Role, threads []int32) error {
	physical := logical + 1
	counts := make([]int32, len(t.Threads)+1)
	for _, th := range threads {
		counts[th+1]++
	}
	for i := 1; i < len(counts); i++ {
		counts[i] += counts[i-1]
	}
	if orders[physical] == nil {
		orders[physical] = make([]int32, len(threads))
	}
	rows, both := orders[physical], orders[logical] != nil
	sides := make([]side, len(t.Threads))
	for i := range sides {
		sides[i].next = counts[i]
	}
	times := [2][]int64{t.Comms.Times[logical][:len(threads)], t.Comms.Times[physical][:len(threads)]}
	for i, th := range threads {
		s := &sides[th]
		rows[s.next] = int32(i)
		s.next++
		for k := range times {
			at := times[k][i]
			s.disordered[k] = s.disordered[k] || at < s.last[k]
			s.last[k] = at
		}
	}
	for i := range t.Threads {
		if i&1023 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		own := rows[counts[i]:counts[i+1]:counts[i+1]]
		if len(own) == 0 {
			continue
		}
		disordered := sides[i].disordered
		first := own
		if both {
			first = orders[logical][counts[i]:counts[i+1]:counts[i+1]]
			copy(first, own)
		} else if disordered[0] || disordered[1] {
			first = slices.Clone(own)
		}
		t.Threads[i].Comm[physical], t.Threads[i].Comm[logical] = own, first
		if disordered[0] {
			sortByTime(first, times[0])
		}
		if disordered[1] {
			sortByTime(own, times[1])
		}
		if both && disordered == [2]bool{} {
			t.Threads[i].Comm[logical] = own
		}
	}
	return nil
}

// side is the state of ordering a thread's communications at one end.
type side struct {
	next       int32    // place of the next row
	last       [2]int64 // logical and physical time of the previous one
	disordered [2]bool  // one is earlier than the previous one
}

// Inverse returns the inverse of a permutation, nil for nil.
func Inverse(p []int32) []int32 {
	if p == nil {
		return nil
	}
	inv := make([]int32, len(p))
	for i, at := range p {
		inv[at] = int32(i)
	}
	return inv
}
