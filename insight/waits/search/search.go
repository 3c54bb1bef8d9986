// Package search has searches that start from a guess, and a sort for many rows: waits of a large trace are found and
// explained in order of time, so each answer is close to the last.
package search

import (
	"math/bits"
	"slices"
)

// After returns the first of rising times that is later than at. near is a guess: the search costs the logarithm of its
// distance.
func After(times []int64, near int, at int64) int {
	if len(times) == 0 {
		return 0
	}
	near = min(max(near, 0), len(times)-1)
	lo, hi := 0, len(times) // times before lo are not later, times from hi are
	if times[near] > at {
		hi = near
		for step := 1; lo < hi; step *= 2 {
			i := max(near-step, 0)
			if times[i] <= at {
				lo = i + 1
				break
			}
			hi = i
		}
	} else {
		lo = near + 1
		for step := 1; lo < hi; step *= 2 {
			i := min(near+step, len(times)-1)
			if times[i] > at {
				hi = i
				break
			}
			lo = i + 1
		}
	}
	for lo < hi {
		if i := (lo + hi) / 2; times[i] > at {
			hi = i
		} else {
			lo = i + 1
		}
	}
	return lo
}

// UpTo returns the number of rising times that are not later than at.
func UpTo(times []int64, at int64) int {
	n, _ := slices.BinarySearch(times, at+1)
	return n
}

// Row is a row with its sort key.
type Row struct {
	Key uint64
	Row int32
}

// Sort sorts rows by key; equal ones stay in order. It is a radix sort, since comparing millions of times costs ten
// times as much. look is called now and then.
func Sort(list []Row, look func()) []Row {
	const digit, block = 11, 1 << 12
	most := uint64(0)
	for i := range list {
		most |= list[i].Key
	}
	other := make([]Row, len(list))
	var ends [1 << digit]int32
	for shift := 0; shift < bits.Len64(most); shift += digit {
		clear(ends[:])
		for i := range list {
			ends[list[i].Key>>shift&(1<<digit-1)]++
		}
		sum := int32(0)
		for d, n := range ends {
			ends[d], sum = sum, sum+n
		}
		look()
		for i := range list {
			if i%block == 0 {
				look()
			}
			p := &ends[list[i].Key>>shift&(1<<digit-1)]
			other[*p] = list[i]
			*p++
		}
		list, other = other, list
	}
	return list
}
