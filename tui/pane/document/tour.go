package document

import (
	"errors"

	"pview/insight/report"
	"pview/prv"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/pane"
)

// Tour goes through pieces of evidence in the timeline, and back.
type Tour struct {
	sc *pane.Scene
	// Keep returns what restores the selection of the pane when the tour goes back; nil: nothing.
	Keep func() func()

	at     int              // the piece that is shown
	shown  *report.Evidence // nil: none
	of     *timeline.Trace
	before []stop
}

// stop records a view of a window, to go back to.
type stop struct {
	view       *timeline.View
	begin, end int64
	cursor     int64
	row        int
	at         int
	shown      *report.Evidence
	restore    func()
}

// NewTour returns a tour.
func NewTour(sc *pane.Scene) Tour { return Tour{sc: sc} }

// errNowhere is the error for a part without evidence.
var errNowhere = errors.New("this concerns the whole run: no place to show")

// mostStops limits the places to go back to.
const mostStops = 100

// Next shows the next piece of evidence of a list, or the previous one; the first or the last if none is shown.
func (t *Tour) Next(by int, places []report.Evidence) error {
	if len(places) == 0 {
		return errNowhere
	}
	t.remember()
	switch {
	case t.shown != nil:
		t.at += by
	case by > 0:
		t.at = 0
	default:
		t.at = -1 // the last is before the first
	}
	t.at = (t.at + len(places)) % len(places)
	t.shown, t.of = &places[t.at], t.sc.View.Trace
	t.show(t.shown)
	return nil
}

// At returns the position of the shown piece of evidence; -1 if none.
func (t *Tour) At() int {
	if t.shown == nil {
		return -1
	}
	return t.at
}

// Stop marks no piece as shown: another part is selected.
func (t *Tour) Stop() { t.shown, t.of = nil, nil }

// Forget drops the places to go back to.
func (t *Tour) Forget() { t.before = nil }

func (t *Tour) remember() {
	v := t.sc.View
	s := stop{v, v.Begin, v.End, v.Cursor, v.CursorRow, t.at, t.shown, func() {}}
	if t.Keep != nil {
		s.restore = t.Keep()
	}
	t.before = append(t.before, s)
	if len(t.before) > mostStops {
		t.before = t.before[1:]
	}
}

// show shows a piece of evidence with a tenth of its length on each side, and its first thread.
func (t *Tour) show(e *report.Evidence) {
	v := t.sc.View
	wide := max((e.To-e.From)/10, 1)
	begin, end := max(0, e.From-wide), min(e.To+wide, t.sc.Whole(v))
	t.sc.Do(pane.Change{View: v, Kind: "evidence",
		Do: func(s *timeline.Setup) { s.Begin, s.End = begin, max(end, begin+1) }})
	row := v.CursorRow
	if len(e.Threads) > 0 {
		if r := v.RowOfThread(e.Threads[0]); r >= 0 {
			row = r
		}
	}
	t.sc.Do(pane.GoTo{View: v, Time: e.From, Row: row})
}

// Back restores the previous content of the window.
func (t *Tour) Back() error {
	n := len(t.before)
	if n == 0 {
		return errors.New("no evidence was shown before")
	}
	was := t.before[n-1]
	t.before = t.before[:n-1]
	was.restore()
	t.at, t.shown = was.at, was.shown
	t.sc.Do(pane.Change{View: was.view, Kind: "evidence",
		Do: func(s *timeline.Setup) { s.Begin, s.End = was.begin, was.end }})
	t.sc.Do(pane.GoTo{View: was.view, Time: was.cursor, Row: was.row})
	return nil
}

// Light highlights the evidence in a window of its trace.
func (t *Tour) Light(v *timeline.View, plot raster.Canvas, cu *raster.Cursors) {
	e := t.shown
	if e == nil || v.Trace != t.of {
		return
	}
	for _, th := range e.Threads {
		if row := v.RowOfThread(th); row >= 0 {
			cu.Select(plot, e.From, max(e.To, e.From+1), row, row+1)
		}
	}
	for _, m := range e.Messages[:min(len(e.Messages), mostLit)] {
		lightMessage(v, plot, cu, int(m))
	}
}

// mostLit is the number of messages of a piece of evidence that are highlighted.
const mostLit = 50

// lightMessage draws a dotted path for a message: a point in each row from its sender to its receiver.
func lightMessage(v *timeline.View, plot raster.Canvas, cu *raster.Cursors, m int) {
	c := &v.Trace.Data.Comms
	from, to := v.RowOfThread(c.Send[m]), v.RowOfThread(c.Recv[m])
	if from < 0 || to < 0 {
		return
	}
	sent, received := c.Times[prv.LogicalSend][m], c.Times[prv.PhysicalRecv][m]
	step, rows := 1, to-from
	if rows < 0 {
		step, rows = -1, -rows
	}
	for k := range rows + 1 {
		at := received
		if k < rows {
			at = sent + int64(float64(received-sent)*float64(k)/float64(rows))
		}
		cu.Point(plot, at, from+k*step)
	}
}
