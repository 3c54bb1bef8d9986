package figure

import "math"

// RoundStep returns 1, 2 or 5 times a power of ten, at least step.
func RoundStep(step float64) float64 { return roundUp(step, [...]float64{1, 2, 5}) }

// nearStep returns 1, 2 or 5 times a power of ten, the nearest one to step by its ratio.
func nearStep(step float64) float64 {
	// The boundary is the geometric mean of two neighbours: sqrt(1*2), sqrt(2*5), sqrt(5*10).
	down := [...]float64{math.Sqrt2, math.Sqrt(10), math.Sqrt(50)}
	up := roundUp(step, down)
	if decade := math.Pow(10, math.Floor(math.Log10(up)+1e-9)); decade > 0 {
		for i, m := range [...]float64{1, 2, 5} {
			if math.Abs(up/decade-down[i]) < 1e-6 {
				return decade * m
			}
		}
	}
	return up
}

// roundUp returns one of three multiples of a power of ten, at least step.
func roundUp(step float64, multiples [3]float64) float64 {
	if !(step > 0) || !finite(step) {
		return 1
	}
	decade := math.Pow(10, math.Floor(math.Log10(step)))
	for _, m := range multiples {
		if decade*m >= step*(1-1e-9) {
			return decade * m
		}
	}
	return decade * 10 * multiples[0]
}
