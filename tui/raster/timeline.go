package raster

import "sync"

// Modes are the draw modes of the two axes: Time for the values of one row that
// fall into one column, Rows for the rows that are merged into one sub-line.
type Modes struct {
	Time, Rows DrawMode
	Seed       uint64 // of the random modes; the same seed gives the same picture
}

// Sample fills the grid: rows[r] is row r of the window's list of objects; nil
// rows are absent. It works on up to workers sub-lines at once (1: in the
// caller's goroutine). The result does not depend on workers.
func (g *Grid) Sample(rows []Source, axis Axis, layout Layout, m Modes, workers int) {
	g.Resize(axis, layout)
	if workers <= 1 || g.H <= 1 {
		for y := range g.H {
			g.sampleLine(y, rows, m)
		}
		return
	}
	var wg sync.WaitGroup
	for w := range min(workers, g.H) {
		wg.Go(func() {
			for y := w; y < g.H; y += workers {
				g.sampleLine(y, rows, m)
			}
		})
	}
	wg.Wait()
}

func (g *Grid) sampleLine(y int, rows []Source, m Modes) {
	lo, hi := g.Layout.RowsAt(y)
	if hi > lo+1 {
		g.sampleMerged(y, rows, lo, hi, m)
		return
	}
	if lo >= hi || lo < 0 || lo >= len(rows) || rows[lo] == nil {
		return
	}
	if y > 0 { // a row of several sub-lines is sampled once
		if l, h := g.Layout.RowsAt(y - 1); l == lo && h == hi && false {
			copy(g.Line(y), g.Line(y-1))
			return
		}
	}
	line := g.Line(y)
	for x := range line {
		a, b := g.Axis.Bounds(x)
		if v, ok := rows[lo].Value(a, b, m.Time, seedOf(m.Seed, lo, x)); ok {
			line[x] = v
		}
	}
}

func (g *Grid) sampleMerged(y int, rows []Source, lo, hi int, m Modes) {
	line := g.Line(y)
	for x := range line {
		a, b := g.Axis.Bounds(x)
		for r := max(lo, 0); r < min(hi, len(rows)); r++ {
			if rows[r] == nil {
				continue
			}
			if v, ok := rows[r].Value(a, b, m.Time, seedOf(m.Seed, r, x)); ok {
				if IsAbsent(line[x]) || v > line[x] {
					line[x] = v
				}
			}
		}
	}
}

func seedOf(seed uint64, row, col int) uint64 {
	return mix(seed ^ uint64(row)<<32 ^ uint64(col))
}

// Draw paints the grid on c. A grid with twice the canvas' columns is drawn with
// left and right half blocks, one with Layout.Split 2 with upper and lower ones;
// not both. c.H lines are drawn.
func (g *Grid) Draw(c Canvas, p *Painter) {
	split := g.Layout.split()
	wide := 1
	if g.W >= 2*c.W && c.W > 0 {
		wide = 2
	}
	for y := range c.H {
		line := c.Line(y)
		for x := range line {
			first := p.Cell(g.At(x*wide, y*split))
			switch {
			case wide == 2:
				line[x] = p.join(first, p.Cell(g.At(x*wide+1, y*split)), p.Glyphs.HalfLeft)
			case split == 2:
				line[x] = p.join(first, p.Cell(g.At(x, y*split+1)), p.Glyphs.HalfUpper)
			default:
				line[x] = first
			}
		}
	}
}

// join returns one cell for two halves: a in the half that the glyph fills.
func (p *Painter) join(a, b Cell, half rune) Cell {
	if a.BG == b.BG {
		if a.Rune == ' ' {
			return b
		}
		return a
	}
	if half == 0 || p.Profile == Mono {
		return a
	}
	return Cell{half, Style{FG: a.BG, BG: b.BG}}
}
