package tui

import (
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/pane"
)

// screenModel is the model as drawn. It has no methods that change the model.
type screenModel Model

func (m *Model) screen() *screenModel { return (*screenModel)(m) }

// The smallest screen with room for everything.
const (
	minWidth  = 20
	minHeight = 5
)

// screenLayout has the places of everything on the screen. It follows from the size of the screen and the state alone,
// so that drawing and the mouse agree.
type screenLayout struct {
	title    raster.Rect
	headline raster.Rect // how efficient the run is, and where its time goes
	overview raster.Rect
	windows  []windowLayout // by position in Model.windows; those without room have no height
	legend   raster.Rect
	bar      raster.Rect // the workspaces
	pane     raster.Rect // a heading and its lines
	readout  raster.Rect // what is at the cursor
	status   raster.Rect // hints, messages, prompts
}

// windowLayout is the parts of one window.
type windowLayout struct {
	head   raster.Rect
	labels raster.Rect // names of the rows
	gap    raster.Rect // one column between names and rows: the scroll bar
	plot   raster.Rect
	axis   raster.Rect // without height where the next window has the same axis
}

func (w *windowLayout) all() raster.Rect {
	return raster.Rect{X: w.head.X, Y: w.head.Y, W: w.head.W, H: w.head.H + w.plot.H + w.axis.H}
}

// layout divides the screen.
func (m *screenModel) layout() screenLayout {
	if m.tiny() {
		return m.tinyLayout()
	}
	var l screenLayout
	w, y, bottom := m.width, 0, m.height
	take := func(h int) raster.Rect {
		r := raster.Rect{X: 0, Y: y, W: w, H: h}
		y += h
		return r
	}
	takeBottom := func(h int) raster.Rect {
		bottom -= h
		return raster.Rect{X: 0, Y: bottom, W: w, H: h}
	}
	l.title = take(1)
	l.status = takeBottom(1)
	if len(m.Windows) == 0 {
		return l
	}
	if !m.panes.open || bottom-y >= 28 { // What/Where shows the same
		l.readout = takeBottom(1)
	}
	lines := 0
	if m.panes.open {
		lines = m.paneHeight(bottom - y)
	}
	if lines > 0 && m.panes.lines == 0 {
		lines = m.yielding(lines, bottom-y)
	}
	headline, overview, legend := m.extend(lines, bottom-y)
	l.headline, l.overview = take(headline), take(overview)
	y = m.layoutWindows(&l, y, bottom-y-lines-legend)
	if rest := bottom - y - lines; lines == 0 && m.drawing.Legend {
		legend = rest
	} else if m.panes.lines == 0 && lines > 0 {
		lines = bottom - y - legend
	}
	l.legend = take(legend)
	l.pane = takeBottom(lines)
	if bar := m.barHeight(); bar > 0 && lines > 0 {
		l.bar = raster.Rect{X: 0, Y: l.pane.Y, W: w, H: bar}
		l.pane.Y, l.pane.H = l.pane.Y+bar, lines-bar
	}
	return l
}

// extend returns the lines of headline, overview and legend beside a pane of a height. The legend gets a line that
// neither rows nor pane can use; the parts above the rows do not depend on the pane.
func (m *screenModel) extend(lines, room int) (headline, overview, legend int) {
	headline, overview, legend = m.surroundingLines(room - lines)
	of, ok := m.panes.current().(pane.Bounded)
	if !ok || lines == 0 || m.panes.lines != 0 {
		return headline, overview, legend
	}
	spare := room - headline - overview - legend - max(lines, of.Most()+m.barHeight())
	if spare > m.stack(room-lines-headline-overview-legend).height && legend == 1 {
		legend = 2
	}
	return headline, overview, legend
}

// A screen of tallScreen lines has an overview of tallOverview.
const (
	tallScreen   = 56
	tallOverview = 2
)

// surroundingLines returns the number of lines above and below the windows when every part fits.
func (m *screenModel) surroundingLines(room int) (headline, overview, legend int) {
	if room <= leastWindows {
		return 0, 0, 0
	}
	headline = m.headlineLines()
	if m.drawing.Overview {
		if overview = 1; m.height >= tallScreen {
			overview = min(tallOverview, room-leastWindows)
		}
	}
	if m.drawing.Legend {
		legend = legendHeight(room)
	}
	return headline, overview, m.fitLegend(room-headline-overview, legend)
}

// leastWindows is the number of lines up to which the windows get all of them.
const leastWindows = 7

// yielding returns the height of a pane, reduced by up to a quarter if the rows gain more lines than the pane loses,
// and by up to a third if they need no longer share lines.
func (m *screenModel) yielding(pane, room int) int {
	best, most := pane, -1
	for try := pane; try >= max(pane-(pane+2)/3, 3+m.barHeight()); try-- {
		headline, overview, legend := m.surroundingLines(room - try)
		st := m.stack(room - try - headline - overview - legend)
		used, each := 0, 2
		if pane-try > pane/4 {
			each = 1
		}
		for i, lines := range st.lines {
			rows := m.Windows[st.first+i].RowsInView(m.Windows[st.first+i].Trace.Data)
			if used += min(lines, each*rows); lines >= rows {
				used += rows
			}
		}
		if used+try > most {
			best, most = try, used+try
		}
	}
	return best
}

// fitLegend takes a line from the legend if the rows can use more lines then: rows have whole lines, so that one line
// less may cost each of them a line.
func (m *screenModel) fitLegend(room, legend int) int {
	rest := func(legend int) int {
		rest := room - legend
		st := m.stack(rest)
		for i, lines := range st.lines {
			rest -= m.Windows[st.first+i].UsefulLines(lines, m.look)
		}
		return rest
	}
	if legend > 1 && rest(1)+2 < rest(legend) {
		return 1
	}
	return legend
}

// paneHeight returns the minimum height of the pane, of room lines.
func (m *screenModel) paneHeight(room int) int {
	h, above := m.panes.lines, leastWindows
	if h == 0 { // the parts above the windows stay
		h, above = m.barHeight()+m.panes.current().Height(room-m.barHeight()), leastWindows+m.headlineLines()
	}
	return max(min(h, room-above), 3+m.barHeight())
}

func legendHeight(room int) int {
	if room >= 24 {
		return 2
	}
	return 1
}

// stacked describes how windows share lines.
type stacked struct {
	first  int   // window that is shown
	lines  []int // of the rows of each
	axes   []int // of each axis: one for windows that have it in common
	height int   // of all together, with headings
}

// stack shares at most h lines among the windows. When there are too many, those around the one in focus get the room.
func (m *screenModel) stack(h int) (s stacked) {
	first, n := m.windowsShown(h)
	s.first, s.axes = first, make([]int, n)
	for i := range s.axes {
		if s.height++; i+1 == n || !m.SameAxis(first+i, first+i+1) {
			s.axes[i] = 1
			s.height++
		}
	}
	s.lines = m.rowLines(m.Windows[first:first+n], h-s.height)
	for _, lines := range s.lines {
		s.height += lines
	}
	return s
}

// layoutWindows stacks the windows in at most h lines from y, and returns the line below them.
func (m *screenModel) layoutWindows(l *screenLayout, y, h int) int {
	l.windows = make([]windowLayout, len(m.Windows))
	st := m.stack(h)
	labels := m.labelWidth(m.Windows[st.first:st.first+len(st.lines)], st.lines)
	for i, rows := range st.lines {
		wl := &l.windows[st.first+i]
		wl.head = raster.Rect{X: 0, Y: y, W: m.width, H: 1}
		wl.labels = raster.Rect{X: 1, Y: y + 1, W: labels, H: rows}
		wl.gap = raster.Rect{X: labels + 1, Y: y + 1, W: 1, H: rows}
		wl.plot = raster.Rect{X: labels + 2, Y: y + 1, W: m.width - labels - 3, H: rows}
		wl.axis = raster.Rect{X: 0, Y: y + 1 + rows, W: m.width, H: st.axes[i]}
		y += 1 + rows + st.axes[i]
	}
	return y
}

// rowLines shares h lines among the rows of windows. Every window gets some, then enough for a line per row, for two,
// and so on; windows with the same number of rows get the same number of lines, so that their rows look alike. A window
// of few rows gets its share before others have more than a line per row. Lines that no window can use are left over.
func (m *screenModel) rowLines(windows []*timeline.View, h int) []int {
	lines, rows := make([]int, len(windows)), make([]int, len(windows))
	alike := map[int]int{} // number of windows by their rows
	left := h
	for i, w := range windows {
		rows[i] = max(w.RowsInView(w.Trace.Data), 1)
		alike[rows[i]]++
		lines[i] = max(min(h/len(windows), rows[i]), 1)
		left -= lines[i]
	}
	grow := func(each, most int) {
		for i, n := range rows {
			want := n * each
			if cost := (want - lines[i]) * alike[n]; cost <= 0 || cost > left || want > most {
				continue
			}
			for k := range rows {
				if rows[k] == n {
					left -= want - lines[k]
					lines[k] = want
				}
			}
		}
	}
	grow(1, h)
	for each := 2; each <= h && left > 0; each++ {
		grow(each, h/len(windows))
	}
	for each := 2; each <= h && left > 0; each++ {
		grow(each, h)
	}
	for i, n := range rows { // rows that share lines can use any number of them
		if more := left / alike[n]; lines[i] < n && more > 0 {
			for k := range rows {
				if rows[k] == n {
					lines[k] += more
					left -= more
				}
			}
		}
	}
	for i, w := range windows { // all lines show the same number of rows: some lines may stay unused
		lines[i] = min(lines[i], w.UsefulLines(lines[i], m.look))
	}
	return lines
}

// windowsShown returns which windows have room in h lines: all, or as many as fit, including the one in focus.
func (m *screenModel) windowsShown(h int) (first, n int) {
	const least = 4 // head, two rows, axis
	if m.Maximized {
		return m.Focus, 1
	}
	n = min(len(m.Windows), max(h/least, 1))
	first = min(max(m.Focus-n/2, 0), len(m.Windows)-n)
	return first, n
}

// windowsOnScreen returns the first window that is drawn, and the number of windows drawn.
func (m *screenModel) windowsOnScreen() (first, n int) {
	for i, l := range m.layout().windows {
		if l.plot.H > 0 {
			if n == 0 {
				first = i
			}
			n++
		}
	}
	return first, n
}

// labelWidth returns the width of the names of the rows: one for all windows, so that equal times line up.
func (m *screenModel) labelWidth(windows []*timeline.View, lines []int) int {
	width := 0
	for i, w := range windows {
		width = max(width, w.LabelWidth(w.RowLayout(lines[i], m.look)))
	}
	return min(width, max(m.width/4, 12))
}
