package timeline

import (
	"fmt"
	"slices"

	"pview/prv"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/render/style"
)

// Parts of traces are shown while the rest is read: up to a time, or some of the tasks.

// SetPart sets how much of the trace has been read; the zero Part means all of it.
func (t *Trace) SetPart(p *prv.Part) { t.Until, t.unread, t.unsure = p.Until, p.Unread, p.Provisional }

// PartText tells how much of an incomplete trace has been read.
func (t *Trace) PartText() string {
	if t.unread == nil {
		return fmt.Sprintf("only the first %s are read", raster.FormatDuration(t.Until, t.Data.Unit))
	}
	return "only " + t.readTasks() + " are read"
}

// ShownText tells how much is shown of a trace that is being read.
func (t *Trace) ShownText() string {
	if t.unread == nil {
		return "shown until " + raster.FormatDuration(t.Until, t.Data.Unit)
	}
	return t.readTasks()
}

// Provisional names what may still change in a part; "" if nothing.
func (t *Trace) Provisional() string { return t.unsure }

// readTasks counts the tasks of a part that have been read.
func (t *Trace) readTasks() string {
	n := 0
	for i := range t.Data.Tasks {
		if !t.Unread(prv.LevelTask, i) {
			n++
		}
	}
	return fmt.Sprintf("%d of %s", n, quantity.CountOf(int64(len(t.Data.Tasks)), "task"))
}

// HasUnread reports whether there are completely unread tasks.
func (t *Trace) HasUnread() bool { return t.unread != nil }

// Unread reports whether nothing of an object has been read yet.
func (t *Trace) Unread(l prv.Level, object int) bool {
	if t.unread == nil {
		return false
	}
	threads := t.Data.ThreadsOf(l, object)
	return len(threads) > 0 && !slices.ContainsFunc(threads, func(i int32) bool {
		return int(i) >= len(t.unread) || !t.unread[i]
	})
}

// UnreadRow reports whether nothing of a row has been read yet.
func (w *View) UnreadRow(row int) bool {
	return w.Trace.unread != nil && row >= 0 && row < w.Rows(w.Trace.Data) && w.Trace.Unread(w.Sem.Level, w.Object(row))
}

// drawUnreadRows dots the lines of rows that are completely unread.
func (w *View) drawUnreadRows(c raster.Canvas, th *style.Theme) {
	if w.Trace.unread == nil {
		return
	}
	names := rowNames{w, w.Paint.Layout}
	for y := range c.H {
		lo, hi := names.rowsOn(y)
		unread := lo < hi
		for row := lo; row < hi && unread; row++ {
			unread = w.UnreadRow(row)
		}
		if unread {
			c.Sub(0, y, c.W, 1).Fill(raster.Cell{Rune: th.Glyphs.Empty, Style: th.Dim})
		}
	}
}
