package timeline

import (
	"context"
	"fmt"

	"pview/prv"
	"pview/render/raster"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/label"
	"pview/semantic/series"
)

// View is one timeline on the screen.
type View struct {
	ID    int // never reused
	Trace *Trace
	Name  string // given by the user; "": the name of the semantic window
	Setup
	History History
	Group   int // windows of the same group share a time axis; 0: none

	Cursor    int64 // time of the cursor
	CursorRow int   // row of the cursor

	Values Values
	Paint  painting

	Mirrors    int   // id of the window of a measured trace whose prediction it shows; 0: none
	MirrorView Setup // what both showed when they were last synchronised

	Cfg     *cfg.Window     // window of a .cfg from which it was opened; nil: none
	Palette *raster.Palette // the view's own colours; nil: the trace's
}

// NewView returns a view on a whole trace.
func NewView(id int, t *Trace) *View {
	w := &View{ID: id, Trace: t, Group: 1}
	w.Sem = semantic.DefaultWindow()
	w.Sem.Name = "" // its content names it
	w.End = max(t.Data.Duration, 1)
	return w
}

// Values are the known values of a window. They are all replaced when the key changes.
type Values struct {
	Key    string // see semantic.Window.Key
	Eval   *semantic.Evaluator
	Err    error            // why there are no values
	labels *label.Set       // names of the values
	gen    int              // results of other generations are dropped
	Series []*series.Series // by object; nil where not computed, or out of view
	Before []*series.Series // with the same key, from before the trace's revision: shown until Series has the row
	of     int              // revision of the trace
	read   int64            // time up to which the trace had been read then
	// readBefore is the time up to which the trace had been read for the oldest of Before.
	readBefore int64
	ctx        context.Context // of the jobs
	cancel     context.CancelFunc

	rowsFor *Setup // setup whose rows Series was last prepared for; nil: prepare again
	Wanted  int    // objects in view
	Known   int    // those that have values

	flags map[int][][]int64 // times of the events that pass, in columns, by object; nil until requested
	comms *raster.CommIndex // nil until requested

	standouts standouts

	Busy, commsBusy, flagsBusy bool // jobs in progress
}

// Clear stops the jobs and discards their results and the picture.
func (w *View) Clear() {
	w.Values.Stop()
	w.Values, w.Paint = Values{}, painting{Version: w.Paint.Version + 1}
}

// Colors returns the colours of the window's values.
func (w *View) Colors() *raster.Palette {
	if w.Palette != nil {
		return w.Palette
	}
	switch {
	case w.Trace.Meaning(&w.Sem) == semantic.Named:
		return w.Trace.namedPalette(&w.Sem)
	case w.Trace.Paraver:
		return w.Trace.Palette
	case w.Trace.Meaning(&w.Sem) == semantic.StateCodes || w.onlyUseful():
		return w.Trace.states
	}
	return w.Trace.values
}

// onlyUseful reports whether the value 1 means the state 1, as in "Useful".
func (w *View) onlyUseful() bool {
	e, call, ok := w.Sem.YesNo()
	return ok && e.Meaning == semantic.StateCodes && len(call.Params) == 0
}

// Title returns the window's name.
func (w *View) Title() string {
	if w.Name != "" {
		return w.Name
	}
	return describe(w.Trace, &w.Sem)
}

// Named returns the semantic window with the name on the screen.
func (w *View) Named() *semantic.Window {
	c := w.Sem.Clone()
	c.Name = w.Title()
	return &c
}

// ColorMode returns the colour mode: the user's choice, else by code if the values are codes, or a gradient if they are
// amounts.
func (w *View) ColorMode() raster.ColorMode {
	if w.Drawing.Codes || w.Drawing.Color != raster.CodeColor {
		return w.Drawing.Color
	}
	average := w.Drawing.Given.Time && w.Drawing.Modes.Time == series.Average || w.Drawing.Given.Time &&
		w.Drawing.Modes.Time == series.AverageNotZero
	if w.Trace.Meaning(&w.Sem).IsAmount() && !IsSwitch(&w.Sem) || average {
		return raster.NotNullGradient
	}
	return raster.CodeColor
}

// Modes returns the draw modes: the chosen modes, else those that suit the values. The maximum of codes (states, calls,
// functions) means nothing, so they share the picture by time; amounts keep their peaks visible.
func (w *View) Modes() raster.Modes {
	m := w.Drawing.Modes
	m.Sparse = w.Trace.StacksOf != nil // most levels of call stacks are empty most of the time
	codes := w.ColorMode() == raster.CodeColor && !w.Drawing.Graph
	if !w.Drawing.Given.Time {
		m.Time, m.Spread = series.Maximum, w.Drawing.Graph
		if codes {
			m.Time = series.Proportional
		}
	}
	if !w.Drawing.Given.Rows {
		m.Rows = series.Maximum
		if codes {
			m.Rows = series.MostTime
		}
	}
	return m
}

// Axis returns the window's time over n columns.
func (w *View) Axis(n int) raster.Axis {
	return raster.Axis{Begin: w.Begin, End: w.End, W: n, Closed: w.End >= w.Trace.Data.Duration}
}

// RowLayout places the rows on the given number of lines, or on fewer if that shows as much. All rows have the same
// whole number of lines; if there are more rows than lines, neighbours share a line.
func (w *View) RowLayout(lines int, l raster.Look) raster.Layout {
	rows := w.RowsInView(w.Trace.Data)
	layout := raster.Layout{First: w.Top, Rows: rows, Lines: max(lines, 0), Height: 1, Split: 1, Gap: !w.Drawing.Graph}
	switch {
	case rows == 0 || lines <= 0:
	case rows > lines:
		each := (rows + lines - 1) / lines
		layout.Lines = (rows + each - 1) / each
	default:
		layout.Height = lines / rows
		if layout.Height > 1 && w.splits(l) && w.Modes().Time == series.Proportional {
			layout.Split, layout.Height = 2, 2*layout.Height
		}
	}
	return layout
}

// splits reports whether a line can show two values, one in each half.
func (w *View) splits(l raster.Look) bool { return l.CanSplit() && !w.Drawing.Graph }

// fine reports whether a cell shows two columns of time. If lines show several rows each, a second column is not worth
// its cost.
func (w *View) fine(l raster.Look, layout raster.Layout) bool {
	return w.splits(l) && !w.Drawing.Coarse && !layout.Merged()
}

// UsefulLines returns how many of the lines the rows need.
func (w *View) UsefulLines(lines int, l raster.Look) int {
	layout := w.RowLayout(lines, l)
	if layout.Merged() {
		return layout.Lines
	}
	return max((layout.Rows*layout.Height+layout.Split-1)/layout.Split, 1)
}

// LabelWidth returns the width of the longest name in view.
func (w *View) LabelWidth(l raster.Layout) int {
	p := &w.Paint
	if p.LabelsFor == nil || !p.LabelsFor.equalRows(&w.Setup) || p.labelsOf != l {
		s := w.Setup
		p.LabelsFor, p.labelsOf, p.labels = &s, l, 4
		names := rowNames{w, l}
		p.shared = names.common()
		names.each(func(lo, hi int) {
			p.labels = max(p.labels, raster.TextWidth(names.ofLine(lo, hi)), raster.TextWidth(names.short(hi-1)))
		})
	}
	return p.labels
}

// RowOfThread returns the row of a thread in a view of threads, tasks or applications; -1 if none.
func (w *View) RowOfThread(thread int32) int {
	t := w.Trace.Data
	object := thread
	switch w.Sem.Level {
	case prv.LevelThread:
	case prv.LevelTask:
		object = t.ThreadTask[thread]
	case prv.LevelPtask:
		object = t.Tasks[t.ThreadTask[thread]].Ptask
	default:
		return -1
	}
	return w.RowOf(t, int(object))
}

func (s *Setup) equalRows(t *Setup) bool {
	return s.Sem.Level == t.Sem.Level && s.Top == t.Top && s.Span == t.Span && len(s.Objects) == len(t.Objects) &&
		(len(s.Objects) == 0 || &s.Objects[0] == &t.Objects[0])
}

// RowName returns the name of the object of a row.
func (w *View) RowName(row int) string {
	return w.Trace.Data.Name(w.Sem.Level, w.Object(row))
}

// ClampCursor keeps the cursor within the run, and on a row in view. Its time may be out of view: panning does not move
// it.
func (w *View) ClampCursor(whole int64) {
	w.Cursor = min(max(w.Cursor, 0), max(whole-1, 0))
	n := w.Rows(w.Trace.Data)
	lo, hi := w.Top, min(w.Top+w.RowsInView(w.Trace.Data), n)-1
	w.CursorRow = max(min(max(w.CursorRow, lo), hi), 0)
}

// CursorInView reports whether the time of the cursor is in view.
func (w *View) CursorInView() bool { return w.Cursor >= w.Begin && w.Cursor < w.End }

// Anchor returns the fixed point of a zoom: the cursor, or the middle if the cursor
// is out of view.
func (w *View) Anchor() int64 {
	if w.CursorInView() {
		return w.Cursor
	}
	return w.Begin + w.Duration()/2
}

// SeriesOf returns the values of a row; nil if they are unknown.
func (w *View) SeriesOf(row int) *series.Series {
	if row < 0 || row >= w.Rows(w.Trace.Data) {
		return nil
	}
	o := w.Object(row)
	if o < len(w.Values.Series) && w.Values.Series[o] != nil {
		return w.Values.Series[o]
	}
	if o < len(w.Values.Before) {
		return w.Values.Before[o]
	}
	return nil
}

// Unread returns the time after which values on the screen come from a trace that had not been read that far; 0: none.
func (w *View) Unread() int64 {
	v := &w.Values
	if v.Before != nil && v.readBefore < w.Trace.Data.Duration {
		return v.readBefore
	}
	return w.Trace.Until
}

// Burst returns the burst at a time in a row; ok is false if it is unknown.
func (w *View) Burst(row int, t int64) (begin, end int64, v float64, ok bool) {
	s := w.SeriesOf(row)
	if s == nil {
		return 0, 0, 0, false
	}
	begin, end, v = s.Burst(s.At(t))
	return begin, end, v, true
}

// describe names a semantic window: its function, and the event type or the list of states if they say more.
func describe(t *Trace, s *semantic.Window) string {
	if s.Name != "" {
		return s.Name
	}
	call := s.Functions[prv.LevelThread]
	name := CallName(call)
	types := ListedTypes(&s.Filter)
	if len(types) > 0 && len(call.Params) == 1 && len(call.Params[0]) == 1 &&
		(name == "Given Evt Val" || name == "In Evt Val") {
		return t.TypeLabel(types[0]) + ": " + eventLabel(t.Data.Labels, types, call.Params[0][0])
	}
	if len(call.Params) > 0 && len(call.Params[0]) > 0 {
		name += fmt.Sprintf(" {%s}", Numbers(call.Params[0]))
	}
	if len(types) > 0 {
		name += ": " + t.TypeLabel(types[0])
		if len(types) > 1 {
			name += fmt.Sprintf(" and %d more", len(types)-1)
		}
	}
	return name
}
