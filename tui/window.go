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

	twin     int   // id of the window of a measured trace that it shows the prediction of; 0 for none
	twinView setup // what both showed when they were last made to agree

	cfg     *cfg.Window     // that it was opened from; nil for none
	palette *raster.Palette // colours of its own; nil for those of the trace
}

// values is what is known so far of what the window shows. It is replaced as a
// whole when the question changes.
type values struct {
	key    string // of the question: see semantic.Window.Key
	eval   *semantic.Evaluator
	err    error              // why there are no values
	labels *semantic.Labels   // names of the values
	gen    int                // results of other generations are dropped
	series []*semantic.Series // by object; nil where not computed, or out of view
	before []*semantic.Series // of the same question, on the trace before its revision: shown until series has the row
	of     int                // revision of the trace
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

// colorMode is how values become colours: as the user chose, else by code where the
// values are codes, and as a gradient where they are amounts.
func (w *window) colorMode() raster.ColorMode {
	if w.draw.codes || w.draw.color != raster.CodeColor {
		return w.draw.color
	}
	average := w.draw.modes.Time == semantic.Average || w.draw.modes.Time == semantic.AverageNotZero
	if isAmount(w.trace.meaning(&w.sem)) && !isSwitch(&w.sem) || average {
		return raster.NotNullGradient
	}
	return raster.CodeColor
}

// axis is the window's time over n columns.
func (w *window) axis(n int) raster.Axis {
	return raster.Axis{Begin: w.begin, End: w.end, W: n, Closed: w.end >= w.trace.tr.Duration}
}

// rowLayout places the rows on so many lines, or on fewer where that is as good.
func (w *window) rowLayout(lines int, l raster.Look) raster.Layout {
	rows := w.rowsInView(w.trace.tr)
	layout := raster.Layout{First: w.top, Rows: rows, Lines: max(lines, 0), Height: 1, Split: 1}
	if rows > lines && w.splits(l) {
		layout.Split = 2
	}
	switch n := layout.Sublines(); {
	case rows == 0 || n == 0:
	case rows > n: // as many rows on each sub-line
		each := (rows + n - 1) / n
		layout.Lines = ((rows+each-1)/each + layout.Split - 1) / layout.Split
	case rows <= lines:
		layout.Height = min(lines/rows, tallRow)
	}
	layout.Gap = layout.Split == 1 && !w.draw.graph
	return layout
}

// splits reports whether lines can show two rows, one in each half.
func (w *window) splits(l raster.Look) bool {
	return l.Glyphs.HalfUpper != 0 && l.Profile != raster.Mono && !w.draw.graph && !w.draw.fine
}

// tallRow is the greatest height of a row in lines.
const tallRow = 8

// usefulLines is how many of so many lines the rows take.
func (w *window) usefulLines(lines int, l raster.Look) int {
	layout := w.rowLayout(lines, l)
	if layout.Merged() {
		return layout.Lines
	}
	return max((layout.Rows*layout.Height+layout.Split-1)/layout.Split, 1)
}

// linesFor is how many lines the rows take at a stage: half a line each at stage 0,
// as many lines as the stage from then on.
func (w *window) linesFor(stage int, l raster.Look) int {
	rows := w.rowsInView(w.trace.tr)
	if stage == 0 {
		if w.splits(l) {
			return (rows + 1) / 2
		}
		return rows
	}
	return rows * stage
}

// labelWidth is the width of the longest name in view.
func (w *window) labelWidth(l raster.Layout) int {
	p := &w.paint
	if p.labelsFor == nil || !p.labelsFor.equalRows(&w.setup) || p.labelsOf != l {
		s := w.setup
		p.labelsFor, p.labelsOf, p.labels = &s, l, 4
		step := max(l.Sublines()/1000, 1)
		for y := 0; y < l.Lines; y += step {
			if lo, hi := w.rowsOnLine(l, y); lo < hi {
				p.labels = max(p.labels, raster.TextWidth(w.lineName(lo, hi)), raster.TextWidth(w.rowName(hi-1)))
			}
		}
	}
	return p.labels
}

// rowsOnLine returns the rows lo..hi-1 that have a line of the screen.
func (w *window) rowsOnLine(l raster.Layout, y int) (lo, hi int) {
	split := max(l.Split, 1)
	lo, hi = l.RowsAt(y * split)
	for s := y*split + 1; s < (y+1)*split; s++ {
		if a, b := l.RowsAt(s); a < b {
			hi = b
		}
	}
	return lo, min(hi, w.rows(w.trace.tr))
}

// lineName names the rows on one line: "THREAD 1.1.1", "THREAD 1.1.1-2".
func (w *window) lineName(lo, hi int) string {
	first := w.rowName(lo)
	if hi-lo < 2 {
		return first
	}
	last := w.rowName(hi - 1)
	same := 0 // of the last name, what it has in common with the first
	for i := 0; i < min(len(first), len(last)) && first[i] == last[i]; i++ {
		if c := first[i]; c == '.' || c == ' ' || c == '-' || c == '_' {
			same = i + 1
		}
	}
	return first + "-" + last[same:]
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
	o := w.object(row)
	if o < len(w.values.series) && w.values.series[o] != nil {
		return w.values.series[o]
	}
	if o < len(w.values.before) {
		return w.values.before[o]
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
	name := callName(call)
	types := listedTypes(&s.Filter)
	if len(types) > 0 && len(call.Params) == 1 && len(call.Params[0]) == 1 && (name == "Given Evt Val" || name == "In Evt Val") {
		return t.typeLabel(types[0]) + ": " + eventLabel(t.tr.Labels, types, call.Params[0][0])
	}
	if len(call.Params) > 0 && len(call.Params[0]) > 0 {
		name += fmt.Sprintf(" {%s}", numbers(call.Params[0]))
	}
	if len(types) > 0 {
		name += ": " + t.typeLabel(types[0])
		if len(types) > 1 {
			name += fmt.Sprintf(" and %d more", len(types)-1)
		}
	}
	return name
}
