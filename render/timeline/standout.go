package timeline

import (
	"context"
	"fmt"
	"time"

	"pview/render/raster"
	"pview/semantic/series"
	"pview/semantic/sketch"
)

// Rows that stand out. If thousands of rows share lines, no line shows a single row: the heading names the one that
// stands out.

// StillTime is the time that a view must be unchanged before its rows are compared, so that scrolling costs nothing.
const StillTime = 300 * time.Millisecond

// RowsKey identifies the rows and the time that a view shows.
type RowsKey struct {
	Window     int
	values     string
	of         int
	begin, end int64
	top, span  int
	objects    *int32
	known      int
}

// RowsKey returns the key of what the view shows now.
func (w *View) RowsKey() RowsKey {
	k := RowsKey{Window: w.ID, values: w.Values.Key, of: w.Values.of, begin: w.Begin, end: w.End, top: w.Top,
		span: w.Span, known: w.Values.Known}
	if len(w.Objects) > 0 {
		k.objects = &w.Objects[0]
	}
	return k
}

// Sketches returns empty sketches of the known rows in view.
func (w *View) Sketches() *sketch.Sketches {
	n := w.Rows(w.Trace.Data)
	rows := make([]*series.Series, n)
	for row := w.Top; row < min(w.Top+w.RowsInView(w.Trace.Data), n); row++ {
		rows[row] = w.SeriesOf(row)
	}
	return sketch.New(w.shares(), w.Begin, w.End, rows)
}

// shares reports whether rows are compared by their shares of time, not by amounts.
func (w *View) shares() bool { return !w.Trace.Meaning(&w.Sem).IsAmount() || IsSwitch(&w.Sem) }

// standouts are the rows that stand out.
type standouts struct {
	key           RowsKey // key of the last request
	waits         bool    // the view must first be still
	still, asked  bool    // of key
	list          []sketch.Standout
	stopMeasuring context.CancelFunc
}

// Standouts looks for rows that stand out, if rows share lines on a plot of the given height. It first returns an
// answer to apply StillTime later, which checks that the view has not changed; then a job that measures all rows. Both
// are nil if there is nothing to do.
func (w *View) Standouts(look raster.Look, height int) (later Answer, now Job) {
	v := &w.Values
	s := &v.standouts
	if v.Eval == nil || v.Err != nil || v.Busy || v.Known == 0 || v.Known < v.Wanted ||
		w.Unread() > 0 || !w.RowLayout(height, look).Merged() {
		return nil, nil
	}
	if key := w.RowsKey(); s.key != key {
		if s.stopMeasuring != nil {
			s.stopMeasuring()
		}
		*s = standouts{key: key, waits: s.waits}
	}
	gen, key := v.gen, s.key
	switch {
	case s.waits || s.asked:
		return nil, nil
	case !s.still:
		s.waits = true
		return func() {
			if v.gen == gen {
				s.waits, s.still = false, s.key == key
			}
		}, nil
	}
	s.asked = true
	var ctx context.Context
	ctx, s.stopMeasuring = context.WithCancel(v.ctx)
	sketches := w.Sketches()
	return nil, func() Answer {
		list, err := sketches.Standouts(ctx)
		if err != nil {
			return nil
		}
		return func() {
			if v.gen == gen && s.key == key {
				s.list = list
				s.stopMeasuring()
			}
		}
	}
}

// standoutNote names the row that stands out most; ok is false if none does.
func (w *View) standoutNote() (n Note, ok bool) {
	s := &w.Values.standouts
	if len(s.list) == 0 || s.key != w.RowsKey() || !w.Paint.Layout.Merged() {
		return n, false
	}
	o := &s.list[0]
	name := rowNames{w, w.Paint.Layout}.short(o.Row)
	n.Short = name + " stands out"
	n.Long = n.Short
	if more := len(s.list) - 1; more > 0 {
		n.Long = fmt.Sprintf("%s and %s more stand out", name, raster.FormatCount(int64(more)))
		n.Short = fmt.Sprintf("%s +%s stand out", name, raster.FormatCount(int64(more)))
	}
	if value, median := w.ValueText(o.Value), w.ValueText(o.Median); w.shares() {
		value, median = raster.FormatPercent(o.Value), raster.FormatPercent(o.Median)
		n.Long += ": " + w.LegendText(o.Code) + " " + value + ", median " + median
	} else {
		n.Long += ": mean " + value + ", median " + median
	}
	return n, true
}
