package tui

import (
	"runtime"

	"pview/prv"
	"pview/semantic"
	"pview/tui/raster"
)

// painting is a window's picture, and what it was made from. Sampling the series
// is the costly part, drawing the cheap one; each is done again only when what it
// depends on has changed, so that moving the cursor costs nothing.
type painting struct {
	version  int // counts changes of the values
	overlays int // counts changes of what is drawn over them

	sampleKey sampleKey // what sampled is of
	sampled   *sampled
	rough     bool      // sampled shows but some of the rows
	exactKey  sampleKey // what exact is of
	exact     *sampled  // made in the background
	exactBusy bool      // it is being made

	key     paintKey
	picture raster.Canvas
	layout  raster.Layout
	painter raster.Painter
	legend  raster.Legend
	scale   raster.Scale // the semantic scale as drawn
	stats   raster.CommStats
	events  int // flags drawn stand for so many events
	flags   raster.Flags
	comms   raster.CommLines

	labelsFor *setup // what labels was measured for
	labelsOf  raster.Layout
	labels    int // width of the longest name
}

// sampled is the values of a picture.
type sampled struct{ grid raster.Grid }

// sampleKey is what the values of a picture depend on.
type sampleKey struct {
	gen, version int
	w            int
	layout       raster.Layout
	begin, end   int64
	modes        raster.Modes
	graph, fine  bool
}

// paintKey is what a picture depends on besides its values.
type paintKey struct {
	sample   sampleKey
	rough    bool
	overlays int
	h        int
	look     raster.Look
	draw     look
}

func (w *window) newSampleKey(l raster.Look, width, height int) sampleKey {
	return sampleKey{w.values.gen, w.paint.version, width, w.rowLayout(height, l), w.begin, w.end, w.draw.modes, w.draw.graph, w.draw.fine}
}

// repaint brings the window's picture up to date for a plot of the given size.
func (w *window) repaint(l raster.Look, width, height int) {
	p := &w.paint
	sk := w.newSampleKey(l, width, height)
	w.sample(sk)
	key := paintKey{sk, p.rough, p.overlays, height, l, w.draw}
	if key == p.key && p.picture.W == width && p.picture.H == height {
		return
	}
	p.key, p.layout = key, sk.layout
	p.picture.Resize(width, height)
	p.stats, p.events = raster.CommStats{}, 0
	p.painter.Palette = w.colors()
	p.painter.Look, p.painter.Mode, p.painter.Gradient = l, w.colorMode(), w.draw.gradient
	p.painter.ZeroIsBackground = w.trace.meaning(&w.sem) != semantic.StateCodes
	w.fitScale()
	p.legend.Look = l
	if w.draw.graph {
		w.paintGraph(l)
		p.legend.Entries = nil
	} else {
		p.sampled.grid.Draw(p.picture, &p.painter)
		p.legend.Collect(&p.sampled.grid, &p.painter, w.legendText)
	}
	w.paintFlags(l)
	w.paintComms(l)
}

// sampleBudget is how many values are sampled while the user waits: some
// milliseconds' worth. A picture that needs more shows some of the rows at once,
// and all of them when the background has sampled them.
const sampleBudget = 150_000

// heavy reports whether a picture needs more than the budget.
func (w *window) heavy(k sampleKey) bool {
	return min(k.layout.Rows, w.rows(w.trace.tr)-w.top)*max(k.w, 1) > sampleBudget && k.layout.Merged()
}

// sample makes sampled the values for a key.
func (w *window) sample(k sampleKey) {
	p := &w.paint
	if p.exact != nil && p.exactKey == k {
		if p.sampled != p.exact {
			p.sampled, p.sampleKey, p.rough = p.exact, k, false
		}
		return
	}
	if p.sampled != nil && p.sampleKey == k {
		return
	}
	if p.sampled == nil || p.sampled == p.exact {
		p.sampled = &sampled{}
	}
	p.sampleKey, p.rough = k, w.heavy(k)
	each := 0 // rows per sub-line; 0: all
	if p.rough {
		each = max(sampleBudget/max(k.w*k.layout.Sublines(), 1), 1)
	}
	p.sampled.fill(w.sources(k.layout, each), w.axis(k.w), k)
}

// sources lists the rows for sampling. Rows out of view, and rows that are not
// computed yet, are nil; so are all but some of each sub-line when each is not 0.
func (w *window) sources(l raster.Layout, each int) []*semantic.Series {
	n := w.rows(w.trace.tr)
	list := make([]*semantic.Series, n)
	if each == 0 {
		for row := w.top; row < min(w.top+l.Rows, n); row++ {
			list[row] = w.seriesOf(row)
		}
		return list
	}
	for s := range l.Sublines() {
		lo, hi := l.RowsAt(s)
		step := max((hi-lo)/each, 1)
		for row := lo; row < min(hi, n); row += step {
			list[row] = w.seriesOf(row)
		}
	}
	return list
}

// fill samples rows.
func (s *sampled) fill(rows []*semantic.Series, axis raster.Axis, k sampleKey) {
	if k.fine && !k.graph {
		axis = axis.Fine(2)
	}
	s.grid.Sample(rows, axis, k.layout, k.modes, runtime.GOMAXPROCS(0))
}

// fitScale sets the semantic scale: the fixed one, or what is in view. For function
// lines it begins at 0, so that heights can be compared.
func (w *window) fitScale() {
	p := &w.paint
	fit, ok := p.sampled.grid.Fit()
	switch {
	case w.draw.fixed:
		p.scale = w.draw.scale
	case w.draw.graph:
		p.scale = raster.Scale{Min: min(fit.Min, 0), Max: max(fit.Max, 0)}
	case ok:
		p.scale = fit
	default:
		p.scale = raster.Scale{Min: 0, Max: 1}
	}
	p.painter.Scale = p.scale
}

// paintGraph draws every row as a function line.
func (w *window) paintGraph(l raster.Look) {
	p := &w.paint
	level, gap := raster.Level{Look: l, Scale: p.scale}, p.graphGap()
	for y := 0; y < p.layout.Lines; y += max(p.layout.Height, 1) {
		if lo, hi := p.layout.RowsAt(y); lo < hi {
			level.Draw(p.picture.Sub(0, y+gap, p.picture.W, p.layout.Height-gap), p.sampled.grid.Line(y))
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

func (w *window) paintFlags(l raster.Look) {
	p := &w.paint
	if !w.draw.flags || w.values.flags == nil || w.heavy(p.sampleKey) {
		return
	}
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
