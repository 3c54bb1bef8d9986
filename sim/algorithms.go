package sim

// The algorithms of collective operations.

import (
	"math/bits"
	"slices"
)

// Algorithm is an entry of Algorithms.
type Algorithm struct {
	Name, Doc string
	// Ops are the supported operations; nil: all.
	Ops []CollectiveOp

	steps func(s *situation) []exchange
}

// situation is an operation as one participant sees it.
type situation struct {
	o       *operation
	n, own  int
	op      CollectiveOp
	barrier int64
}

// The operations by number.
const (
	opBarrier CollectiveOp = iota
	opBcast
	opGather
	opGatherv
	opScatter
	opScatterv
	opAllgather
	opAllgatherv
	opAlltoall
	opAlltoallv
	_ // OpReduce
	opAllreduce
	opReduceScatter
	opReduceScatterBlock
	opScan
	opAlltoallw
)

// Algorithms are the algorithms by which operations become messages; the first is PUPPET's.
var Algorithms = []Algorithm{
	{"direct",
		"from the root to each, from each to the root, or from each to each other; Allreduce and Reduce_scatter by " +
			"way of the first task", nil, directSteps},
	{"binomial", "a binomial tree: the number of those that have it doubles with each step",
		[]CollectiveOp{opBcast, OpReduce, opAllreduce, opBarrier, opGather, opScatter}, binomialSteps},
	{"recursive-doubling",
		"with partners at distance 1, 2, 4, ...; those beyond a power of two hand their part to one below",
		[]CollectiveOp{opBarrier, opAllreduce, opAllgather}, doublingSteps},
	{"dissemination", "to the task at distance 1, 2, 4, ... of a ring, any number of tasks",
		[]CollectiveOp{opBarrier, opAllgather}, disseminationSteps},
	{"ring", "around a ring, a part at a time",
		[]CollectiveOp{opAllgather, opAllreduce, opReduceScatter, opReduceScatterBlock}, ringSteps},
	{"rabenseifner", "reduce-scatter by halving, then allgather by doubling", []CollectiveOp{opAllreduce},
		rabenseifnerSteps},
	{"pairwise", "with one partner after the other, at distance 1, 2, 3, ...",
		[]CollectiveOp{opAlltoall, opAlltoallv, opAlltoallw}, pairwiseSteps},
}

func (a *Algorithm) takes(op CollectiveOp) bool { return a.Ops == nil || slices.Contains(a.Ops, op) }

// AlgorithmByName finds an algorithm of an operation.
func AlgorithmByName(name string, op CollectiveOp) (uint8, bool) {
	i := slices.IndexFunc(Algorithms, func(a Algorithm) bool { return a.Name == name && a.takes(op) })
	return uint8(max(i, 0)), i >= 0
}

// sent returns the bytes that a participant contributes.
func (s *situation) sent(from int) int64 {
	if s.op == opBarrier {
		return s.barrier
	}
	return s.o.calls[from].call.Sent
}

// toPeer returns the bytes that a participant sends to each other, in an operation with separate data for each.
func (s *situation) toPeer(from, to int) int64 {
	c := s.o.calls[from]
	switch {
	case len(c.sizes) == s.n:
		return c.sizes[to]
	case s.op == opScatterv || s.op == opAlltoallv || s.op == opAlltoallw || s.op == opReduceScatter:
		return c.call.Sent / int64(s.n) // the sum is known
	}
	return s.sent(from)
}

// others returns all positions except one.
func (s *situation) others(but int) (list []int) {
	for i := range s.n {
		if i != but {
			list = append(list, i)
		}
	}
	return list
}

// fanIn returns a message of size(i) from each to the root.
func (s *situation) fanIn(root int, size func(from int) int64) exchange {
	if s.own == root {
		return exchange{from: s.others(root)}
	}
	return exchange{to: []parcel{{root, size(s.own)}}}
}

// fanOut returns a message of size(i) from the root to each.
func (s *situation) fanOut(root int, size func(to int) int64) (e exchange) {
	if s.own != root {
		return exchange{from: []int{root}}
	}
	for _, i := range s.others(root) {
		e.to = append(e.to, parcel{i, size(i)})
	}
	return e
}

func directSteps(s *situation) []exchange {
	root := s.o.root
	switch s.op {
	case opBcast:
		return []exchange{s.fanOut(root, func(int) int64 { return s.sent(root) })}
	case opScatter, opScatterv:
		return []exchange{s.fanOut(root, func(to int) int64 { return s.toPeer(root, to) })}
	case opGather, opGatherv, OpReduce:
		return []exchange{s.fanIn(root, s.sent)}
	case opAllreduce:
		return []exchange{s.fanIn(0, s.sent), s.fanOut(0, func(int) int64 { return s.sent(0) })}
	case opReduceScatter, opReduceScatterBlock:
		return []exchange{s.fanIn(0, s.sent), s.fanOut(0, func(to int) int64 { return s.slice(to) })}
	case opScan:
		var e exchange
		for i := range s.own {
			e.from = append(e.from, i)
		}
		for i := s.own + 1; i < s.n; i++ {
			e.to = append(e.to, parcel{i, s.sent(s.own)})
		}
		return []exchange{e}
	}
	e := exchange{from: s.others(s.own)}
	for _, i := range s.others(s.own) {
		e.to = append(e.to, parcel{i, s.toPeer(s.own, i)})
	}
	return []exchange{e}
}

// slice returns the part of a reduced vector that a task keeps.
func (s *situation) slice(of int) int64 {
	if c := s.o.calls[0]; len(c.sizes) == s.n {
		return c.sizes[of]
	}
	return s.sent(0) / int64(s.n)
}

// binomial returns the tree over positions relative to a root: task v > 0 hangs under v without its lowest bit.
func (s *situation) binomial(root int) (parent int, children []int) {
	v := (s.own - root + s.n) % s.n
	low := v & -v
	if v == 0 {
		low = 1 << bits.Len(uint(s.n-1))
	}
	for bit := low >> 1; bit > 0; bit >>= 1 { // the largest subtree first
		if v+bit < s.n {
			children = append(children, (v+bit+root)%s.n)
		}
	}
	return (v - low + s.n + root) % s.n, children
}

// below returns the number of tasks in the subtree of a child.
func (s *situation) below(root, child int) int64 {
	v := (child - root + s.n) % s.n
	if v == 0 {
		return int64(s.n)
	}
	return int64(min(v&-v, s.n-v))
}

// down forwards a message from the root; up collects one towards it.
func (s *situation) down(root int, size func(child int) int64) (steps []exchange) {
	parent, children := s.binomial(root)
	if s.own != root {
		steps = append(steps, exchange{from: []int{parent}})
	}
	var e exchange
	for _, c := range children {
		e.to = append(e.to, parcel{c, size(c)})
	}
	return append(steps, e)
}

func (s *situation) up(root int, size func(child int) int64) (steps []exchange) {
	parent, children := s.binomial(root)
	for _, c := range slices.Backward(children) { // the smallest subtree is ready first
		steps = append(steps, exchange{from: []int{c}})
	}
	if s.own != root {
		steps = append(steps, exchange{to: []parcel{{parent, size(s.own)}}})
	}
	return steps
}

func binomialSteps(s *situation) []exchange {
	root := s.o.root
	switch s.op {
	case opBcast:
		return s.down(root, func(int) int64 { return s.sent(root) })
	case OpReduce:
		return s.up(root, s.sent)
	case opGather:
		return s.up(root, func(c int) int64 { return s.sent(c) * s.below(root, c) })
	case opScatter:
		return s.down(root, func(c int) int64 { return s.sent(root) * s.below(root, c) })
	}
	size := func(int) int64 { return s.sent(0) }
	return append(s.up(0, size), s.down(0, size)...)
}

// doublingSteps: if the number of tasks is not a power of two, the last ones take part through lower ones.
func doublingSteps(s *situation) (steps []exchange) {
	whole := 1 << (bits.Len(uint(s.n)) - 1)
	rest := s.n - whole
	size := s.sent(s.own)
	total := size
	if s.op == opAllgather {
		total = size * int64(s.n)
	}
	if s.own >= whole {
		return []exchange{{to: []parcel{{s.own - whole, size}}}, {from: []int{s.own - whole}}}
	}
	if s.own < rest {
		steps = append(steps, exchange{from: []int{s.own + whole}})
	}
	for d := 1; d < whole; d *= 2 {
		peer := s.own ^ d
		have := size
		if s.op == opAllgather {
			have = size * s.holding(s.own, d, rest)
		}
		steps = append(steps, exchange{from: []int{peer}, to: []parcel{{peer, have}}})
	}
	if s.own < rest {
		steps = append(steps, exchange{to: []parcel{{s.own + whole, total}}})
	}
	return steps
}

// holding returns the number of contributions in the block of d tasks around one, including those handed in.
func (s *situation) holding(own, d, rest int) int64 {
	first := own / d * d
	return int64(d + max(0, min(first+d, rest)-first))
}

// disseminationSteps: after the step at distance d a task has the contributions of 2d tasks, or all.
func disseminationSteps(s *situation) (steps []exchange) {
	for d := 1; d < s.n; d *= 2 {
		size := s.sent(s.own)
		if s.op == opAllgather {
			size *= int64(min(d, s.n-d))
		}
		steps = append(steps, exchange{from: []int{(s.own - d + s.n) % s.n}, to: []parcel{{(s.own + d) % s.n, size}}})
	}
	return steps
}

// ringSteps: n-1 steps gather or reduce; Allreduce does one after the other.
func ringSteps(s *situation) (steps []exchange) {
	size := s.sent(s.own)
	rounds := s.n - 1
	if s.op != opAllgather {
		size = (size + int64(s.n) - 1) / int64(s.n)
	}
	if s.op == opAllreduce {
		rounds *= 2
	}
	for range rounds {
		steps = append(steps, exchange{from: []int{(s.own - 1 + s.n) % s.n}, to: []parcel{{(s.own + 1) % s.n, size}}})
	}
	return steps
}

// rabenseifnerSteps: each halving sends half of what is left, each doubling what has been gathered.
func rabenseifnerSteps(s *situation) (steps []exchange) {
	whole := 1 << (bits.Len(uint(s.n)) - 1)
	rest := s.n - whole
	size := s.sent(s.own)
	if s.own >= whole {
		return []exchange{{to: []parcel{{s.own - whole, size}}}, {from: []int{s.own - whole}}}
	}
	if s.own < rest {
		steps = append(steps, exchange{from: []int{s.own + whole}})
	}
	for d := 1; d < whole; d *= 2 {
		peer := s.own ^ d
		steps = append(steps, exchange{from: []int{peer}, to: []parcel{{peer, size / int64(2*d)}}})
	}
	for d := whole / 2; d >= 1; d /= 2 {
		peer := s.own ^ d
		steps = append(steps, exchange{from: []int{peer}, to: []parcel{{peer, size / int64(2*d)}}})
	}
	if s.own < rest {
		steps = append(steps, exchange{to: []parcel{{s.own + whole, size}}})
	}
	return steps
}

func pairwiseSteps(s *situation) (steps []exchange) {
	for d := 1; d < s.n; d++ {
		to := (s.own + d) % s.n
		steps = append(steps, exchange{from: []int{(s.own - d + s.n) % s.n}, to: []parcel{{to, s.toPeer(s.own, to)}}})
	}
	return steps
}
