package tui

import "pview/tui/raster"

// rect is a part of the screen.
type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

func (r rect) of(c raster.Canvas) raster.Canvas { return c.Sub(r.x, r.y, r.w, r.h) }

// The smallest screen that everything can be used on.
const (
	minWidth  = 60
	minHeight = 15
)

// screenLayout says where everything stands. It follows from the size of the
// screen and the state alone, so that drawing and the mouse agree.
type screenLayout struct {
	title    rect
	overview rect
	windows  []windowLayout // by position in Model.windows; those without room have no height
	legend   rect
	pane     rect // What/Where: a heading and its lines
	readout  rect // what is at the cursor
	status   rect // hints, messages, prompts
}

// windowLayout is the parts of one window.
type windowLayout struct {
	head   rect
	labels rect // names of the rows
	gap    rect // one column between names and rows: the scroll bar
	plot   rect
	axis   rect // without height where the next window has the same axis
}

func (w *windowLayout) all() rect {
	return rect{w.head.x, w.head.y, w.head.w, w.head.h + w.plot.h + w.axis.h}
}

// layout divides the screen.
func (m *Model) layout() screenLayout {
	var l screenLayout
	w, y, bottom := m.width, 0, m.height
	take := func(h int) rect {
		r := rect{0, y, w, h}
		y += h
		return r
	}
	takeBottom := func(h int) rect {
		bottom -= h
		return rect{0, bottom, w, h}
	}
	l.title = take(1)
	l.status = takeBottom(1)
	if len(m.windows) == 0 {
		return l
	}
	if !m.paneOpen || bottom-y >= 28 { // What/Where says the same
		l.readout = takeBottom(1)
	}
	pane := 0
	if m.paneOpen {
		pane = m.paneHeight(bottom - y)
	}
	if m.overviewOpen && bottom-y-pane > 7 {
		l.overview = take(1)
	}
	legend := 0
	if m.legendOpen && bottom-y-pane > 7 {
		legend = m.legendHeight(bottom - y - pane)
	}
	if spare := bottom - y - pane - legend - m.wantedHeight(); m.paneOpen && m.paneLines == 0 && spare > 0 {
		pane += spare // the windows gain nothing from it
	}
	l.pane = takeBottom(pane)
	l.legend = takeBottom(legend)
	m.layoutWindows(&l, y, bottom-y)
	return l
}

// paneHeight is the height of the pane when so much room is left.
func (m *Model) paneHeight(room int) int {
	h := m.paneLines
	switch {
	case h == 0 && m.tab == tabAnalyzer:
		h = max(room*3/5, 9)
	case h == 0:
		h = max(room/3, 5)
	}
	return max(min(h, room-7), 3)
}

// wantedHeight is the height in lines from which on the windows gain nothing.
func (m *Model) wantedHeight() int {
	h := 0
	for _, w := range m.windows {
		h += w.wantedHeight() + 1
	}
	return h
}

func (m *Model) legendHeight(room int) int {
	if room >= 40 {
		return 2
	}
	return 1
}

// layoutWindows stacks the windows in h lines from y. When there are too many,
// those around the one in focus get the room.
func (m *Model) layoutWindows(l *screenLayout, y, h int) {
	l.windows = make([]windowLayout, len(m.windows))
	first, n := m.windowsShown(h)
	labels := m.labelWidth(first, n)
	axes := make([]int, n) // lines of each axis: one for windows that have it in common
	for i := range axes {
		if i+1 == n || !m.sameAxis(first+i, first+i+1) {
			axes[i] = 1
			h--
		}
	}
	share := m.windowHeights(first, n, h)
	for i := first; i < first+n; i++ {
		wl, axis := &l.windows[i], axes[i-first]
		rows := max(share[i-first]-1, 0)
		wl.head = rect{0, y, m.width, 1}
		wl.labels = rect{1, y + 1, labels, rows}
		wl.gap = rect{labels + 1, y + 1, 1, rows}
		wl.plot = rect{labels + 2, y + 1, m.width - labels - 3, rows}
		wl.axis = rect{0, y + 1 + rows, m.width, axis}
		y += share[i-first] + axis
	}
}

// windowsShown returns which windows have room in h lines: all, or as many as fit
// with the one in focus among them.
func (m *Model) windowsShown(h int) (first, n int) {
	const least = 4 // head, two rows, axis
	if m.maximized {
		return m.focus, 1
	}
	n = min(len(m.windows), max(h/least, 1))
	first = min(max(m.focus-n/2, 0), len(m.windows)-n)
	return first, n
}

// windowsOnScreen returns the first window that is drawn, and how many are.
func (m *Model) windowsOnScreen() (first, n int) {
	for i, l := range m.layout().windows {
		if l.head.h > 0 {
			if n == 0 {
				first = i
			}
			n++
		}
	}
	return first, n
}

// windowHeights shares h lines, axes aside, among windows: as many as their rows ask
// for, the rest evenly.
func (m *Model) windowHeights(first, n, h int) []int {
	share := make([]int, n)
	left := h
	for i := range share {
		share[i] = h / n
		left -= share[i]
	}
	// A window that does not need its share leaves it to the others.
	for range n {
		greedy := 0
		for i := range share {
			if want := m.windows[first+i].wantedHeight(); share[i] > want && n > 1 {
				left += share[i] - want
				share[i] = want
			} else if share[i] < want {
				greedy++
			}
		}
		if left == 0 || greedy == 0 {
			break
		}
		for i := range share {
			if want := m.windows[first+i].wantedHeight(); share[i] < want && left > 0 {
				add := min((left+greedy-1)/greedy, want-share[i], left)
				share[i] += add
				left -= add
				greedy--
			}
		}
	}
	for i := 0; left > 0; i = (i + 1) % n {
		share[i]++
		left--
	}
	return share
}

// labelWidth is the width of the names of the rows: one for all windows, so that
// equal times stand below each other.
func (m *Model) labelWidth(first, n int) int {
	w := 0
	for i := first; i < first+n; i++ {
		w = max(w, m.windows[i].labelWidth())
	}
	return min(w, max(m.width/4, 12))
}
