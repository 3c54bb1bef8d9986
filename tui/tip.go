package tui

import (
	"pview/render/raster"
	"pview/render/timeline"
)

// A tip is a line beside the pointer that says what is there. A click puts it, and so does resting the pointer where
// the terminal tells of its moves; the next key takes it away. Nothing else moves.
type tip struct {
	text string
	x, y int // of the pointer
}

// tipAt says what is at a place of a window's plot.
func (m *Model) tipAt(w *timeline.View, wl *windowLayout, x, y int) {
	row, ok := m.screen().rowAt(w, wl, y)
	if !ok || !wl.plot.Has(x, y) {
		m.tip = tip{}
		return
	}
	t := w.Axis(wl.plot.W).Time(x - wl.plot.X)
	text := w.RowName(row)
	if b, e, v, ok := w.Burst(row, t); ok {
		text += "  " + w.ValueText(v) + "  " + raster.FormatDuration(e-b, w.Trace.Data.Unit)
	}
	m.tip = tip{text, x, y}
}

// drawTip draws the tip above the pointer, below it on the first lines.
func (m *screenModel) drawTip(c raster.Canvas) {
	if m.tip.text == "" || m.dialogs.Top() != nil {
		return
	}
	text := " " + m.theme.Cut(m.tip.text, max(c.W-4, 1)) + " "
	n := raster.TextWidth(text)
	x, y := max(min(m.tip.x+1, c.W-n), 0), m.tip.y-1
	if y < 1 {
		y = m.tip.y + 1
	}
	if y < 0 || y >= c.H {
		return
	}
	c.Text(x, y, text, m.theme.Popup)
}

// hover shows the tip of what the pointer rests on.
func (m *Model) hover(l *screenLayout, x, y int) {
	i := l.windowAt(x, y)
	if i < 0 {
		m.tip = tip{}
		return
	}
	m.tipAt(m.Windows[i], &l.windows[i], x, y)
}
