// Package netmap draws a direct network: its processors with the tasks on them, and its links in the colour of their
// load.
//
// A mesh or torus is a grid with its links between the processors; axes beyond the second are planes side by side.
// Trees and dragonflies are levels, each vertex in the colour of its links to the level above. Of other shapes, and
// where there is no room for links, each processor has the colour of its busiest link.
package netmap

import (
	"fmt"
	"strconv"

	"pview/insight/traffic"
	"pview/render/raster"
	"pview/render/style"
	"pview/sim/topology"
)

// Map is a network with the loads of its links.
type Map struct {
	Net   *traffic.Network
	Loads []traffic.Load // the greatest first

	between map[[2]int]float64 // bytes between two vertices, the smaller one first, in the busier direction
	busiest map[int]float64    // by vertex
	label   map[int]string     // tasks, from 1
	widest  int                // of the labels
}

// New prepares a map.
func New(net *traffic.Network, loads []traffic.Load) *Map {
	m := &Map{Net: net, Loads: loads, between: map[[2]int]float64{}, busiest: map[int]float64{},
		label: map[int]string{}, widest: 1}
	for _, l := range loads {
		key := [2]int{min(l.From, l.To), max(l.From, l.To)}
		m.between[key] = max(m.between[key], l.Bytes)
		m.busiest[l.From] = max(m.busiest[l.From], l.Bytes)
		m.busiest[l.To] = max(m.busiest[l.To], l.Bytes)
	}
	for task, at := range net.At {
		switch text, ok := m.label[int(at)]; {
		case !ok:
			m.label[int(at)] = strconv.Itoa(task + 1)
		case text[len(text)-1] != '+':
			m.label[int(at)] = text + "+"
		}
		m.widest = max(m.widest, len(m.label[int(at)]))
	}
	return m
}

// Most returns the bytes over the busiest link.
func (m *Map) Most() float64 {
	if len(m.Loads) == 0 {
		return 0
	}
	return m.Loads[0].Bytes
}

// Name returns the task on a vertex, else the vertex's number.
func (m *Map) Name(vertex int) string {
	if text, ok := m.label[vertex]; ok {
		return "task " + text
	}
	return "vertex " + strconv.Itoa(vertex)
}

func (m *Map) load(a, b int) float64 { return m.between[[2]int{min(a, b), max(a, b)}] }

// brush is the state of a drawing.
type brush struct {
	*Map
	c     raster.Canvas
	th    *style.Theme
	paint raster.Painter
}

// Draw draws the map as large as there is room.
func (m *Map) Draw(c raster.Canvas, look raster.Look, th *style.Theme) {
	b := &brush{m, c, th, painter(look, m.Most())}
	if axes := topology.Axes(m.Net.Topology); axes != nil && b.grid(axes) {
		return
	}
	if levels := topology.Levels(m.Net.Topology); levels != nil && len(levels) <= c.H {
		b.levels(levels)
		return
	}
	b.crowd()
}

func painter(look raster.Look, most float64) raster.Painter {
	return raster.Painter{Look: look, Palette: raster.ValuePalette(), Mode: raster.NotNullGradient,
		Scale: raster.Scale{Max: most}}
}

// DrawScale draws the colours from no load to that of the busiest link, and returns the column after them.
func (m *Map) DrawScale(c raster.Canvas, look raster.Look, th *style.Theme, x int) int {
	const steps = 8
	p := painter(look, m.Most())
	x = c.Text(x, 0, "0 ", th.Dim)
	for i := range steps {
		c.Set(x, 0, p.Cell(m.Most()*float64(i+1)/steps))
		x++
	}
	return x
}

// grid draws planes of two axes; false: the links do not fit.
func (b *brush) grid(axes []int) bool {
	rows, cols, planes := 1, axes[len(axes)-1], 1
	if len(axes) > 1 {
		rows = axes[len(axes)-2]
		for _, k := range axes[:len(axes)-2] {
			planes *= k
		}
	}
	link, gap := 3, 1 // cells of a link to the right, lines of one downwards
	width := func() int { return cols*(b.widest+link) + 1 }
	switch {
	case width() > b.c.W:
		link = 1
	case planes == 1:
		link = min((b.c.W-1)/cols-b.widest, 8)
		gap = max(1, min(b.c.H/rows-1, 3))
	}
	if len(axes) == 1 && width() > b.c.W { // a long row is broken
		return b.row(cols)
	}
	height := (1 + gap) * rows
	if planes > 1 {
		height++
	}
	side := max((b.c.W+1)/(width()+1), 0)
	if side == 0 || (planes+side-1)/side*height > b.c.H+gap {
		return false
	}
	for p := range planes {
		x, y := p%side*(width()+1), p/side*height
		if planes > 1 {
			b.c.Text(x, y, "plane "+strconv.Itoa(p), b.th.Dim)
			y++
		}
		b.plane(x, y, p*rows*cols, rows, cols, link, gap)
	}
	return true
}

// row draws a line or ring in as many lines as it takes.
func (b *brush) row(n int) bool {
	each := max((b.c.W-1)/(b.widest+1), 1)
	if (n+each-1)/each > b.c.H {
		return false
	}
	for y := 0; y*each < n; y++ {
		b.plane(0, y, y*each, 1, min(each, n-y*each), 1, 0)
	}
	return true
}

// plane draws a grid of processors from a vertex on. A link at the right or lower border closes a row or column of a
// torus, or leads to the next line.
func (b *brush) plane(x, y, first, rows, cols, link, gap int) {
	pitch := b.widest + link
	for r := range rows {
		for k := range cols {
			v := first + r*cols + k
			at, line := x+k*pitch, y+(1+gap)*r
			b.vertex(at, line, b.widest, v, 0)
			for _, w := range b.Net.Neighbours(v, nil) {
				switch {
				case w == v+1 && k < cols-1, k == cols-1 && (w == v-cols+1 && cols > 2 || w == v+1 && rows == 1):
					b.line(at+b.widest, line, link, b.load(v, w), b.th.Glyphs.Horizontal)
				case w == v+cols && r < rows-1, r == rows-1 && w == v-(rows-1)*cols && rows > 2:
					for i := range gap {
						b.line(at, line+1+i, b.widest, b.load(v, w), b.th.Glyphs.Vertical)
					}
				}
			}
		}
	}
}

// vertex writes the tasks of a vertex, in the colour of a load.
func (b *brush) vertex(x, y, w, v int, load float64) {
	text, ok := b.label[v]
	if !ok {
		text = "."
	}
	st := b.th.Bold
	if !ok {
		st = b.th.Dim
	}
	if load > 0 {
		cell := b.paint.Cell(load)
		for i := range w {
			b.c.Set(x+i, y, cell)
		}
		if !cell.BG.IsSet() { // no colours: the glyph is the load
			return
		}
		st = raster.Style{BG: cell.BG, FG: cell.BG.Contrast()}
	}
	if len(text) <= w {
		b.c.Text(x+(w-len(text))/2, y, text, st)
	}
}

// line draws a link over some cells.
func (b *brush) line(x, y, w int, load float64, glyph rune) {
	cell := b.paint.Cell(load)
	if load == 0 {
		cell = raster.Cell{Rune: glyph, Style: b.th.Dim}
		x, w = x+w/2, 1
	}
	for i := range w {
		b.c.Set(x+i, y, cell)
	}
}

// levels draws a line for each level.
func (b *brush) levels(levels [][]int) {
	above := map[int]bool{}
	for y, level := range levels {
		title := fmt.Sprintf("%-8s", fmt.Sprintf("level %d", y))
		if b.c.W < 40 {
			title = ""
		}
		x := b.c.Text(0, y, title, b.th.Dim)
		room := b.c.W - x
		if y == 0 {
			for _, v := range level { // links within the highest level
				above[v] = true
			}
		}
		for i, v := range level {
			load := 0.0
			for _, w := range b.Net.Neighbours(v, nil) {
				if above[w] {
					load = max(load, b.load(v, w))
				}
			}
			from, to := i*room/len(level), (i+1)*room/len(level)
			if to-from > 2 {
				to--
			}
			b.vertex(x+from, y, max(to-from, 1), v, load)
		}
		above = map[int]bool{}
		for _, v := range level {
			above[v] = true
		}
	}
}

// crowd draws each vertex in the colour of its busiest link.
func (b *brush) crowd() {
	n := b.Net.Vertices()
	w := b.widest + 1
	if each := b.c.W / w; each == 0 || (n+each-1)/each > b.c.H {
		w = 1
	}
	each := max(b.c.W/w, 1)
	for v := range min(n, each*b.c.H) {
		b.vertex(v%each*w, v/each, max(w-1, 1), v, b.busiest[v])
	}
}
