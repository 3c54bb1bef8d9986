// Sampling: from series to a grid of values, and from the grid to cells.
//
// Each sub-line is sampled separately, so that lines can be drawn in parallel. The cost of a line grows with its cells
// and the logarithm of its bursts: each cell is found from the previous one, and read from the pyramid of its series.

package raster

import (
	"slices"
	"sync"

	"pview/semantic/series"
)

// Modes are the draw modes of the two axes: Time for the bursts of a row in a column, Rows for the rows that are merged
// into a sub-line.
type Modes struct {
	Time, Rows series.DrawMode
	Seed       uint64 // of the random modes; the same seed gives the same picture
	// Paired says that two columns share a cell: they have separate values if the row allows it (series.Series.Pairs).
	Paired bool
	// Mixed says that a cell of a row with one line can show two values, by their shares.
	Mixed bool
	// Sparse says that 0 means nothing: rows that share a line show 0 only if none of them has another value.
	Sparse bool
	// Spread says that the columns of rows with several lines show the mean and minimum of their bursts, too. Time is
	// Maximum.
	Spread bool
}

// Sample fills the grid: rows[r] is row r of the window's list of objects; nil rows, which are not evaluated yet, are
// absent. It works on up to workers sub-lines concurrently (1: in the caller's goroutine). The result does not depend
// on workers.
func (g *Grid) Sample(rows []*series.Series, axis Axis, layout Layout, m Modes, workers int) {
	g.Resize(axis, layout)
	if g.mixes(m) {
		g.second = slices.Grow(g.second, len(g.V))[:len(g.V)]
		clear(g.second)
	}
	if m.Spread && !layout.Merged() {
		g.spread = slices.Grow(g.spread, len(g.V))[:len(g.V)]
	}
	g.cutColumns()
	workers = max(1, min(workers, g.H))
	g.merging = slices.Grow(g.merging[:0], workers)[:workers]
	for i := range g.merging {
		g.merging[i].stack.reset()
	}
	if workers == 1 {
		g.sampleLines(0, 1, rows, m)
	} else {
		g.sampleParallel(workers, rows, m)
	}
	if g.stacks(m) {
		g.countStacks()
		return
	}
	for y := range g.H {
		if g.repeats(y) {
			copy(g.Line(y), g.Line(y-1))
		}
	}
}

// repeats reports whether sub-line y shows the same row as the one above.
func (g *Grid) repeats(y int) bool {
	return !g.Layout.Merged() && y%g.Layout.height() > 0
}

func (g *Grid) sampleParallel(workers int, rows []*series.Series, m Modes) {
	var wg sync.WaitGroup
	panics := make([]any, workers)
	for first := range workers {
		wg.Go(func() {
			defer func() { panics[first] = recover() }()
			g.sampleLines(first, workers, rows, m)
		})
	}
	wg.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p) // in the caller's goroutine, which can restore the terminal
		}
	}
}

// sampleLines samples every step-th sub-line from first.
func (g *Grid) sampleLines(first, step int, rows []*series.Series, m Modes) {
	for y := first; y < g.H; y += step {
		if !g.repeats(y) {
			g.sampleLine(y, rows, m, &g.merging[first])
		}
	}
}

// cutColumns computes the interval of each column once for all rows.
func (g *Grid) cutColumns() {
	g.cuts = g.cuts[:0]
	for x := range g.W {
		from, to := g.Axis.Bounds(x)
		if x == g.W-1 && g.Axis.Closed && to == g.Axis.End && to+1 > to {
			to++ // include the end of the trace
		}
		g.cuts = append(g.cuts, [2]int64{from, to})
	}
}

func (g *Grid) sampleLine(y int, rows []*series.Series, m Modes, merge *merger) {
	lo, hi := g.Layout.RowsAt(y)
	lo, hi = max(lo, 0), min(hi, len(rows))
	switch line := g.Line(y); {
	case lo >= hi:
	case g.stacks(m):
		g.sampleStack(y, rows[lo], m.Paired, &merge.stack)
	case len(g.second) > 0 && (lo+1 == hi || m.sharesRows()):
		g.sampleMixed(y, rows[lo:hi], m.Paired, merge)
	case lo+1 == hi:
		g.sampleRow(line, rows[lo], lo, m)
		g.spreadRow(y, rows[lo])
	default:
		merge.begin(m.Rows, hi-lo, g.W)
		merge.sparse = m.Sparse
		for r := lo; r < hi; r++ {
			if rows[r] != nil {
				g.sampleRow(merge.next(), rows[r], r, m)
			}
		}
		merge.into(line, m.Seed^mix(uint64(y)))
	}
}

// sampleRow fills line with the values of row number r.
func (g *Grid) sampleRow(line []float64, row *series.Series, r int, m Modes) {
	if row == nil {
		return
	}
	seed := mix(m.Seed ^ uint64(r))
	if m.Paired {
		row.Pairs(line, g.cuts, m.Time, seed, Absent)
		return
	}
	row.Values(line, g.cuts, m.Time, seed, Absent)
}

// spreadRow finds the range of the bursts in each column of a line.
func (g *Grid) spreadRow(y int, row *series.Series) {
	line := g.SpreadOf(y)
	for x := range line {
		if v := g.At(x, y); row != nil && v == v {
			a := row.Aggregate(g.cuts[x][0], g.cuts[x][1])
			line[x] = Spread{a.Min, a.Average()}
		}
	}
}

// Draw paints the grid on c. A grid with twice the canvas's columns is drawn with left and right halves of cells, one
// with Layout.Split 2 with upper and lower halves, one with both with quarters. That takes a Look that CanSplit:
// otherwise only the first halves are visible.
func (g *Grid) Draw(c Canvas, p *Painter) {
	wide := 1
	if c.W > 0 && g.W >= 2*c.W {
		wide = 2
	}
	p.prepare()
	for y := range c.H {
		gap := g.Layout.gapAbove(y)
		switch {
		case len(g.second) > 0:
			g.drawMixed(c, p, y, wide)
		case gap && g.Layout.split() == 2: // keep the line above the row whole
			g.drawWhole(c, p, y, wide)
		case wide == 2 && g.Layout.split() == 2:
			g.drawQuarters(c, p, y)
		default:
			g.drawHalves(c, p, y, wide)
		}
		if gap {
			p.lower(c.Line(y), len(g.second) > 0)
		}
	}
}

// drawWhole draws line y with one value per cell: the first.
func (g *Grid) drawWhole(c Canvas, p *Painter, y, wide int) {
	for x := range c.Line(y) {
		c.Line(y)[x] = p.cached(g.At(x*wide, y*g.Layout.split()))
	}
}

// drawHalves draws line y with one value per cell, or with two, side by side or one above the other.
func (g *Grid) drawHalves(c Canvas, p *Painter, y, wide int) {
	line := c.Line(y)
	switch {
	case wide == 2 && y < g.H:
		values := g.Line(y)[:2*c.W]
		for x := range line {
			a, b := values[2*x], values[2*x+1]
			if line[x] = p.cached(a); a != b {
				line[x] = p.join(line[x], p.cached(b), p.Glyphs.HalfLeft, p.Glyphs.HalfRight)
			}
		}
	case g.Layout.split() == 2:
		for x := range line {
			line[x] = p.join(p.cached(g.At(x, y*2)), p.cached(g.At(x, y*2+1)), p.Glyphs.HalfUpper, p.Glyphs.HalfLower)
		}
	default:
		g.drawWhole(c, p, y, wide)
	}
}

// leastGap is the minimum number of cells for a gap above a row between cells with two colours, which cannot have a
// gap: a shorter gap would look like an event.
const leastGap = 8

// lower draws the gap above a line; in a mixed line only above longer runs of cells.
func (p *Painter) lower(line []Cell, mixed bool) {
	for x := 0; x < len(line); {
		end := x
		for end < len(line) && p.lowered(line[end]) != line[end] {
			end++
		}
		if end == x {
			x++
			continue
		}
		if mixed && end-x < leastGap {
			x = end
		}
		for ; x < end; x++ {
			line[x] = p.lowered(line[x])
		}
	}
}

// lowered returns the cell without its uppermost eighth, if it is plain and the glyphs can show it.
func (p *Painter) lowered(c Cell) Cell {
	switch {
	case p.Glyphs.Lowered == 0:
	case c.Rune == ' ' && c.BG.IsSet():
		return Cell{p.Glyphs.Lowered, Style{FG: c.BG}}
	case c.Rune == p.Glyphs.Full && p.Profile == Mono:
		return Cell{Rune: p.Glyphs.Lowered}
	}
	return c
}

// ground returns the colour of a cell's data, for overlays: for two halves, the colour of the lower or right one, which
// is the background.
func (l Look) ground(c Cell) Color {
	switch c.Rune {
	case l.Glyphs.Lowered:
		return c.FG
	case l.Glyphs.HalfLower, l.Glyphs.HalfRight:
		if !c.BG.IsSet() {
			return c.FG
		}
	default:
		if c.BG.IsSet() || c.Rune == ' ' {
			break
		}
		if slices.Contains(l.Glyphs.Quarters, c.Rune) || slices.Contains(l.Glyphs.Levels, c.Rune) {
			return c.FG
		}
	}
	return c.BG
}

// join returns one cell for two halves: a in the half that glyph inA fills, b in the one that inB fills. A half with
// the background keeps the terminal's own. A texture takes the whole cell: half of it would have another value's
// colour.
func (p *Painter) join(a, b Cell, inA, inB rune) Cell {
	switch {
	case a.BG == b.BG:
		if a.Rune == ' ' {
			return b
		}
		return a
	case !p.CanSplit() || a.Rune != ' ' || a.BG.IsSet() && b.Rune != ' ':
		return a
	case b.Rune != ' ':
		return b
	case !a.BG.IsSet():
		return Cell{inB, Style{FG: b.BG}}
	}
	return Cell{inA, Style{FG: a.BG, BG: b.BG}}
}

// drawQuarters draws line y with four values per cell: upper left, upper right, lower left, lower right.
func (g *Grid) drawQuarters(c Canvas, p *Painter, y int) {
	line, n := c.Line(y), 2*c.W
	if 2*y+1 >= g.H { // below the rows
		c.Sub(0, y, c.W, 1).Fill(p.cached(Absent))
		return
	}
	upper, lower := g.Line(2 * y)[:n], g.Line(2*y + 1)[:n]
	for x := range line {
		a, b := upper[2*x], upper[2*x+1]
		d, e := lower[2*x], lower[2*x+1]
		if a == b && b == d && d == e { // most cells of tall rows
			line[x] = p.cached(a)
			continue
		}
		line[x] = p.quartersOf([4]Cell{p.cached(a), p.cached(b), p.cached(d), p.cached(e)})
	}
}

// quartersOf returns one cell for four quarters. A cell has two colours: if there are more, the two most frequent ones
// stay, and a quarter with another colour takes the colour of the quarter beside it. With textures, the most frequent
// look takes the whole cell.
func (p *Painter) quartersOf(q [4]Cell) Cell {
	if q[0].Rune != ' ' || q[1].Rune != ' ' || q[2].Rune != ' ' || q[3].Rune != ' ' {
		return commonest(&q)
	}
	if q[0].BG == q[1].BG && q[2].BG == q[3].BG {
		return p.join(q[0], q[2], p.Glyphs.HalfUpper, p.Glyphs.HalfLower)
	}
	if q[0].BG == q[2].BG && q[1].BG == q[3].BG {
		return p.join(q[0], q[1], p.Glyphs.HalfLeft, p.Glyphs.HalfRight)
	}
	if !p.CanSplit() {
		return q[0]
	}
	a, b := twoColors(&q)
	mask := 0
	for i := range q {
		bg := q[i].BG
		if bg != a && bg != b {
			bg = q[i^1].BG // in the same half
		}
		if bg != a && bg != b {
			bg = q[i^2].BG
		}
		if bg == a {
			mask |= 1 << i
		}
	}
	if !a.IsSet() { // the background cannot be a foreground
		a, b, mask = b, a, mask^15
	}
	switch mask {
	case 0:
		return Cell{' ', Style{BG: b}}
	case 15:
		return Cell{' ', Style{BG: a}}
	}
	return Cell{p.Glyphs.Quarters[mask], Style{FG: a, BG: b}}
}

// commonest returns the most frequent look of four cells, on a tie the first one.
func commonest(q *[4]Cell) Cell {
	best, most := 0, 0
	for i := range q {
		n := 0
		for k := range q {
			if q[k] == q[i] {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return q[best]
}

// twoColors returns the two most frequent colours of four cells, on a tie the first ones.
func twoColors(q *[4]Cell) (a, b Color) {
	var n [4]int
	for i := range q {
		for k := range q {
			if q[k].BG == q[i].BG {
				n[i]++
				if k < i {
					n[i] = 0
					break
				}
			}
		}
	}
	first, second := 0, -1
	for i := 1; i < 4; i++ {
		if n[i] > n[first] {
			first = i
		}
	}
	for i := range n {
		if i != first && n[i] > 0 && (second < 0 || n[i] > n[second]) {
			second = i
		}
	}
	if second < 0 {
		return q[first].BG, q[first].BG
	}
	return q[first].BG, q[second].BG
}
