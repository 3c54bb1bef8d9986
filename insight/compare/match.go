package compare

// Pairs the phases of two runs by the cheapest alignment of their signatures.
//
// A step of the alignment is a pair, which costs the distance of its signatures, or a phase of one run without a
// partner, which costs 1. Phases that have nothing in common are never paired. Among alignments of equal cost, the one
// with the smallest sum of differences in duration wins:
//
//	A   I  L   L   -    L  F
//	B   I  L   L   L'   L  F      L' takes 30, the others 10: L' has no partner
//
// Only cells near the diagonal are computed: an alignment that leaves a band of w cells has more than w phases without
// a partner, so one inside the band that costs at most w is optimal. Otherwise the band is doubled.

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Pair is a phase of each run; -1: none.
type Pair struct{ A, B int }

// Costs are in millionths, so that sums are exact.
const one = 1_000_000

// cost is the cost of an alignment; time breaks ties.
type cost struct{ edits, time int64 }

func (c cost) less(o cost) bool { return c.edits < o.edits || c.edits == o.edits && c.time < o.time }

var farAway = cost{math.MaxInt64 / 2, 0}

// Steps of an alignment.
const (
	pairStep byte = iota
	onlyA
	onlyB
)

// aligner aligns a stretch of two runs. Durations are in ns.
type aligner struct {
	a, b     *Run
	n, m     int // phases of the stretch
	oa, ob   int // the first of them
	distance map[[2]int]int64
	band     int
	steps    []byte // rows of A, each with the cells of the band
}

// mostSteps bounds the memory of an alignment: the band is not doubled beyond it.
const mostSteps = 256 << 20

// align returns the pairs in order. Pinned pairs, in order, are given.
func align(ctx context.Context, a, b *Run, pins []Pair) ([]Pair, error) {
	x := &aligner{a: a, b: b, distance: map[[2]int]int64{}}
	var list []Pair
	for _, pin := range append(slices.Clone(pins), Pair{len(a.phases), len(b.phases)}) {
		x.n, x.m = pin.A-x.oa, pin.B-x.ob
		if x.n < 0 || x.m < 0 {
			return nil, fmt.Errorf("phases %d and %d cannot be a pair: pairs must be in order, and none twice", pin.A+1,
				pin.B+1)
		}
		if err := x.solve(ctx); err != nil {
			return nil, err
		}
		list = x.trace(list)
		if pin.A < len(a.phases) {
			list = append(list, pin)
		}
		x.oa, x.ob = pin.A+1, pin.B+1
	}
	return list, nil
}

// solve finds the steps of the best alignment.
func (x *aligner) solve(ctx context.Context) error {
	for x.band = max(x.n-x.m, x.m-x.n) + 32; ; x.band *= 2 {
		best, err := x.fill(ctx)
		if err != nil {
			return err
		}
		if x.band >= max(x.n, x.m) || best.edits <= int64(x.band)*one || (x.n+1)*(4*x.band+1) > mostSteps {
			return nil
		}
	}
}

// of returns the distance of two phases; more than two gaps if they have nothing in common.
func (x *aligner) of(i, k int) int64 {
	key := [2]int{x.a.phases[x.oa+i].Group, x.b.phases[x.ob+k].Group}
	d, ok := x.distance[key]
	if !ok {
		d = int64(math.Round(x.a.groups[key[0]].Distance(&x.b.groups[key[1]].Signature) * one))
		if d >= one {
			d = 3 * one
		}
		x.distance[key] = d
	}
	return d
}

func (x *aligner) lengthA(i int) int64 { return x.a.phases[x.oa+i].Duration() * x.a.unit }
func (x *aligner) lengthB(k int) int64 { return x.b.phases[x.ob+k].Duration() * x.b.unit }

// fill computes the cells of the band, row by row, and returns the cost of the whole. The cell of row i and column k is
// at k-i+band.
func (x *aligner) fill(ctx context.Context) (cost, error) {
	n, m, width := x.n, x.m, 2*x.band+1
	x.steps = make([]byte, (n+1)*width)
	above, row := make([]cost, width+1), make([]cost, width+1)
	for i := 0; i <= n; i++ {
		if i&0xff == 0 && ctx.Err() != nil {
			return cost{}, ctx.Err()
		}
		for c := range row {
			row[c] = farAway
		}
		for k := max(0, i-x.band); k <= min(m, i+x.band); k++ {
			c := k - i + x.band
			row[c], x.steps[i*width+c] = x.cell(i, k, c, above, row)
		}
		above, row = row, above
	}
	return above[m-n+x.band], nil
}

// cell chooses the last step of the alignment of the first i phases with the first k.
func (x *aligner) cell(i, k, c int, above, row []cost) (best cost, step byte) {
	if i == 0 && k == 0 {
		return cost{}, pairStep
	}
	best = farAway
	if i > 0 && k > 0 {
		la, lb := x.lengthA(i-1), x.lengthB(k-1)
		best, step = cost{above[c].edits + x.of(i-1, k-1), above[c].time + max(la, lb) - min(la, lb)}, pairStep
	}
	if i > 0 { // cells outside of the band above are unreachable
		if o := (cost{above[c+1].edits + one, above[c+1].time}); o.less(best) {
			best, step = o, onlyA
		}
	}
	if k > 0 && c > 0 {
		if o := (cost{row[c-1].edits + one, row[c-1].time}); o.less(best) {
			best, step = o, onlyB
		}
	}
	return best, step
}

// trace walks back through the steps, and adds the pairs to a list.
func (x *aligner) trace(list []Pair) []Pair {
	i, k, width, first := x.n, x.m, 2*x.band+1, len(list)
	for i > 0 || k > 0 {
		step := x.steps[i*width+k-i+x.band]
		pair := Pair{-1, -1}
		if step != onlyB {
			i--
			pair.A = x.oa + i
		}
		if step != onlyA {
			k--
			pair.B = x.ob + k
		}
		list = append(list, pair)
	}
	slices.Reverse(list[first:])
	return list
}
