package analyzer

import (
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/list"
	"pview/tui/paths"
)

// Actions returns the pane's actions.
func (p actions) Actions() []action.Action {
	return slices.Concat([]action.Action{
		{Name: "analyze", Group: Title, Args: "[TABLE]",
			Doc:       "analyze the window over the selection or the view: statistics and histograms",
			NeedsView: true, Run: p.analyze, Complete: func(string) []string { return p.tableNames() }},
	}, p.questions(), p.looks(), p.takings())
}

// in returns an action in the pane that takes no text.
func in(name string, keys []string, doc string, run func(string) tea.Cmd) action.Action {
	return action.Action{Name: name, Group: Title, Keys: keys, Doc: doc, InPane: true, NeedsView: true, Run: run}
}

// from completes with names.
func from(names []string) func(string) []string {
	return func(string) []string { return names }
}

// Moves go through the cells. Leave first drops a range of columns.
func (p actions) Moves() list.Moves {
	moves := list.Moves{
		list.Left: p.move(0, -1), list.Right: p.move(0, 1), list.Up: p.move(-1, 0), list.Down: p.move(1, 0),
		list.PageLeft: p.page(0, -1), list.PageRight: p.page(0, 1),
		list.PageUp: p.page(-1, 0), list.PageDown: p.page(1, 0),
		list.FirstColumn: p.move(0, -1<<30), list.LastColumn: p.lastColumn,
		list.First: p.move(-1<<30, 0), list.Last: p.move(1<<30, 0),
		list.Copy: p.copyTableText,
	}
	for verb, run := range moves {
		moves[verb] = func(args string) tea.Cmd {
			if p.sc.View == nil { // a session with invalid windows, or the last trace was closed
				return nil
			}
			return run(args)
		}
	}
	moves[list.Leave] = p.leave
	return moves
}

// questions choose the table's question.
func (p actions) questions() []action.Action {
	return []action.Action{
		in("tables", []string{"v"}, "choose a table: functions, time per value, MPI calls, durations, messages",
			p.openTables).With(
			in("next", []string{"]"}, "go to the window's next table", p.cycleTables(1)),
			in("previous", []string{"["}, "go to the window's previous table", p.cycleTables(-1)),
			in("new", []string{"ctrl+t"}, "add another table to the window, like this one", p.copyTable),
			in("close", []string{"ctrl+w"}, "close the table", p.closeTable),
			in("undo", []string{"u"}, "undo the last change of the table", p.undoTable),
			in("redo", []string{"ctrl+r"}, "redo the change", p.redoTable),
		),
		action.Action{Name: "statistic", Group: Title, Keys: []string{"m"}, Args: "[NAME]",
			Doc: "show the next statistic of the histogram", InPane: true, NeedsView: true, Run: p.setStatistic(1),
			Complete: func(string) []string { return p.statisticNames() }}.With(
			in("back", []string{"M"}, "show the previous statistic", p.setStatistic(-1)),
			in("choose", []string{"."}, "choose the statistic from a list", p.openStatistics),
		),
		action.Action{Name: "operand",
			Doc: "choose another window for the table", Group: Title, InPane: true, NeedsView: true}.With(
			in("data", []string{"d"}, "choose the window whose values are counted in the cells",
				p.openOperands(false)),
			in("third", []string{"D"}, "choose the window whose values divide the table into planes, or none",
				p.openOperands(true)),
		),
		action.Action{Name: "columns", Group: Title, Keys: []string{"b"}, Args: "auto [N] or FROM TO [WIDTH or xN]",
			Doc:    "divide the values of the window into columns: columns 0 100 10, columns 0 1000 x20, columns auto 30",
			InPane: true, NeedsView: true, Run: p.setColumns,
			Complete: from([]string{"auto", "auto 20", "auto 100"})}.With(
			in("empty", nil, "show or hide empty columns",
				p.switchTable(func(s *Setup) { s.showEmpty = !s.showEmpty })),
			in("select", []string{"space"}, "start a range of columns; again: drop it", p.selectColumns),
			in("zoom", []string{"z"}, "subdivide the selected columns, or this one", p.zoomColumns),
		),
		action.Action{Name: "planes", Group: Title, Args: "auto or FROM TO [WIDTH or xN]",
			Doc: "divide the values of the third window into planes", InPane: true, NeedsView: true,
			Run: p.setPlanes}.With(
			in("next", []string{"}"}, "show the next plane that has cells", p.stepPlane(1)),
			in("previous", []string{"{"}, "show the previous plane", p.stepPlane(-1)),
		),
		{Name: "table-time", Group: Title, Keys: []string{"i"}, Args: "[view|all|fixed]",
			Doc: "time range: selection or view, whole run, or the current range", InPane: true, NeedsView: true,
			Run: p.setSpan, Complete: from(spanNames[:])},
	}
}

// looks choose how a table shows its answer.
func (p actions) looks() []action.Action {
	return []action.Action{
		{Name: "cell-look", Group: Title, Keys: []string{"c"}, Args: "[numbers|numbers on colours|picture]",
			Doc: "show cells as numbers, as numbers on colours, or as a picture", InPane: true, NeedsView: true,
			Run: p.setShade, Complete: from(shadeNames[:])},
		in("transpose", []string{"x"}, "exchange rows and columns",
			p.switchTable(func(s *Setup) { s.vertical = !s.vertical; s.rowOrder = rowOrder{} })),
		in("totals", []string{"t"}, "show or hide the totals",
			p.switchTable(func(s *Setup) { s.hideSums = !s.hideSums })),
		in("each-row", []string{"R"},
			"in a picture: show each row separately, scrolled, or several per cell, to see all",
			p.separateRows),
		action.Action{Name: "decimals",
			Doc: "show more or fewer decimals", Group: Title, InPane: true, NeedsView: true}.With(
			in("more", []string{">"}, "show one more decimal",
				p.switchTable(func(s *Setup) { s.digits = min(s.digits+1, 12) })),
			in("fewer", []string{"<"}, "show one decimal fewer",
				p.switchTable(func(s *Setup) { s.digits = max(s.digits-1, -12) })),
		),
		action.Action{Name: "sort", Doc: "sort the table", Group: Title, InPane: true, NeedsView: true}.With(
			in("rows", []string{"r"}, "sort rows by this column: descending, ascending, not sorted", p.sortRows),
			action.Action{Name: "columns", Group: Title, Keys: []string{"o"}, Args: "[TOTAL or off]",
				Doc: "sort columns by a total: next total", InPane: true, NeedsView: true, Run: p.sortColumns,
				Complete: from(totalNames())},
			in("reverse", []string{"O"}, "reverse the order of columns", p.reverseColumns),
		),
	}
}

// takings lead away from a cell or the table.
func (p actions) takings() []action.Action {
	return []action.Action{
		action.Action{Name: "cell",
			Doc: "go to the bursts of a cell", Group: Title, InPane: true, NeedsView: true}.With(
			in("next", []string{"enter", "n"}, "go to the cell's next burst in the timeline", p.cellBursts(1)),
			in("previous", []string{"backspace", "p"}, "go to the cell's previous burst", p.cellBursts(-1)),
			in("window", []string{"w"}, "open a timeline with only the values of the selected columns, or this one",
				p.cellWindow),
		),
		{Name: "save-table", Group: Title, Keys: []string{"E"}, Args: "FILE",
			Doc: "write the table to a file in full precision: .csv, else tab-separated", InPane: true, NeedsView: true,
			Run: p.saveTable, Complete: paths.Complete(".csv", ".tsv", ".txt"), Prefill: p.savePath},
	}
}

// analyze opens the analyzer and focuses it.
func (p actions) analyze(args string) tea.Cmd {
	p.sc.Show(p.pane, true)
	if args != "" {
		return p.chooseTable(args)
	}
	return nil
}

func (p actions) leave(string) tea.Cmd {
	if a := p.Shown(); a != nil && a.anchor >= 0 {
		a.anchor = -1
		return nil
	}
	p.sc.Leave()
	return nil
}

func (p actions) switchTable(f func(s *Setup)) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		p.adjust(f)
		return nil
	}
}

// separateRows makes each row of a picture have its own cells, or rows share cells.
func (p actions) separateRows(string) tea.Cmd {
	if a := p.openTable(); a.Sheet == nil || !a.drawsPicture() {
		return p.sc.Refuse(errors.New("only rows of a picture share cells: " + p.sc.KeysOf("cell-look") + " shows one"))
	}
	p.adjust(func(s *Setup) { s.eachRow = !s.eachRow })
	return nil
}

func (p actions) cycleTables(step int) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		p.openTable()
		t := p.sets[p.sc.View.ID]
		if len(t.list) == 1 {
			return p.sc.Refuse(errors.New("this window has one table: " + p.sc.KeysOf("tables new") +
				" gives it another"))
		}
		t.at = (t.at + step + len(t.list)) % len(t.list)
		return nil
	}
}

func (p actions) copyTable(string) tea.Cmd {
	a := p.openTable()
	b := p.addTable(p.sc.View, a.Setup)
	b.back = a.place()
	return nil
}

func (p actions) closeTable(string) tea.Cmd {
	a, t := p.openTable(), p.sets[p.sc.View.ID]
	a.stop()
	t.list = slices.DeleteFunc(t.list, func(b *Table) bool { return a == b })
	if len(t.list) == 0 {
		p.sc.Hide()
	}
	return nil
}

func (p actions) undoTable(string) tea.Cmd {
	a := p.openTable()
	if !a.travel(&a.past, &a.next) {
		p.sc.Say("nothing to undo in this table")
	}
	return nil
}

func (p actions) redoTable(string) tea.Cmd {
	a := p.openTable()
	if !a.travel(&a.next, &a.past) {
		p.sc.Say("nothing to redo in this table")
	}
	return nil
}

var spanNames = [...]string{"view", "all", "fixed"}

func (p actions) setSpan(args string) tea.Cmd {
	a, w := p.openTable(), p.sc.View
	i, err := action.Choose(spanNames[:], int(a.Setup.span), 1, args)
	if err != nil {
		return p.sc.Refuse(err)
	}
	begin, end := p.spanOf(w, &a.Setup)
	p.adjust(func(s *Setup) { s.span, s.begin, s.end = tableSpan(i), begin, end })
	p.sc.Say([...]string{"counted over the selection, or the view", "counted over the whole run",
		"counted over this time range, regardless of the view"}[i])
	return nil
}

// selects reports whether some time is selected.
func (p *tables) selects() bool { return p.sc.Selected && p.sc.SelBegin < p.sc.SelEnd }

// spanOf returns the time that a table of a window covers.
func (p *tables) spanOf(w *timeline.View, s *Setup) (begin, end int64) {
	d := w.Trace.Data.Duration
	begin, end = 0, d
	switch s.span {
	case spanView:
		begin, end = w.Begin, w.End
		if p.selects() {
			begin, end = w.Trace.FromNS(p.sc.SelBegin), w.Trace.FromNS(p.sc.SelEnd)
		}
	case spanFixed:
		begin, end = s.begin, s.end
	}
	begin = min(max(begin, 0), d)
	return begin, min(max(end, begin), d)
}

func (p actions) setShade(args string) tea.Cmd {
	a := p.openTable()
	i, err := action.Choose(shadeNames[:], int(a.Setup.shade), 1, args)
	if err != nil {
		return p.sc.Refuse(err)
	}
	p.adjust(func(s *Setup) { s.shade = shade(i) })
	return nil
}
