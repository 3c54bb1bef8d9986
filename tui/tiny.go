package tui

import (
	tea "charm.land/bubbletea/v2"

	"pview/tui/raster"
	"pview/tui/timeline"
)

// A screen that has no room for titles, names and an axis shows the rows of one window, or the pane that has the focus, above the
// status line. All keys work.

// tiny reports whether the screen is such a one.
func (m *face) tiny() bool { return m.width < minWidth || m.height < minHeight }

func (m *face) tinyLayout() screenLayout {
	l := screenLayout{windows: make([]windowLayout, len(m.Windows))}
	body := raster.Rect{W: m.width, H: m.height}
	if body.H > 1 {
		body.H--
		l.status = raster.Rect{Y: body.H, W: m.width, H: 1}
	}
	switch {
	case len(m.Windows) == 0:
	case m.paneOpen && m.paneFocus:
		l.pane = body
	default:
		l.windows[m.Focus].plot = body
	}
	return l
}

func (m *face) drawTiny(c raster.Canvas) *tea.Position {
	l := m.layout()
	if l.pane.H > 0 {
		m.drawPane(l.pane.Of(c))
	}
	for i, w := range m.Windows {
		switch plot := l.windows[i].plot; {
		case plot.H == 0:
		case w.Values.Err != nil:
			w.DrawUnavailable(plot.Of(c), m.theme)
		default:
			w.Draw(c, timeline.Frame{Plot: plot}, m.look, m.theme, true)
			m.drawPointers(plot.Of(c), i)
		}
	}
	if len(m.Windows) == 0 {
		m.drawStart(raster.Rect{W: m.width, H: max(m.height-1, 1)}.Of(c))
	}
	if l.status.H > 0 {
		m.drawStatus(l.status.Of(c), false)
	}
	if d := m.dialogs.Top(); d != nil {
		return d.Draw(&m.dialogs, c)
	}
	return nil
}
