package analyzer

import (
	"context"
	"errors"
	"fmt"
	"sort"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/semantic/stat"
	"pview/tui/pane"
)

// From a cell of a histogram to its bursts: they are looked up in the background on request, highlighted in the
// timeline, and visited one by one.

// hits are the bursts of a cell.
type hits struct {
	key    string // of the cell; "" for none
	gen    int
	cancel context.CancelFunc
	busy   bool
	step   int // where to go once they are known
	list   []stat.Interval
	at     int
	object int
}

func (h *hits) stop() {
	if h.cancel != nil {
		h.cancel()
	}
}

type burstsMsg struct {
	window, table, gen int
	list               []stat.Interval
	err                error
}

// cellKey names the cell of the cursor; "" if none.
func (a *Table) cellKey() string {
	s := a.Sheet
	if s == nil || a.counted == nil || a.Row >= len(s.Rows) || a.Col >= len(s.Columns) {
		return ""
	}
	return fmt.Sprint(a.counted.key, " ", s.planeIndex(), " ", s.Rows[a.Row].ID, " ", s.Columns[a.Col].ID, " ",
		s.Vertical)
}

// planeIndex returns the number of the plane shown.
func (s *Sheet) planeIndex() int {
	if len(s.Planes) == 0 {
		return 0
	}
	return s.Planes[s.Plane].index
}

// object returns the object of the cell at the cursor.
func (a *Table) object() int {
	if a.Sheet.Vertical {
		return a.Sheet.Columns[a.Col].ID
	}
	return a.Sheet.Rows[a.Row].ID
}

func (p actions) cellBursts(step int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		a, w := p.openTable(), p.sc.View
		key := a.cellKey()
		if key == "" {
			return nil
		}
		s := a.Sheet
		if s.functions {
			if row := w.RowOf(w.Trace.Data, a.object()); row >= 0 {
				p.sc.Do(pane.ShowRow{View: w, Row: row})
			}
			p.sc.Say("only cells of histograms have bursts; the cursor is on the row")
			return nil
		}
		if _, ok := s.Cell(a.Row, a.Col); !ok {
			return p.sc.Refuse(errors.New("this cell is empty"))
		}
		h := &a.hits
		if h.key == key {
			if h.busy {
				return nil
			}
			p.nextHit(w, a, step)
			return nil
		}
		if s.comms {
			p.drawMessages(w, a)
		}
		return p.findHits(w, a, key, step)
	}
}

// drawMessages draws the messages of the cell of the cursor in the timeline, and no others.
func (p counter) drawMessages(w *timeline.View, a *Table) {
	from, to := a.Sheet.Rows[a.Row].ID, a.Sheet.Columns[a.Col].ID
	if a.Sheet.Vertical != a.Sheet.Statistic.Receives {
		from, to = to, from
	}
	p.sc.Do(pane.Change{View: w, Kind: "messages of a cell", Do: func(s *timeline.Setup) {
		if s.Drawing.Comms == timeline.CommsOff {
			s.Drawing.Comms = timeline.CommsLogical
		}
		s.Drawing.Between = timeline.Pair{From: int32(from) + 1, To: int32(to) + 1}
	}})
}

// findHits looks up the bursts of the cell of the cursor.
func (p counter) findHits(w *timeline.View, a *Table, key string, step int) tea.Cmd {
	a.hits.stop()
	ctx, cancel := context.WithCancel(p.sc.Context)
	a.hits = hits{key: key, gen: p.sc.NextGen(), cancel: cancel, busy: true, step: step, object: a.object()}
	column := a.Sheet.Columns[a.Col].ID
	if a.Sheet.Vertical {
		column = a.Sheet.Rows[a.Row].ID
	}
	gen, wid, tid, plane, object := a.hits.gen, w.ID, a.id, a.Sheet.planeIndex(), a.hits.object
	tr, hist, opt := w.Trace.Data, a.counted.hist, stat.Options{Cache: p.sc.Cache}
	hist.Statistic = a.Sheet.Statistic.Name
	return func() tea.Msg {
		defer cancel()
		list, err := stat.Bursts(ctx, tr, hist, plane, object, column, opt)
		if ctx.Err() != nil {
			return nil
		}
		return burstsMsg{wid, tid, gen, list, err}
	}
}

func (p counter) foundBursts(msg burstsMsg) {
	w := p.sc.ViewByID(msg.window)
	if w == nil {
		return
	}
	a := p.tableByID(msg.window, msg.table)
	if a == nil || a.hits.gen != msg.gen {
		return
	}
	h := &a.hits
	h.busy, h.list, h.at = false, msg.list, -1
	switch {
	case msg.err != nil:
		p.sc.Alarm(msg.err.Error())
	case len(h.list) == 0:
		p.sc.Say("no bursts in this cell")
	default:
		if h.step < 0 {
			h.at = len(h.list)
		}
		p.nextHit(w, a, h.step)
	}
}

// nextHit goes to the next burst of the cell, and from the last one to the first.
func (p counter) nextHit(w *timeline.View, a *Table, step int) {
	h := &a.hits
	n := len(h.list)
	if n == 0 {
		return
	}
	h.at = (h.at + step + n) % n
	b := h.list[h.at]
	row := w.RowOf(w.Trace.Data, h.object)
	if row < 0 {
		p.sc.Alarm("the row is no longer in view")
		return
	}
	p.sc.Do(pane.GoTo{View: w, Time: min(b.Begin, max(w.Trace.Data.Duration-1, 0)), Row: row})
	unit := w.Trace.Data.Unit
	text := fmt.Sprintf("%s of %s: ", raster.FormatCount(int64(h.at+1)), raster.FormatCount(int64(n)))
	if a.Sheet.comms {
		text = "message " + text + fmt.Sprintf("%s, %s bytes", raster.FormatTime(b.Begin, unit, 1),
			raster.FormatValue(b.Data, ""))
	} else {
		text = "burst " + text + fmt.Sprintf("%s, %s long", raster.NewTimeFormat(unit, b.End, 1).Range(b.Begin, b.End),
			raster.FormatDuration(b.End-b.Begin, unit))
		if a.Setup.Data.sem != nil {
			text += ", data " + raster.FormatValue(b.Data, "")
		}
	}
	p.sc.Say(text)
}

// Light highlights the bursts of the cell in the timeline of its view.
func (p counter) Light(w *timeline.View, c raster.Canvas, cu *raster.Cursors) {
	if p.sc.Open != p.pane || p.sc.View != w {
		return
	}
	a := p.shownOf(w)
	if a == nil || a.hits.key == "" || a.hits.key != a.cellKey() || len(a.hits.list) == 0 {
		return
	}
	row := w.RowOf(w.Trace.Data, a.hits.object)
	if row < 0 {
		return
	}
	list, axis := a.hits.list, cu.Axis
	// From column to column, not from burst to burst: there may be millions.
	for x := 0; x < axis.W; x++ {
		from, to := axis.Bounds(x)
		i := sort.Search(len(list), func(i int) bool { return max(list[i].End, list[i].Begin+1) > from })
		if i == len(list) {
			return
		}
		if list[i].Begin >= to {
			x = max(axis.Column(list[i].Begin)-1, x)
			continue
		}
		cu.Select(c, from, max(to, from+1), row, row+1)
	}
}
