package analyzer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/stat"
)

// How a table gets its numbers: after every change a question is built from the window and the table's setup. If it
// differs from the previous one, a command counts only what changed, arranges it, and delivers the sheet. Until then
// the old sheet is shown and marked as old.

// inquiry is a complete question.
type inquiry struct {
	data      *prv.Trace // at the time of the question: a followed trace gets other data
	of        string     // the trace, and its number of changes
	functions bool
	hist      stat.Histogram
	setup     Setup
	coded     bool // values of the control window have colours of their own

	counting string // differs between questions that need different counts
	arranged string // differs between questions that have different sheets
}

// counted is an answer.
type counted struct {
	key   string
	table *stat.Table    // of a histogram
	rows  *stat.Analysis // of the functions
	hist  stat.Histogram // of the answer
}

// inquire builds the question of a table.
func (p *tables) inquire(w *timeline.View, a *Table) *inquiry {
	s := &a.Setup
	begin, end := p.spanOf(w, s)
	control := w.Sem.Clone()
	q := &inquiry{data: w.Trace.Data, of: fmt.Sprintf("%d.%d", w.Trace.ID, w.Trace.Revision), functions: s.functions,
		setup: *s}
	q.hist = stat.Histogram{
		Name: w.Title(), Control: &control, Own: s.own, Inclusive: s.inclusive, Statistic: s.Statistic,
		Columns: s.Columns, Planes: s.planes, Plane: s.plane, Size: s.size, Tag: s.tag,
		Range: stat.Range{Begin: float64(begin), End: float64(end)},
	}
	if begin == 0 && end == w.Trace.Data.Duration {
		q.hist.Range = stat.Range{Whole: true}
	}
	q.hist.Columns.Codes = s.codes.of(&control)
	if s.Columns.Auto {
		q.hist.Columns.Bins = s.bins
	}
	q.coded = hasCodes(control.Meaning())
	if n := w.Rows(w.Trace.Data); w.Objects != nil || w.RowsInView(w.Trace.Data) < n || w.Trace.HasUnread() {
		q.hist.Rows = make([]int, 0, w.RowsInView(w.Trace.Data))
		for row := w.Top; row < min(w.Top+w.RowsInView(w.Trace.Data), n); row++ {
			if !w.UnreadRow(row) {
				q.hist.Rows = append(q.hist.Rows, w.Object(row))
			}
		}
	}
	if !s.functions {
		q.hist.Data, q.hist.Third = p.operandOf(w, &s.Data), p.operandOf(w, &s.third)
		if q.hist.Third != nil {
			q.hist.Planes.Codes = s.planeCodes.of(q.hist.Third)
		}
	}
	q.setKeys()
	return q
}

// hasCodes reports whether values are codes, so that each has its own column, name and colour.
func hasCodes(m semantic.Meaning) bool {
	return m == semantic.StateCodes || m == semantic.EventTypes || m == semantic.EventValues || m == semantic.Named
}

// operandOf returns the content of a data window or third window; nil for none.
func (p *tables) operandOf(w *timeline.View, o *Operand) *semantic.Window {
	if o.sem == nil {
		return nil
	}
	if v := p.sc.ViewByID(o.Window); v != nil && v.Trace == w.Trace {
		c := v.Sem.Clone()
		return &c
	}
	return o.sem
}

func (q *inquiry) setKeys() {
	h := &q.hist
	key := func(w *semantic.Window) string {
		if w == nil {
			return ""
		}
		return w.Key()
	}
	q.counting = fmt.Sprintf("%s %t %s %v %v %d", q.of, q.functions, key(h.Control), h.Range, h.Rows, h.Control.Unit)
	if !q.functions {
		comms := false
		if s, ok := stat.Lookup(h.Statistic); ok {
			comms = s.Comms
		}
		columns := h.Columns
		if comms {
			columns = stat.Scale{} // its columns are objects
		}
		q.counting += fmt.Sprintf(" %s %s %t %v %v %v %v %t %t", key(h.Data), key(h.Third), comms, columns, h.Planes,
			h.Size, h.Tag, h.Own, h.Inclusive)
	}
	s := &q.setup
	q.arranged = fmt.Sprintf("%s %s %v %t %t %t %d %v %v", q.counting, s.Statistic, s.plane, s.fullest, s.showEmpty,
		s.vertical, s.digits, s.order, s.rowOrder)
}

type analyzedMsg struct {
	window, table, gen int
	counted            *counted
	sheet              *Sheet
	err                error
}

// Sync counts whatever the shown table lacks.
func (p counter) Sync() tea.Cmd {
	a := p.Shown()
	if a == nil {
		return nil
	}
	w := p.sc.View
	if a.Setup.usual {
		a.Setup = usualSetup(w)
	}
	q := p.inquire(w, a)
	if q.arranged == a.asked {
		return nil
	}
	if a.cancel != nil {
		a.cancel()
	}
	if a.counted != nil && a.counted.key != q.counting {
		a.DropHits()
	}
	ctx, cancel := context.WithCancel(p.sc.Context)
	a.asked, a.gen, a.cancel, a.busy = q.arranged, p.sc.NextGen(), cancel, true
	a.done.Store(0)
	a.of.Store(0)
	gen, wid, have, cache := a.gen, w.ID, a.counted, p.sc.Cache
	if have != nil && have.key != q.counting {
		have = nil
	}
	return func() tea.Msg {
		defer cancel()
		opt := stat.Options{Cache: cache, Memory: debug.SetMemoryLimit(-1) / 4, Progress: func(done, of int) {
			a.done.Store(int64(done))
			a.of.Store(int64(of))
		}}
		c, err := have, error(nil)
		if c == nil {
			c, err = q.count(ctx, opt)
		}
		var s *Sheet
		if err == nil {
			s, err = q.arrange(ctx, c)
		}
		if ctx.Err() != nil {
			return nil // cancelled
		}
		return analyzedMsg{wid, a.id, gen, c, s, err}
	}
}

// errUnread reports that the view has no row to count.
var errUnread = errors.New("nothing of the rows in view has been read yet")

// count answers the question.
func (q *inquiry) count(ctx context.Context, opt stat.Options) (*counted, error) {
	c := &counted{key: q.counting}
	var err error
	if q.hist.Rows != nil && len(q.hist.Rows) == 0 {
		return nil, errUnread
	}
	if q.functions {
		c.rows, err = stat.Analyze(ctx, q.data,
			stat.Query{Window: q.hist.Control, Range: q.hist.Range, Rows: q.hist.Rows}, opt)
		return c, err
	}
	c.hist = q.hist
	if c.table, err = stat.Compute(ctx, q.data, c.hist, opt); err != nil {
		return nil, err
	}
	if n := len(c.table.Columns); q.hist.Columns.Bins > 0 && n > 0 && !c.table.Statistic.Comms {
		// The extremes are known now.
		c.hist.Columns = stat.Scale{Min: lowest(c.table.Columns), Max: highest(c.table.Columns), Count: n}
	}
	return c, err
}

func lowest(list []stat.Column) float64 {
	v := list[0].Low
	for _, c := range list {
		v = min(v, c.Low)
	}
	return v
}

func highest(list []stat.Column) float64 {
	v := list[0].High
	for _, c := range list {
		v = max(v, c.High)
	}
	return v
}

// analyzed shows a sheet. The cursor stays on its row and column.
func (p counter) analyzed(msg analyzedMsg) {
	a := p.tableByID(msg.window, msg.table)
	if a == nil || a.gen != msg.gen {
		return
	}
	a.busy, a.Err = false, msg.err
	if msg.err != nil {
		return
	}
	a.counted = msg.counted
	old := a.Sheet
	a.Sheet = msg.sheet
	if old != nil && old.kind() == a.Sheet.kind() {
		a.Row, a.Col = follow(old.Rows, a.Row, a.Sheet.Rows), follow(old.Columns, a.Col, a.Sheet.Columns)
	} else {
		a.begin()
	}
	if a.toTop {
		a.Row, a.Frame.top, a.toTop = 0, 0, false
	}
}

// follow returns the position in after of the item at a position in before.
func follow(before []Header, at int, after []Header) int {
	if at < len(before) {
		if at < len(after) && after[at].ID == before[at].ID {
			return at
		}
		if i := position(after, before[at].ID); i >= 0 {
			return i
		}
	}
	return max(min(at, len(after)-1), 0)
}

// greatest returns the cell of the greatest value.
func (s *Sheet) greatest() (row, column int) {
	most := math.Inf(-1)
	for r := range s.Rows {
		for c := range s.Columns {
			if v, ok := s.Cell(r, c); ok && v > most {
				row, column, most = r, c, v
			}
		}
	}
	return row, column
}
