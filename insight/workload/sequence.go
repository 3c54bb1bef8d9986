package workload

// Sequence quality: do all ranks execute the same cluster at the same time? The sequences of clusters of the ranks are
// aligned, one rank at a time with the alignment of the previous ones (Needleman and Wunsch, in a band along the
// diagonal):
//
//	rank 1   A B C - A B C
//	rank 2   A B C - A B C      the score of a burst is the share of the other ranks with the same cluster
//	rank 3   A B C D A B -      in its column: A and B have 1, the C's of the last column 0.5, D has 0
//
// If all ranks do the same (SPMD), scores are near 1; a cluster with a low score is a fragment of a region, or code of
// few ranks.

import (
	"context"
	"math"
	"slices"

	"pview/prv/parallel"
)

// Sequences is the alignment of the ranks.
type Sequences struct {
	Threads []int32
	// Score is the mean over all bursts of clusters; Of is the mean of each cluster, and By of each cluster on each
	// rank, NaN if it has no burst there.
	Score float64
	Of    []float64
	By    [][]float64
	// Columns is the length of the alignment.
	Columns int
}

// Scores of a step of an alignment: a match scores the share of the ranks that agree.
const (
	mismatch = -1.0
	gap      = -0.5
)

// halfBand bounds the distance of an alignment from the diagonal, beyond the difference of the lengths; mostCells
// bounds its memory.
const (
	halfBand  = 200
	mostCells = 1 << 28
)

// alignedColumn counts the clusters in a column; few are different.
type alignedColumn []symbolCount

type symbolCount struct {
	class int32
	n     int32
}

func (c alignedColumn) count(class int32) int32 {
	for _, s := range c {
		if s.class == class {
			return s.n
		}
	}
	return 0
}

func (c alignedColumn) with(class int32) alignedColumn {
	for i := range c {
		if c[i].class == class {
			c[i].n++
			return c
		}
	}
	return append(c, symbolCount{class, 1})
}

// Align aligns the clusters of all ranks with bursts. Filtered bursts do not count; noise does, as a separate cluster
// without a score.
func (r *Result) Align(ctx context.Context) (*Sequences, error) {
	s := &Sequences{Score: math.NaN()}
	lists := make([][]int32, len(r.Set.Trace.Threads))
	for i, th := range r.Set.Thread {
		if th >= 0 && r.Class[i] >= ClassNoise {
			lists[th] = append(lists[th], r.Class[i])
		}
	}
	var sequences [][]int32
	for th, list := range lists {
		if len(list) > 0 {
			s.Threads, sequences = append(s.Threads, int32(th)), append(sequences, list)
		}
	}
	for range r.Clusters {
		s.Of, s.By = append(s.Of, math.NaN()), append(s.By, make([]float64, len(sequences)))
	}
	if len(sequences) < 2 {
		for c := range s.By {
			for k := range s.By[c] {
				s.By[c][k] = math.NaN()
			}
		}
		return s, nil
	}
	profile := make([]alignedColumn, 0, len(sequences[0]))
	at := make([][]int, len(sequences)) // the column of each burst
	for k, list := range sequences {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.tell("alignment", int64(k), int64(len(sequences)))
		var inserted []int
		profile, at[k], inserted = join(profile, k, list)
		shift(at[:k], inserted)
	}
	s.Columns = len(profile)
	return s, s.score(ctx, profile, sequences, at)
}

// score counts who agrees.
func (s *Sequences) score(ctx context.Context, profile []alignedColumn, sequences [][]int32, at [][]int) error {
	k := len(s.Of)
	sums, counts := make([][]float64, len(sequences)), make([][]int, len(sequences))
	err := parallel.For(ctx, len(sequences), func(rank int) error {
		sum, count := make([]float64, k), make([]int, k)
		for i, class := range sequences[rank] {
			if c := class - FirstCluster; c >= 0 {
				sum[c] += float64(profile[at[rank][i]].count(class)-1) / float64(len(sequences)-1)
				count[c]++
			}
		}
		sums[rank], counts[rank] = sum, count
		return nil
	})
	if err != nil {
		return err
	}
	total, n := 0.0, 0
	for c := range k {
		own, m := 0.0, 0
		for rank := range sequences {
			s.By[c][rank] = sums[rank][c] / float64(counts[rank][c]) // 0/0 is NaN
			own, m = own+sums[rank][c], m+counts[rank][c]
		}
		s.Of[c] = own / float64(m)
		total, n = total+own, n+m
	}
	s.Score = total / float64(n)
	return nil
}

// shift moves earlier aligned bursts past inserted columns, which are given in ascending order by the old column that
// they precede.
func shift(at [][]int, inserted []int) {
	if len(inserted) == 0 {
		return
	}
	for _, list := range at {
		k := 0
		for i, column := range list {
			for k < len(inserted) && inserted[k] <= column {
				k++
			}
			list[i] = column + k
		}
	}
}

// Steps of the path through the table.
const (
	both   = iota // a burst in a column
	skip          // a column without a burst
	newOne        // a burst in a new column
	nowhere
)

// join aligns a list with the columns of the previous ranks, and returns the new columns, the column of each burst, and
// the inserted columns, by the old column that they precede.
func join(profile []alignedColumn, ranks int, list []int32) (out []alignedColumn, at, inserted []int) {
	n, m := len(profile), len(list)
	steps := way(profile, ranks, list)
	out = make([]alignedColumn, 0, max(n, m))
	at = make([]int, m)
	i, j := 0, 0
	for _, step := range steps {
		switch step {
		case both:
			out = append(out, profile[i].with(list[j]))
			at[j] = len(out) - 1
			i, j = i+1, j+1
		case skip:
			out = append(out, profile[i])
			i++
		case newOne:
			out = append(out, alignedColumn{{list[j], 1}})
			at[j] = len(out) - 1
			inserted = append(inserted, i)
			j++
		}
	}
	return out, at, inserted
}

// way finds the best path through the table of columns by bursts, within a band around the diagonal.
func way(profile []alignedColumn, ranks int, list []int32) []uint8 {
	n, m := len(profile), len(list)
	half := halfBand
	for half > 8 && (n+1)*(2*half+1) > mostCells {
		half /= 2
	}
	if lean := m / max(n, 1); lean > half/2 || n == 0 { // a row would leave the band immediately: no alignment
		return plainWay(n, m)
	}
	b := &band{profile: profile, list: list, ranks: float64(ranks), half: half, from: make([]uint8, (n+1)*(2*half+1))}
	before, now := make([]float64, b.width()), make([]float64, b.width())
	for i := 0; i <= n; i++ {
		b.row(i, before, now)
		before, now = now, before
	}
	return b.back()
}

// band is the part of the table around the diagonal: row i has the bursts around i*m/n, half of the band on each side.
type band struct {
	profile []alignedColumn
	list    []int32
	ranks   float64
	half    int
	from    []uint8 // the step that leads to each cell, row by row
}

func (b *band) width() int { return 2*b.half + 1 }

func (b *band) centre(i int) int {
	return int(int64(i) * int64(len(b.list)) / int64(len(b.profile)))
}

// match returns the score of a burst in a column: the share of the ranks that agree.
func (b *band) match(i, j int) float64 {
	if share := float64(b.profile[i].count(b.list[j])) / b.ranks; share > 0 {
		return share
	}
	return mismatch
}

// row fills a row of the table from the previous one.
func (b *band) row(i int, before, now []float64) {
	c, last := b.centre(i), b.centre(max(i-1, 0))
	above := func(j int) float64 {
		if k := j - last + b.half; i > 0 && k >= 0 && k < len(before) {
			return before[k]
		}
		return math.Inf(-1)
	}
	for k := range now {
		j := c - b.half + k
		best, step := math.Inf(-1), uint8(nowhere)
		better := func(v float64, by uint8) {
			if v > best {
				best, step = v, by
			}
		}
		switch {
		case j < 0 || j > len(b.list):
		case i == 0 && j == 0:
			best = 0
		default:
			if i > 0 && j > 0 {
				better(above(j-1)+b.match(i-1, j-1), both)
			}
			better(above(j)+gap, skip)
			if k > 0 {
				better(now[k-1]+gap, newOne)
			}
		}
		now[k], b.from[i*len(now)+k] = best, step
	}
}

// back follows the steps from the end of the table to its start.
func (b *band) back() (steps []uint8) {
	n, m := len(b.profile), len(b.list)
	for i, j := n, m; i > 0 || j > 0; {
		k := j - b.centre(i) + b.half
		if k < 0 || k >= b.width() || b.from[i*b.width()+k] == nowhere {
			return plainWay(n, m)
		}
		step := b.from[i*b.width()+k]
		steps = append(steps, step)
		if step != newOne {
			i--
		}
		if step != skip {
			j--
		}
	}
	slices.Reverse(steps)
	return steps
}

// plainWay puts the first bursts into the existing columns, and appends the rest.
func plainWay(n, m int) (steps []uint8) {
	for range min(n, m) {
		steps = append(steps, both)
	}
	for range n - min(n, m) {
		steps = append(steps, skip)
	}
	for range m - min(n, m) {
		steps = append(steps, newOne)
	}
	return steps
}
