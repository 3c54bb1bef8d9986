package desk

import (
	"pview/render/timeline"
)

// Moving the view, the cursor and the rows.

// Pan moves the view in focus, width columns wide, by a number of columns. Whole columns keep the picture as it is.
// Pans of one kind in a row are undone together; "": one by one.
func (d *Desk) Pan(kind string, columns, width int) {
	w := d.Focused()
	axis := w.Axis(width)
	n := max(columns, -columns)
	by := int64(0)
	for ; n > 0; n -= min(n, axis.W) {
		by += axis.Time(min(n, axis.W)) - axis.Begin
	}
	by = max(by, 1)
	if columns < 0 {
		by = -by
	}
	d.panTime(kind, by)
}

func (d *Desk) panTime(kind string, by int64) {
	w := d.Focused()
	d.Change(w, kind, func(s *timeline.Setup) { s.Pan(by, d.Whole(w)) })
}

// PanView moves the view by its length.
func (d *Desk) PanView(sign int64) {
	d.panTime("", sign*d.Focused().Duration())
	d.CursorBack()
}

// PanEnd moves the view and the cursor to one end of the run.
func (d *Desk) PanEnd(sign int64) {
	w := d.Focused()
	d.Change(w, "", func(s *timeline.Setup) { s.Pan(sign*d.Whole(w), d.Whole(w)) })
	if sign < 0 {
		d.MoveCursor(w, w.Begin, w.CursorRow)
	} else {
		d.MoveCursor(w, w.End, w.CursorRow)
	}
}

// StepCursor moves the cursor by columns. At the edge the view moves along.
func (d *Desk) StepCursor(by, n int) {
	w := d.Focused()
	if !w.CursorInView() { // move it back to the middle
		d.MoveCursor(w, w.Anchor(), w.CursorRow)
		return
	}
	col := w.Axis(n).Column(w.Cursor) + by
	if col < 0 {
		d.Change(w, "pan", func(s *timeline.Setup) { s.Pan(-timeOf(w, n, -col), d.Whole(w)) })
		col = 0
	} else if col >= n {
		d.Change(w, "pan", func(s *timeline.Setup) { s.Pan(timeOf(w, n, col-n+1), d.Whole(w)) })
		col = n - 1
	}
	t := w.Axis(n).Time(col)
	if by > 0 && t <= w.Cursor { // columns narrower than a unit share their time
		t = w.Cursor + 1
	}
	d.MoveCursor(w, t, w.CursorRow)
}

// timeOf returns the time that a number of columns cover in a window of a width; at least 1.
func timeOf(w *timeline.View, width, columns int) int64 {
	axis := w.Axis(width)
	return max(axis.Time(min(columns, axis.W))-axis.Begin, 1)
}

// StepRow moves the cursor by rows. At the edge the rows scroll.
func (d *Desk) StepRow(by int) {
	w := d.Focused()
	d.ShowRow(w, min(max(w.CursorRow+by, 0), w.Rows(w.Trace.Data)-1))
}

// StepLine moves the cursor to the line of the picture below, or above for -1: to its first row if several share the
// line. At the edge the rows scroll by a line.
func (d *Desk) StepLine(by int) {
	w := d.Focused()
	l := w.Paint.Layout
	if !l.Merged() {
		d.StepRow(by)
		return
	}
	line, _ := l.Place(w.CursorRow)
	lo, hi := l.RowsAt(line)
	if first, after := l.RowsAt(line + by); first < after {
		d.StepRow(first - w.CursorRow)
		return
	}
	d.StepRow(by * max(hi-lo, 1))
}

// ShowRow puts the cursor on a row and scrolls it into view.
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

// GoTo puts the cursor on a time and a row. A view that does not show the time is centred on it.
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

// CursorBack moves the cursor of the window in focus to the middle of the view if it is out of view: before an action
// at the cursor, and after the view has jumped.
func (d *Desk) CursorBack() {
	if w := d.Focused(); w != nil && !w.CursorInView() {
		d.MoveCursor(w, w.Anchor(), w.CursorRow)
	}
}

// ScrollRows scrolls the rows; the cursor stays in place on the screen.
func (d *Desk) ScrollRows(w *timeline.View, by int) {
	d.Change(w, "rows", func(s *timeline.Setup) { s.Top += by })
	d.MoveCursor(w, w.Cursor, w.CursorRow+by)
}

// ZoomAt makes a view factor times as long; t stays in its column.
func (d *Desk) ZoomAt(w *timeline.View, factor float64, t int64) {
	d.Change(w, "", func(s *timeline.Setup) { s.Zoom(factor, t, d.Whole(w)) })
}
