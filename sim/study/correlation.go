package study

// Which input an output depends on: correlations and regression over the runs of a study.

import (
	"slices"

	"gonum.org/v1/gonum/stat"
)

// ranks are the ranks of values, from 1; equal values share the mean of theirs.
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

// RankCorrelation is Spearman's: the correlation of the ranks; 0 where either list is constant.
func RankCorrelation(x, y []float64) float64 { return Correlation(ranks(x), ranks(y)) }

// Correlation is Pearson's; 0 where either list is constant.
func Correlation(x, y []float64) float64 {
	if len(x) < 2 || slices.Max(x) == slices.Min(x) || slices.Max(y) == slices.Min(y) {
		return 0
	}
	return stat.Correlation(x, y, nil)
}
