// Rows with a single line: a cell shows the two values that hold longest in it, one above the other by their shares, in
// eighths of its height. Their order is that of proportional rows: the greater value is above the other, 0 on top.

package raster

import (
	"slices"

	"pview/semantic/series"
)

// second is the value that holds second longest in a column, and its share of the column's time, 0..1; if that is 0,
// there is none.
type second struct{ value, share float64 }

// mixes reports whether cells show two values.
func (g *Grid) mixes(m Modes) bool {
	return m.Mixed && m.Time == series.Proportional && g.Layout.split() == 1 && (g.Layout.Merged() ||
		g.Layout.height() == 1)
}

// secondLine returns the second values of line y; nil if there are none.
func (g *Grid) secondLine(y int) []second {
	if len(g.second) == 0 {
		return nil
	}
	return g.second[y*g.W : (y+1)*g.W]
}

// sharesRows reports whether rows on one line share it by the time of their values.
func (m Modes) sharesRows() bool {
	return !m.Sparse && (m.Rows == series.MostTime || m.Rows == series.Proportional)
}

// sampleMixed fills line y with the values of rows.
func (g *Grid) sampleMixed(y int, rows []*series.Series, paired bool, merge *merger) {
	line, seconds := g.Line(y), g.secondLine(y)
	fill := func(x, n int, shares []series.Share) {
		v, other := longest(shares)
		for i := x; i < x+n; i++ {
			line[i], seconds[i] = v, other
		}
	}
	if len(rows) == 1 {
		g.shares(rows[0], paired, fill)
		return
	}
	merge.pool = slices.Grow(merge.pool[:0], g.W)[:g.W]
	for x := range merge.pool {
		merge.pool[x] = merge.pool[x][:0]
	}
	for _, row := range rows {
		g.shares(row, false, merge.take)
	}
	for x, shares := range merge.pool {
		if len(shares) > 0 {
			fill(x, 1, shares)
		}
	}
}

// shares calls f with the values of each column of a row.
func (g *Grid) shares(row *series.Series, paired bool, f func(x, n int, shares []series.Share)) {
	switch {
	case row == nil:
	case paired:
		row.SharesOfPairs(g.cuts, f)
	default:
		row.Shares(g.cuts, func(x int, shares []series.Share) { f(x, 1, shares) })
	}
}

// take adds the values of a row to those of column x, by their share of the row's time.
func (m *merger) take(x, _ int, shares []series.Share) {
	total := int64(0)
	for _, s := range shares {
		total += s.Time
	}
	for _, s := range shares {
		s.Time = int64(float64(s.Time) / float64(max(total, 1)) * wholeColumn)
		i := slices.IndexFunc(m.pool[x], func(o series.Share) bool { return o.Value == s.Value })
		if i < 0 {
			m.pool[x] = append(m.pool[x], s)
		} else {
			m.pool[x][i].Time += s.Time
		}
	}
}

// wholeColumn is the time of each row in a column, so that rows count equally.
const wholeColumn = 1 << 20

// longest returns the value that holds longest, on a tie the greater one, and the one that holds second longest.
func longest(shares []series.Share) (first float64, other second) {
	if len(shares) == 1 {
		return shares[0].Value, second{}
	}
	before := func(a, b series.Share) bool { return a.Time > b.Time || a.Time == b.Time && a.Value > b.Value }
	a, b := shares[0], shares[1]
	if before(b, a) {
		a, b = b, a
	}
	total := float64(a.Time) + float64(b.Time)
	for _, s := range shares[2:] {
		total += float64(s.Time)
		switch {
		case before(s, a):
			a, b = s, a
		case before(s, b):
			b = s
		}
	}
	return a.Value, second{b.Value, float64(b.Time) / total}
}

// drawMixed draws line y.
func (g *Grid) drawMixed(c Canvas, p *Painter, y, wide int) {
	line := c.Line(y)
	if y >= g.H { // below the rows
		c.Sub(0, y, c.W, 1).Fill(p.cached(Absent))
		return
	}
	values, seconds := g.Line(y), g.secondLine(y)
	for x := range line {
		v, other := values[x*wide], seconds[x*wide]
		if wide == 2 && (v != values[2*x+1] || other != seconds[2*x+1]) {
			w, beside := values[2*x+1], seconds[2*x+1]
			if other.eighths()+beside.eighths() == 0 {
				line[x] = p.join(p.cached(v), p.cached(w), p.Glyphs.HalfLeft, p.Glyphs.HalfRight)
				continue
			}
			v, other = together(v, other, w, beside)
		}
		line[x] = p.mixed(v, other)
	}
}

// eighths returns the part of a cell's height that the second value has: at most half of it.
func (s second) eighths() int { return int(8*s.share + 0.5) }

// together returns the two values that hold longest in two columns.
func together(a float64, beside second, b float64, other second) (first float64, next second) {
	list := [4]second{{a, 1 - beside.share}, {beside.value, beside.share}, {b, 1 - other.share},
		{other.value, other.share}}
	for i := range list {
		for k := range i {
			if list[k].value == list[i].value {
				list[k].share += list[i].share
				list[i].share = 0
			}
		}
	}
	most := second{}
	for _, s := range list {
		switch {
		case s.share > most.share:
			most, next = s, most
		case s.share > next.share:
			next = s
		}
	}
	next.share /= 2
	return most.value, next
}

// mixed returns the cell that shows value v and a second one by its share.
func (p *Painter) mixed(v float64, other second) Cell {
	cell, n := p.cached(v), other.eighths()
	if n == 0 {
		return cell
	}
	lower, upper := p.cached(other.value), cell
	if above(other.value, v) {
		lower, upper, n = upper, lower, 8-n
	}
	if lower.BG == upper.BG || !lower.BG.IsSet() || lower.Rune != ' ' || upper.Rune != ' ' {
		return cell
	}
	return Cell{p.Glyphs.Levels[n], Style{FG: lower.BG, BG: upper.BG}}
}
