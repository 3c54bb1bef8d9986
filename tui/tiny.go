package tui

import (
	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
)

// A screen too small for titles, names and an axis shows the rows of one window, or the pane in focus, above the status
// line. All keys work. Whatever its size, it shows something: a name if nothing else fits.

// tiny reports whether the screen is that small.
func (m *screenModel) tiny() bool { return m.width < minWidth || m.height < minHeight }

// hintWidth is the minimum width of a status line for a hint.
const hintWidth = 10

func (m *screenModel) tinyLayout() screenLayout {
	l := screenLayout{windows: make([]windowLayout, len(m.Windows))}
	body := raster.Rect{W: m.width, H: m.height}
	if body.H > 1 && body.W >= hintWidth { // else messages cover the last lines
		body.H--
		l.status = raster.Rect{Y: body.H, W: m.width, H: 1}
	}
	switch {
	case len(m.Windows) == 0:
	case m.panes.open && m.PaneFocus:
		l.pane = body
	default:
		l.windows[m.Focus].plot = body
	}
	return l
}

func (m *screenModel) drawTiny(c raster.Canvas) *tea.Position {
	l := m.layout()
	if l.pane.H > 0 {
		m.panes.current().Draw(l.pane.Of(c))
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
		m.drawTinyStart(c)
	}
	switch {
	case m.scene.Messages.Text != "":
		m.drawTinyMessage(c)
	case l.status.H > 0:
		m.drawStatus(l.status.Of(c), false)
	}
	at := m.dialogs.Draw(c)
	if empty(c) {
		drawLines(c, m.theme, 0, []string{m.subject()}, m.theme.Dim)
	}
	return at
}

// subject names the subject of the screen.
func (m *screenModel) subject() string {
	switch w := m.Focused(); {
	case m.panes.open && m.PaneFocus:
		return m.panes.current().Title()
	case w != nil:
		return w.Trace.Name
	}
	return "pview"
}

// drawTinyStart names the trace being read, or says that there is none.
func (m *screenModel) drawTinyStart(c raster.Canvas) {
	lines, st := []string{"No trace is open"}, m.theme.Bold
	switch {
	case m.loader.current != nil:
		lines = []string{m.loader.current.text(), baseName(m.loader.current.name())}
	case len(m.loader.errors) > 0:
		lines, st = nil, m.theme.Alarm
		for _, err := range m.loader.errors {
			lines = append(lines, err.Error())
		}
	}
	drawLines(c, m.theme, 0, lines, st)
}

// drawTinyMessage covers the last lines with the message, but leaves at least one.
func (m *screenModel) drawTinyMessage(c raster.Canvas) {
	st := m.theme.Popup
	if m.scene.Messages.Failed {
		st = raster.Style{FG: m.theme.Alarm.FG, BG: st.BG, Attr: m.theme.Alarm.Attr}
	}
	n := min(len(style.Wrap(m.scene.Messages.Text, c.W)), max(c.H-1, 1))
	part := c.Sub(0, c.H-n, c.W, n)
	part.Fill(raster.Cell{Rune: ' ', Style: st})
	drawLines(part, m.theme, 0, []string{m.scene.Messages.Text}, st)
}

// drawLines writes texts from line y on, broken at the edge; the last line that fits ends with a mark if there are
// more.
func drawLines(c raster.Canvas, th *style.Theme, y int, texts []string, st raster.Style) {
	var lines []string
	for _, text := range texts {
		lines = append(lines, style.Wrap(text, c.W)...)
	}
	if room := c.H - y; len(lines) > room && room > 0 && c.W > 2 {
		lines[room-1] = th.Cut(lines[room-1]+" "+lines[room], c.W)
	}
	for i, line := range lines {
		c.Text(0, y+i, line, st)
	}
}

// empty reports whether nothing is visible.
func empty(c raster.Canvas) bool {
	for y := range c.H {
		for _, cell := range c.Line(y) {
			if cell.Rune != ' ' && cell.Rune != 0 || cell.BG.IsSet() { // a cell of one colour is blank
				return false
			}
		}
	}
	return true
}
