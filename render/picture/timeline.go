package picture

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"runtime"

	"pview/prv"
	"pview/render/raster"
	"pview/semantic/series"
)

// Timeline is a panel of rows over time: coloured by value, or drawn as curves.
type Timeline struct {
	Title, Note string
	Rows        []Row
	Begin, End  int64 // of the axis
	Duration    int64 // of the run: where the axis ends with it, its last instant belongs to it
	Unit        prv.Unit
	Modes       raster.Modes
	Curves      bool
	Label       func(v float64) string // of a value in the legend
	ValueUnit   string

	// Painter gives values their colours; where its scale is not Fixed, the values in view decide it.
	Painter raster.Painter
	Fixed   bool

	Messages []Message
	Crowded  int    // messages that are not drawn because they are too many
	Flags    []Flag // bookmarks

	names float64 // width of the rows' names; 0: what they need
}

// Row is a row of a timeline.
type Row struct {
	Name   string
	Series *series.Series
}

// Message is a line from one row to another; it may begin or end outside of the rows.
type Message struct {
	From, To       int
	Sent, Received int64
	Physical       bool
}

// Flag is a name at a time.
type Flag struct {
	Time int64
	Text string
}

// Sizes of a timeline, px.
const (
	rowWant, rowMost, rowLeast = 18, 40, 3
	curveWant                  = 56
	timeAxis                   = 26
	flagHeight                 = labelSize + 5
	mostLegend                 = 4 // lines of a legend
)

func (t *Timeline) height(width float64) (want, least float64) {
	each := float64(rowWant)
	if t.Curves {
		each = curveWant
	}
	n := float64(max(len(t.Rows), 1))
	plot := min(n*each, max(n, 640)) // hundreds of rows become thin
	plot = max(plot, 40)
	rest := t.around() + legendLine*2
	return plot + rest, min(plot, max(24, n*rowLeast)) + rest
}

// around returns the height of everything but rows and legend.
func (t *Timeline) around() float64 {
	h := headHeight + timeAxis + 6.0
	if len(t.Flags) > 0 {
		h += flagHeight
	}
	return h
}

// frame is a timeline that is being drawn.
type frame struct {
	*Timeline
	c     canvas
	k     *ink
	plot  rect
	axis  raster.Axis // in points of detail
	grid  raster.Grid
	paint raster.Painter
}

func (t *Timeline) draw(c canvas, r rect, k *ink) {
	r = heading(c, r, k, t.Title, t.note())
	names := t.namesWidth(r.w)
	f := &frame{Timeline: t, c: c, k: k, paint: t.Painter}
	f.plot = r.inset(names+8, 0, 0, timeAxis+6)
	if len(t.Flags) > 0 {
		f.plot = f.plot.inset(0, flagHeight, 0, 0)
	}
	f.sample()
	entries := f.entries()
	_, lines := legendLines(entries, r.w)
	if !t.coded() {
		lines = 1
	}
	lines = min(lines, mostLegend, max(int((r.h-60)/legendLine), 0))
	f.plot.h = max(f.plot.h-float64(lines)*legendLine, 1)
	f.arrange()
	if t.Curves {
		f.curves()
	} else {
		f.cells()
	}
	f.names(names)
	f.ticks(r)
	f.flags()
	f.messages()
	legend := rect{r.x, f.plot.bottom() + timeAxis + 6, r.w, float64(lines) * legendLine}
	switch {
	case lines == 0:
	case t.Curves:
		text := fmt.Sprintf("height: %s to %s%s", raster.FormatValue(f.paint.Scale.Min, t.ValueUnit),
			raster.FormatValue(f.paint.Scale.Max, t.ValueUnit), heightNote(f.Modes.Spread))
		c.text(legend.x, legend.y+swatchSize, shorten(text, labelSize, legend.w),
			lettering{size: labelSize, color: k.text})
	case t.coded():
		drawLegend(c, legend, k, entries)
	default:
		drawGradient(c, legend, k, f.paint.Scale, f.paint.Color, t.ValueUnit)
	}
}

// coded reports whether the legend names values one by one.
func (t *Timeline) coded() bool { return !t.Curves && t.Painter.Mode == raster.CodeColor }

// note returns the text after the title.
func (t *Timeline) note() string {
	text := t.Note
	if t.Crowded > 0 {
		text += fmt.Sprintf("  (%s messages, too many to be drawn)", raster.FormatCount(int64(t.Crowded)))
	}
	return text
}

// namesWidth returns the width of the rows' names.
func (t *Timeline) namesWidth(width float64) float64 {
	w := max(t.names, 24)
	step := max(len(t.Rows)/500, 1)
	for i := 0; i < len(t.Rows); i += step {
		w = max(w, measure.width(t.Rows[i].Name, labelSize, false))
	}
	return min(w, width/4)
}

// sample reads the values at every point of detail across, a line for each row, so that the legend is known before the
// height.
func (f *frame) sample() {
	f.axis = raster.Axis{Begin: f.Begin, End: f.End, W: max(int(math.Round(f.plot.w*f.c.grain())), 1),
		Closed: f.End >= f.Duration}
	f.fillGrid(raster.Layout{Rows: len(f.Rows), Lines: min(len(f.Rows), max(int(f.plot.h*f.c.grain()), 1)), Height: 1,
		Split: 1})
	if f.Fixed {
		return
	}
	f.paint.Scale = raster.Scale{Min: 0, Max: 1}
	if fit, ok := f.grid.Fit(); ok {
		f.paint.Scale = fit
	}
	if f.Curves {
		f.paint.Scale = raster.Scale{Min: min(f.paint.Scale.Min, 0), Max: max(f.paint.Scale.Max, 0)}
	}
}

func (f *frame) fillGrid(l raster.Layout) {
	rows := make([]*series.Series, len(f.Rows))
	for i := range rows {
		rows[i] = f.Rows[i].Series
	}
	f.grid.Sample(rows, f.axis, l, f.Modes, runtime.GOMAXPROCS(0))
	if f.coded() {
		f.grid.AddTimes(rows, f.Modes, f.grid.Axis.End)
	}
}

// arrange makes rows whole points high, and samples again if there is less room than assumed.
func (f *frame) arrange() {
	n, g := len(f.Rows), f.c.grain()
	points := max(int(f.plot.h*g), 1)
	if n == 0 {
		return
	}
	if n > points {
		f.fillGrid(raster.Layout{Rows: n, Lines: points, Height: 1, Split: 1})
		f.plot.h = float64(points) / g
		return
	}
	if f.grid.H != n {
		f.fillGrid(raster.Layout{Rows: n, Lines: n, Height: 1, Split: 1})
	}
	if each := float64(points/n) / g; each < rowMost || f.Curves {
		f.plot.h = each * float64(n)
	} else {
		f.plot.h = rowMost * float64(n)
	}
}

// place returns top and height of a line of the grid.
func (f *frame) place(line int) (y, h float64) {
	h = f.plot.h / float64(max(f.grid.H, 1))
	return f.plot.y + h*float64(line), h
}

// band is place without the gap between rows.
func (f *frame) band(line int) (y, h float64) {
	y, h = f.place(line)
	if g := f.c.grain(); h*g >= 4 {
		gap := max(math.Round(h*g/10), 1) / g
		return y + gap, h - gap
	}
	return y, h
}

// run is a stretch of one colour.
type run struct {
	x0, x1 int
	color  raster.Color
}

// runs returns the stretches of a line.
func (f *frame) runs(dst []run, y int) []run {
	line := f.grid.Line(y)
	for x := 0; x < len(line); {
		color := f.paint.Color(line[x])
		end := x + 1
		for end < len(line) && (math.Float64bits(line[end]) == math.Float64bits(line[x]) ||
			f.paint.Color(line[end]) == color) {
			end++
		}
		if color.IsSet() {
			dst = append(dst, run{x, end, color})
		}
		x = end
	}
	return dst
}

// cells draws the rows as colours: as shapes, or as an image where these would be too many.
func (f *frame) cells() {
	f.c.fill(f.k.grid, rect{f.plot.x, f.plot.y - 1, f.plot.w, 1}, rect{f.plot.x, f.plot.bottom(), f.plot.w, 1})
	lines := make([][]run, f.grid.H)
	total := 0
	for y := range lines {
		lines[y] = f.runs(nil, y)
		total += len(lines[y])
	}
	if total > f.c.shapes() {
		f.cellImage(lines)
		return
	}
	var order []raster.Color
	byColor := map[raster.Color][]rect{}
	scale := f.plot.w / float64(f.grid.W)
	for y, list := range lines {
		top, h := f.band(y)
		for _, r := range list {
			if byColor[r.color] == nil {
				order = append(order, r.color)
			}
			byColor[r.color] = append(byColor[r.color],
				rect{f.plot.x + float64(r.x0)*scale, top, float64(r.x1-r.x0) * scale, h})
		}
	}
	for _, color := range order {
		f.c.fill(color, byColor[color]...)
	}
}

func (f *frame) cellImage(lines [][]run) {
	g := f.c.grain()
	img := image.NewRGBA(image.Rect(0, 0, f.grid.W, max(int(math.Round(f.plot.h*g)), 1)))
	paper := rgba(f.k.paper, 1)
	for i := range img.Pix {
		img.Pix[i] = [...]uint8{paper.R, paper.G, paper.B, 255}[i%4]
	}
	for y, list := range lines {
		top, h := f.band(y)
		y0, y1 := int(math.Round((top-f.plot.y)*g)), int(math.Round((top+h-f.plot.y)*g))
		for _, r := range list {
			c := rgba(r.color, 1) // opaque: with and without alpha are one
			for py := y0; py < y1; py++ {
				for x := r.x0; x < r.x1; x++ {
					img.SetRGBA(x, py, color.RGBA(c))
				}
			}
		}
	}
	f.c.picture(f.plot, img)
}

// curves draws each row as a function of time.
func (f *frame) curves() {
	scale := f.plot.w / float64(f.grid.W)
	for y := range f.grid.H {
		top, h := f.place(y)
		top, h = top+4, h-8
		base := top + h
		f.c.fill(f.k.grid, rect{f.plot.x, base, f.plot.w, 1})
		at := func(v float64) float64 { return base - h*min(max(f.paint.Scale.At(v), 0), 1) }
		line, spread := f.grid.Line(y), f.grid.SpreadOf(y)
		for x := 0; x < len(line); {
			if line[x] != line[x] {
				x++
				continue
			}
			begin := x
			for x < len(line) && line[x] == line[x] {
				x++
			}
			end := x
			// Steps, not slopes: a value holds until it changes.
			steps := func(value func(x int) float64) (path []point) {
				for x := begin; x < end; x++ {
					if n := len(path); n == 0 || path[n-1].y != at(value(x)) {
						if n > 0 {
							path = append(path, point{f.plot.x + float64(x)*scale, path[n-1].y})
						}
						path = append(path, point{f.plot.x + float64(x)*scale, at(value(x))})
					}
				}
				return append(path, point{f.plot.x + float64(end)*scale, path[len(path)-1].y})
			}
			area := func(path []point) {
				below := append([]point{{f.plot.x + float64(begin)*scale, base}}, path...)
				f.c.area(curveColor, 0.25, append(below, point{f.plot.x + float64(end)*scale, base})...)
			}
			path := steps(func(x int) float64 { return line[x] })
			area(path)
			if len(spread) > 0 {
				path = steps(func(x int) float64 { return spread[x].Mean })
				area(steps(func(x int) float64 { return spread[x].Least }))
			}
			f.c.line(curveColor, 1, 1, path...)
		}
	}
}

// heightNote explains the height of a curve, after its scale.
func heightNote(spread bool) string {
	if spread {
		return "; the line shows the mean of each column, the shades its minimum and maximum"
	}
	return ""
}

var curveColor = raster.RGB(45, 110, 180)

// names writes the names of the rows, or of some of them where they are thin.
func (f *frame) names(width float64) {
	n := len(f.Rows)
	if n == 0 {
		return
	}
	each := f.plot.h / float64(n)
	step := niceStep(int(math.Ceil((labelSize + 2) / each)))
	for i := 0; i < n; i += step {
		y := f.plot.y + (float64(i)+0.5)*each + labelSize*0.36
		if y > f.plot.bottom()+labelSize*0.4 {
			break
		}
		if f.Curves && each > 4*labelSize { // with the values at its top and bottom
			top := f.plot.y + float64(i)*each
			f.c.text(f.plot.x-8, top+4+labelSize*0.7, raster.FormatShort(f.paint.Scale.Max),
				lettering{size: labelSize - 1, color: f.k.dim, anchor: atEnd})
			f.c.text(f.plot.x-8, top+each-4, raster.FormatShort(f.paint.Scale.Min),
				lettering{size: labelSize - 1, color: f.k.dim, anchor: atEnd})
		}
		f.c.text(f.plot.x-8, max(y, f.plot.y+labelSize*0.8), shorten(f.Rows[i].Name, labelSize, width),
			lettering{size: labelSize, color: f.k.text, anchor: atEnd})
	}
}

// niceStep returns the least power of two that is at least n: rows come in powers of two.
func niceStep(n int) int {
	step := 1
	for step < n {
		step *= 2
	}
	return step
}

// x returns the place of a time; it may be outside of the plot.
func (f *frame) x(t int64) float64 {
	return f.plot.x + f.plot.w*(float64(t)-float64(f.Begin))/max(float64(f.End)-float64(f.Begin), 1)
}

// ticks draws the axis of time below the rows.
func (f *frame) ticks(r rect) {
	const letter = labelSize * 0.62
	a := raster.TimeAxis{Axis: raster.Axis{Begin: f.Begin, End: f.End, W: max(int(f.plot.w/letter), 1),
		Closed: f.axis.Closed}, Unit: f.Unit}
	ticks, base := a.Ticks()
	y := f.plot.bottom()
	f.c.fill(f.k.dim, rect{f.plot.x, y + 2, f.plot.w, 1})
	free := f.plot.x - 30
	if base != "" {
		w := measure.width(base, labelSize, false)
		f.c.text(max(f.plot.x-8-w, r.x), y+9+labelSize, base, lettering{size: labelSize, color: f.k.dim})
		free = max(f.plot.x-8-w, r.x) + w + 6
	}
	for _, t := range ticks {
		x := f.x(t.Time)
		f.c.fill(f.k.dim, rect{x - 0.5, y + 3, 1, 4})
		w := measure.width(t.Label, labelSize, false)
		if x-w/2 < free || x+w/2 > r.right()+margin/2 {
			continue
		}
		f.c.text(x, y+9+labelSize, t.Label, lettering{size: labelSize, color: f.k.text, anchor: atMiddle})
		free = x + w/2 + 6
	}
}

func (f *frame) flags() {
	for _, flag := range f.Flags {
		if flag.Time < f.Begin || flag.Time > f.End {
			continue
		}
		x := f.x(flag.Time)
		f.c.line(f.k.text, 1, 0.8, point{x, f.plot.y - flagHeight}, point{x, f.plot.bottom()})
		f.c.text(x+3, f.plot.y-5, shorten(flag.Text, labelSize, f.plot.right()-x),
			lettering{size: labelSize, color: f.k.text})
	}
}

// messages draws the lines from senders to receivers.
func (f *frame) messages() {
	f.c.clip(f.plot)
	defer f.c.unclip()
	th := f.paint.Theme
	alpha := min(max(900/float64(len(f.Messages)+1), 0.25), 0.9)
	each := f.plot.h / float64(max(len(f.Rows), 1))
	for _, m := range f.Messages {
		color := f.k.text
		if m.Physical {
			color = th.Physical
		}
		x0, y0, x1, y1, ok := raster.Clip(f.x(m.Sent)-f.plot.x, (float64(m.From)+0.5)*each, f.x(m.Received)-f.plot.x,
			(float64(m.To)+0.5)*each, f.plot.w, f.plot.h)
		if ok {
			a, b := point{f.plot.x + x0, f.plot.y + y0}, point{f.plot.x + x1, f.plot.y + y1}
			f.c.line(f.k.paper, 2.6, alpha*0.7, a, b) // a rim, so that the line is seen on any colour
			f.c.line(color, 1, alpha, a, b)
		}
	}
}

// entries returns the values in view, the most seen first.
func (f *frame) entries() (list []swatch) {
	if !f.coded() {
		return nil
	}
	l := raster.Legend{Look: f.paint.Look}
	l.Collect(&f.grid, &f.paint, f.Label)
	seen := map[swatch]bool{}
	for _, e := range l.Entries {
		s := swatch{f.paint.Color(e.Value), e.Label}
		if !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	return list
}
