package tui

import (
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/screen"
)

// Timelines, plots and heat maps in pixels, on terminals that draw pictures. The cells of a plot stay blank, and the
// wire gets a picture for them. While a dialog covers the plots, they are cells.

// pixelated reports whether the plot of a window is drawn in pixels, and how.
func (m *screenModel) pixelated(w *timeline.View, plot raster.Rect) (on timeline.Pixelate, ok bool) {
	if m.dialogs.Top() != nil || !m.drawsPixels(plot) {
		return on, false
	}
	on = timeline.Pixelate{W: plot.W, H: plot.H, CellW: m.pixels.CellW, CellH: m.pixels.CellH, Ground: m.ground()}
	if m.pixels.Graphics() == screen.Sixel {
		on.Bytes = sixelBytes
	}
	return on, on.Suits(w)
}

// paneImage is the number of the first picture of a pane, above those of views; one pane is shown at a time, with one
// picture or a few.
const paneImage = 1 << 20

// drawPanePixels draws a part of the shown pane as a picture, and blanks its cells.
func (m *screenModel) drawPanePixels(part raster.Canvas, draw func(p *raster.Pixmap)) {
	at := part.Within(m.canvas)
	if m.dialogs.Top() != nil || !m.drawsPixels(at) {
		return
	}
	id := paneImage
	for _, i := range m.images {
		id = max(id, i.ID+1)
	}
	p := raster.NewPixmap(at.W*m.pixels.CellW, at.H*m.pixels.CellH, m.ground())
	draw(p)
	m.blank(part, id)
	m.addImage(id, at, p, m.pointer.tip.text != "")
}

// sixelBytes limits the rows of a window in sixels: each change sends a new picture, perhaps over SSH.
const sixelBytes = 45_000

// drawPixels draws the rows of window i, with cursor and marks, as a picture, and blanks its cells.
func (m *screenModel) drawPixels(c raster.Canvas, i int, plot raster.Rect, on timeline.Pixelate) {
	w := m.Windows[i]
	m.blank(plot.Of(c), w.ID)
	p := on.Picture(w).Clone()
	width, height := p.Rect.Dx(), p.Rect.Dy()
	axis := w.Axis(width)
	place := func(row int) (top, bottom int) {
		l := w.Paint.Layout
		y, h := l.Place(row)
		split := max(l.Split, 1)
		return y * on.CellH / split, (y + h) * on.CellH / split
	}
	if b, e, ok := m.Selection(); ok {
		from, to := axis.Column(w.Trace.FromNS(b)), axis.Column(w.Trace.FromNS(e))
		lo, hi := m.SelectedRows(w)
		if lo < hi {
			top, _ := place(lo)
			_, bottom := place(hi - 1)
			p.Blend(from, top, to+1, bottom, m.look.Theme.Selection, 0.25)
		}
	}
	line := func(t int64, color raster.Color) {
		if x, _, ok := axis.Columns(t); ok {
			p.Fill(x, 0, x+1, height, color)
		}
	}
	for k := range m.Marks {
		if m.Marks[k].Set {
			line(w.Trace.FromNS(m.Marks[k].NS), m.look.Theme.Cursor2)
		}
	}
	if i == m.Focus || w.Group != 0 && w.Group == m.Focused().Group {
		line(w.Cursor, m.look.Theme.Cursor)
	}
	if x, _, ok := axis.Columns(w.Cursor); ok && i == m.Focus { // a frame around the cursor's place in its row
		top, bottom := place(w.CursorRow)
		for _, r := range [][4]int{{x - 4, top, x + 5, top + 1}, {x - 4, bottom - 1, x + 5, bottom}} {
			p.Fill(r[0], r[1], r[2], r[3], m.look.Theme.Cursor)
		}
	}
	m.addImage(w.ID, plot, p, m.pointer.tip.text != "")
}
