package kineto

import (
	"cmp"
	"slices"
)

// sortParts sorts a list like slices.SortStableFunc. Lists from several tables or threads consist of a few sorted
// parts, which are found and merged.
func sortParts[E any](list []E, compare func(x, y E) int) {
	parts := []int{0} // where they begin
	for i := 1; i < len(list); i++ {
		if compare(list[i-1], list[i]) > 0 {
			parts = append(parts, i)
		}
	}
	if len(parts) > len(list)/8 {
		slices.SortStableFunc(list, compare)
		return
	}
	var left []E
	for len(parts) > 1 {
		merged := parts[:0]
		for i := 0; i < len(parts); i += 2 {
			from, middle, end := parts[i], len(list), len(list)
			if i+1 < len(parts) {
				middle = parts[i+1]
			}
			if i+2 < len(parts) {
				end = parts[i+2]
			}
			merged = append(merged, from)
			if middle < end {
				left = append(left[:0], list[from:middle]...)
				merge(list[from:end], left, compare)
			}
		}
		parts = merged
	}
}

// merge merges two parts of a list; left is a copy of the first.
func merge[E any](list, left []E, compare func(x, y E) int) {
	to, right := 0, len(left)
	for len(left) > 0 && right < len(list) {
		if compare(left[0], list[right]) <= 0 {
			list[to], left = left[0], left[1:]
		} else {
			list[to] = list[right]
			right++
		}
		to++
	}
	copy(list[to:], left)
}

// callIndex finds calls by correlation. A correlation <= 0 is unknown and joins nothing.
type callIndex []correlatedCall

type correlatedCall struct {
	correlation int64
	call        int32
}

func newCallIndex(calls []launch) callIndex {
	index := make(callIndex, 0, len(calls))
	for i := range calls {
		if c := calls[i].correlation; c > 0 {
			index = append(index, correlatedCall{c, int32(i)})
		}
	}
	sortParts(index, func(x, y correlatedCall) int { return cmp.Compare(x.correlation, y.correlation) })
	return index
}

// find returns the call with a correlation, the first if there are several.
func (x callIndex) find(correlation int64) (call int32, ok bool) {
	i, ok := slices.BinarySearchFunc(x, correlation, func(c correlatedCall, n int64) int {
		return cmp.Compare(c.correlation, n)
	})
	if !ok {
		return 0, false
	}
	return x[i].call, true
}
