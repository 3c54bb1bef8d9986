package kineto

// Spans given as two events, begin and end.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// bound is the begin or the end of a span.
type bound struct {
	time, at int64 // at: its place in the file
	name     int32
	class    class
	ends     bool
}

// joinBounds pairs the begins and ends of a row with a stack, in time order, and at equal times in file order: the
// events of a file need not be in order. The rest is paired in file order: an end that is earlier than its begin makes
// a span of zero length. Remaining ends are dropped.
func (f *file) joinBounds(r *row) {
	byTime := func(x, y bound) int { return cmp.Compare(x.time, y.time) }
	if !slices.IsSortedFunc(r.bounds, byTime) {
		slices.SortStableFunc(r.bounds, byTime)
	}
	left := f.pair(r, r.bounds)
	slices.SortFunc(left, func(x, y bound) int { return cmp.Compare(x.at, y.at) })
	for _, b := range f.pair(r, left) {
		if b.ends {
			f.blame(endOnly, strings.TrimSpace(fmt.Sprintf("event at byte %d %s", b.at, f.names[b.name])))
		} else {
			r.open = append(r.open, span{begin: b.time, name: b.name, class: b.class})
		}
	}
	r.bounds = nil
}

// pair joins each end to the latest open begin before it, and returns those without a partner.
func (f *file) pair(r *row, bounds []bound) (left []bound) {
	var open []bound
	for _, b := range bounds {
		n := len(open) - 1
		switch {
		case !b.ends:
			open = append(open, b)
		case n < 0:
			left = append(left, b)
		default:
			f.join(r, &open[n], max(open[n].time, b.time))
			open = open[:n]
		}
	}
	return append(left, open...)
}

// join adds the span from a begin to a time.
func (f *file) join(r *row, b *bound, end int64) {
	s := span{begin: b.time, end: end, name: b.name, class: b.class}
	s.blocks = s.class == call && blocking(f.names[s.name])
	r.spans = append(r.spans, s)
}
