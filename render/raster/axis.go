package raster

import "math/bits"

// Axis maps an interval of time onto columns. Column i covers
//
//	[Begin + floor(i*span/W), Begin + floor((i+1)*span/W))   with span = End-Begin
//
// so that the columns tile the interval without gap or overlap, whatever the times (the products are computed with 128
// bits). If a column is narrower than one unit of time, several columns show the same unit.
type Axis struct {
	Begin, End int64 // trace units; an End before Begin counts as Begin
	W          int   // columns
	// Closed says that the last column includes End: set it if End is the end of the trace, where the last records are.
	Closed bool
}

// Span returns End-Begin. It is unsigned since the difference of two int64 may
// exceed their range.
func (a Axis) Span() uint64 {
	if a.End <= a.Begin {
		return 0
	}
	return uint64(a.End) - uint64(a.Begin)
}

// Time returns the begin of column i, which is the end of column i-1. i is clamped to 0..W.
func (a Axis) Time(i int) int64 {
	if a.W <= 0 {
		return a.Begin
	}
	hi, lo := bits.Mul64(uint64(min(max(i, 0), a.W)), a.Span())
	q, _ := bits.Div64(hi, lo, uint64(a.W))
	return int64(uint64(a.Begin) + q)
}

// Bounds returns the interval [from, to) that column i samples: the time that it covers, but at least one unit.
func (a Axis) Bounds(i int) (from, to int64) {
	from, to = a.Time(i), a.Time(i+1)
	if to <= from {
		to = from + 1
		if to < from {
			from, to = from-1, from // at the end of the range of int64
		}
	}
	return from, to
}

// Unread reports whether column i shows time after until, where reading the trace has got to; 0: everything has been
// read.
func (a Axis) Unread(i int, until int64) bool {
	_, to := a.Bounds(i)
	return until > 0 && to > until
}

// Columns returns the columns that show time t: one, or several if columns are narrower than one unit. ok is false if t
// is outside.
func (a Axis) Columns(t int64) (first, last int, ok bool) {
	span := a.Span()
	if a.W <= 0 || t < a.Begin || t > a.End && span > 0 || t == a.End && span > 0 && !a.Closed || span == 0 &&
		t != a.Begin {
		return 0, 0, false
	}
	if span == 0 {
		return 0, a.W - 1, true
	}
	d := uint64(t) - uint64(a.Begin)
	if d >= span {
		return a.W - 1, a.W - 1, true
	}
	last = ceilMulDiv(d+1, uint64(a.W), span) - 1
	first = last
	if span < uint64(a.W) {
		first = ceilMulDiv(d, uint64(a.W), span)
	}
	return first, last, true
}

// Column returns the column that shows time t (the first if there are several); times outside are clamped to columns 0
// and W-1.
func (a Axis) Column(t int64) int {
	if first, _, ok := a.Columns(t); ok {
		return first
	}
	if t < a.Begin {
		return 0
	}
	return max(a.W-1, 0)
}

// Fine returns the axis with n times as many columns: for half blocks and braille.
func (a Axis) Fine(n int) Axis {
	a.W *= n
	return a
}

// ceilMulDiv returns ceil(x*y/z). The result must fit.
func ceilMulDiv(x, y, z uint64) int {
	hi, lo := bits.Mul64(x, y)
	q, r := bits.Div64(hi, lo, z)
	if r > 0 {
		q++
	}
	return int(q)
}
