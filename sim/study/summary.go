package study

// Figures of the runs of a study: of one output, and of the inputs that it depends on.

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"

	"pview/prv/quantile"
	"pview/prv/quantity"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Percents are the percentiles of a summary.
var Percents = []float64{1, 5, 25, 50, 75, 95, 99}

// Statistics sum up N values.
type Statistics struct {
	N           int
	Mean, SD    float64
	Half        float64   // half the width of the 95 % confidence interval of the mean
	Percentiles []float64 // by Percents; nil without values
}

// StatisticsOf sums up the values that are numbers.
func StatisticsOf(values []float64) Statistics {
	var m Moments
	for _, v := range values {
		m.Add(v)
	}
	f := Statistics{N: m.N, Mean: m.Mean, SD: m.SD(), Half: m.HalfWidth()}
	if m.N > 0 {
		known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
		slices.Sort(known)
		for _, p := range Percents {
			f.Percentiles = append(f.Percentiles, quantile.Sorted(known, p/100))
		}
	}
	return f
}

// Percentile returns one of Percents; there must be values.
func (f *Statistics) Percentile(p float64) float64 { return f.Percentiles[slices.Index(Percents, p)] }

// Summary has the statistics of an output over the runs that have it: N of all Of.
type Summary struct {
	Column
	Statistics
	Of          int
	Min, Max    float64
	Worst, Best int // indices of the runs with the greatest and the least value; -1 without any
}

// Summarise returns the figures of a column.
func (t *Table) Summarise(name string) (s Summary) {
	c, of, ok := t.Column(name)
	s.Worst, s.Best = -1, -1
	if !ok {
		return s
	}
	s.Column = *c
	var values []float64
	for i := range t.Rows {
		r := &t.Rows[i]
		s.Of++
		v := of(r)
		if r.Status != Done || math.IsNaN(v) {
			continue
		}
		if s.Worst < 0 || v > s.Max {
			s.Max, s.Worst = v, r.Index
		}
		if s.Best < 0 || v < s.Min {
			s.Min, s.Best = v, r.Index
		}
		values = append(values, v)
	}
	s.Statistics = StatisticsOf(values)
	return s
}

// Exceeding returns the probability that an output exceeds a limit (reliability is the rest), and its standard error.
func (t *Table) Exceeding(name string, limit float64) (p, err float64, ok bool) {
	_, of, ok := t.Column(name)
	if !ok {
		return 0, 0, false
	}
	n, above := 0.0, 0.0
	for i := range t.Rows {
		if v := of(&t.Rows[i]); t.Rows[i].Status == Done && !math.IsNaN(v) {
			n++
			if v > limit {
				above++
			}
		}
	}
	if n == 0 {
		return 0, 0, false
	}
	p = above / n
	return p, math.Sqrt(p * (1 - p) / n), true
}

// Influence is the influence of an input on an output.
type Influence struct {
	Input string
	// Linear and Rank are the correlations of the values and of their ranks. Standard is the standardised coefficient
	// of the regression on all inputs: the change of the output, in standard deviations, per standard deviation of the
	// input, with the others constant.
	Linear, Rank, Standard float64
}

// Ranking lists the inputs that are numbers and vary, by their influence on an output: the rank correlation. r2 is the
// share of the output's variance explained by the linear regression on all of them; NaN without one.
func (t *Table) Ranking(name string) (list []Influence, r2 float64) {
	_, of, ok := t.Column(name)
	if !ok {
		return nil, 0
	}
	var rows []*Row
	var y []float64
	for _, r := range t.Done() {
		if v := of(r); !math.IsNaN(v) {
			rows, y = append(rows, r), append(y, v)
		}
	}
	var x [][]float64
	for k := range t.Inputs {
		c := &t.Inputs[k]
		if c.Levels != nil || c.Name == name {
			continue
		}
		var values []float64
		for _, r := range rows {
			values = append(values, r.Inputs[k])
		}
		if len(values) < 2 || slices.Max(values) == slices.Min(values) {
			continue
		}
		x = append(x, values)
		list = append(list, Influence{Input: c.Name, Linear: correlation(values, y), Rank: RankCorrelation(values, y),
			Standard: math.NaN()})
	}
	standard, r2 := regression(x, y)
	for i := range standard {
		list[i].Standard = standard[i]
	}
	slices.SortStableFunc(list, func(a, b Influence) int { return cmp.Compare(math.Abs(b.Rank), math.Abs(a.Rank)) })
	return list, r2
}

// regression returns the standardised coefficients of the linear regression of y on x; nil and NaN if values are too
// few or too similar.
func regression(x [][]float64, y []float64) (coefficients []float64, r2 float64) {
	if len(x) == 0 || len(y) < len(x)+2 || slices.Max(y) == slices.Min(y) {
		return nil, math.NaN()
	}
	unit := func(v []float64) []float64 {
		mean, sd := stat.MeanStdDev(v, nil)
		out := make([]float64, len(v))
		for i := range v {
			out[i] = (v[i] - mean) / sd
		}
		return out
	}
	a := mat.NewDense(len(y), len(x), nil)
	for k := range x {
		a.SetCol(k, unit(x[k]))
	}
	goal := unit(y)
	var b mat.VecDense
	if err := b.SolveVec(a, mat.NewVecDense(len(y), goal)); err != nil {
		return nil, math.NaN() // inputs that depend on each other
	}
	var fit mat.VecDense
	fit.MulVec(a, &b)
	rest := 0.0
	for i := range goal {
		rest += (goal[i] - fit.AtVec(i)) * (goal[i] - fit.AtVec(i))
	}
	return b.RawVector().Data, 1 - rest/float64(len(goal)-1)
}

// numbers matches the numbers in a reason, which differ from run to run: times, threads.
var numbers = regexp.MustCompile(`[0-9][0-9.]*`)

// mostReasons bounds the reasons that are listed.
const mostReasons = 10

// Reasons lists why runs failed: reasons that differ only in numbers count as one, in the first run's words, with the
// number of runs.
func (t *Table) Reasons() (list []string) {
	type reason struct {
		n     int
		first *Row
	}
	seen := map[string]*reason{}
	var found []*reason
	for i := range t.Rows {
		r := &t.Rows[i]
		if r.Status == Done {
			continue
		}
		kind := numbers.ReplaceAllString(r.Reason, "0")
		if seen[kind] == nil {
			seen[kind] = &reason{first: r}
			found = append(found, seen[kind])
		}
		seen[kind].n++
	}
	for _, r := range found[:min(len(found), mostReasons)] {
		list = append(list, fmt.Sprintf("%d of %d runs, the first is run %d: %s", r.n, len(t.Rows), r.first.Index,
			r.first.Reason))
	}
	if n := len(found) - mostReasons; n > 0 {
		list = append(list, "runs failed for "+quantity.CountOf(int64(n), "other reason")+", too")
	}
	return list
}

// ranks returns the ranks of values, from 1; equal values share the mean of theirs.
func ranks(values []float64) []float64 {
	list := order(values)
	out := make([]float64, len(values))
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && values[list[j]] == values[list[i]] {
			j++
		}
		for _, k := range list[i:j] {
			out[k] = float64(i+j+1) / 2
		}
		i = j
	}
	return out
}

// RankCorrelation returns Spearman's correlation, of the ranks; 0 if either list is constant.
func RankCorrelation(x, y []float64) float64 { return correlation(ranks(x), ranks(y)) }

// correlation returns Pearson's correlation; 0 if either list is constant.
func correlation(x, y []float64) float64 {
	if len(x) < 2 || slices.Max(x) == slices.Min(x) || slices.Max(y) == slices.Min(y) {
		return 0
	}
	return stat.Correlation(x, y, nil)
}
