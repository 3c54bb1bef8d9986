package windows

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/semantic/nearby"
	"pview/tui/action"
	"pview/tui/desk"
	"pview/tui/notation"
	"pview/tui/pane"
)

// Navigator moves through the time and the rows of the window in focus, and searches it.
type Navigator struct {
	*desk.Desk
	sc    *pane.Scene
	show  *Content
	Query *notation.Query // searched by n and N; nil for none
	// Describe describes a record that was found
	Describe func(tr *prv.Trace, r nearby.Record) string

	searching int                // generation of the running search; 0 for none
	stop      context.CancelFunc // cancels that search
}

// NewNavigator returns the navigator of a desk.
func NewNavigator(d *desk.Desk, sc *pane.Scene, show *Content) *Navigator {
	return &Navigator{Desk: d, sc: sc, show: show}
}

// Actions returns the actions that move, zoom and go to times and records.
func (n *Navigator) Actions() []action.Action {
	list := action.OfView(action.GroupMove, []action.Action{
		action.Action{Name: "pan", Doc: "move the view in time"}.With(
			action.Action{Name: "left", Keys: []string{"left"}, Args: "[COLUMNS]",
				Doc: "pan left by an eighth of the view",
				Run: n.panBy(-1)},
			action.Action{Name: "right", Keys: []string{"right"}, Args: "[COLUMNS]",
				Doc: "pan right by an eighth of the view",
				Run: n.panBy(1)},
			action.Action{Name: "step-left", Keys: []string{"shift+left", "("}, Doc: "pan left by one column",
				Run: action.Do(func() { n.Pan("", -1, n.sc.Columns()) })},
			action.Action{Name: "step-right", Keys: []string{"shift+right", ")"}, Doc: "pan right by one column",
				Run: action.Do(func() { n.Pan("", 1, n.sc.Columns()) })},
			action.Action{Name: "page-left", Keys: []string{"ctrl+left", "{"}, Doc: "pan left by a full view",
				Run: action.Do(func() { n.PanView(-1) })},
			action.Action{Name: "page-right", Keys: []string{"ctrl+right", "}"}, Doc: "pan right by a full view",
				Run: action.Do(func() { n.PanView(1) })},
			action.Action{Name: "begin", Keys: []string{"home", "^"}, Doc: "go to the start of the run",
				Run: action.Do(func() { n.PanEnd(-1) })},
			action.Action{Name: "end", Keys: []string{"end", "$"}, Doc: "go to the end of the run",
				Run: action.Do(func() { n.PanEnd(1) })},
		),
		action.Action{Name: "cursor", Doc: "move the cursor, in time"}.With(
			action.Action{Name: "left", Keys: []string{"h"}, Args: "[COLUMNS]",
				Doc: "move the cursor left by a column; the view scrolls at its edge", Run: n.cursorBy(-1)},
			action.Action{Name: "right", Keys: []string{"l"}, Args: "[COLUMNS]",
				Doc: "move the cursor right by a column",
				Run: n.cursorBy(1)},
			action.Action{Name: "far-left", Keys: []string{"H"}, Doc: "move the cursor left by ten columns",
				Run: n.cursorBy(-10)},
			action.Action{Name: "far-right", Keys: []string{"L"}, Doc: "move the cursor right by ten columns",
				Run: n.cursorBy(10)},
		),
		action.Action{Name: "row", Keys: []string{"'"}, Args: "N or NAME",
			Doc: "go to a row by number or part of its name",
			Run: n.goToRow, Complete: n.completeRows}.With(
			action.Action{Name: "up", Keys: []string{"up", "k"},
				Doc: "go to the row above, or the line if rows share one; the rows scroll at the edge",
				Run: action.Do(func() { n.StepLine(-1) })},
			action.Action{Name: "down", Keys: []string{"down", "j"}, Doc: "go to the row below",
				Run: action.Do(func() { n.StepLine(1) })},
			action.Action{Name: "page-up", Keys: []string{"pgup", "ctrl+u"}, Doc: "go up by a screen of rows",
				Run: action.Do(func() { n.pageRows(-1) })},
			action.Action{Name: "page-down", Keys: []string{"pgdown", "ctrl+d"}, Doc: "go down by a screen of rows",
				Run: action.Do(func() { n.pageRows(1) })},
			action.Action{Name: "first", Keys: []string{"ctrl+home", "K"}, Doc: "go to the first row",
				Run: action.Do(func() { n.StepRow(-1 << 30) })},
			action.Action{Name: "last", Keys: []string{"ctrl+end", "J"}, Doc: "go to the last row",
				Run: action.Do(func() { n.StepRow(1 << 30) })},
		),
	})
	return append(append(list, n.zooming()...), n.going()...)
}

// cursorBy moves the cursor by steps of a number of columns.
func (n *Navigator) cursorBy(step int) func(string) tea.Cmd {
	return n.counted(func() int { return 1 }, func(times int) { n.StepCursor(step*times, n.sc.Columns()) })
}

// panBy pans to a side, by an eighth of the view unless told otherwise.
func (n *Navigator) panBy(sign int) func(string) tea.Cmd {
	return n.counted(func() int { return max(n.sc.Columns()/8, 1) }, func(columns int) {
		n.Pan("", sign*columns, n.sc.Columns())
	})
}

// counted makes an action from f, with an optional number as its argument.
func (n *Navigator) counted(usual func() int, f func(number int)) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		number := usual()
		if args != "" {
			var err error
			if number, err = strconv.Atoi(strings.TrimSpace(args)); err != nil || number < 0 || number > 1<<20 {
				return n.sc.Refuse(fmt.Errorf("%q: must be a number >= 0", args))
			}
		}
		f(number)
		return nil
	}
}

// pageRows goes up or down by the rows in view.
func (n *Navigator) pageRows(sign int) {
	w := n.Focused()
	n.StepRow(sign * w.RowsInView(w.Trace.Data))
}

func (n *Navigator) goToRow(args string) tea.Cmd {
	w := n.Focused()
	rows := w.Rows(w.Trace.Data)
	if i, err := strconv.Atoi(args); err == nil && i >= 1 && i <= rows {
		n.ShowRow(w, i-1)
		return nil
	}
	for _, fits := range []func(string) bool{
		func(s string) bool { return strings.EqualFold(s, args) },
		func(s string) bool { return notation.ContainsFold(s, args) },
	} {
		for k := range rows { // from the row below the cursor, wrapping around
			row := (w.CursorRow + 1 + k) % rows
			if fits(w.RowName(row)) {
				n.ShowRow(w, row)
				return nil
			}
		}
	}
	return n.sc.Refuse(fmt.Errorf("no row %q; there are %d", args, rows))
}

func (n *Navigator) completeRows(string) (names []string) {
	w := n.Focused()
	if w == nil {
		return nil
	}
	for row := range min(w.Rows(w.Trace.Data), 1000) {
		names = append(names, w.RowName(row))
	}
	return names
}
