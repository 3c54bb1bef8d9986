// Package sketch finds rows that differ from the others, and orders rows so that similar ones are neighbours. It works
// on a sketch of every row: a span of time in equal parts, and the row's value in each.
//
// A sketch of codes holds shares: the time of each value over the span, so that rows that do the same at different
// times are similar. A sketch of amounts holds the maximum of each part. A row's difference is its distance from the
// median of all rows: for codes the sum over their shares, for amounts the greatest distance from the median of all
// values.
package sketch

import (
	"cmp"
	"context"
	"math"
	"slices"

	"pview/prv/quantile"
	"pview/semantic/series"
)

// parts is the number of parts of a sketch.
const parts = 128

// Outlier is a row that differs, and the time of its greatest difference.
type Outlier struct {
	Row   int
	Time  int64
	Score float64 // codes: a share of the time, 0..2; amounts: a difference of values
	Value float64 // that stands out: the code whose share differs most, or the amount
}

// Sketches summarise rows over a span of time.
type Sketches struct {
	codes   bool
	axis    [2]int64
	rows    []*series.Series
	values  []float64   // codes that occur
	vectors [][]float64 // by row; nil if the row is unknown
}

// New returns sketches of rows over begin..end, to be filled by Measure; rows may be nil. codes: their values are
// codes, not amounts.
func New(codes bool, begin, end int64, rows []*series.Series) *Sketches {
	return &Sketches{codes: codes, axis: [2]int64{begin, end}, rows: rows}
}

// part returns the bounds of a part.
func (s *Sketches) part(k int) (begin, end int64) {
	d := s.axis[1] - s.axis[0]
	at := func(k int) int64 { return s.axis[0] + int64(float64(d)*float64(k)/parts) }
	return at(k), max(at(k+1), at(k)+1)
}

// Measure fills the sketches.
func (s *Sketches) Measure(ctx context.Context) error {
	s.vectors = make([][]float64, len(s.rows))
	place := map[float64]int{}
	for row, values := range s.rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if values == nil {
			continue
		}
		if !s.codes {
			s.vectors[row] = make([]float64, parts)
		}
		for k := range parts {
			begin, end := s.part(k)
			if !s.codes {
				s.vectors[row][k], _ = values.Value(begin, end, series.Maximum, 0)
				continue
			}
			v, ok := values.Value(begin, end, series.MostTime, 0)
			if !ok {
				continue
			}
			at, known := place[v]
			if !known {
				at = len(s.values)
				place[v], s.values = at, append(s.values, v)
			}
			for len(s.vectors[row]) <= at {
				s.vectors[row] = append(s.vectors[row], 0)
			}
			s.vectors[row][at] += 1.0 / parts
		}
	}
	if s.codes {
		for row := range s.vectors {
			for s.rows[row] != nil && len(s.vectors[row]) < len(s.values) {
				s.vectors[row] = append(s.vectors[row], 0)
			}
		}
	}
	return nil
}

// Outliers lists the rows by how much they differ, the most first. Rows like the others are left out.
func (s *Sketches) Outliers() []Outlier {
	var list []Outlier
	if s.codes {
		list = s.outliersByShare()
	} else {
		list = s.outliersByAmount()
	}
	list = slices.DeleteFunc(list, func(o Outlier) bool { return !(o.Score > 1e-9) })
	slices.SortStableFunc(list, func(a, b Outlier) int { return cmp.Compare(b.Score, a.Score) })
	return list
}

func (s *Sketches) outliersByShare() (list []Outlier) {
	middle := make([]float64, len(s.values))
	for k := range middle {
		var column []float64
		for _, v := range s.vectors {
			if v != nil {
				column = append(column, v[k])
			}
		}
		middle[k] = quantile.Below(column, 0.5)
	}
	for row, v := range s.vectors {
		if v == nil {
			continue
		}
		o := Outlier{Row: row}
		most := 0.0
		for k := range v {
			d := v[k] - middle[k]
			o.Score += math.Abs(d)
			if d > most {
				most, o.Value = d, s.values[k]
			}
		}
		o.Time = s.longest(row, o.Value)
		list = append(list, o)
	}
	return list
}

// outliersByAmount measures from the median of all rows' values other than 0: in most views 0 is no amount.
func (s *Sketches) outliersByAmount() (list []Outlier) {
	var all []float64
	for _, vector := range s.vectors {
		for _, v := range vector {
			if v != 0 && v-v == 0 {
				all = append(all, v)
			}
		}
	}
	middle := quantile.Below(all, 0.5)
	for row, vector := range s.vectors {
		if vector == nil {
			continue
		}
		o := Outlier{Row: row, Time: s.axis[0]}
		for k, v := range vector {
			if d := math.Abs(v - middle); v != 0 && d > o.Score {
				begin, end := s.part(k)
				o.Score, o.Value, o.Time = d, v, s.firstOf(row, v, begin, end)
			}
		}
		list = append(list, o)
	}
	return list
}

// firstOf returns the start of the first burst with a value in a part of the time, which may be before the part.
func (s *Sketches) firstOf(row int, v float64, begin, end int64) int64 {
	values := s.rows[row]
	for i := values.At(begin); i < values.Len(); i++ {
		from, _, value := values.Burst(i)
		if from >= end {
			break
		}
		if value == v {
			return max(from, s.axis[0])
		}
	}
	return begin
}

// longest returns the start of the row's longest run of parts with a value.
func (s *Sketches) longest(row int, value float64) int64 {
	var best, length, run int
	for k := range parts {
		begin, end := s.part(k)
		if v, ok := s.rows[row].Value(begin, end, series.MostTime, 0); !ok || v != value {
			run = 0
			continue
		}
		if run++; run > length {
			best, length = k-run+1, run
		}
	}
	begin, end := s.part(best)
	return s.firstOf(row, value, begin, end)
}

// ByValue orders the rows, greatest first: codes by the share of the value that all rows together have most, amounts by
// their mean. Unknown rows come last.
func (s *Sketches) ByValue() []int {
	total := make([]float64, len(s.values))
	for _, v := range s.vectors {
		for k := range v {
			if s.codes {
				total[k] += v[k]
			}
		}
	}
	var most int
	for k := range total {
		if total[k] > total[most] {
			most = k
		}
	}
	return s.by(func(row int) float64 {
		if s.codes {
			return s.vectors[row][most]
		}
		sum := 0.0
		for _, x := range s.vectors[row] {
			sum += x
		}
		return sum
	})
}

// BySimilarity orders the rows so that similar ones are neighbours: along the direction in which they differ most (the
// first principal component of the sketches).
func (s *Sketches) BySimilarity() []int {
	n := 0.0
	var mean []float64
	for _, v := range s.vectors {
		if v == nil {
			continue
		}
		if mean == nil {
			mean = make([]float64, len(v))
		}
		for k := range v {
			mean[k] += v[k]
		}
		n++
	}
	for k := range mean {
		mean[k] /= n
	}
	along := make([]float64, len(mean))
	for k := range along {
		along[k] = 1 / float64(k+1) // any direction not orthogonal to the result
	}
	project := func(v []float64) (sum float64) {
		for k := range v {
			sum += v[k] * along[k]
		}
		return sum
	}
	for range 30 { // power iteration; the order needs no more digits
		next := make([]float64, len(along))
		for _, v := range s.vectors {
			if v == nil {
				continue
			}
			p := project(v)
			for k := range v {
				next[k] += p * (v[k] - mean[k])
			}
		}
		norm := 0.0
		for _, x := range next {
			norm += x * x
		}
		if norm = math.Sqrt(norm); norm == 0 {
			break
		}
		for k := range next {
			next[k] /= norm
		}
		along = next
	}
	return s.by(func(row int) float64 { return project(s.vectors[row]) })
}

// ByOutlier orders the rows by how much they differ, the most first.
func (s *Sketches) ByOutlier() []int {
	score := map[int]float64{}
	for _, o := range s.Outliers() {
		score[o.Row] = o.Score
	}
	return s.by(func(row int) float64 { return score[row] })
}

// by orders the rows by a figure, the greatest first; rows without a sketch come last.
func (s *Sketches) by(figure func(row int) float64) []int {
	key := make([]float64, len(s.vectors))
	order := make([]int, len(s.vectors))
	for row, v := range s.vectors {
		order[row], key[row] = row, math.Inf(-1)
		if v != nil {
			key[row] = figure(row)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(key[b], key[a]) })
	return order
}
