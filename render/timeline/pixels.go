package timeline

import (
	"runtime"

	"pview/render/raster"
)

// A view's rows in pixels, for terminals that draw pictures. Rows are where the cells would have them, so the names
// beside them and clicks on them have the same meaning; but a column is one pixel, and rows that share a line have
// separate lines of pixels.

// Pixelate is the size of a plot in cells, and of a cell in pixels.
type Pixelate struct {
	W, H         int // cells
	CellW, CellH int
	Bytes        int          // limit for rows in sixels: rows that need more are made lower; 0: no limit
	Ground       raster.Color // background of the rows
}

// pixelKey identifies a picture of pixels.
type pixelKey struct {
	paint paintKey
	on    Pixelate
	comms bool // message lines are known
}

// pixels is the last picture.
type pixels struct {
	key     pixelKey
	picture *raster.Pixmap
}

// mostMessageLines is the limit for message lines; if there are more, none is drawn, and the heading says so.
const mostMessageLines = 5000

// mostSmooth is the limit for smooth lines: beyond it, sending their shades takes longer than sending the picture
// itself.
const mostSmooth = 100

// mostSixelLines is the limit for message lines in sixels.
const mostSixelLines = 300

// Suits reports whether a view can be drawn in pixels fast enough; events and larger pictures are drawn as cells.
func (on Pixelate) Suits(w *View) bool {
	rows := min(w.RowsInView(w.Trace.Data), max(on.H*on.CellH, 1))
	if on.Bytes > 0 { // sixels: lines across all rows take more than the rows
		if _, n := w.Messages(0); n > mostSixelLines {
			return false
		}
	}
	return w.Values.Err == nil && !w.Drawing.Flags && on.CellW > 0 && on.CellH > 0 &&
		rows*on.W*on.CellW <= 4*sampleBudget && !w.heavy(w.Paint.SampleKey)
}

// Picture returns a view's rows in pixels. Draw must be called first: it places the rows. The picture is not changed
// later.
func (on Pixelate) Picture(w *View) *raster.Pixmap {
	p := &w.Paint
	key := pixelKey{p.key, on, w.Values.comms != nil}
	if p.pixels.picture != nil && p.pixels.key == key {
		return p.pixels.picture
	}
	m := raster.NewPixmap(on.W*on.CellW, on.H*on.CellH, on.Ground)
	on.draw(m, w)
	p.pixels = pixels{key, m}
	return m
}

func (on Pixelate) draw(m *raster.Pixmap, w *View) {
	p, layout := &w.Paint, w.Paint.Layout
	fine := layout
	fine.Split, fine.Height, fine.Gap = 1, 1, false
	if layout.Merged() { // a row has several lines of pixels, or a line has several rows
		fine.Lines = min(layout.Lines*on.CellH, layout.Rows)
	} else {
		fine.Lines = layout.Visible()
		fine.Rows = fine.Lines
	}
	var g raster.Grid
	g.Sample(w.Sources(layout, 0), w.Axis(m.Rect.Dx()), fine, w.Modes(), runtime.GOMAXPROCS(0))
	split, bar := max(layout.Split, 1), p.barHeight(&g, on)
	for s := range g.H {
		y0, y1 := s*m.Rect.Dy()/g.H, (s+1)*m.Rect.Dy()/g.H
		if !layout.Merged() {
			top, h := layout.Place(layout.First + s)
			y0, y1 = top*on.CellH/split, (top+h)*on.CellH/split
			if y1-y0 >= 4 { // leave a gap between rows
				y0++
			}
			if bar > 0 && !w.Drawing.Graph { // beside its name
				y1 = min(y1, y0+bar)
			}
		}
		if w.Drawing.Graph {
			p.drawPixelGraph(m, g.Line(s), y0, y1)
		} else {
			p.drawPixelRow(m, g.Line(s), y0, y1)
		}
	}
	lines, _ := w.Messages(mostMessageLines)
	scale := float64(m.Rect.Dx()) / float64(max(w.Duration(), 1))
	middle := func(row int) float64 {
		if layout.Merged() {
			return (float64(row) + 0.5) * float64(m.Rect.Dy()) / float64(layout.Rows)
		}
		top, h := layout.Place(row + layout.First)
		y, high := float64(top*on.CellH)/float64(split), float64(h*on.CellH)/float64(split)
		if bar > 0 && !w.Drawing.Graph {
			high = min(high, float64(bar))
		}
		return y + high/2
	}
	for _, l := range lines {
		color := p.Painter.Theme.Logical
		if l.Physical {
			color = p.Painter.Theme.Physical
		}
		m.Line(float64(l.Sent-w.Begin)*scale, middle(l.From), float64(l.Received-w.Begin)*scale, middle(l.To), color,
			len(lines) <= mostSmooth)
	}
}

// leastBar is the minimum height of rows in sixels, if there is room.
const leastBar = 18

// barHeight returns the maximum height of a row in pixels; 0: no limit. In sixels, six lines of pixels are a band, and
// each band repeats all stretches of its rows: a colour, a position and a length, some four bytes.
func (q *painting) barHeight(g *raster.Grid, on Pixelate) int {
	if on.Bytes == 0 {
		return 0
	}
	p, stretches := &q.Painter, 1
	for s := range g.H {
		line := g.Line(s)
		for x := 1; x < len(line); x++ {
			if line[x] != line[x-1] && p.Color(line[x]) != p.Color(line[x-1]) {
				stretches++
			}
		}
	}
	return max(on.Bytes/(4*stretches)*6, leastBar)
}

// drawPixelRow paints a row as stretches of one value.
func (q *painting) drawPixelRow(m *raster.Pixmap, line []float64, y0, y1 int) {
	p := &q.Painter
	for x := 0; x < len(line); {
		c, end := p.Color(line[x]), x+1
		for end < len(line) && p.Color(line[end]) == c {
			end++
		}
		if c.IsSet() {
			m.Fill(x, y0, end, y1, c)
		}
		x = end
	}
}

// drawPixelGraph paints a row as a function line.
func (q *painting) drawPixelGraph(m *raster.Pixmap, line []float64, y0, y1 int) {
	th, scale := q.Painter.Theme, q.Scale
	for x, v := range line {
		if v == v {
			at := min(max(scale.At(v), 0), 1)
			h := int(at*float64(y1-y0-1) + 0.5)
			if at > 0 {
				h = max(h, 1)
			}
			m.Fill(x, y1-h, x+1, y1, th.Level)
		}
	}
}
