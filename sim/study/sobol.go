package study

// Sobol' sequences: any number of points that fill a cube evenly. Direction numbers are by S. Joe and F. Kuo (SIAM J.
// Sci. Comput. 30, 2008: new-joe-kuo-6.21201, BSD licence). A digital shift by the seed makes samples of different
// seeds differ, and keeps the first point away from 0.

import (
	"math/bits"
	"math/rand/v2"
)

// directions has, for each dimension after the first, the inner coefficients of its primitive polynomial and the first
// direction numbers, as many as the degree.
var directions = []struct {
	inner uint32
	first []uint32
}{
	{0, []uint32{1}},
	{1, []uint32{1, 3}},
	{1, []uint32{1, 3, 1}},
	{2, []uint32{1, 1, 1}},
	{1, []uint32{1, 1, 3, 3}},
	{4, []uint32{1, 3, 5, 13}},
	{2, []uint32{1, 1, 5, 5, 17}},
	{4, []uint32{1, 1, 5, 5, 5}},
	{7, []uint32{1, 1, 7, 11, 19}},
	{11, []uint32{1, 1, 5, 1, 1}},
	{13, []uint32{1, 1, 1, 3, 11}},
	{14, []uint32{1, 3, 5, 5, 31}},
	{1, []uint32{1, 3, 3, 9, 7, 49}},
	{13, []uint32{1, 1, 1, 15, 21, 21}},
	{16, []uint32{1, 3, 1, 13, 27, 49}},
	{19, []uint32{1, 1, 1, 15, 7, 5}},
	{22, []uint32{1, 3, 1, 15, 13, 25}},
	{25, []uint32{1, 1, 5, 5, 19, 61}},
	{1, []uint32{1, 3, 7, 11, 23, 15, 103}},
	{4, []uint32{1, 3, 7, 13, 13, 15, 69}},
}

// maxSobol bounds the variables of a Sobol' sequence.
var maxSobol = len(directions) + 1

// direction returns the 32 direction numbers of a dimension.
func direction(dimension int) (v [32]uint32) {
	if dimension == 0 {
		for i := range v {
			v[i] = 1 << (31 - i)
		}
		return v
	}
	d := directions[dimension-1]
	s := len(d.first)
	for i := range v {
		if i < s {
			v[i] = d.first[i] << (31 - i)
			continue
		}
		v[i] = v[i-s] ^ v[i-s]>>s
		for k := 1; k < s; k++ {
			if d.inner>>(s-1-k)&1 != 0 {
				v[i] ^= v[i-k]
			}
		}
	}
	return v
}

// sobol places run i at point i of the sequence.
func sobol(seed uint64, variables int) func(run, variable int, r *rand.Rand) float64 {
	v := make([][32]uint32, variables)
	shift := make([]uint32, variables)
	for k := range v {
		v[k], shift[k] = direction(k), uint32(mix(mix(seed, 4), uint64(k))>>32)
	}
	return func(run, variable int, r *rand.Rand) float64 {
		r.Uint64() // redraws use the numbers after the first
		x := shift[variable]
		for gray := uint32(run) ^ uint32(run)>>1; gray != 0; gray &= gray - 1 {
			x ^= v[variable][bits.TrailingZeros32(gray)]
		}
		return (float64(x) + 0.5) / (1 << 32)
	}
}
