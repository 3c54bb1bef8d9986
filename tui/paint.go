package tui

import (
	"runtime"

	"pview/prv"
	"pview/semantic"
	"pview/tui/raster"
)

// painting is a window's picture, and what it was made from: it is made again
// only when that has changed, so that moving the cursor costs nothing.
type painting struct {
	version int // counts changes of the values
	key     paintKey
	picture raster.Canvas
	layout  raster.Layout
	grid    raster.Grid
	painter raster.Painter
	legend  raster.Legend
	scale   raster.Scale // the semantic scale as drawn
	stats   raster.CommStats
	events  int // flags drawn stand for so many events

	sources  []*semantic.Series
	flags    raster.Flags
	comms    raster.CommLines
	envelope []raster.Envelope // by line of the row
	merged   raster.Envelope

	labelsFor *setup // what labels was measured for
	labels    int    // width of the longest name
}

type paintKey struct {
	version    int
	w, h       int
	look       raster.Look
	begin, end int64
	top, span  int
	draw       look
	busy       bool
}

// repaint brings the window's picture up to date for a plot of the given size.
func (w *window) repaint(l raster.Look, width, height int) {
	p := &w.paint
	key := paintKey{p.version, width, height, l, w.begin, w.end, w.top, w.span, w.draw, w.values.busy}
	if key == p.key && p.picture.W == width && p.picture.H == height {
		return
	}
	p.key = key
	p.picture.Resize(width, height)
	p.stats, p.events = raster.CommStats{}, 0
	p.layout = w.rowLayout(height, l)
	if p.painter.Palette == nil {
		p.painter.Palette = w.trace.palette
	}
	p.painter.Look, p.painter.Mode, p.painter.Gradient = l, w.draw.color, w.draw.gradient
	p.painter.ZeroIsBackground = codesOf(&w.sem) != stateCodes
	w.collectSources()
	w.sample(width)
	if w.draw.graph {
		w.paintGraph(l)
	} else {
		p.grid.Draw(p.picture, &p.painter)
	}
	p.legend.Look = l
	p.legend.Collect(&p.grid, &p.painter, func(v float64) string { return w.trace.legendText(&w.sem, v) })
	w.paintFlags(l)
	w.paintComms(l)
}

// collectSources lists the rows for sampling. Rows out of view, and rows that are
// not computed yet, are nil.
func (w *window) collectSources() {
	n := w.rows(w.trace.tr)
	if cap(w.paint.sources) < n {
		w.paint.sources = make([]*semantic.Series, n)
	}
	w.paint.sources = w.paint.sources[:n]
	clear(w.paint.sources)
	for row := w.top; row < min(w.top+w.rowsInView(w.trace.tr), n); row++ {
		w.paint.sources[row] = w.values.series[w.object(row)]
	}
}

// sample fills the grid and fixes the semantic scale.
func (w *window) sample(width int) {
	p := &w.paint
	axis := w.axis(width)
	if w.draw.fine && !w.draw.graph {
		axis = axis.Fine(2)
	}
	p.grid.Sample(p.sources, axis, p.layout, w.draw.modes, runtime.GOMAXPROCS(0))
	p.scale = w.draw.scale
	if !w.draw.fixed {
		if s, ok := p.grid.Fit(); ok {
			p.scale = s
		} else {
			p.scale = raster.Scale{Min: 0, Max: 1}
		}
	}
	p.painter.Scale = p.scale
}

// paintGraph draws every row as a function line. A fitted scale begins at 0, so
// that heights can be compared.
func (w *window) paintGraph(l raster.Look) {
	p := &w.paint
	axis := w.axis(p.picture.W)
	fit := raster.Scale{}
	for y := 0; y < p.layout.Lines; y += p.layout.Height {
		lo, hi := p.layout.RowsAt(y)
		if lo >= hi {
			break
		}
		for len(p.envelope) <= y {
			p.envelope = append(p.envelope, raster.Envelope{})
		}
		p.envelope[y].Sample(p.sources[lo], axis)
		for row := lo + 1; row < hi; row++ {
			p.merged.Sample(p.sources[row], axis)
			widen(&p.envelope[y], &p.merged)
		}
		if s, ok := p.envelope[y].Fit(); ok {
			fit.Min, fit.Max = min(fit.Min, s.Min), max(fit.Max, s.Max)
		}
	}
	if !w.draw.fixed {
		p.scale, p.painter.Scale = fit, fit
	}
	level := raster.Level{Look: l, Scale: p.scale}
	for y := 0; y < p.layout.Lines; y += p.layout.Height {
		if lo, hi := p.layout.RowsAt(y); lo < hi {
			level.Draw(p.picture.Sub(0, y+p.graphGap(), p.picture.W, p.layout.Height-p.graphGap()), &p.envelope[y])
		}
	}
}

// graphGap is the lines left free above each row of a function line.
func (p *painting) graphGap() int {
	if p.layout.Height > 3 {
		return 1
	}
	return 0
}

// widen makes e hold what the envelope of a further row holds. Means are those of
// the row that reaches highest: a mean of means would be no row's.
func widen(e, further *raster.Envelope) {
	for x := range e.Max {
		if raster.IsAbsent(further.Max[x]) {
			continue
		}
		if raster.IsAbsent(e.Max[x]) || further.Max[x] > e.Max[x] {
			e.Max[x], e.Mean[x] = further.Max[x], further.Mean[x]
		}
		if raster.IsAbsent(e.Min[x]) || further.Min[x] < e.Min[x] {
			e.Min[x] = further.Min[x]
		}
	}
}

func (w *window) paintFlags(l raster.Look) {
	if !w.draw.flags || w.values.flags == nil {
		return
	}
	p := &w.paint
	p.flags.Look, p.flags.Axis, p.flags.Layout = l, w.axis(p.picture.W), p.layout
	n := w.rows(w.trace.tr)
	p.events = p.flags.Draw(p.picture, func(row int) [][]int64 {
		if row >= n {
			return nil
		}
		return w.values.flags[w.object(row)]
	})
}

func (w *window) paintComms(l raster.Look) {
	if w.draw.comms == commsOff || w.values.comms == nil {
		return
	}
	p, tr := &w.paint, w.trace.tr
	rows := w.rowsByObject()
	p.comms.Look, p.comms.Axis, p.comms.Layout, p.comms.Index = l, w.axis(p.picture.W), p.layout, w.values.comms
	p.comms.Logical, p.comms.Physical = w.draw.comms.logical(), w.draw.comms.physical()
	p.comms.Row = func(i int32, r prv.Role) int32 {
		return place(rows, objectOf(tr, w.sem.Level, tr.Comms.Thread(int(i), r), tr.CommCPU(int(i), r)))
	}
	p.stats = p.comms.Draw(p.picture)
}
