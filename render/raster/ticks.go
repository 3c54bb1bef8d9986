// The axis of time.
//
// A tick is a mark in the exact column of its time, with the label to its right: "╵12.0 s". The step is the smallest
// round one whose labels do not overlap; labels have enough digits to distinguish neighbours. If that takes too many
// digits ("12.034567890 s"), the axis has a base instead, a round time shown once at the left, from which the labels
// count: "12.034567 s   ╵+250 ns   ╵+500 ns".

package raster

import (
	"math"
	"slices"

	"pview/prv"
)

// Tick is a labelled time of an axis.
type Tick struct {
	Time  int64
	X     int // its column
	Label string
}

// TimeAxis draws the times under a timeline.
type TimeAxis struct {
	Look
	Axis  Axis
	Unit  prv.Unit
	Marks []int // columns of future marks: a label that a mark would cut is omitted
}

const (
	longestLabel = 11 // columns of an absolute label; longer ones become offsets
	labelGap     = 3  // columns between a label and the next tick
)

// Ticks returns the ticks in order: at steps of 1, 2 or 5 times a power of ten below half a minute, above it at round
// numbers of seconds, minutes, hours or days. If absolute labels would be too long, base is the time from which labels
// such as "+250 ns" count; otherwise it is "".
func (a *TimeAxis) Ticks() (ticks []Tick, base string) {
	w := uint64(max(a.Axis.W, 1))
	span := a.Axis.Span()
	for k := 0; ; k++ {
		step := timeStep(k, a.Unit)
		// Columns between ticks, saturating.
		gap := uint64(math.MaxInt64)
		if span > 0 {
			gap = mulDivSaturated(step, w, span)
		}
		if gap < 6 && step < 1<<62 {
			continue
		}
		f, from := a.format(step)
		width := max(len(f.label(a.Axis.Begin)), len(f.label(a.Axis.End)))
		if gap >= uint64(1+width+labelGap) {
			return a.place(step, f), from
		}
		if step >= 1<<62 { // two labels do not fit
			ticks = a.place(step, f)
			return ticks[:min(1, len(ticks))], from
		}
	}
}

// tickFormat writes the labels of one axis.
type tickFormat struct {
	TimeFormat
	base   int64
	offset bool
}

func (f tickFormat) label(t int64) string {
	if !f.offset {
		return f.Format(t)
	}
	d := Axis{Begin: f.base, End: t}.Span() // t >= base
	return "+" + f.Format(int64(min(d, math.MaxInt64)))
}

// format returns the format of labels at multiples of step, and the base.
func (a *TimeAxis) format(step uint64) (f tickFormat, base string) {
	begin, end := a.Axis.Begin, max(a.Axis.End, a.Axis.Begin)
	m := int64(min(max(absolute(begin), absolute(end)), math.MaxInt64))
	resolution := int64(min(step, math.MaxInt64))
	f.TimeFormat = NewTimeFormat(a.Unit, m, resolution)
	if max(len(f.Format(begin)), len(f.Format(end))) <= longestLabel {
		return f, ""
	}
	// The base is a multiple of the power of ten that holds the whole span.
	round := uint64(1)
	for round < a.Axis.Span() && round < 1e18 {
		round *= 10
	}
	r := int64(round)
	from := begin - (begin%r+r)%r
	if from > begin {
		return f, "" // before the least int64
	}
	most := int64(min(Axis{Begin: from, End: end}.Span(), math.MaxInt64))
	of := NewTimeFormat(a.Unit, most, resolution)
	if len(of.Format(most))+1 >= len(f.Format(end)) {
		return f, "" // a base would not help
	}
	return tickFormat{of, from, true}, NewTimeFormat(a.Unit, m, r).Format(from)
}

// place returns the ticks at the multiples of step within the axis.
func (a *TimeAxis) place(step uint64, f tickFormat) (ticks []Tick) {
	s := int64(min(step, math.MaxInt64))
	t := a.Axis.Begin
	if r := (t%s + s) % s; r != 0 { // to the next multiple
		if t > math.MaxInt64-(s-r) {
			return nil
		}
		t += s - r
	}
	for {
		x, _, ok := a.Axis.Columns(t)
		if !ok {
			return ticks
		}
		ticks = append(ticks, Tick{t, x, f.label(t)})
		if t > math.MaxInt64-s || len(ticks) > a.Axis.W {
			return ticks
		}
		t += s
	}
}

// timeStep returns the k-th of the round steps, ascending, in trace units.
func timeStep(k int, unit prv.Unit) uint64 {
	second := uint64(1e9 / unit.Nanoseconds())
	decade := uint64(1)
	for decade < second*10 { // 1-2-5 up to 5 s
		if k < 3 {
			return decade * [...]uint64{1, 2, 5}[k]
		}
		k -= 3
		decade *= 10
	}
	seconds := [...]uint64{10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400}
	if k < len(seconds) {
		return seconds[k] * second
	}
	step := seconds[len(seconds)-1] * second
	for k -= len(seconds) - 1; k > 0 && step < 1<<62; k-- {
		step *= 2
	}
	return step
}

// mulDivSaturated returns a*b/c, or the greatest int64 if that is too large.
func mulDivSaturated(a, b, c uint64) uint64 {
	if float64(a)*float64(b)/float64(c) > 1<<62 {
		return math.MaxInt64
	}
	return uint64(ceilMulDiv(a, b, c))
}

// cut reports whether a mark would cut a label.
func (a *TimeAxis) cut(t Tick) bool {
	return slices.ContainsFunc(a.Marks, func(x int) bool { return x > t.X && x <= t.X+len(t.Label) })
}

// Draw draws the axis on c, which is as wide as the timeline: marks and labels on line 0, or, with two lines, a ruler
// on line 0 and labels below it. A base goes right-aligned into gutter, the space to the left of the timeline; if that
// is too narrow, the base replaces the first labels.
func (a *TimeAxis) Draw(c, gutter Canvas) {
	st := a.style(a.Theme.Dim, 0)
	ticks, base := a.Ticks()
	free := 0 // first column that a label may use
	if base != "" {
		if len(base) < gutter.W {
			gutter.TextIn(0, 0, gutter.W-1, base, st, true)
		} else {
			free = c.Text(0, c.H-1, base, st) + 1
		}
	}
	if c.H > 1 {
		c.Sub(0, 0, c.W, 1).Fill(Cell{a.Glyphs.Horizontal, st})
	}
	for _, t := range ticks {
		if c.H > 1 {
			c.Set(t.X, 0, Cell{a.Glyphs.TickDown, st})
			if x := t.X - len(t.Label)/2; x >= free && x+len(t.Label) <= c.W {
				free = c.Text(x, 1, t.Label, st) + 1
			}
			continue
		}
		if t.X >= free {
			c.Set(t.X, 0, Cell{a.Glyphs.Tick, st})
			if t.X+1+len(t.Label) <= c.W && !a.cut(t) {
				free = c.Text(t.X+1, 0, t.Label, st) + 1
			}
		}
	}
}

// absolute returns |n|; it is unsigned since 2^63 does not fit into an int64.
func absolute(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
