package tui

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Moving through time and rows.

var moveActions = []deed{
	{Name: "pan-left", Group: groupMove, Keys: []string{"left"}, Args: "[COLUMNS]",
		Doc: "pan left by an eighth of the view", Hint: "pan", hintKeys: "←→", needsWindow: true, run: panBy(-1)},
	{Name: "pan-right", Group: groupMove, Keys: []string{"right"}, Args: "[COLUMNS]",
		Doc: "pan right by an eighth of the view", needsWindow: true, run: panBy(1)},
	{Name: "step-left", Group: groupMove, Keys: []string{"shift+left", "("}, Doc: "pan left by one column",
		needsWindow: true, run: moves(func(m *Model) { m.Pan(-1, m.screen().columns()) })},
	{Name: "step-right", Group: groupMove, Keys: []string{"shift+right", ")"}, Doc: "pan right by one column",
		needsWindow: true, run: moves(func(m *Model) { m.Pan(1, m.screen().columns()) })},
	{Name: "page-left", Group: groupMove, Keys: []string{"ctrl+left", "{"}, Doc: "pan left by a full view",
		needsWindow: true, run: moves(func(m *Model) { m.PanView(-1) })},
	{Name: "page-right", Group: groupMove, Keys: []string{"ctrl+right", "}"}, Doc: "pan right by a full view",
		needsWindow: true, run: moves(func(m *Model) { m.PanView(1) })},
	{Name: "begin", Group: groupMove, Keys: []string{"home", "^"}, Doc: "go to the begin of the run", needsWindow: true,
		run: moves(func(m *Model) { m.PanEnd(-1) })},
	{Name: "end", Group: groupMove, Keys: []string{"end", "$"}, Doc: "go to the end of the run", needsWindow: true,
		run: moves(func(m *Model) { m.PanEnd(1) })},
	{Name: "cursor-left", Group: groupMove, Keys: []string{"h"}, Args: "[COLUMNS]",
		Doc: "move the cursor left by a column; the view scrolls at its edge", needsWindow: true, run: cursorBy(-1)},
	{Name: "cursor-right", Group: groupMove, Keys: []string{"l"}, Args: "[COLUMNS]",
		Doc: "move the cursor right by a column", Hint: "cursor", hintKeys: "hjkl", needsWindow: true,
		run: cursorBy(1)},
	{Name: "cursor-far-left", Group: groupMove, Keys: []string{"H"}, Doc: "move the cursor left by ten columns",
		needsWindow: true, run: moves(func(m *Model) { m.StepCursor(-10, m.screen().columns()) })},
	{Name: "cursor-far-right", Group: groupMove, Keys: []string{"L"}, Doc: "move the cursor right by ten columns",
		needsWindow: true, run: moves(func(m *Model) { m.StepCursor(10, m.screen().columns()) })},
	{Name: "row-up", Group: groupMove, Keys: []string{"up", "k"},
		Doc: "go to the row above; the rows scroll at the edge", needsWindow: true,
		run: moves(func(m *Model) { m.StepRow(-1) })},
	{Name: "row-down", Group: groupMove, Keys: []string{"down", "j"}, Doc: "go to the row below", needsWindow: true,
		run: moves(func(m *Model) { m.StepRow(1) })},
	{Name: "rows-page-up", Group: groupMove, Keys: []string{"pgup", "ctrl+u"}, Doc: "go up by a screen of rows",
		needsWindow: true, run: moves(func(m *Model) { m.StepRow(-m.Focused().RowsInView(m.Focused().Trace.Data)) })},
	{Name: "rows-page-down", Group: groupMove, Keys: []string{"pgdown", "ctrl+d"}, Doc: "go down by a screen of rows",
		needsWindow: true, run: moves(func(m *Model) { m.StepRow(m.Focused().RowsInView(m.Focused().Trace.Data)) })},
	{Name: "row", Group: groupMove, Keys: []string{"'"}, Args: "N or NAME",
		Doc: "go to a row by number or part of its name", needsWindow: true, run: goToRow, complete: completeRows},
	{Name: "first-row", Group: groupMove, Keys: []string{"ctrl+home", "K"}, Doc: "go to the first row",
		needsWindow: true, run: moves(func(m *Model) { m.StepRow(-1 << 30) })},
	{Name: "last-row", Group: groupMove, Keys: []string{"ctrl+end", "J"}, Doc: "go to the last row", needsWindow: true,
		run: moves(func(m *Model) { m.StepRow(1 << 30) })},
}

// columns is the number of columns that the window in focus is drawn in.
func (m *screenModel) columns() int {
	l := m.layout()
	if m.Focus < len(l.windows) && l.windows[m.Focus].plot.W > 0 {
		return l.windows[m.Focus].plot.W
	}
	return max(m.width, 1)
}

func cursorBy(sign int) func(*Model, string) tea.Cmd {
	return func(m *Model, args string) tea.Cmd {
		n, err := count(args, 1)
		if err != nil {
			return m.scene.Refuse(err)
		}
		m.StepCursor(sign*n, m.screen().columns())
		return nil
	}
}

// moves is a move over the desk that nothing is to be done after.
func moves(f func(m *Model)) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		f(m)
		return nil
	}
}

func panBy(sign int) func(*Model, string) tea.Cmd {
	return func(m *Model, args string) tea.Cmd {
		n, err := count(args, max(m.screen().columns()/8, 1))
		if err != nil {
			return m.scene.Refuse(err)
		}
		m.Pan(sign*n, m.screen().columns())
		return nil
	}
}

func goToRow(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("row")
	}
	w := m.Focused()
	n := w.Rows(w.Trace.Data)
	if i, err := strconv.Atoi(args); err == nil && i >= 1 && i <= n {
		m.ShowRow(w, i-1)
		return nil
	}
	for _, fits := range []func(string) bool{
		func(s string) bool { return strings.EqualFold(s, args) },
		func(s string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(args)) },
	} {
		for k := range n { // from the row below the cursor on, around the end
			row := (w.CursorRow + 1 + k) % n
			if fits(w.RowName(row)) {
				m.ShowRow(w, row)
				return nil
			}
		}
	}
	return m.scene.Refuse(fmt.Errorf("no row %q; there are %d", args, n))
}

func completeRows(m *Model, _ string) []string {
	w := m.Focused()
	if w == nil {
		return nil
	}
	var names []string
	for row := range min(w.Rows(w.Trace.Data), 1000) {
		names = append(names, w.RowName(row))
	}
	return names
}

// count reads an optional number of things.
func count(args string, usual int) (int, error) {
	if args == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(strings.TrimSpace(args))
	if err != nil || n < 0 || n > 1<<20 {
		return 0, fmt.Errorf("%q is not one of their numbers", args)
	}
	return n, nil
}
