package timeline

import (
	"fmt"
	"strings"

	"pview/filter"
	"pview/render/raster"
	"pview/render/style"
)

// A view on a canvas: the picture of its rows, their names, the axis, the legend. Drawing does not change the view's
// content; pictures are kept until their inputs change.

// Frame has the places of the parts of a view on a canvas.
type Frame struct {
	Labels raster.Rect // names of the rows
	Gap    raster.Rect // one column between names and rows: the scroll bar
	Plot   raster.Rect
}

// Draw paints the rows of a view and their names; focus marks the row of the cursor.
func (w *View) Draw(c raster.Canvas, f Frame, look raster.Look, th *style.Theme, focus bool) {
	plot := f.Plot.Of(c)
	w.Repaint(look, f.Plot.W, f.Plot.H)
	plot.CopyFrom(w.Paint.Picture)
	if why := whyEmpty(w); why != "" {
		drawText(plot, why, th.Dim)
	}
	drawUnread(plot, th, w.Axis(plot.W), w.Unread())
	w.drawUnreadRows(plot, th)
	w.drawNames(f.Labels.Of(c), th, focus)
	if w.Drawing.Graph {
		w.Paint.drawScales(f.Labels.Of(c), look)
	}
	raster.DrawScrollbar(f.Gap.Of(c), look, w.Top, w.RowsInView(w.Trace.Data), w.Rows(w.Trace.Data))
}

func (w *View) DrawUnavailable(c raster.Canvas, th *style.Theme) {
	drawText(c, w.Values.Err.Error(), th.Warn)
}

// drawText writes a text in the middle of a canvas.
func drawText(c raster.Canvas, text string, st raster.Style) {
	lines := style.Wrap(text, max(c.W-4, min(c.W, 10)))
	y := max((c.H-len(lines)+1)/2, 0)
	for i, line := range lines {
		c.Text(max((c.W-raster.TextWidth(line))/2, 0), y+i, line, st)
	}
}

// whyEmpty explains why a view shows nothing; "" if it shows something, or the reason is not known yet.
func whyEmpty(w *View) string {
	if !w.Paint.empty || w.Values.Busy || w.Values.Known < w.Values.Wanted || !w.Paint.Painter.ZeroIsBackground {
		return ""
	}
	def := filter.Default()
	switch condition := w.Sem.Condition(); {
	case condition != "":
		return "every value in view is 0: only bursts with " + condition + " keep theirs"
	case !w.Sem.Filter.Equal(&def):
		return "every value in view is 0, of " + w.Sem.Filter.Describe(w.Trace.Data.Labels)
	}
	return "every value in view is 0"
}

// drawNames writes the names of the rows; if several share a line, the first and last, or the one at the cursor.
func (w *View) drawNames(c raster.Canvas, th *style.Theme, focus bool) {
	l := w.Paint.Layout
	names := rowNames{w, l}
	for y := range c.H {
		lo, hi := names.rowsOn(y)
		if lo >= hi || !l.BeginsAt(y) {
			continue
		}
		name, st := names.ofLine(lo, hi), th.Dim
		if w.CursorRow >= lo && w.CursorRow < hi {
			name, st = names.short(w.CursorRow), th.Text
			if focus {
				st = th.Accent
			}
		} else if w.SeriesOf(lo) == nil {
			st.Attr |= raster.Faint
		}
		c.TextIn(0, y, c.W, style.Shorten(name, c.W, th), st, false)
	}
}

// drawScales writes the semantic scale beside tall function lines.
func (p *painting) drawScales(c raster.Canvas, look raster.Look) {
	l, gap := p.Layout, p.graphGap()
	if l.Height-gap < 2 || gap == 0 {
		return
	}
	for y := 0; y < l.Lines; y += l.Height {
		if lo, hi := l.RowsAt(y); lo < hi {
			level := raster.Level{Look: look, Scale: p.Scale}
			level.DrawLabels(c.Sub(0, y+gap, c.W, l.Height-gap), "")
		}
	}
}

// DrawAxis draws the times below a view's rows, and beside them the base that they count from.
func (w *View) DrawAxis(c raster.Canvas, look raster.Look, plot raster.Rect, marks []int) {
	a := raster.TimeAxis{Look: look, Axis: w.Axis(plot.W), Unit: w.Trace.Data.Unit, Marks: marks}
	a.Draw(c.Sub(plot.X, 0, plot.W, c.H), c.Sub(0, 0, plot.X, c.H))
}

// drawUnread dots the columns of the plot whose time is unread; until is 0 if everything has been read.
func drawUnread(c raster.Canvas, th *style.Theme, axis raster.Axis, until int64) {
	for x := c.W - 1; x >= 0 && axis.Unread(x, until); x-- {
		c.Sub(x, 0, 1, c.H).Fill(raster.Cell{Rune: th.Glyphs.Empty, Style: th.Dim})
	}
}

// LegendWithCursor returns the legend with the value at the cursor first, so that it has a name even if the draw mode
// hides it.
func (w *View) LegendWithCursor(look raster.Look) *raster.Legend {
	_, _, v, ok := w.Burst(w.CursorRow, w.Cursor)
	if !ok {
		return &w.Paint.Legend
	}
	l := raster.Legend{Look: look, Entries: []raster.LegendEntry{{Value: v, Label: w.LegendText(v),
		Cell: w.Paint.Painter.Cell(v), Share: -1}}}
	for _, e := range w.Paint.Legend.Entries {
		if e.Value == v {
			l.Entries[0].Share = e.Share
			continue
		}
		l.Entries = append(l.Entries, e)
	}
	return &l
}

// DrawGraphLegend explains the heights of a function line.
func (w *View) DrawGraphLegend(c raster.Canvas, th *style.Theme) {
	s := w.Paint.Scale
	x := c.Text(0, 0, fmt.Sprintf("height: %s to %s", raster.FormatValue(s.Min, ""), raster.FormatValue(s.Max, "")),
		th.Text)
	of := strings.ToLower(w.Modes().Time.String())
	if len(w.Paint.Sampled.Grid.SpreadOf(0)) > 0 {
		of = "strong minimum, lighter mean, faint maximum"
	}
	c.Text(x, 0, "  "+of+" of each column", th.Dim)
}
