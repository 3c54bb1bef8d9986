// Package fit describes samples of numbers: basic statistics, correlation and principal components, fitted curves and
// distributions, and the quality of the fits. The standard deviation is the population's (n, not n-1), as in MEDEA: 0
// for one component.
package fit

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"pview/prv/quantile"
)

// Sample is the basic statistics of some numbers.
type Sample struct {
	N, Missing    int
	Min, Max, Sum float64
	Mean, Std     float64
	CV            float64 // coefficient of variation
	Skewness      float64
	Kurtosis      float64 // excess
	Quartiles     [3]float64
	sorted        []float64
	logged        *Sample // of the logarithms, computed on demand
}

// Describe returns the statistics of some numbers; NaN is a missing one. With none, all except the counts are NaN.
func Describe(values []float64) *Sample {
	s := &Sample{sorted: make([]float64, 0, len(values))}
	for _, v := range values {
		if math.IsNaN(v) {
			s.Missing++
			continue
		}
		s.sorted = append(s.sorted, v)
		s.Sum += v
	}
	slices.Sort(s.sorted)
	if s.N = len(s.sorted); s.N == 0 {
		nan := math.NaN()
		s.Min, s.Max, s.Mean, s.Std, s.CV, s.Skewness, s.Kurtosis, s.Quartiles = nan, nan, nan, nan, nan, nan, nan,
			[3]float64{nan, nan, nan}
		return s
	}
	s.Min, s.Max = s.sorted[0], s.sorted[s.N-1]
	s.Mean, s.Std = stat.PopMeanStdDev(s.sorted, nil)
	if s.Min == s.Max { // the mean of equal numbers may be rounded
		s.Mean, s.Std = s.Min, 0
	}
	s.CV = s.Std / s.Mean
	if s.Std > 0 {
		s.Skewness = stat.MomentAbout(3, s.sorted, s.Mean, nil) / math.Pow(s.Std, 3)
		s.Kurtosis = stat.MomentAbout(4, s.sorted, s.Mean, nil)/math.Pow(s.Std, 4) - 3
	}
	for i := range s.Quartiles {
		s.Quartiles[i] = s.Percentile(25 * float64(i+1))
	}
	return s
}

// Percentile returns a percentile, 0 .. 100: linear between the values around position p (n-1).
func (s *Sample) Percentile(p float64) float64 {
	if s.N == 0 {
		return math.NaN()
	}
	return quantile.Sorted(s.sorted, p/100)
}

// Score returns the distance of a value from the mean in standard deviations; 0 if that is 0.
func (s *Sample) Score(v float64) float64 {
	if s.Std == 0 {
		return 0
	}
	return (v - s.Mean) / s.Std
}

// Bins is the default number of bins of a histogram.
const Bins = 20

// complete returns the rows in which no column is missing.
func complete(columns [][]float64) (rows []int) {
	if len(columns) == 0 {
		return nil
	}
	for i := range columns[0] {
		if !slices.ContainsFunc(columns, func(c []float64) bool { return math.IsNaN(c[i]) }) {
			rows = append(rows, i)
		}
	}
	return rows
}

// Correlation returns the correlation matrix of some columns, over the rows in which none is missing. A constant column
// has correlation 0 with others. It is nil for less than two rows.
func Correlation(columns [][]float64) *mat.SymDense {
	rows := complete(columns)
	if len(rows) < 2 {
		return nil
	}
	data := make([][]float64, len(columns))
	for j, c := range columns {
		for _, i := range rows {
			data[j] = append(data[j], c[i])
		}
	}
	out := mat.NewSymDense(len(columns), nil)
	for a := range data {
		out.SetSym(a, a, 1)
		for b := range a {
			r := stat.Correlation(data[a], data[b], nil)
			if math.IsNaN(r) || math.IsInf(r, 0) {
				r = 0
			}
			out.SetSym(a, b, r)
		}
	}
	return out
}

// Component is a principal component.
type Component struct {
	Variance float64 // eigenvalue of the correlation matrix
	Share    float64 // of all variance
	Loadings []float64
}

// Components returns the principal components of a correlation matrix, the one that explains most first. The largest
// loading is positive.
func Components(correlation *mat.SymDense) []Component {
	if correlation == nil {
		return nil
	}
	n := correlation.SymmetricDim()
	var eigen mat.EigenSym
	if !eigen.Factorize(correlation, true) {
		return nil
	}
	values := eigen.Values(nil) // ascending
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	var list []Component
	for k := n - 1; k >= 0; k-- {
		c := Component{Variance: values[k], Share: values[k] / float64(n), Loadings: mat.Col(nil, k, &vectors)}
		largest := 0.0
		for _, v := range c.Loadings {
			if math.Abs(v) > math.Abs(largest)*(1+1e-9) {
				largest = v
			}
		}
		if largest < 0 {
			for j := range c.Loadings {
				c.Loadings[j] = -c.Loadings[j]
			}
		}
		list = append(list, c)
	}
	return list
}
