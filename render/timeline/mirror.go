package timeline

import "slices"

// ShowsSame reports whether two windows show the same content in the same way, whatever their times.
func ShowsSame(a, b *Setup) bool {
	return a.Top == b.Top && a.Span == b.Span && a.Drawing == b.Drawing && slices.Equal(a.Objects, b.Objects) &&
		a.Sem.Equal(&b.Sem)
}

// Mirror shows another window's content. It takes over the objects if there are as many in both.
func (w *View) Mirror(from *View) {
	level := from.Sem.Level
	if w.Trace.Data.Count(level) == 0 {
		return
	}
	begin, end := w.Begin, w.End
	same := w.Trace.Data.Count(level) == from.Trace.Data.Count(level)
	w.Setup = from.Setup
	w.Begin, w.End = begin, end
	if !same {
		w.Objects, w.Top, w.Span = nil, 0, 0
	}
	w.CursorRow = from.CursorRow
	w.Paint.Version++
}
