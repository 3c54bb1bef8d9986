package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"pview/semantic"
	"pview/semantic/cfg"
	"pview/semantic/stat"
	"pview/tui/action"
	"pview/tui/timeline"
)

// The analyzer: numbers on what a window shows. A window has tables; each asks
// either for the functions of the thesis' analyzer, or for a histogram whose
// control window is the window itself. A table follows its window: what it shows,
// its rows, and the time that is selected or in view.

// analysis is a table of a window: what it asks for, what is known of the answer,
// and where the user is in it.
type analysis struct {
	id    int
	setup tableSetup
	past  []tableSetup // for undo
	next  []tableSetup // for redo

	asked    string // the question that was put last
	gen      int
	cancel   context.CancelFunc
	busy     bool
	done, of atomic.Int64 // rows counted
	err      error
	counted  *counted // answers that other arrangements of the table are made from
	sheet    *sheet   // nil until there is an answer

	row, col  int // the cell of the cursor, in the sheet
	top, left int
	anchor    int // id of the column that a range of columns begins at; -1 for none
	frame     tableFrame
	hits      hits
}

// tableSetup is what a table asks for and how it shows the answer: what undo
// brings back. It is a plain value; what it points to is never changed in place.
type tableSetup struct {
	name      string // of the choice that it comes from
	functions bool   // the functions of the analyzer; else a histogram

	statistic   string
	data, third operand
	own         bool
	columns     stat.Scale
	bins        int // columns that an automatic scale is divided into; 0: as Paraver does
	planes      stat.Scale
	plane       float64 // value whose plane is shown
	// codes and planeCodes say whether each value of the control window, or of the
	// third window, has a column of its own.
	codes, planeCodes codes
	cfg               *cfg.Histogram // that it was opened from; nil for none
	size, tag         stat.Limits

	span       tableSpan
	begin, end int64 // of a fixed span

	shade     shade
	showEmpty bool
	vertical  bool
	hideSums  bool
	digits    int // more or fewer decimals than usual
	order     stat.Sort
	rowOrder  rowOrder
}

// operand is a data window or a third window.
type operand struct {
	window int              // id of the window on the screen that it is; 0 for none
	sem    *semantic.Window // what that showed last; nil: there is no operand
}

// codes says whether values are drawn in colours of codes, which decides what an
// automatic scale makes of them.
type codes uint8

const (
	codesByMeaning codes = iota
	codesOn
	codesOff
)

// of answers for a window.
func (c codes) of(w *semantic.Window) bool {
	if c == codesByMeaning {
		return hasCodes(w.Meaning())
	}
	return c == codesOn
}

// tableSpan says which time a table is about.
type tableSpan uint8

const (
	spanView  tableSpan = iota // the selection; without one what is in view
	spanWhole                  // the whole run
	spanFixed                  // an interval of its own
)

// shade is how the cells of a table are shown.
type shade uint8

const (
	shadeNumbers shade = iota
	shadeColored       // numbers on colours
	shadePicture       // colours only
)

var shadeNames = [...]string{"numbers", "numbers on colours", "picture"}

// rowOrder sorts the rows of a table by one of its columns.
type rowOrder struct {
	on      bool
	column  int // id of the header
	upwards bool
}

func newTableSetup() tableSetup {
	return tableSetup{
		name: "Analyzer functions", functions: true, statistic: "Time",
		columns: stat.Scale{Auto: true, Zero: true}, planes: stat.Scale{Auto: true, Zero: true},
	}
}

// table returns the table of a window that is shown; there always is one.
func (m *Model) table(w *timeline.View) *analysis {
	if len(m.tablesOf(w).list) == 0 {
		m.addTable(w, newTableSetup())
	}
	t := m.tablesOf(w)
	t.at = min(max(t.at, 0), len(t.list)-1)
	return t.list[t.at]
}

// addTable gives a window a further table and shows it.
func (m *Model) addTable(w *timeline.View, s tableSetup) *analysis {
	m.ids++
	a := &analysis{id: m.ids, setup: s, anchor: -1}
	t := m.tablesOf(w)
	t.list = append(t.list, a)
	t.at = len(t.list) - 1
	return a
}

// tableSet is the tables of a window.
type tableSet struct {
	list []*analysis
	at   int // the one shown
}

func (m *Model) tablesOf(w *timeline.View) *tableSet {
	t := m.tables[w.ID]
	if t == nil {
		t = &tableSet{}
		m.tables[w.ID] = t
	}
	return t
}

func (t *tableSet) byID(id int) *analysis {
	for _, a := range t.list {
		if a.id == id {
			return a
		}
	}
	return nil
}

// shownTable is the table that the pane shows; nil when the pane shows none.
func (m *Model) shownTable() *analysis {
	if w := m.window(); w != nil && m.paneOpen && m.tab == tabAnalyzer {
		return m.table(w)
	}
	return nil
}

// adjust changes what a table asks for or how it looks, so that it can be undone.
func (m *Model) adjust(f func(s *tableSetup)) {
	a := m.openTable()
	before := a.setup
	f(&a.setup)
	a.past, a.next = append(a.past, before), nil
}

// openTable shows the analyzer and returns its table.
func (m *Model) openTable() *analysis {
	m.paneOpen, m.tab = true, tabAnalyzer
	return m.table(m.window())
}

// Actions.

var analyzeActions = []deed{
	{Name: "analyze", Group: groupAnalyze, Keys: []string{"a"}, Args: "[TABLE]", Doc: "put numbers on what the window shows, over the selection or the view", Hint: "analyze", needsWindow: true, run: analyze, complete: completeTables},
	{Name: "cell-left", Group: groupAnalyze, Keys: []string{"left", "h"}, Doc: "go to the cell at the left", InPane: true, needsWindow: true, run: moveCell(0, -1)},
	{Name: "cell-right", Group: groupAnalyze, Keys: []string{"right", "l"}, Doc: "go to the cell at the right", InPane: true, needsWindow: true, run: moveCell(0, 1)},
	{Name: "cell-up", Group: groupAnalyze, Keys: []string{"up", "k"}, Doc: "go to the cell above", InPane: true, needsWindow: true, run: moveCell(-1, 0)},
	{Name: "cell-down", Group: groupAnalyze, Keys: []string{"down", "j"}, Doc: "go to the cell below", InPane: true, needsWindow: true, run: moveCell(1, 0)},
	{Name: "cells-left", Group: groupAnalyze, Keys: []string{"shift+left", "H", "ctrl+left"}, Doc: "go left by a screen of columns", InPane: true, needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return m.pageCells(0, -1) }},
	{Name: "cells-right", Group: groupAnalyze, Keys: []string{"shift+right", "L", "ctrl+right"}, Doc: "go right by a screen of columns", InPane: true, needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return m.pageCells(0, 1) }},
	{Name: "cells-up", Group: groupAnalyze, Keys: []string{"pgup", "ctrl+u"}, Doc: "go up by a screen of rows", InPane: true, needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return m.pageCells(-1, 0) }},
	{Name: "cells-down", Group: groupAnalyze, Keys: []string{"pgdown", "ctrl+d"}, Doc: "go down by a screen of rows", InPane: true, needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return m.pageCells(1, 0) }},
	{Name: "first-column", Group: groupAnalyze, Keys: []string{"home", "^"}, Doc: "go to the first column", InPane: true, needsWindow: true, run: moveCell(0, -1<<30)},
	{Name: "last-column", Group: groupAnalyze, Keys: []string{"end", "$"}, Doc: "go to the last column", InPane: true, needsWindow: true, run: moveCell(0, 1<<30)},
	{Name: "first-cell-row", Group: groupAnalyze, Keys: []string{"K", "ctrl+home"}, Doc: "go to the first row of the table", InPane: true, needsWindow: true, run: moveCell(-1<<30, 0)},
	{Name: "last-cell-row", Group: groupAnalyze, Keys: []string{"J", "ctrl+end"}, Doc: "go to the last row of the table", InPane: true, needsWindow: true, run: moveCell(1<<30, 0)},

	{Name: "tables", Group: groupAnalyze, Keys: []string{"a", "v"}, Doc: "choose a table: functions, time per value, MPI calls, durations, messages", InPane: true, needsWindow: true, run: openTables},
	{Name: "next-table", Group: groupAnalyze, Keys: []string{"]"}, Doc: "go to the window's next table", InPane: true, needsWindow: true, run: cycleTables(1)},
	{Name: "previous-table", Group: groupAnalyze, Keys: []string{"["}, Doc: "go to the window's table before", InPane: true, needsWindow: true, run: cycleTables(-1)},
	{Name: "new-table", Group: groupAnalyze, Keys: []string{"ctrl+t"}, Doc: "give the window a further table, like this one", InPane: true, needsWindow: true, run: copyTable},
	{Name: "close-table", Group: groupAnalyze, Keys: []string{"ctrl+w"}, Doc: "close the table", InPane: true, needsWindow: true, run: closeTable},
	{Name: "statistic", Group: groupAnalyze, Keys: []string{"s"}, Args: "[NAME]", Doc: "show the next statistic of the histogram", InPane: true, needsWindow: true, run: setStatistic(1), complete: completeStatistics},
	{Name: "statistic-back", Group: groupAnalyze, Keys: []string{"S"}, Doc: "show the statistic before", InPane: true, needsWindow: true, run: setStatistic(-1)},
	{Name: "statistics", Group: groupAnalyze, Keys: []string{"/"}, Doc: "choose the statistic from a list", InPane: true, needsWindow: true, run: openStatistics},
	{Name: "data-window", Group: groupAnalyze, Keys: []string{"d"}, Doc: "choose the window whose values are counted in the cells", InPane: true, needsWindow: true, run: openOperands(false)},
	{Name: "third-window", Group: groupAnalyze, Keys: []string{"D"}, Doc: "choose the window whose values tell planes apart, or none", InPane: true, needsWindow: true, run: openOperands(true)},
	{Name: "next-plane", Group: groupAnalyze, Keys: []string{"}"}, Doc: "show the next plane that has cells", InPane: true, needsWindow: true, run: stepPlane(1)},
	{Name: "previous-plane", Group: groupAnalyze, Keys: []string{"{"}, Doc: "show the plane before", InPane: true, needsWindow: true, run: stepPlane(-1)},
	{Name: "columns", Group: groupAnalyze, Keys: []string{"b"}, Args: "auto [N] or FROM TO [WIDTH or xN]", Doc: "divide the values of the window into columns: columns 0 100 10, columns 0 1000 x20, columns auto 30", InPane: true, needsWindow: true, run: setColumns, complete: completeColumns},
	{Name: "planes", Group: groupAnalyze, Keys: []string{"B"}, Args: "auto or FROM TO [WIDTH or xN]", Doc: "divide the values of the third window into planes", InPane: true, needsWindow: true, run: setPlanes},
	{Name: "table-time", Group: groupAnalyze, Keys: []string{"i"}, Args: "[view|all|fixed]", Doc: "count over the selection or the view, the whole run, or always over the time that is counted now", InPane: true, needsWindow: true, run: setSpan, complete: func(*Model, string) []string { return spanNames[:] }},

	{Name: "cell-look", Group: groupAnalyze, Keys: []string{"c"}, Args: "[numbers|numbers on colours|picture]", Doc: "show cells as numbers, as numbers on colours, or as colours", InPane: true, needsWindow: true, run: setShade, complete: func(*Model, string) []string { return shadeNames[:] }},
	{Name: "transpose", Group: groupAnalyze, Keys: []string{"x"}, Doc: "exchange rows and columns", InPane: true, needsWindow: true, run: switchTable(func(s *tableSetup) { s.vertical = !s.vertical; s.rowOrder = rowOrder{} })},
	{Name: "empty-columns", Group: groupAnalyze, Keys: []string{"e"}, Doc: "show or hide columns without any value", InPane: true, needsWindow: true, run: switchTable(func(s *tableSetup) { s.showEmpty = !s.showEmpty })},
	{Name: "totals", Group: groupAnalyze, Keys: []string{"t"}, Doc: "show or hide the totals", InPane: true, needsWindow: true, run: switchTable(func(s *tableSetup) { s.hideSums = !s.hideSums })},
	{Name: "more-decimals", Group: groupAnalyze, Keys: []string{">"}, Doc: "show one more decimal", InPane: true, needsWindow: true, run: switchTable(func(s *tableSetup) { s.digits = min(s.digits+1, 12) })},
	{Name: "fewer-decimals", Group: groupAnalyze, Keys: []string{"<"}, Doc: "show one decimal less", InPane: true, needsWindow: true, run: switchTable(func(s *tableSetup) { s.digits = max(s.digits-1, -12) })},
	{Name: "sort-rows", Group: groupAnalyze, Keys: []string{"r"}, Doc: "sort the rows by this column: downwards, upwards, as they are", InPane: true, needsWindow: true, run: sortRows},
	{Name: "sort-columns", Group: groupAnalyze, Keys: []string{"o"}, Args: "[TOTAL or off]", Doc: "sort the columns by their totals: next total", InPane: true, needsWindow: true, run: sortColumns, complete: completeTotals},
	{Name: "sort-reverse", Group: groupAnalyze, Keys: []string{"O"}, Doc: "sort the columns the other way round", InPane: true, needsWindow: true, run: reverseColumns},
	{Name: "select-columns", Group: groupAnalyze, Keys: []string{"space"}, Doc: "begin a range of columns here; again to drop it", InPane: true, needsWindow: true, run: selectColumns},
	{Name: "zoom-columns", Group: groupAnalyze, Keys: []string{"z"}, Doc: "divide anew the values of the columns selected, or of this one", InPane: true, needsWindow: true, run: zoomColumns},
	{Name: "undo-table", Group: groupAnalyze, Keys: []string{"u"}, Doc: "take back the last change of the table", InPane: true, needsWindow: true, run: undoTable},
	{Name: "redo-table", Group: groupAnalyze, Keys: []string{"ctrl+r"}, Doc: "make the change again", InPane: true, needsWindow: true, run: redoTable},

	{Name: "table-leave", Group: groupAnalyze, Keys: []string{"esc"}, Doc: "drop the range of columns; else go back to the window", InPane: true, run: leaveTable},
}

// analyze opens the analyzer and goes into it.
func analyze(m *Model, args string) tea.Cmd {
	m.openTable()
	m.paneFocus = true
	if args != "" {
		return m.chooseTable(args)
	}
	return nil
}

func leaveTable(m *Model, _ string) tea.Cmd {
	if a := m.shownTable(); a != nil && a.anchor >= 0 {
		a.anchor = -1
		return nil
	}
	m.paneFocus = false
	return nil
}

func switchTable(f func(s *tableSetup)) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		m.adjust(f)
		return nil
	}
}

func cycleTables(step int) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		m.openTable()
		t := m.tablesOf(m.window())
		if len(t.list) == 1 {
			return m.refuse(errors.New("this window has one table: " + keysOf("new-table") + " gives it another"))
		}
		t.at = (t.at + step + len(t.list)) % len(t.list)
		return nil
	}
}

func copyTable(m *Model, _ string) tea.Cmd {
	a := m.openTable()
	b := m.addTable(m.window(), a.setup)
	b.row, b.col, b.top, b.left = a.row, a.col, a.top, a.left
	return nil
}

func closeTable(m *Model, _ string) tea.Cmd {
	a, t := m.openTable(), m.tablesOf(m.window())
	a.stop()
	t.list = slices.DeleteFunc(t.list, func(b *analysis) bool { return a == b })
	if len(t.list) == 0 {
		m.paneOpen, m.paneFocus = false, false
	}
	return nil
}

// stop cancels what is being computed for the table.
func (a *analysis) stop() {
	if a.cancel != nil {
		a.cancel()
	}
	a.hits.stop()
}

func undoTable(m *Model, _ string) tea.Cmd {
	a := m.openTable()
	if !a.travel(&a.past, &a.next) {
		m.say("nothing to undo in this table")
	}
	return nil
}

func redoTable(m *Model, _ string) tea.Cmd {
	a := m.openTable()
	if !a.travel(&a.next, &a.past) {
		m.say("nothing to redo in this table")
	}
	return nil
}

func (a *analysis) travel(from, to *[]tableSetup) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, a.setup)
	a.setup, *from = (*from)[n-1], (*from)[:n-1]
	return true
}

var spanNames = [...]string{"view", "all", "fixed"}

func setSpan(m *Model, args string) tea.Cmd {
	a, w := m.openTable(), m.window()
	i, err := action.Choose(spanNames[:], int(a.setup.span), 1, args)
	if err != nil {
		return m.refuse(err)
	}
	begin, end := m.spanOf(w, &a.setup)
	m.adjust(func(s *tableSetup) { s.span, s.begin, s.end = tableSpan(i), begin, end })
	m.say([...]string{"counted over the selection; without one, over what is in view", "counted over the whole run", "counted over this time, whatever is in view"}[i])
	return nil
}

// spanOf returns the time that a table of a window is about.
func (m *Model) spanOf(w *timeline.View, s *tableSetup) (begin, end int64) {
	d := w.Trace.Data.Duration
	begin, end = 0, d
	switch s.span {
	case spanView:
		begin, end = w.Begin, w.End
		if b, e, ok := m.selection(); ok && b < e {
			begin, end = w.Trace.FromNS(b), w.Trace.FromNS(e)
		}
	case spanFixed:
		begin, end = s.begin, s.end
	}
	begin = min(max(begin, 0), d)
	return begin, min(max(end, begin), d)
}

func setShade(m *Model, args string) tea.Cmd {
	a := m.openTable()
	i, err := action.Choose(shadeNames[:], int(a.setup.shade), 1, args)
	if err != nil {
		return m.refuse(err)
	}
	m.adjust(func(s *tableSetup) { s.shade = shade(i) })
	return nil
}

// sortRows goes through the orders of the rows by the column at the cursor.
func sortRows(m *Model, _ string) tea.Cmd {
	a := m.openTable()
	if a.sheet == nil || a.col >= len(a.sheet.columns) {
		return nil
	}
	h := &a.sheet.columns[a.col]
	o := rowOrder{on: true, column: h.id}
	if before := a.setup.rowOrder; before.on && before.column == h.id {
		o.upwards = true
		if before.upwards {
			o = rowOrder{}
		}
	}
	m.adjust(func(s *tableSetup) { s.rowOrder = o })
	switch {
	case !o.on:
		m.say("rows as they are")
	case o.upwards:
		m.say("rows sorted by " + h.name + ", the least first")
	default:
		m.say("rows sorted by " + h.name + ", the greatest first")
	}
	return nil
}

// sortColumns goes through the totals that columns can be sorted by.
func sortColumns(m *Model, args string) tea.Cmd {
	a := m.openTable()
	names := append([]string{"off"}, completeTotals(m, "")[1:]...)
	at := 0
	if a.setup.order.On {
		at = 1
		if t, ok := stat.LookupTotal(a.setup.order.By); ok {
			at = 1 + slices.Index(stat.Totals, t)
		}
	}
	i, err := action.Choose(names, at, 1, args)
	if err != nil {
		return m.refuse(err)
	}
	m.adjust(func(s *tableSetup) {
		s.order = stat.Sort{On: i > 0, Reverse: s.order.Reverse}
		if i > 0 {
			s.order.By = names[i]
		}
	})
	if i == 0 {
		m.say("columns as they are")
	} else {
		m.say("columns sorted by " + names[i])
	}
	return nil
}

func completeTotals(*Model, string) []string {
	names := []string{"off"}
	for _, t := range stat.Totals {
		names = append(names, t.String())
	}
	return names
}

func reverseColumns(m *Model, _ string) tea.Cmd {
	m.adjust(func(s *tableSetup) {
		if !s.order.On {
			s.order = stat.Sort{On: true, By: stat.Totals[0].String()}
			return
		}
		s.order.Reverse = !s.order.Reverse
	})
	return nil
}

// columnRange returns the positions of the columns of values that are selected:
// from the anchor to the cursor, or the one at the cursor.
func (a *analysis) columnRange() (lo, hi int, ok bool) {
	s := a.sheet
	if s == nil {
		return 0, 0, false
	}
	list, at := s.columns, a.col
	if s.vertical {
		list, at = s.rows, a.row
	}
	if at >= len(list) {
		return 0, 0, false
	}
	lo, hi = at, at
	for i := range list {
		if list[i].id == a.anchor && a.anchor >= 0 {
			lo, hi = min(i, at), max(i, at)
		}
	}
	return lo, hi, true
}

// values returns the headers of the columns of values.
func (s *sheet) values() []header {
	if s.vertical {
		return s.rows
	}
	return s.columns
}

func selectColumns(m *Model, _ string) tea.Cmd {
	a := m.openTable()
	lo, _, ok := a.columnRange()
	if !ok {
		return nil
	}
	if a.anchor >= 0 {
		a.anchor = -1
		return nil
	}
	if a.sheet.functions {
		return m.refuse(errors.New("a histogram has ranges of columns; this table has the functions of the analyzer: " + keysOf("tables") + " chooses another"))
	}
	a.anchor = a.sheet.values()[lo].id
	m.say(fmt.Sprintf("columns from %s: move, then %s divides them anew, %s shows them in the timeline", a.sheet.values()[lo].name, keysOf("zoom-columns"), keysOf("cell-window")))
	return nil
}

// stopTables stops what is being computed for the table that is shown.
func (m *Model) stopTables() bool {
	a := m.shownTable()
	if a == nil || !a.busy && !a.hits.busy {
		return false
	}
	a.stop()
	if a.busy {
		a.gen = 0 // what is still on its way is dropped
		a.busy, a.err = false, errors.New("counting was stopped; any change of the table or of the view starts it again")
	}
	if a.hits.busy {
		a.hits = hits{}
	}
	return true
}
