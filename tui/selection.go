package tui

import "pview/tui/timeline"

// mark is a time that the user has marked.
type mark struct {
	set    bool
	ns     int64 // from the begin of the run, so that it has a place in every window
	window int   // id of the window it was set in
	row    int
}

func (d *desk) clearMarks() {
	d.marks = [2]mark{}
	d.selecting = false
}

// selection returns the time between the marks, in nanoseconds.
func (d *desk) selection() (begin, end int64, ok bool) {
	a, b := d.marks[0], d.marks[1]
	if !a.set || !b.set {
		return 0, 0, false
	}
	return min(a.ns, b.ns), max(a.ns, b.ns), true
}

// selectedRows returns the rows lo..hi-1 of a window that are selected: those
// between the marks when both were set in it, else all.
func (d *desk) selectedRows(w *timeline.View) (lo, hi int) {
	a, b := d.marks[0], d.marks[1]
	if a.window == w.ID && b.window == w.ID && a.row != b.row {
		return min(a.row, b.row), max(a.row, b.row) + 1
	}
	return 0, w.Rows(w.Trace.Data)
}
