package desk

import (
	"pview/render/timeline"
)

// Moving over the desk: the view, the cursor, the rows.

// Pan moves the view by columns. Steps are whole columns, so that what is seen
// stays as it is and only moves.
func (d *Desk) Pan(columns, width int) {
	w := d.Focused()
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

func (d *Desk) panTime(by int64) {
	w := d.Focused()
	d.Change(w, "pan", func(s *timeline.Setup) { s.Pan(by, d.Whole(w)) })
}

func (d *Desk) PanView(sign int64) {
	d.panTime(sign * d.Focused().Duration())
	d.CursorBack()
}

// PanEnd moves the view and the cursor to one end of the run.
func (d *Desk) PanEnd(sign int64) {
	w := d.Focused()
	d.Change(w, "pan", func(s *timeline.Setup) { s.Pan(sign*d.Whole(w), d.Whole(w)) })
	if sign < 0 {
		d.MoveCursor(w, w.Begin, w.CursorRow)
	} else {
		d.MoveCursor(w, w.End, w.CursorRow)
	}
}

// StepCursor moves the cursor by columns. At the edge the view moves along.
func (d *Desk) StepCursor(by, width int) {
	w := d.Focused()
	n := width
	if !w.CursorInView() { // it comes back to the middle
		d.MoveCursor(w, w.Anchor(), w.CursorRow)
		return
	}
	col := w.Axis(n).Column(w.Cursor) + by
	if col < 0 {
		d.Change(w, "pan", func(s *timeline.Setup) { s.Pan(-timeOf(w, width, -col), d.Whole(w)) })
		col = 0
	} else if col >= n {
		d.Change(w, "pan", func(s *timeline.Setup) { s.Pan(timeOf(w, width, col-n+1), d.Whole(w)) })
		col = n - 1
	}
	t := w.Axis(n).Time(col)
	if by > 0 && t <= w.Cursor { // columns narrower than a unit share their time
		t = w.Cursor + 1
	}
	d.MoveCursor(w, t, w.CursorRow)
}

// timeOf is the time that so many columns of a window that is width columns wide cover; at least 1.
func timeOf(w *timeline.View, width, columns int) int64 {
	axis := w.Axis(width)
	return max(axis.Time(min(columns, axis.W))-axis.Begin, 1)
}

// StepRow moves the cursor by rows, and the rows with it at the edge.
func (d *Desk) StepRow(by int) {
	w := d.Focused()
	d.ShowRow(w, min(max(w.CursorRow+by, 0), w.Rows(w.Trace.Data)-1))
}

// ShowRow puts the cursor on a row, and scrolls so far that it is in view.
func (d *Desk) ShowRow(w *timeline.View, row int) {
	n := w.RowsInView(w.Trace.Data)
	d.Change(w, "rows", func(s *timeline.Setup) {
		if row < s.Top {
			s.Top = row
		} else if row >= s.Top+n {
			s.Top = row - n + 1
		}
	})
	d.MoveCursor(w, w.Cursor, row)
}

// GoTo puts the cursor somewhere, in the middle of the view when it is not in view
// already.
func (d *Desk) GoTo(w *timeline.View, t int64, row int) {
	if t < w.Begin || t >= w.End {
		d.Change(w, "", func(s *timeline.Setup) { s.Center(t, d.Whole(w)) })
	}
	d.ShowRow(w, row)
	d.MoveCursor(w, t, row)
}

// MoveCursor sets the cursor of a window, and of its group.
func (d *Desk) MoveCursor(w *timeline.View, t int64, row int) {
	w.Cursor, w.CursorRow = t, row
	w.ClampCursor(d.Whole(w))
	if w.Group == 0 {
		return
	}
	for _, v := range d.Windows {
		if v != w && v.Group == w.Group {
			v.Cursor = w.Trace.Convert(w.Cursor, v.Trace)
		}
	}
}

// CursorBack puts the cursor of the window in focus into the middle of the view when
// it is out of it: before something happens at the cursor, and after the view has
// jumped.
func (d *Desk) CursorBack() {
	if w := d.Focused(); w != nil && !w.CursorInView() {
		d.MoveCursor(w, w.Anchor(), w.CursorRow)
	}
}

// ScrollRows moves the rows under the cursor's place on the screen.
func (d *Desk) ScrollRows(w *timeline.View, by int) {
	d.Change(w, "rows", func(s *timeline.Setup) { s.Top += by })
	d.MoveCursor(w, w.Cursor, w.CursorRow+by)
}

// ZoomAt makes the view of a window factor times as long; t stays on its column.
func (d *Desk) ZoomAt(w *timeline.View, factor float64, t int64) {
	d.Change(w, "", func(s *timeline.Setup) { s.Zoom(factor, t, d.Whole(w)) })
}
