// Package list is the one list, table and page component of the panes: selection, scrolling, paging, narrowing, columns
// and the mouse, drawn into a raster.Canvas. The verbs for moving are one table: a pane names the verbs it supports,
// and the shell registers them once for all panes.
package list

import (
	"fmt"
	"strings"

	"pview/render/raster"
	"pview/render/style"
)

// List is a list of which one row is chosen. Its functions describe the current rows: rows may come and go between
// calls.
type List struct {
	Len     func() int         // number of rows
	Text    func(i int) string // of a row, for narrowing; nil: the list cannot be narrowed
	Lines   func(i int) int    // height of a row; nil: 1
	Heading func(i int) bool   // rows that cannot be chosen; nil: none
	// Turn scrolls within the chosen row by a page; it reports false at the end of the row. nil: rows are as high as
	// they are drawn.
	Turn func(direction int) bool

	at     int    // position of the chosen row among those shown
	top    int    // position of the first row on the screen
	needle string // lower-case text that the shown rows contain; "": all are shown
	fits   []int  // rows shown while the list is narrowed
	area   raster.Rect
	drawn  []int // position of the row on each line of the area, as drawn last
}

// shown returns the number of rows that narrowing leaves, and keeps the choice among them.
func (l *List) shown() int {
	n := l.Len()
	if l.needle != "" {
		l.fits = l.fits[:0]
		for i := range n {
			if strings.Contains(strings.ToLower(l.Text(i)), l.needle) && !l.heading(i) {
				l.fits = append(l.fits, i)
			}
		}
		n = len(l.fits)
	}
	l.at = max(0, min(l.at, n-1))
	return n
}

func (l *List) heading(i int) bool { return l.Heading != nil && l.Heading(i) }

// blank reports whether a row is a gap between others.
func (l *List) blank(i int) bool { return l.Text != nil && strings.TrimSpace(l.Text(i)) == "" }

// row returns the row at a position among those shown.
func (l *List) row(position int) int {
	if l.needle == "" {
		return position
	}
	return l.fits[position]
}

func (l *List) height(position int) int {
	if l.Lines == nil {
		return 1
	}
	return max(l.Lines(l.row(position)), 1)
}

// At returns the chosen row; -1 if none.
func (l *List) At() int {
	if l.shown() == 0 {
		return -1
	}
	return l.row(l.at)
}

// Choose chooses a row, or the nearest one. If narrowing hides the row, all rows return.
func (l *List) Choose(i int) {
	n := l.shown()
	for k := range n {
		if l.row(k) == i && !l.heading(i) {
			l.at = k
			return
		}
	}
	l.needle, l.at = "", max(0, min(i, l.Len()-1))
	l.offHeading(1)
}

// Show chooses a row and scrolls so that rows above it are visible.
func (l *List) Show(i, above int) {
	l.Choose(i)
	l.top = l.at - above
}

// By goes n rows down, or up if n is negative.
func (l *List) By(n int) {
	l.at = max(0, min(l.at+n, l.shown()-1))
	l.offHeading(n)
}

// offHeading moves from a heading to a row in the given direction, or back at the end of the list.
func (l *List) offHeading(direction int) {
	step := 1
	if direction < 0 {
		step = -1
	}
	n := l.shown()
	for _, by := range []int{step, -step} {
		for k := l.at; k >= 0 && k < n; k += by {
			if !l.heading(l.row(k)) {
				l.at = k
				return
			}
		}
	}
}

// Narrow shows only the rows that contain a text, and keeps the choice if it is one of them.
func (l *List) Narrow(text string) {
	chosen := l.At()
	l.needle = strings.ToLower(strings.TrimSpace(text))
	l.at, l.top = 0, 0
	for k := range l.shown() {
		if l.row(k) == chosen {
			l.at = k
		}
	}
	l.offHeading(1)
}

// Needle returns the text that the list is narrowed to; "" if it shows all rows.
func (l *List) Needle() string { return l.needle }

// Moves returns the verbs of going up and down.
func (l *List) Moves() Moves {
	return Moves{
		Up: Do(func() { l.By(-1) }), Down: Do(func() { l.By(1) }),
		PageUp: Do(func() { l.page(-1) }), PageDown: Do(func() { l.page(1) }),
		First: Do(func() { l.By(-l.Len()) }), Last: Do(func() { l.By(l.Len()) }),
	}
}

// page goes a page down, or up if direction is negative.
func (l *List) page(direction int) {
	if l.Turn == nil || !l.Turn(direction) {
		l.By(direction * l.skip())
	}
}

// skip returns the number of rows that paging skips: one less than are visible.
func (l *List) skip() int {
	if len(l.drawn) == 0 {
		return 1
	}
	return max(l.drawn[len(l.drawn)-1]-l.drawn[0], 1)
}

// Wheel goes three rows down, or up if sign is negative.
func (l *List) Wheel(sign int) { l.By(3 * sign) }

// Click chooses the row at a place of the pane. hit reports whether there is one, same whether it was already chosen.
func (l *List) Click(x, y int) (hit, same bool) {
	if !l.area.Has(x, y) || y-l.area.Y >= len(l.drawn) {
		return false, false
	}
	k := l.drawn[y-l.area.Y]
	if k >= l.shown() || l.heading(l.row(k)) {
		return false, false
	}
	same, l.at = l.at == k, k
	return true, same
}

// Look draws a list with or without the focus, in the canvas of its pane or dialog, whose cells mouse positions count.
type Look struct {
	Pane    raster.Canvas
	Theme   *style.Theme
	Focused bool
	Popup   bool // in a dialog, which has the focus
}

// plain returns the styles of rows that are not chosen.
func (k *Look) plain() (text, dim raster.Style) {
	if k.Popup {
		return k.Theme.Popup, k.Theme.PopupDim
	}
	return k.Theme.Text, k.Theme.Dim
}

// chosen prepares the lines of a chosen row and returns its styles.
func (k *Look) chosen(line raster.Canvas) (text, dim raster.Style) {
	text = k.Theme.DrawChosen(line, k.Focused || k.Popup)
	if k.Popup {
		return text, k.Theme.PopupSelDim
	}
	return text, text
}

// A Row draws a row of a list. text and dim are the styles of what matters more and less in it.
type Row func(c raster.Canvas, i int, text, dim raster.Style)

// Draw draws the rows that fit, the chosen one among them, and a scrollbar. While the list is narrowed, the last line
// shows the text.
func (l *List) Draw(k Look, c raster.Canvas, row Row) {
	n := l.shown()
	if l.needle != "" && c.H > 1 {
		of := 0
		for i := range l.Len() {
			if !l.heading(i) {
				of++
			}
		}
		text := fmt.Sprintf("/%s: %d of %d, Esc shows all", l.needle, n, of)
		c.Text(1, c.H-1, k.Theme.Cut(text, c.W-2), k.Theme.Accent)
		c = c.Sub(0, 0, c.W, c.H-1)
	}
	l.area, l.drawn = c.Within(k.Pane), l.drawn[:0]
	l.scroll(n, c.H)
	end, beside := l.top, 0
	for lines := 0; end < n && lines < c.H; end++ {
		lines += l.height(end)
	}
	if end-l.top < n {
		beside = 1 // the scroll bar
	}
	for at := l.top; at < end; at++ {
		line := c.Sub(0, len(l.drawn), c.W-beside, l.height(at))
		text, dim := k.plain()
		if at == l.at {
			text, dim = k.chosen(line)
		}
		row(line, l.row(at), text, dim)
		for range line.H {
			l.drawn = append(l.drawn, at)
		}
	}
	style.DrawScrollbar(c, l.top, end-l.top, n, k.Theme)
}

// scroll moves the first row so that the chosen one is visible as a whole, with the headings right above it, and no
// line stays empty.
func (l *List) scroll(n, room int) {
	l.top = max(min(l.top, l.at), 0)
	used := 0
	for first := l.at; first >= l.top && first < n; first-- {
		if used += l.height(first); used > room {
			l.top = min(first+1, l.at)
			break
		}
	}
	used = 0
	first := n
	for first > 0 && used+l.height(first-1) <= room {
		first--
		used += l.height(first)
	}
	l.top = min(l.top, first)
	for l.top < l.at && l.heading(l.row(l.top)) && l.blank(l.row(l.top)) {
		l.top++
	}
	if l.top < l.at || n == 0 {
		return
	}
	for used = l.height(l.at); l.top > 0 && l.heading(l.row(l.top-1)) && !l.blank(l.row(l.top-1)); l.top-- {
		if used += l.height(l.top - 1); used > room {
			return
		}
	}
}
