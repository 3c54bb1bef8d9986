package findings

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"pview/insight/breakdown"
	"pview/prv"
	"pview/render/plot"
	"pview/render/raster"
	"pview/render/style"
)

// How the stages are drawn: tabs, a line about the view and the selection, then the view.

// draw draws the chosen view.
func (s *stages) draw(pane, c raster.Canvas) {
	th := s.sc.Theme
	if s.err != nil {
		text := s.err.Error()
		if errors.Is(s.err, breakdown.ErrStages) {
			text += "; " + s.sc.KeysOf("stages longer") + " makes them longer"
		}
		s.sc.DrawText(c.Sub(1, 0, c.W-1, c.H), text, th.Warn)
		return
	}
	if s.grid == nil {
		c.Text(1, 0, th.ASCII("dividing the run…"), th.Dim)
		return
	}
	g, t := s.grid, s.of.Data
	s.stage, s.thread = max(0, min(s.stage, g.Stages-1)), max(0, min(s.thread, g.Threads-1))
	from := g.At(s.stage)
	text := fmt.Sprintf("%s · %s of %s", g.Attribute.Name, raster.CountOf(g.Stages, "stage"),
		raster.FormatDuration(g.Length, t.Unit))
	x := c.Text(1, 0, th.ASCII(th.Cut(text, c.W-2)), th.Bold)
	to := min(from+g.Length, t.Duration)
	text = fmt.Sprintf(" · Stage %d, %s: %s", s.stage+1, raster.FormatRange(from, to, t.Unit),
		g.Text(g.Of(0, g.Threads, s.stage, s.stage+1), t.Unit))
	if s.pages.At >= pageThreads {
		text += fmt.Sprintf("; %s %s", s.name(s.thread),
			g.Text(g.Of(s.thread, s.thread+1, s.stage, s.stage+1), t.Unit))
	}
	c.Text(x, 0, th.ASCII(th.Cut(text, max(c.W-x-1, 0))), th.Dim)
	c.Text(1, 1, th.ASCII(th.Cut(g.Attribute.Doc, c.W-2)), th.Dim)
	body := c.Sub(1, 2, c.W-2, max(c.H-2, 0))
	switch s.pages.At {
	case pageTime:
		plot.Draw(g.OverTime(t.Unit, s.stage), body, s.sc.Look)
	case pageThreads:
		plot.Draw(g.ByThread(t, s.thread), body, s.sc.Look)
	case pageHeat:
		s.drawHeat(pane, body)
	case pageAnimation:
		s.drawAnimation(body)
	}
}

// The ends of the colour scale: an idle and a busy thread in Projections.
var (
	lowest  = raster.RGB(200, 40, 40)
	highest = raster.RGB(40, 80, 220)
)

// shade returns the cell of a value between 0 and the most: from red to blue, without colours a glyph.
func (s *stages) shade(v, most float64) raster.Cell {
	if math.IsNaN(v) {
		return raster.Cell{Rune: ' '}
	}
	x := 0.
	if most > 0 {
		x = max(0, min(v/most, 1))
	}
	if s.sc.Look.Profile == raster.Mono {
		fills := s.sc.Look.Glyphs.Shades
		return raster.Cell{Rune: fills[int(math.Round(x*float64(len(fills)-1)))]}
	}
	return raster.Cell{Rune: ' ', Style: raster.Style{BG: lowest.Blend(highest, x)}}
}

// drawShades draws the legend of the colours, and returns the column after it.
func (s *stages) drawShades(c raster.Canvas, x, y int, most float64) int {
	const steps = 8
	x = c.Text(x, y, s.grid.Text(0, s.of.Data.Unit)+" ", s.sc.Theme.Dim)
	for i := range steps + 1 {
		c.Set(x, y, s.shade(float64(i)/steps, 1))
		x++
	}
	return c.Text(x, y, " "+s.grid.Text(most, s.of.Data.Unit), s.sc.Theme.Dim)
}

// greatest is the maximum of a grid in which a number of threads and stages share a cell.
type greatest struct {
	grid            *breakdown.Grid
	threads, stages int
	value           float64
}

// most returns the greatest value on the colour scale: 100 % for shares.
func (s *stages) most(threads, stages int) float64 {
	g := s.grid
	if g.Attribute.Kind == breakdown.Shares {
		return 1
	}
	if have := &s.greatest; have.grid == g && have.threads == threads && have.stages == stages {
		return have.value
	}
	most := 0.
	for th := 0; th < g.Threads; th += threads {
		for k := 0; k < g.Stages; k += stages {
			if v := g.Of(th, min(th+threads, g.Threads), k, min(k+stages, g.Stages)); v > most {
				most = v
			}
		}
	}
	s.greatest = greatest{g, threads, stages, most}
	return most
}

// tallest is the maximum number of lines of a thread in the heat map and the animation: readable from afar.
const tallest = 8

// drawHeat draws a row for each thread and a column for each stage. If they do not fit, a column covers several stages;
// if there is room to spare, a stage has several columns, and a thread several lines.
func (s *stages) drawHeat(pane, c raster.Canvas) {
	th, g := s.sc.Theme, s.grid
	tall := max(1, min((c.H-2)/g.Threads, tallest))
	rows := min((c.H-2)/tall, g.Threads)
	s.top = max(0, min(max(min(s.top, s.thread), s.thread-rows+1), g.Threads-rows))
	label := 1
	for row := range rows {
		label = max(label, min(raster.TextWidth(s.name(s.top+row)), c.W/4)+1)
	}
	cols := c.W - label - 1
	if rows < 1 || cols < 1 {
		return
	}
	step, wide := (g.Stages+cols-1)/cols, max(cols/g.Stages, 1)
	most := s.most(1, step)
	s.cells = c.Sub(label, 0, min((g.Stages+step-1)/step*wide, cols), rows*tall).Within(pane)
	s.step, s.wide, s.tall = step, wide, tall
	for row := range rows {
		thread, middle := s.top+row, row*tall+(tall-1)/2
		c.TextIn(0, middle, label-1, style.Shorten(s.name(thread), label-1, th), th.Dim, true)
		for k := 0; k*step < g.Stages; k++ {
			cell := s.shade(g.Of(thread, thread+1, k*step, min((k+1)*step, g.Stages)), most)
			c.Sub(label+k*wide, row*tall, wide, tall).Fill(cell)
			if thread == s.thread && k == s.stage/step {
				c.Sub(label+k*wide, middle, wide, 1).Fill(s.chosenCell(cell))
			}
		}
	}
	rows *= tall
	unit := s.of.Data.Unit
	for k := 0; k*step < g.Stages; k += max(16/wide, 1) {
		text := raster.FormatTime(g.At(k*step), unit, g.Length)
		if label+k*wide+raster.TextWidth(text) < c.W {
			c.Text(label+k*wide, rows, text, th.Dim)
		}
	}
	x := s.drawShades(c, label, rows+1, most)
	if step > 1 {
		c.Text(x+2, rows+1, fmt.Sprintf("a column is %d stages", step), th.Dim)
	}
}

// name returns the name of a thread, as in the line above the views.
func (s *stages) name(thread int) string { return s.of.Data.ShortName(prv.LevelThread, thread) }

// chosenCell marks a cell.
func (s *stages) chosenCell(cell raster.Cell) raster.Cell {
	cell.Rune = '+'
	if cell.FG = s.sc.Theme.Accent.FG; cell.BG.IsSet() {
		cell.FG = cell.BG.Contrast()
	}
	return cell
}

// drawAnimation draws the threads in the chosen stage, as large as possible. If they do not fit, a cell covers several.
func (s *stages) drawAnimation(c raster.Canvas) {
	th, g := s.sc.Theme, s.grid
	state := th.ASCII("Space plays")
	if s.playing != 0 {
		state = fmt.Sprintf("%.3g stages a second", s.speed)
	}
	x := c.Text(0, 0, th.ASCII(fmt.Sprintf("%s · %s · ", arrangements[s.shape].name, state)), th.Dim)
	field := c.Sub(0, 2, c.W, max(c.H-2, 0))
	for per := 1; per < 2*g.Threads; per *= 2 {
		list, size := s.place(per, field.W, field.H)
		if list == nil {
			continue
		}
		most := s.most(per, 1)
		s.drawShades(c, x, 0, most)
		if per > 1 {
			c.Text(0, 1, fmt.Sprintf("a cell is %d threads", per), th.Dim)
		}
		for i, at := range list {
			s.drawThread(field.Sub(at.x*size.x, at.y*size.y, size.x, size.y), i*per, min((i+1)*per, g.Threads), most)
		}
		return
	}
	c.Text(0, 1, "no room for this arrangement", th.Dim)
}

// place arranges cells, each of a number of threads, in the largest size that fits: twice as wide as high, as pixels of
// a terminal are not square, and never too narrow for a number before they are low. list is nil if none fits.
func (s *stages) place(per, width, height int) (list []spot, size spot) {
	n := (s.grid.Threads + per - 1) / per
	number := len(strconv.Itoa(s.grid.Threads)) + 2
	try := func(x, y int) bool {
		size = spot{x, y}
		if (width/x)*(height/y) >= n {
			list = arrangements[s.shape].place(n, width/x, height/y, s.meshOf(per))
		}
		return list != nil
	}
	for tall := tallest; tall > 1; tall-- {
		if try(max(number, 2*tall+1), tall) {
			return list, size
		}
	}
	for wide := number; wide > 0; wide-- {
		if try(wide, 1) {
			return list, size
		}
	}
	return nil, size
}

// meshOf returns the typed lengths, if each cell shows one thread.
func (s *stages) meshOf(per int) [3]int {
	if per > 1 {
		return [3]int{}
	}
	return s.mesh
}

// drawThread draws the cell of threads, with the number of the first if it fits.
func (s *stages) drawThread(c raster.Canvas, first, last int, most float64) {
	g := s.grid
	cell := s.shade(g.Of(first, last, s.stage, s.stage+1), most)
	lines := c.H
	if lines > 2 { // a gap below, as at the right
		lines--
	}
	body := c.Sub(0, 0, max(c.W-1, 1), lines)
	body.Fill(cell)
	if s.thread >= first && s.thread < last {
		body.Set(0, 0, s.chosenCell(cell))
	}
	text := s.name(first)
	if raster.TextWidth(text)+2 > c.W {
		text = strconv.Itoa(first + 1)
	}
	if len(text)+2 <= c.W && cell.BG.IsSet() {
		c.Text(1, 0, text, raster.Style{FG: cell.BG.Contrast(), BG: cell.BG})
	}
}
