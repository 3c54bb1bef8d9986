package tui

import (
	"slices"

	"pview/semantic"
	"pview/tui/timeline"
)

// The desk: the windows and traces that are open, which of them has the focus, where the cursors and marks are, and what
// windows have in common: the time of their group, and the history of their changes. It knows nothing of the screen.

// desk is what is open.
type desk struct {
	traces  []*timeline.Trace
	windows []*timeline.View
	focus   int // index into windows

	ids  int // last id given to a trace or window
	step int // last step of the histories

	marks     [2]mark
	selecting bool // the second mark follows the cursor
}

// refining returns how many rows on the screen are final, of how many, while not
// all are.
func (d *desk) refining() (known, wanted int) {
	for _, w := range d.windows {
		if w.Values.Busy {
			known += w.Values.Known
			wanted += w.Values.Wanted
		}
	}
	if known == wanted {
		return 0, 0
	}
	return known, wanted
}

// window returns the window in focus; nil when there is none.
func (d *desk) window() *timeline.View {
	if d.focus < 0 || d.focus >= len(d.windows) {
		return nil
	}
	return d.windows[d.focus]
}

func (d *desk) windowByID(id int) *timeline.View {
	for _, w := range d.windows {
		if w.ID == id {
			return w
		}
	}
	return nil
}

// newWindow returns a window on the whole of a trace, as Paraver opens it.
func (d *desk) newWindow(t *timeline.Trace) *timeline.View {
	w := &timeline.View{ID: d.newID(), Trace: t, Group: 1}
	w.Sem = semantic.DefaultWindow()
	w.Sem.Name = "" // what it shows is its name
	w.End = max(t.Data.Duration, 1)
	return w
}

// addWindow puts a window below the one in focus, and the focus on it. It takes
// the time of its group; a group that shows all goes on to do so.
func (d *desk) addWindow(w *timeline.View) {
	lead := d.leader(w.Group)
	all := lead != nil && lead.Begin == 0 && lead.End == d.whole(lead)
	at := min(d.focus+1, len(d.windows))
	d.windows = slices.Insert(d.windows, at, w)
	d.focus = at
	switch {
	case all:
		w.Begin, w.End = 0, d.whole(w)
		d.lead(w, nil)
	case lead != nil:
		w.Begin, w.End = lead.Trace.Convert(lead.Begin, w.Trace), lead.Trace.Convert(lead.End, w.Trace)
		w.Clamp(w.Trace.Data, d.whole(w))
		w.Cursor = lead.Trace.Convert(lead.Cursor, w.Trace)
	}
}

// leader returns a window of a group, nil for none.
func (d *desk) leader(group int) *timeline.View {
	for _, w := range d.windows {
		if group != 0 && w.Group == group {
			return w
		}
	}
	return nil
}

// whole is the end of the time axis of a window: the longest trace of its group.
func (d *desk) whole(w *timeline.View) int64 {
	end := max(w.Trace.Data.Duration, 1)
	for _, v := range d.windows {
		if w.Group != 0 && v.Group == w.Group && v.Trace != w.Trace {
			end = max(end, v.Trace.Convert(v.Trace.Data.Duration, w.Trace))
		}
	}
	return end
}

// change changes what a window shows. The change can be undone; changes of one
// kind in a row are undone together when kind is not "". Windows of the same group
// follow in time.
func (d *desk) change(w *timeline.View, kind string, f func(s *timeline.Setup)) {
	before := w.Setup
	f(&w.Setup)
	w.Setup.Clamp(w.Trace.Data, d.whole(w))
	if w.Setup.Equal(&before) {
		w.Setup = before
		return
	}
	if kind == "" || kind != w.History.Joined {
		d.step++
	}
	w.History.Record(before, kind, d.step)
	w.Paint.Version++
	if w.Begin != before.Begin || w.End != before.End {
		d.lead(w, func(v *timeline.View, before timeline.Setup) { v.History.Record(before, kind, d.step) })
	}
}

// lead makes the windows of w's group show the same time as w. changed is called
// for each that was changed; it may be nil.
func (d *desk) lead(w *timeline.View, changed func(v *timeline.View, before timeline.Setup)) {
	if w.Group == 0 {
		return
	}
	for _, v := range d.windows {
		if v == w || v.Group != w.Group {
			continue
		}
		before := v.Setup
		v.Begin, v.End = w.Trace.Convert(w.Begin, v.Trace), w.Trace.Convert(w.End, v.Trace)
		v.Clamp(v.Trace.Data, d.whole(v))
		v.Cursor = w.Trace.Convert(w.Cursor, v.Trace)
		if !v.Setup.Equal(&before) && changed != nil {
			changed(v, before)
		}
	}
}

// sameAxis reports whether two windows show the same time.
func (d *desk) sameAxis(i, j int) bool {
	v, w := d.windows[i], d.windows[j]
	return v.Begin == w.Begin && v.End == w.End && v.Trace.Data.Unit == w.Trace.Data.Unit
}

// groups counts the groups of windows.
func (d *desk) groups() int {
	seen := map[int]bool{}
	for _, w := range d.windows {
		if w.Group != 0 {
			seen[w.Group] = true
		}
	}
	return len(seen)
}

func (d *desk) newID() int {
	d.ids++
	return d.ids
}

// showEnd moves a window that showed the end of its time axis, which was at a time, to where the end is now. A window
// that showed all shows all.
func (d *desk) showEnd(w *timeline.View, was int64) {
	by := d.whole(w) - was
	if w.End += by; w.Begin > 0 {
		w.Begin += by
	}
	w.Clamp(w.Trace.Data, d.whole(w))
}

// cloneWindow returns a window like w, without its history.
func (d *desk) cloneWindow(w *timeline.View) *timeline.View {
	return &timeline.View{ID: d.newID(), Trace: w.Trace, Name: w.Name, Setup: w.Setup, Group: w.Group, Cursor: w.Cursor, CursorRow: w.CursorRow, Palette: w.Palette}
}

// travel brings all windows that changed in a step to the other side of it.
func (d *desk) travel(w *timeline.View, at int, list func(*timeline.History) *[]timeline.Moment, swap func(*timeline.History, timeline.Setup) (timeline.Moment, bool)) bool {
	if at == 0 {
		return false
	}
	for _, v := range d.windows {
		if timeline.Step(*list(&v.History)) != at {
			continue
		}
		if to, ok := swap(&v.History, v.Setup); ok {
			v.Setup = to.Setup
			v.Clamp(v.Trace.Data, d.whole(v))
			v.Paint.Version++
		}
	}
	d.lead(w, nil)
	return true
}
