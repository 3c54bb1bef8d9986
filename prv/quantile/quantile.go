// Package quantile has quantiles that interpolate between the two values around position q (n-1), from 0: type 7 of
// Hyndman and Fan, the default in R and NumPy. stat.Quantile of gonum, which is used elsewhere, has types 1 and 4.
package quantile

import "slices"

// Of returns a quantile of a list, without changing it; 0 if empty.
func Of(list []float64, q float64) float64 { return Sorted(slices.Sorted(slices.Values(list)), q) }

// Median returns the median of a list, without changing it; 0 if empty.
func Median(list []float64) float64 { return Of(list, 0.5) }

// Sorted returns a quantile of a sorted list; 0 if empty.
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

// Below returns the value at or below position q (n-1) of a list, which it sorts; 0 if empty. Unlike the others, it
// always returns one of the values.
func Below(list []float64, q float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[int(q*float64(len(list)-1))]
}
