package tui

import (
	"context"
	"fmt"

	"pview/prv"
	"pview/semantic"
	"pview/semantic/cfg"
	"pview/tui/raster"
)

// window is one timeline on the screen.
type window struct {
	id    int // never used again
	trace *openTrace
	name  string // given by the user; "" for the name of what is shown
	setup
	history history
	group   int // windows of one group have one time axis; 0 for none

	at  int64 // time of the cursor
	row int   // row of the cursor

	values values
	paint  painting

	tables  []*analysis // of the analyzer
	tableAt int         // the one shown

	cfg     *cfg.Window     // that it was opened from; nil for none
	palette *raster.Palette // colours of its own; nil for those of the trace
}

// values is what is known so far of what the window shows. It is replaced as a
// whole when the question changes.
type values struct {
	key    string // of the question: see semantic.Window.Key
	eval   *semantic.Evaluator
	err    error              // why there are no values
	gen    int                // results of other generations are dropped
	series []*semantic.Series // by object; nil where not computed, or out of view
	ctx    context.Context    // of the jobs
	cancel context.CancelFunc

	rowsFor *setup // the rows that series was last made for; nil when it must be looked at again
	wanted  int    // objects in view
	known   int    // of these, how many have values

	flags map[int][][]int64 // times of the events that pass, in columns, by object; nil until asked for
	comms *raster.CommIndex // nil until asked for

	busy, commsBusy, flagsBusy bool // jobs on their way
}

// colors are the colours of the window's values.
func (w *window) colors() *raster.Palette {
	if w.palette != nil {
		return w.palette
	}
	return w.trace.palette
}

// title is the name of what the window shows.
func (w *window) title() string {
	if w.name != "" {
		return w.name
	}
	return describe(w.trace, &w.sem)
}

// axis is the window's time over n columns.
func (w *window) axis(n int) raster.Axis {
	return raster.Axis{Begin: w.begin, End: w.end, W: n, Closed: w.end >= w.trace.tr.Duration}
}

// rowLayout places the rows on so many lines.
func (w *window) rowLayout(lines int, l raster.Look) raster.Layout {
	rows := w.rowsInView(w.trace.tr)
	layout := raster.Layout{First: w.top, Rows: rows, Lines: lines, Height: 1, Split: 1}
	switch {
	case rows == 0 || lines <= 0:
	case rows <= lines:
		layout.Height = lines / rows
		if !w.draw.graph {
			layout.Height = min(layout.Height, tallRow)
		}
	case l.Glyphs.HalfUpper != 0 && l.Profile != raster.Mono && !w.draw.graph && !w.draw.fine:
		layout.Split = 2
	}
	layout.Gap = layout.Split == 1 && !w.draw.graph
	return layout
}

// tallRow is the greatest height of a row in lines: more says no more.
const tallRow = 3

// wantedHeight is the height in lines from which on the window gains nothing.
func (w *window) wantedHeight() int {
	rows := w.rowsInView(w.trace.tr)
	if w.draw.graph {
		return 1 + 12*rows
	}
	return 1 + tallRow*rows
}

// labelWidth is the width of the longest name in view.
func (w *window) labelWidth() int {
	if w.paint.labelsFor == nil || !w.paint.labelsFor.equalRows(&w.setup) {
		s := w.setup
		w.paint.labelsFor, w.paint.labels = &s, 4
		last := min(w.top+w.rowsInView(w.trace.tr), w.rows(w.trace.tr))
		step := max((last-w.top)/1000, 1) // of very many names some tell
		for r := w.top; r < last; r += step {
			w.paint.labels = max(w.paint.labels, raster.TextWidth(w.rowName(r)))
		}
	}
	return w.paint.labels
}

func (s *setup) equalRows(t *setup) bool {
	return s.sem.Level == t.sem.Level && s.top == t.top && s.span == t.span && len(s.objects) == len(t.objects) &&
		(len(s.objects) == 0 || &s.objects[0] == &t.objects[0])
}

// rowName is the name of the object that a row shows.
func (w *window) rowName(row int) string {
	return w.trace.tr.Name(w.sem.Level, w.object(row))
}

// clampCursor keeps the cursor within the run, and on a row in view. Its time may
// be out of view: panning leaves it where it is.
func (w *window) clampCursor(whole int64) {
	w.at = min(max(w.at, 0), max(whole-1, 0))
	n := w.rows(w.trace.tr)
	lo, hi := w.top, min(w.top+w.rowsInView(w.trace.tr), n)-1
	w.row = max(min(max(w.row, lo), hi), 0)
}

// cursorInView reports whether the time of the cursor can be seen.
func (w *window) cursorInView() bool { return w.at >= w.begin && w.at < w.end }

// anchor is what zooming holds in place: the cursor, or the middle when the cursor
// is out of view.
func (w *window) anchor() int64 {
	if w.cursorInView() {
		return w.at
	}
	return w.begin + w.duration()/2
}

// seriesOf returns the values of a row; nil while they are not known.
func (w *window) seriesOf(row int) *semantic.Series {
	if row < 0 || row >= w.rows(w.trace.tr) {
		return nil
	}
	if o := w.object(row); o < len(w.values.series) {
		return w.values.series[o]
	}
	return nil
}

// burst returns the burst at a time of a row; ok is false while it is not known.
func (w *window) burst(row int, t int64) (begin, end int64, v float64, ok bool) {
	s := w.seriesOf(row)
	if s == nil {
		return 0, 0, 0, false
	}
	begin, end, v = s.Burst(s.At(t))
	return begin, end, v, true
}

// describe is the name of what a semantic window shows: its function, and the
// event type or the list of states where they say more.
func describe(t *openTrace, s *semantic.Window) string {
	if s.Name != "" {
		return s.Name
	}
	call := s.Functions[prv.LevelThread]
	name := call.Name
	if len(call.Params) > 0 && len(call.Params[0]) > 0 {
		name += fmt.Sprintf(" {%s}", numbers(call.Params[0]))
	}
	if types := listedTypes(&s.Filter); len(types) > 0 {
		name += ": " + t.typeLabel(types[0])
		if len(types) > 1 {
			name += fmt.Sprintf(" and %d more", len(types)-1)
		}
	}
	return name
}
