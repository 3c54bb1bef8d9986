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
	lo := min(max(near, 0), len(times)) // times before lo are not later, times from hi are
	hi := lo
	for step := 1; lo > 0 && times[lo-1] > at; step *= 2 {
		lo, hi = max(lo-step, 0), lo-1
	}
	for step := 1; hi < len(times) && times[hi] <= at; step *= 2 {
		lo, hi = hi+1, min(hi+step, len(times))
	}
	return lo + UpTo(times[lo:hi], at)
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
