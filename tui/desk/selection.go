package desk

import "pview/render/timeline"

// Mark is a time that the user has marked.
type Mark struct {
	Set  bool
	NS   int64 // from the begin of the run, so that it has a place in every window
	View int   // id of the view it was set in
	Row  int
}

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

// SelectedRows returns the rows lo..hi-1 of a window that are selected: those
// between the marks when both were set in it, else all.
func (d *Desk) SelectedRows(w *timeline.View) (lo, hi int) {
	a, b := d.Marks[0], d.Marks[1]
	if a.View == w.ID && b.View == w.ID && a.Row != b.Row {
		return min(a.Row, b.Row), max(a.Row, b.Row) + 1
	}
	return 0, w.Rows(w.Trace.Data)
}
