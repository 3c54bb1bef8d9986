// Package desk holds what is open in the viewer: windows and traces, the focus, cursors and marks, and what windows
// share: the time of their group and the history of their changes. It does not know the screen.
package desk

import (
	"slices"

	"pview/render/timeline"
)

// Desk holds what is open.
type Desk struct {
	Traces    []*timeline.Trace
	Windows   []*timeline.View
	Focus     int  // index into Windows
	PaneFocus bool // the pane below the windows has the keys
	Maximized bool // the window in focus takes the room of all

	Closed []Closed        // views that can be reopened, the last closed at the end
	Tell   func(event any) // called at each event (ViewClosed and others); may be nil

	LastID int // last id given to a trace or window
	step   int // last step of the histories

	Marks     [2]Mark
	Selecting bool // the second mark follows the cursor
}

// Refining returns how many of the wanted rows on the screen are final; 0, 0 when all are.
func (d *Desk) Refining() (known, wanted int) {
	for _, w := range d.Windows {
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

// Focused returns the window in focus; nil if none.
func (d *Desk) Focused() *timeline.View {
	if d.Focus < 0 || d.Focus >= len(d.Windows) {
		return nil
	}
	return d.Windows[d.Focus]
}

// WindowByID returns a window; nil for none.
func (d *Desk) WindowByID(id int) *timeline.View {
	for _, w := range d.Windows {
		if w.ID == id {
			return w
		}
	}
	return nil
}

// NewWindow returns a window on the whole of a trace, with Paraver's defaults.
func (d *Desk) NewWindow(t *timeline.Trace) *timeline.View {
	return timeline.NewView(d.NewID(), t)
}

// AddWindow puts a window below the one in focus, and the focus on it. The window takes the time of its group; a group
// that shows the whole axis continues to show it.
func (d *Desk) AddWindow(w *timeline.View) {
	lead := d.Leader(w.Group)
	all := lead != nil && lead.Begin == 0 && lead.End == d.Whole(lead)
	at := min(d.Focus+1, len(d.Windows))
	d.Windows = slices.Insert(d.Windows, at, w)
	d.Focus = at
	switch {
	case all:
		w.Begin, w.End = 0, d.Whole(w)
		d.Lead(w, nil)
	case lead != nil:
		w.Begin, w.End = lead.Trace.Convert(lead.Begin, w.Trace), lead.Trace.Convert(lead.End, w.Trace)
		w.Clamp(w.Trace.Data, d.Whole(w))
		w.Cursor = lead.Trace.Convert(lead.Cursor, w.Trace)
	}
}

// Leader returns a window of a group, nil for none.
func (d *Desk) Leader(group int) *timeline.View {
	for _, w := range d.Windows {
		if group != 0 && w.Group == group {
			return w
		}
	}
	return nil
}

// Whole returns the end of a window's time axis: that of the longest trace in its group.
func (d *Desk) Whole(w *timeline.View) int64 {
	end := max(w.Trace.Data.Duration, 1)
	for _, v := range d.Windows {
		if w.Group != 0 && v.Group == w.Group && v.Trace != w.Trace {
			end = max(end, v.Trace.Convert(v.Trace.Data.Duration, w.Trace))
		}
	}
	return end
}

// Change changes what a window shows. Undo reverts it; consecutive changes of one kind are undone together unless kind
// is "". Windows of the same group follow in time.
func (d *Desk) Change(w *timeline.View, kind string, f func(s *timeline.Setup)) {
	before := w.Setup
	f(&w.Setup)
	w.Setup.Clamp(w.Trace.Data, d.Whole(w))
	if w.Setup.Equal(&before) {
		w.Setup = before
		return
	}
	if kind == "" || kind != w.History.Joined {
		d.step++
	}
	w.History.Record(before, kind, d.step)
	w.Paint.Version++
	d.follow(w, &before.Sem)
	if w.Begin != before.Begin || w.End != before.End {
		d.Lead(w, func(v *timeline.View, before timeline.Setup) { v.History.Record(before, kind, d.step) })
	}
}

// Lead makes the windows of w's group show the same time as w. It calls changed for each that changed, unless nil.
func (d *Desk) Lead(w *timeline.View, changed func(v *timeline.View, before timeline.Setup)) {
	if w.Group == 0 {
		return
	}
	for _, v := range d.Windows {
		if v == w || v.Group != w.Group {
			continue
		}
		before := v.Setup
		v.Begin, v.End = w.Trace.Convert(w.Begin, v.Trace), w.Trace.Convert(w.End, v.Trace)
		v.Clamp(v.Trace.Data, d.Whole(v))
		v.Cursor = w.Trace.Convert(w.Cursor, v.Trace)
		if !v.Setup.Equal(&before) && changed != nil {
			changed(v, before)
		}
	}
}

// SameAxis reports whether two windows show the same time.
func (d *Desk) SameAxis(i, j int) bool {
	v, w := d.Windows[i], d.Windows[j]
	return v.Begin == w.Begin && v.End == w.End && v.Trace.Data.Unit == w.Trace.Data.Unit
}

// Groups counts the groups of windows.
func (d *Desk) Groups() int {
	seen := map[int]bool{}
	for _, w := range d.Windows {
		if w.Group != 0 {
			seen[w.Group] = true
		}
	}
	return len(seen)
}

// nextStep begins a step of the histories.
func (d *Desk) nextStep() int {
	d.step++
	return d.step
}

// NewID returns an unused id for a window or trace.
func (d *Desk) NewID() int {
	d.LastID++
	return d.LastID
}

// ShowEnd moves a window from the former end of its time axis to the current one. A window that showed the whole axis
// shows it again.
func (d *Desk) ShowEnd(w *timeline.View, was int64) {
	by := d.Whole(w) - was
	if w.End += by; w.Begin > 0 {
		w.Begin += by
	}
	w.Clamp(w.Trace.Data, d.Whole(w))
}

// CloneWindow returns a window like w, without its history.
func (d *Desk) CloneWindow(w *timeline.View) *timeline.View {
	return &timeline.View{ID: d.NewID(), Trace: w.Trace, Name: w.Name, Setup: w.Setup, Group: w.Group, Cursor: w.Cursor,
		CursorRow: w.CursorRow, Palette: w.Palette}
}

// Back undoes the last change of a window, in all windows that it changed. It reports whether there was one.
func (d *Desk) Back(w *timeline.View) bool {
	return d.travel(w, func(h *timeline.History) []timeline.Moment { return h.Past }, (*timeline.History).Undo)
}

// Forth reverses Back.
func (d *Desk) Forth(w *timeline.View) bool {
	return d.travel(w, func(h *timeline.History) []timeline.Moment { return h.Future }, (*timeline.History).Redo)
}

func (d *Desk) travel(w *timeline.View, list func(*timeline.History) []timeline.Moment,
	swap func(*timeline.History, timeline.Setup) (timeline.Moment, bool)) bool {
	at := timeline.Step(list(&w.History))
	if at == 0 {
		return false
	}
	for _, v := range d.Windows {
		if timeline.Step(list(&v.History)) != at {
			continue
		}
		if to, ok := swap(&v.History, v.Setup); ok {
			v.Setup = to.Setup
			v.Clamp(v.Trace.Data, d.Whole(v))
			v.Paint.Version++
		}
	}
	d.Lead(w, nil)
	return true
}

// ViewsOf returns the windows on a trace.
func (d *Desk) ViewsOf(t *timeline.Trace) (list []*timeline.View) {
	for _, w := range d.Windows {
		if w.Trace == t {
			list = append(list, w)
		}
	}
	return list
}
