// Proportional rows: values that hold one after the other within one column are drawn one above the other.
//
// Each value in a column has a part of the row's height, by the time that it holds. The values are ordered from the
// bottom up, with 0 on top, so that the same value is at the same height in adjacent columns, as in a chart of shares
// over time. If a column has only one value, that has the whole height, as in the other draw modes.

package raster

import (
	"pview/semantic/series"
)

// stacks reports whether each sub-line of a row has its own values.
func (g *Grid) stacks(m Modes) bool {
	return m.Time == series.Proportional && !g.Layout.Merged() && g.Layout.height() > 1
}

// stacker divides the sub-lines of a row among the values of a column, and counts each value's sub-lines, which is
// cheaper than counting cells afterwards. It reuses its memory.
type stacker struct {
	parts []part
	tally
}

type part struct {
	series.Share
	units int     // sub-lines
	owed  float64 // the remainder of its share, in sub-lines
}

// sampleStack fills the sub-lines y, y+1, ... of row r that the grid has.
func (g *Grid) sampleStack(y int, row *series.Series, paired bool, st *stacker) {
	h := g.Layout.height()
	solid := 1 // sub-lines at the top that must agree
	if g.Layout.Gap && h > g.Layout.split() {
		solid = g.Layout.split()
	}
	rows := min(h, g.H-y)
	fill := func(x, n int, shares []series.Share) {
		if len(shares) == 1 {
			g.fill(x, n, y, y+rows, shares[0].Value)
			st.add(shares[0].Value, n*rows)
			return
		}
		k := h // sub-lines not yet filled
		for _, p := range st.divide(shares, h, solid) {
			from, to := k-p.units, min(k, rows)
			g.fill(x, n, y+from, y+to, p.Value)
			st.add(p.Value, n*max(to-from, 0))
			k = from
		}
	}
	g.shares(row, paired, fill)
}

// countStacks adds up the workers' counts.
func (g *Grid) countStacks() {
	g.counted = true
	g.tally.reset()
	for i := range g.merging {
		for _, f := range g.merging[i].stack.found {
			if f.n > 0 {
				g.tally.add(f.value, f.n)
			}
		}
	}
}

// fill sets columns x..x+n-1 of sub-lines from..to-1.
func (g *Grid) fill(x, n, from, to int, v float64) {
	for y := from; y < to; y++ {
		cells := g.V[y*g.W+x:][:n]
		for i := range cells {
			cells[i] = v
		}
	}
}

// divide gives each share its part of h sub-lines, by the largest remainder, from the bottom up. The upper solid
// sub-lines get the same value.
func (st *stacker) divide(shares []series.Share, h, solid int) []part {
	st.parts = st.parts[:0]
	total := 0.0
	for _, s := range shares { // few: insertion sort
		total += float64(s.Time)
		i := len(st.parts)
		st.parts = append(st.parts, part{})
		for ; i > 0 && above(st.parts[i-1].Value, s.Value); i-- {
			st.parts[i] = st.parts[i-1]
		}
		st.parts[i] = part{Share: s}
	}
	left := h
	for i := range st.parts {
		p := &st.parts[i]
		p.owed = float64(p.Time) / total * float64(h)
		p.units = int(p.owed)
		p.owed -= float64(p.units)
		left -= p.units
	}
	parts := st.parts
	for ; left > 0; left-- {
		most, owed, value := 0, parts[0].owed, parts[0].Value
		for i := 1; i < len(parts); i++ {
			if p := &parts[i]; p.owed > owed || p.owed == owed && p.Value > value {
				most, owed, value = i, p.owed, p.Value
			}
		}
		parts[most].units++
		parts[most].owed--
	}
	n := 0
	// drop the parts without sub-lines; slices.DeleteFunc takes twice the time, and this runs for every cell
	for i := range parts {
		if parts[i].units == 0 {
			continue
		}
		if n < i {
			parts[n] = parts[i]
		}
		n++
	}
	st.parts = parts[:n]
	for len(st.parts) > 1 && st.parts[len(st.parts)-1].units < solid {
		st.settleTop(solid)
	}
	return st.parts
}

// above reports whether value a is above b.
func above(a, b float64) bool { return b != 0 && (a == 0 || a > b) }

// settleTop makes the uppermost value solid sub-lines high, or leaves it out: whichever is nearer to its share.
func (st *stacker) settleTop(solid int) {
	n := len(st.parts)
	top, next := &st.parts[n-1], &st.parts[n-2]
	lack := solid - top.units
	if 2*(float64(top.units)+top.owed) < float64(solid) || next.units < lack {
		next.units += top.units
		st.parts = st.parts[:n-1]
		return
	}
	top.units += lack
	if next.units -= lack; next.units == 0 {
		st.parts = append(st.parts[:n-2], *top)
	}
}
