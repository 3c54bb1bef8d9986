package sketch

import (
	"cmp"
	"context"
	"math"
	"slices"

	"pview/prv/quantile"
	"pview/semantic/series"
)

// Standout is a row that stands out from all others by one figure: for codes the share of the time in Code, for amounts
// the mean of the values other than 0.
type Standout struct {
	Row           int
	Code          float64 // 0 for amounts
	Value, Median float64
	distance      float64 // as a fraction of the time or of the median
}

const (
	farOut = 3.0  // distances between the quartiles from the nearer one: Tukey's "far out"
	least  = 0.05 // smallest distance from the median, as a part of the time or of the median amount
	few    = 0.1  // largest fraction of the rows that stands out: more are a group
)

// Standouts lists the few rows that stand out, the most first. It needs no Measure. Of thousands of rows with random
// (normal) differences it lists none.
func (s *Sketches) Standouts(ctx context.Context) ([]Standout, error) {
	figures := map[float64][]float64{} // by code, by row
	of := func(code float64) []float64 {
		if figures[code] == nil {
			figures[code] = make([]float64, len(s.rows))
		}
		return figures[code]
	}
	for row, values := range s.rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		switch {
		case values == nil:
		case s.codes:
			s.eachBurst(values, func(code, time float64) { of(code)[row] += time / float64(s.axis[1]-s.axis[0]) })
		default:
			of(0)[row], _ = values.Value(s.axis[0], s.axis[1], series.AverageNotZero, 0)
		}
	}
	most := map[int]Standout{} // by row
	for code, list := range figures {
		for _, o := range s.farOut(list) {
			o.Code = code
			if before, ok := most[o.Row]; !ok || o.tells(&before) {
				most[o.Row] = o
			}
		}
	}
	if float64(len(most)) > few*float64(len(s.rows)) {
		return nil, nil
	}
	list := make([]Standout, 0, len(most))
	for _, o := range most {
		list = append(list, o)
	}
	slices.SortFunc(list, func(a, b Standout) int {
		return cmp.Or(cmp.Compare(b.distance, a.distance), cmp.Compare(a.Row, b.Row))
	})
	return list, nil
}

// tells reports whether a figure says more about a row than another: one above the median does, then the one that is
// farther from the median.
func (o *Standout) tells(than *Standout) bool {
	if more := o.Value > o.Median; more != (than.Value > than.Median) {
		return more
	}
	return o.distance > than.distance || o.distance == than.distance && o.Code < than.Code
}

// eachBurst visits the known values of a row, with their time within the sketch.
func (s *Sketches) eachBurst(values *series.Series, f func(v, time float64)) {
	for i := max(values.At(s.axis[0]), 0); i < values.Len(); i++ {
		begin, end, v := values.Burst(i)
		if begin >= s.axis[1] {
			return
		}
		if time := min(end, s.axis[1]) - max(begin, s.axis[0]); time > 0 && v == v {
			f(v, float64(time))
		}
	}
}

// farOut lists the known rows with an outlying figure.
func (s *Sketches) farOut(figures []float64) (list []Standout) {
	sorted := make([]float64, 0, len(figures))
	for row, v := range figures {
		if s.rows[row] != nil && (s.codes || v != 0) {
			sorted = append(sorted, v)
		}
	}
	slices.Sort(sorted)
	q1, median, q3 := quantile.Sorted(sorted, 0.25), quantile.Sorted(sorted, 0.5), quantile.Sorted(sorted, 0.75)
	whole := 1.0
	if !s.codes {
		whole = math.Abs(median)
	}
	reach := farOut * (q3 - q1)
	for row, v := range figures {
		if s.rows[row] == nil || !s.codes && v == 0 || v >= q1-reach && v <= q3+reach {
			continue
		}
		if d := math.Abs(v-median) / whole; d >= least {
			list = append(list, Standout{Row: row, Value: v, Median: median, distance: d})
		}
	}
	return list
}
