// Package quantile has quantiles of samples that interpolate between the two values around position q (n-1), from 0:
// type 7 of Hyndman and Fan, the usual one of R and NumPy. stat.Quantile of gonum, which is used elsewhere, has types 1
// and 4.
package quantile

import "slices"

// Of returns a quantile of a list, which stays as it is; 0 of none.
func Of(list []float64, q float64) float64 { return Sorted(slices.Sorted(slices.Values(list)), q) }

// Median returns the median of a list, which stays as it is; 0 of none.
func Median(list []float64) float64 { return Of(list, 0.5) }

// Sorted returns a quantile of a sorted list; 0 of none.
func Sorted(list []float64, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	at := q * float64(len(list)-1)
	i := min(max(int(at), 0), len(list)-1)
	if i == len(list)-1 {
		return list[i]
	}
	return list[i] + (at-float64(i))*(list[i+1]-list[i])
}

// Below returns the value at or below position q (n-1) of a list, which it sorts; 0 of none. Unlike the others it is
// always one of the values.
func Below(list []float64, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[int(q*float64(len(list)-1))]
}
