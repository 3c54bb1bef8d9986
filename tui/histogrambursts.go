package tui

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"

	tea "charm.land/bubbletea/v2"

	"pview/filter"
	"pview/semantic/stat"
	"pview/tui/paths"
	"pview/tui/raster"
	"pview/tui/timeline"
)

// From a cell of a histogram to the bursts that made it: they are looked up in the
// background when they are asked for, lit in the timeline, and gone through one by
// one.

// hits are the bursts behind a cell.
type hits struct {
	key    string // of the cell; "" for none
	gen    int
	cancel context.CancelFunc
	busy   bool
	step   int // where to go when they are known
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

var cellActions = []deed{
	{Name: "cell-bursts", Group: groupAnalyze, Keys: []string{"enter", "n"}, Doc: "go to the next burst that made the cell, in the timeline", InPane: true, needsWindow: true, run: cellBursts(1)},
	{Name: "cell-bursts-back", Group: groupAnalyze, Keys: []string{"backspace", "N"}, Doc: "go to the burst before", InPane: true, needsWindow: true, run: cellBursts(-1)},
	{Name: "cell-window", Group: groupAnalyze, Keys: []string{"w"}, Doc: "open a timeline with only the values of the columns selected, or of this one", InPane: true, needsWindow: true, run: cellWindow},
	{Name: "copy-table", Group: groupAnalyze, Keys: []string{"y"}, Doc: "copy the table as text, through the terminal (OSC 52)", InPane: true, needsWindow: true, run: copyTableText},
	{Name: "save-table", Group: groupAnalyze, Keys: []string{"Y"}, Args: "FILE", Doc: "write the table to a file, in full precision: .csv, or else with tabs", InPane: true, needsWindow: true, run: saveTable, complete: anyModel(paths.Complete(".csv", ".tsv", ".txt")), prefill: (*Model).tablePath},
}

// cellKey names the cell of the cursor; "" when there is none.
func (a *analysis) cellKey() string {
	s := a.sheet
	if s == nil || a.counted == nil || a.row >= len(s.rows) || a.col >= len(s.columns) {
		return ""
	}
	return fmt.Sprint(a.counted.key, " ", s.planeIndex(), " ", s.rows[a.row].id, " ", s.columns[a.col].id, " ", s.vertical)
}

// planeIndex is the number of the plane shown.
func (s *sheet) planeIndex() int {
	if len(s.planes) == 0 {
		return 0
	}
	return s.planes[s.plane].index
}

// object returns the object that the cell of the cursor is of.
func (a *analysis) object() int {
	if a.sheet.vertical {
		return a.sheet.columns[a.col].id
	}
	return a.sheet.rows[a.row].id
}

func cellBursts(step int) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		a, w := m.openTable(), m.window()
		key := a.cellKey()
		if key == "" {
			return nil
		}
		s := a.sheet
		if s.functions {
			if row := w.RowOf(w.Trace.Data, a.object()); row >= 0 {
				m.showRow(w, row)
			}
			m.say("the cursor is on the row; bursts have the cells of histograms")
			return nil
		}
		if _, ok := s.cell(a.row, a.col); !ok {
			return m.refuse(errors.New("nothing fell into this cell"))
		}
		h := &a.hits
		if h.key == key {
			if h.busy {
				return nil
			}
			m.nextHit(w, a, step)
			return nil
		}
		return m.findHits(w, a, key, step)
	}
}

// findHits looks up the bursts of the cell of the cursor.
func (m *Model) findHits(w *timeline.View, a *analysis, key string, step int) tea.Cmd {
	a.hits.stop()
	ctx, cancel := context.WithCancel(m.ctx)
	m.gen++
	a.hits = hits{key: key, gen: m.gen, cancel: cancel, busy: true, step: step, object: a.object()}
	column := a.sheet.columns[a.col].id
	if a.sheet.vertical {
		column = a.sheet.rows[a.row].id
	}
	gen, wid, tid, plane, object := m.gen, w.ID, a.id, a.sheet.planeIndex(), a.hits.object
	tr, hist, opt := w.Trace.Data, a.counted.hist, stat.Options{Cache: m.cache}
	hist.Statistic = a.sheet.statistic.Name
	return tea.Batch(func() tea.Msg {
		defer cancel()
		list, err := stat.Bursts(ctx, tr, hist, plane, object, column, opt)
		if ctx.Err() != nil {
			return nil
		}
		return burstsMsg{wid, tid, gen, list, err}
	}, m.tick())
}

func (m *Model) foundBursts(msg burstsMsg) {
	w := m.windowByID(msg.window)
	if w == nil {
		return
	}
	a := m.tablesOf(w).byID(msg.table)
	if a == nil || a.hits.gen != msg.gen {
		return
	}
	h := &a.hits
	h.busy, h.list, h.at = false, msg.list, -1
	switch {
	case msg.err != nil:
		m.alarm(msg.err.Error())
	case len(h.list) == 0:
		m.say("no bursts are behind this cell")
	default:
		if h.step < 0 {
			h.at = len(h.list)
		}
		m.nextHit(w, a, h.step)
	}
}

// nextHit goes to the next burst of the cell, around the end.
func (m *Model) nextHit(w *timeline.View, a *analysis, step int) {
	h := &a.hits
	n := len(h.list)
	if n == 0 {
		return
	}
	h.at = (h.at + step + n) % n
	b := h.list[h.at]
	row := w.RowOf(w.Trace.Data, h.object)
	if row < 0 {
		m.alarm("the row is not in view any more")
		return
	}
	m.goTo(w, min(b.Begin, max(w.Trace.Data.Duration-1, 0)), row)
	unit := w.Trace.Data.Unit
	text := fmt.Sprintf("%s of %s: %s", raster.FormatCount(int64(h.at+1)), raster.FormatCount(int64(n)), raster.FormatTime(b.Begin, unit, 1))
	if a.sheet.comms {
		text = "message " + text + fmt.Sprintf(", %s bytes", raster.FormatValue(b.Data, ""))
	} else {
		text = "burst " + text + fmt.Sprintf(" .. %s, %s long", raster.FormatTime(b.End, unit, 1), raster.FormatDuration(b.End-b.Begin, unit))
		if a.setup.data.sem != nil {
			text += ", data " + raster.FormatValue(b.Data, "")
		}
	}
	m.say(text)
}

// lightHits lights the bursts of the cell in the timeline of its window.
func (m *Model) lightHits(c raster.Canvas, w *timeline.View, cu *raster.Cursors) {
	a := m.shownTable()
	if a == nil || m.window() != w || a.hits.key == "" || a.hits.key != a.cellKey() || len(a.hits.list) == 0 {
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

func nextAfter(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }

func equalTo(list []float64) filter.Criterion {
	return filter.Criterion{Func: filter.Equal, Values: list}
}
