package study

import (
	"fmt"
	"slices"

	"pview/render/raster"
	"pview/sim/study"
	"pview/tui/list"
)

// The table of the runs: number, inputs, outputs, and status.

const (
	numberWidth = 7
	leastCell   = 10
	mostCell    = 18
	markWidth   = 10 // "suspended"
	failWidth   = 24 // the reason of a failure, cut to fit
)

// statusWidth returns the width of the status.
func (s *session) statusWidth() int {
	if s.state.Failed+s.state.Killed > 0 {
		return failWidth
	}
	return markWidth
}

// head returns the name of a column of the table; 0 is the number of the run.
func (s *session) head(i int) string {
	if i == 0 {
		return "run"
	}
	return s.info(i - 1).Name
}

// tableColumns returns the columns of the table.
func (s *session) tableColumns() []list.Column {
	columns := []list.Column{{Title: s.head(0), Width: numberWidth}}
	for i := 1; i <= s.count(); i++ {
		title := s.head(i)
		columns = append(
			columns,
			list.Column{Title: title, Width: min(max(raster.TextWidth(title)+2, leastCell), mostCell)},
		)
	}
	return columns
}

// drawTable draws the rows in their order, with the chosen one in view.
func (v *view) drawTable(k list.Look, c raster.Canvas, s *session) {
	least, greatest := s.extremes()
	low, high := s.info(s.y).Ends()
	s.inTable()
	s.runsTable.Draw(k, c, s.statusWidth()+1, func(row, col int) string {
		r, _ := s.tableRow(row)
		if col == 0 {
			return fmt.Sprint(r.Index)
		}
		return s.text(s.value(&r, col-1), col-1)
	}, func(c raster.Canvas, row int, st, _ raster.Style) {
		r, at := s.tableRow(row)
		mark := map[int]string{least: low, greatest: high}[at]
		note := map[string]raster.Style{"best": k.Theme.Good, "worst": k.Theme.Alarm, "least": k.Theme.Accent,
			"greatest": k.Theme.Accent}[mark]
		switch {
		case at < 0:
			mark, note = r.Reason, k.Theme.Dim
		case r.Status != study.Done:
			mark, note = r.Status.String()+": "+r.Reason, k.Theme.Warn
		}
		note.BG = st.BG
		c.Text(1, 0, k.Theme.Cut(mark, c.W-2), note)
	})
}

// tableRow returns a line of the table, and its position among the finished runs; -1: it is on a worker.
func (s *session) tableRow(line int) (r study.Row, at int) {
	if line >= len(s.live) {
		at = s.ordered()[line-len(s.live)]
		return s.table.Rows[at], at
	}
	run := s.live[line]
	r = study.Row{Index: run.Index, Reason: study.Running.String()}
	if run.Held {
		r.Reason = "suspended"
	}
	if d, err := s.plan.Design.At(run.Index); err == nil {
		r.Inputs = d.Inputs
	}
	return r, -1
}

// inTable chooses the chosen run in the table; it reports whether one is.
func (s *session) inTable() bool {
	at := s.liveAt(s.at)
	if at < 0 {
		if at = slices.Index(s.ordered(), s.position()); at >= 0 {
			at += len(s.live)
		}
	}
	if at >= 0 {
		s.runsTable.Choose(at)
	}
	return at >= 0
}

// fromTable chooses the run selected in the table.
func (s *session) fromTable() {
	if at := s.runsTable.At(); at >= 0 {
		r, _ := s.tableRow(at)
		s.at = r.Index
	}
}
