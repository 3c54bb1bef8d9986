package timeline

import (
	"runtime"

	"pview/prv"
	"pview/render/raster"
	"pview/semantic"
	"pview/semantic/series"
)

// painting is a window's picture with its inputs. Sampling the series is costly, drawing is cheap; each is repeated
// only if its inputs have changed, so moving the cursor costs nothing.
type painting struct {
	Version  int // number of changes of the values
	Overlays int // number of changes of the overlays

	SampleKey sampleKey // key of sampled
	Sampled   *Sampled
	Rough     bool      // sampled shows only some of the rows
	exactKey  sampleKey // key of exact
	exact     *Sampled  // made in the background
	exactBusy bool      // a job is making it

	key     paintKey
	Picture raster.Canvas
	Layout  raster.Layout
	Painter raster.Painter
	Legend  raster.Legend
	Scale   raster.Scale // the semantic scale as drawn
	empty   bool         // every value in view is 0
	lines   int          // height of the plot
	stats   raster.CommStats
	events  int // number of events behind the flags
	flags   raster.Flags
	comms   raster.CommLines
	pixels  pixels
	picked  int32 // message under the cursor, from 1; 0: none
	pickFor pickKey

	LabelsFor *Setup // setup for which labels was measured
	labelsOf  raster.Layout
	labels    int    // width of the longest name
	shared    string // common prefix of the names, which is not shown
}

// Sampled is the values of a picture.
type Sampled struct{ Grid raster.Grid }

// sampleKey identifies the values of a picture.
type sampleKey struct {
	gen, version int
	Width        int
	Layout       raster.Layout
	begin, end   int64
	until        int64 // see Trace
	modes        raster.Modes
	graph, fine  bool
}

// paintKey identifies a picture.
type paintKey struct {
	sample   sampleKey
	rough    bool
	overlays int
	h        int
	look     raster.Look
	draw     Drawing
	picked   int32
}

// pickKey identifies the search for the message under the cursor.
type pickKey struct {
	sample   sampleKey
	overlays int
	draw     Drawing
	cursor   int64
	row      int
}

func (w *View) newSampleKey(l raster.Look, width, height int) sampleKey {
	layout := w.RowLayout(height, l)
	modes := w.Modes()
	modes.Mixed = w.splits(l)
	return sampleKey{w.Values.gen, w.Paint.Version, width, layout, w.Begin, w.End, w.Unread(), modes,
		w.Drawing.Graph, w.fine(l, layout)}
}

// Repaint brings the window's picture up to date for a plot of the given size.
func (w *View) Repaint(l raster.Look, width, height int) {
	p := &w.Paint
	sk := w.newSampleKey(l, width, height)
	w.sample(sk)
	over := overlay{w, l}
	over.pickMessage(sk, width, height)
	key := paintKey{sk, p.Rough, p.Overlays, height, l, w.Drawing, p.picked}
	if key == p.key && p.Picture.W == width && p.Picture.H == height {
		return
	}
	p.key, p.Layout = key, sk.Layout
	p.Picture.Resize(width, height)
	p.stats, p.events = raster.CommStats{}, 0
	w.dress(&p.Painter, l)
	p.fitScale(&w.Drawing)
	p.Legend.Look = l
	if w.Drawing.Graph {
		p.drawGraph(l)
		p.Legend.Entries = nil
	} else {
		p.Sampled.Grid.Draw(p.Picture, &p.Painter)
		p.Legend.Collect(&p.Sampled.Grid, &p.Painter, w.LegendText)
	}
	over.paintFlags()
	over.paintComms()
}

// dress gives a painter the view's colours.
func (w *View) dress(p *raster.Painter, l raster.Look) {
	p.Palette = w.Colors()
	p.Look, p.Mode, p.Gradient = l, w.ColorMode(), w.Drawing.Gradient
	// 0 is a state, unless it stands for omitted bursts
	p.ZeroIsBackground = w.Trace.Meaning(&w.Sem) != semantic.StateCodes || w.Sem.Condition() != ""
}

// sampleBudget limits the values that are sampled while the user waits: some milliseconds' worth. A picture that needs
// more first shows some of the rows, and all of them after the background has sampled them.
const sampleBudget = 150_000

// heavy reports whether a picture needs more than the budget.
func (w *View) heavy(k sampleKey) bool {
	return min(k.Layout.Rows, w.Rows(w.Trace.Data)-w.Top)*max(k.Width, 1) > sampleBudget && k.Layout.Merged()
}

// sample fills sampled with the values of a key.
func (w *View) sample(k sampleKey) {
	p := &w.Paint
	if p.exact != nil && p.exactKey == k {
		if p.Sampled != p.exact {
			p.Sampled, p.SampleKey, p.Rough = p.exact, k, false
		}
		return
	}
	if p.Sampled != nil && p.SampleKey == k {
		return
	}
	if p.Sampled == nil || p.Sampled == p.exact {
		p.Sampled = &Sampled{}
	}
	p.SampleKey, p.Rough = k, w.heavy(k)
	each := 0 // rows per sub-line; 0: all
	if p.Rough {
		each = max(sampleBudget/max(k.Width*k.Layout.Sublines(), 1), 1)
	}
	p.Sampled.Fill(w.Sources(k.Layout, each), w.Axis(k.Width), k)
}

// Sources lists the rows for sampling. Rows out of view, and rows that are not computed yet, are nil; if each is not 0,
// so are all but some rows of each sub-line.
func (w *View) Sources(l raster.Layout, each int) []*series.Series {
	n := w.Rows(w.Trace.Data)
	list := make([]*series.Series, n)
	if each == 0 {
		for row := w.Top; row < min(w.Top+l.Rows, n); row++ {
			list[row] = w.SeriesOf(row)
		}
		return list
	}
	for s := range l.Sublines() {
		lo, hi := l.RowsAt(s)
		step := max((hi-lo)/each, 1)
		for row := lo; row < min(hi, n); row += step {
			list[row] = w.SeriesOf(row)
		}
	}
	return list
}

// Fill samples rows.
func (s *Sampled) Fill(rows []*series.Series, axis raster.Axis, k sampleKey) {
	modes := k.modes
	if modes.Paired = k.fine; k.fine {
		axis = axis.Fine(2)
	}
	s.Grid.Sample(rows, axis, k.Layout, modes, runtime.GOMAXPROCS(0))
	end := k.end
	if k.until > 0 {
		end = min(end, k.until)
		s.Grid.Blank(k.until)
	}
	if !k.graph { // a graph has no legend of values
		s.Grid.AddTimes(rows, modes, end)
	}
}

// fitScale sets the semantic scale: the fixed scale, or one that fits the values in view. For function lines it begins
// at 0, so that heights can be compared.
func (p *painting) fitScale(d *Drawing) {
	fit, ok := p.Sampled.Grid.Fit()
	p.empty = ok && fit.Min == 0 && fit.Max == 0
	switch {
	case d.Fixed:
		p.Scale = d.Scale
	case d.Graph:
		p.Scale = raster.Scale{Min: min(fit.Min, 0), Max: max(fit.Max, 0)}
	case ok:
		p.Scale = fit
	default:
		p.Scale = raster.Scale{Min: 0, Max: 1}
	}
	p.Painter.Scale = p.Scale
}

// drawGraph draws every row as a function line.
func (p *painting) drawGraph(l raster.Look) {
	level, gap := raster.Level{Look: l, Scale: p.Scale}, p.graphGap()
	for y := 0; y < p.Layout.Lines; y += max(p.Layout.Height, 1) {
		if lo, hi := p.Layout.RowsAt(y); lo < hi {
			level.Draw(p.Picture.Sub(0, y+gap, p.Picture.W, p.Layout.Height-gap), p.Sampled.Grid.Line(y),
				p.Sampled.Grid.SpreadOf(y))
		}
	}
}

// graphGap returns the number of lines left free above each row of a function line.
func (p *painting) graphGap() int {
	if p.Layout.Height > 3 {
		return 1
	}
	return 0
}

// overlay draws flags and message lines over the rows.
type overlay struct {
	*View
	look raster.Look
}

func (w overlay) paintFlags() {
	p := &w.Paint
	if !w.Drawing.Flags || w.Values.flags == nil || w.heavy(p.SampleKey) {
		return
	}
	p.flags.Look, p.flags.Axis, p.flags.Layout = w.look, w.Axis(p.Picture.W), p.Layout
	n := w.Rows(w.Trace.Data)
	p.events = p.flags.Draw(p.Picture, func(row int) [][]int64 {
		if row >= n {
			return nil
		}
		return w.Values.flags[w.Object(row)]
	})
}

func (w overlay) paintComms() {
	if w.Drawing.Comms == CommsOff || w.Values.comms == nil {
		return
	}
	p := &w.Paint
	w.setComms(p.Picture.W)
	p.comms.Pick = p.picked
	p.stats = p.comms.Draw(p.Picture)
}

// setComms brings the message lines up to date.
func (w overlay) setComms(width int) {
	p, tr := &w.Paint, w.Trace.Data
	rows := w.RowsByObject()
	c := &p.comms
	c.Look, c.Axis, c.Layout, c.Index = w.look, w.Axis(width), w.RowLayout(w.Paint.lines, w.look), w.Values.comms
	c.Logical, c.Physical = w.Drawing.Comms.logical(), w.Drawing.Comms.physical()
	object := func(i int32, r prv.Role) int {
		return tr.ObjectOf(w.Sem.Level, tr.Comms.Thread(int(i), r), tr.CommCPU(int(i), r))
	}
	c.Row = func(i int32, r prv.Role) int32 { return Place(rows, object(i, r)) }
	c.Keep = nil
	if pair := w.Drawing.Between; pair != (Pair{}) {
		c.Keep = func(i int32) bool { return pair.has(object(i, prv.LogicalSend), object(i, prv.LogicalRecv)) }
	}
}

// pickMessage finds the message whose line passes through the cursor, if lines are drawn.
func (w overlay) pickMessage(sk sampleKey, width, height int) {
	p := &w.Paint
	p.lines = height
	if w.Drawing.Comms == CommsOff || w.Values.comms == nil || !w.CursorInView() {
		p.picked, p.pickFor = 0, pickKey{}
		return
	}
	key := pickKey{sk, p.Overlays, w.Drawing, w.Cursor, w.CursorRow}
	if key == p.pickFor {
		return
	}
	p.pickFor = key
	w.setComms(width)
	layout := p.comms.Layout
	top, h := layout.Place(w.CursorRow)
	split := max(layout.Split, 1)
	top, bottom := top/split, (top+h+split-1)/split // the lines that the cursor covers
	p.picked = p.comms.PickAt(raster.Canvas{W: width, H: height}, p.comms.Axis.Column(w.Cursor), top, bottom)
}

// Message returns the message under the cursor; ok is false if none, or if no lines are drawn.
func (w *View) Message() (i int, ok bool) { return int(w.Paint.picked) - 1, w.Paint.picked > 0 }
