package tui

import (
	tea "charm.land/bubbletea/v2"

	"pview/tui/raster"
)

// The panes that share the place below the windows. One is shown at a time; their names are the tabs of its
// heading.

// tab is one of the panes.
type tab uint8

const (
	tabWhat tab = iota
	tabAnalyzer
	tabSimulator
	tabEfficiency
)

// tabGroups are the names of the panes: the groups of actions whose keys in the pane belong to them.
var tabGroups = [...]string{tabWhat: groupAsk, tabAnalyzer: groupAnalyze, tabSimulator: groupSim, tabEfficiency: groupEfficiency}

// pane is what a pane does.
type pane struct {
	tall  bool // most of the screen is for it
	draw  func(m *Model, c raster.Canvas)
	click func(m *Model, l *screenLayout, e tea.MouseClickMsg, again bool) tea.Cmd // below the heading; again: the pane had the focus before
	wheel func(m *Model, e tea.MouseWheelMsg, sign int)
	hints func(m *Model) [][2]string // for the status line
}

var panes [len(tabGroups)]pane // filled by init: they draw the tabs, which are made from them

func init() {
	panes = [len(tabGroups)]pane{
		tabWhat: {
			draw: func(m *Model, c raster.Canvas) { m.what.draw(m, c) },
			click: func(m *Model, l *screenLayout, e tea.MouseClickMsg, again bool) tea.Cmd {
				return m.clickWhat(l, e.Y, again)
			},
			wheel: func(m *Model, _ tea.MouseWheelMsg, sign int) {
				m.what.refresh(m.window())
				m.what.move(3 * sign)
			},
			hints: func(*Model) [][2]string {
				return [][2]string{{"↑↓", "choose"}, {"Enter", "partner"}, {"a", "names"}, {"r", "raw"}, {"x", "hex"}, {"f", "filter"}, {"s e m", "kinds"}, {"Esc", "back"}}
			},
		},
		tabAnalyzer:   {tall: true, draw: (*Model).drawAnalyzer, click: (*Model).clickTable, wheel: (*Model).wheelTable, hints: (*Model).tableHints},
		tabSimulator:  {draw: (*Model).drawSimulator, click: (*Model).clickSimulator, wheel: (*Model).wheelSimulator, hints: (*Model).simulatorHints},
		tabEfficiency: {tall: true, draw: (*Model).drawEfficiency, click: (*Model).clickEfficiency, wheel: (*Model).wheelEfficiency, hints: (*Model).efficiencyHints},
	}
}

// drawPane draws the pane that is shown.
func (m *Model) drawPane(c raster.Canvas) { panes[m.tab].draw(m, c) }

// clickPane handles a click on the pane: one on a tab shows it.
func (m *Model) clickPane(l *screenLayout, e tea.MouseClickMsg) tea.Cmd {
	again := m.paneFocus
	m.paneFocus = true
	if e.Y == l.pane.Y {
		if t, ok := tabAt(e.X - l.pane.X); ok {
			m.tab = t
		}
		return nil
	}
	return panes[m.tab].click(m, l, e, again)
}

// drawTabs writes the names of the panes, the one shown first to the eye, and
// returns the column after them.
func (m *Model) drawTabs(c raster.Canvas) int {
	th := m.theme
	st, dim := th.Head, th.HeadDim
	if m.paneFocus {
		st, dim = th.Focus, th.FocusDim
	}
	c.Fill(raster.Cell{Rune: ' ', Style: st})
	x := 1
	for i, name := range tabGroups {
		look := dim
		if tab(i) == m.tab {
			look = st
			look.Attr |= raster.Bold
		}
		x = c.Text(x, 0, name, look)
		if i+1 < len(tabGroups) {
			x = c.Text(x, 0, th.ASCII(" │ "), dim)
		}
	}
	return x
}

// tabAt returns the tab at a column of the heading.
func tabAt(x int) (t tab, ok bool) {
	at := 1
	for i, name := range tabGroups {
		if x >= at && x < at+raster.TextWidth(name) {
			return tab(i), true
		}
		at += raster.TextWidth(name) + 3
	}
	return 0, false
}
