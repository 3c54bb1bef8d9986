package tui

import (
	"pview/tui/timeline"
)

// Moving over the desk: the view, the cursor, the rows.

// pan moves the view by columns. Steps are whole columns, so that what is seen
// stays as it is and only moves.
func (d *desk) pan(columns, width int) {
	w := d.window()
	axis := w.Axis(width)
	n := columns
	if n < 0 {
		n = -n
	}
	by := int64(0)
	for ; n > 0; n -= min(n, axis.W) {
		by += axis.Time(min(n, axis.W)) - axis.Begin
	}
	by = max(by, 1)
	if columns < 0 {
		by = -by
	}
	d.panTime(by)
}

func (d *desk) panTime(by int64) {
	w := d.window()
	d.change(w, "pan", func(s *timeline.Setup) { s.Pan(by, d.whole(w)) })
}

func (d *desk) panView(sign int64) {
	d.panTime(sign * d.window().Duration())
	d.cursorBack()
}

// panEnd moves the view and the cursor to one end of the run.
func (d *desk) panEnd(sign int64) {
	w := d.window()
	d.change(w, "pan", func(s *timeline.Setup) { s.Pan(sign*d.whole(w), d.whole(w)) })
	if sign < 0 {
		d.moveCursor(w, w.Begin, w.CursorRow)
	} else {
		d.moveCursor(w, w.End, w.CursorRow)
	}
}

// stepCursor moves the cursor by columns. At the edge the view moves along.
func (d *desk) stepCursor(by, width int) {
	w := d.window()
	n := width
	if !w.CursorInView() { // it comes back to the middle
		d.moveCursor(w, w.Anchor(), w.CursorRow)
		return
	}
	col := w.Axis(n).Column(w.Cursor) + by
	if col < 0 {
		d.change(w, "pan", func(s *timeline.Setup) { s.Pan(-timeOf(w, width, -col), d.whole(w)) })
		col = 0
	} else if col >= n {
		d.change(w, "pan", func(s *timeline.Setup) { s.Pan(timeOf(w, width, col-n+1), d.whole(w)) })
		col = n - 1
	}
	t := w.Axis(n).Time(col)
	if by > 0 && t <= w.Cursor { // columns narrower than a unit share their time
		t = w.Cursor + 1
	}
	d.moveCursor(w, t, w.CursorRow)
}

// timeOf is the time that so many columns of a window that is width columns wide cover; at least 1.
func timeOf(w *timeline.View, width, columns int) int64 {
	axis := w.Axis(width)
	return max(axis.Time(min(columns, axis.W))-axis.Begin, 1)
}

// stepRow moves the cursor by rows, and the rows with it at the edge.
func (d *desk) stepRow(by int) {
	w := d.window()
	d.showRow(w, min(max(w.CursorRow+by, 0), w.Rows(w.Trace.Data)-1))
}

// showRow puts the cursor on a row, and scrolls so far that it is in view.
func (d *desk) showRow(w *timeline.View, row int) {
	n := w.RowsInView(w.Trace.Data)
	d.change(w, "rows", func(s *timeline.Setup) {
		if row < s.Top {
			s.Top = row
		} else if row >= s.Top+n {
			s.Top = row - n + 1
		}
	})
	d.moveCursor(w, w.Cursor, row)
}

// goTo puts the cursor somewhere, in the middle of the view when it is not in view
// already.
func (d *desk) goTo(w *timeline.View, t int64, row int) {
	if t < w.Begin || t >= w.End {
		d.change(w, "", func(s *timeline.Setup) { s.Center(t, d.whole(w)) })
	}
	d.showRow(w, row)
	d.moveCursor(w, t, row)
}

// moveCursor sets the cursor of a window, and of its group.
func (d *desk) moveCursor(w *timeline.View, t int64, row int) {
	w.Cursor, w.CursorRow = t, row
	w.ClampCursor(d.whole(w))
	if w.Group == 0 {
		return
	}
	for _, v := range d.windows {
		if v != w && v.Group == w.Group {
			v.Cursor = w.Trace.Convert(w.Cursor, v.Trace)
		}
	}
}

// cursorBack puts the cursor of the window in focus into the middle of the view when
// it is out of it: before something happens at the cursor, and after the view has
// jumped.
func (d *desk) cursorBack() {
	if w := d.window(); w != nil && !w.CursorInView() {
		d.moveCursor(w, w.Anchor(), w.CursorRow)
	}
}

// scrollRows moves the rows under the cursor's place on the screen.
func (d *desk) scrollRows(w *timeline.View, by int) {
	d.change(w, "rows", func(s *timeline.Setup) { s.Top += by })
	d.moveCursor(w, w.Cursor, w.CursorRow+by)
}

// zoomAt makes the view of a window factor times as long; t stays on its column.
func (d *desk) zoomAt(w *timeline.View, factor float64, t int64) {
	d.change(w, "", func(s *timeline.Setup) { s.Zoom(factor, t, d.whole(w)) })
}
