package desk

import "pview/render/timeline"

// Mark is a time that the user has marked.
type Mark struct {
	Set  bool
	NS   int64 // from the start of the run, for windows of any time unit
	View int   // id of the view it was set in
	Row  int
}

// ClearMarks removes the marks.
func (d *Desk) ClearMarks() {
	d.Marks = [2]Mark{}
	d.Selecting = false
}

// Selection returns the time between the marks, in nanoseconds.
func (d *Desk) Selection() (begin, end int64, ok bool) {
	a, b := d.Marks[0], d.Marks[1]
	if !a.Set || !b.Set {
		return 0, 0, false
	}
	return min(a.NS, b.NS), max(a.NS, b.NS), true
}

// TrackSelection moves the second mark with the cursor while a selection is being made. To the right of the first mark,
// the selection includes the cursor's column. width is that of the window in focus, in columns.
func (d *Desk) TrackSelection(width int) {
	w := d.Focused()
	if !d.Selecting || w == nil {
		return
	}
	axis := w.Axis(width)
	t := w.Cursor
	if first := w.Trace.FromNS(d.Marks[0].NS); t >= first && axis.Column(t) != axis.Column(first) {
		t = axis.Time(axis.Column(t) + 1)
	}
	d.SetMark(1, t)
}

// SetMark puts a mark at a time and the cursor's row of the window in focus.
func (d *Desk) SetMark(i int, t int64) {
	w := d.Focused()
	d.Marks[i] = Mark{Set: true, NS: w.Trace.ToNS(t), View: w.ID, Row: w.CursorRow}
}

// SelectedRows returns the selected rows lo..hi-1 of a window: those between the marks if both were set in it, else
// all.
func (d *Desk) SelectedRows(w *timeline.View) (lo, hi int) {
	a, b := d.Marks[0], d.Marks[1]
	if a.View == w.ID && b.View == w.ID && a.Row != b.Row {
		return min(a.Row, b.Row), max(a.Row, b.Row) + 1
	}
	return 0, w.Rows(w.Trace.Data)
}
