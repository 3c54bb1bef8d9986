package windows

import (
	"errors"
	"fmt"
	"strings"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/notation"

	tea "charm.land/bubbletea/v2"
)

// zooming returns the actions that zoom and undo.
func (n *Navigator) zooming() []action.Action {
	return action.OfView(action.GroupZoom, []action.Action{
		action.Action{Name: "zoom", Doc: "show less or more"}.With(
			action.Action{Name: "in", Keys: []string{"+"}, Args: "[FACTOR]",
				Doc: "show half the time, around the cursor",
				Run: n.zoomBy(0.5)},
			action.Action{Name: "out", Keys: []string{"-", "_"}, Args: "[FACTOR]",
				Doc: "show twice the time, around the cursor",
				Run: n.zoomBy(2)},
			action.Action{Name: "selection", Keys: []string{"z"},
				Doc: "show the time between the marks",
				Run: n.zoomSelection(false)},
			action.Action{Name: "box", Keys: []string{"Z"},
				Doc: "show the time between the marks, and only the selected rows",
				Run: n.zoomSelection(true)},
			action.Action{Name: "burst", Keys: []string{"."}, Doc: "show the burst at the cursor, with a margin",
				Run: action.Do(n.zoomBurst)},
			action.Action{Name: "all", Keys: []string{"0"},
				Doc: "show the whole run", Run: action.Do(n.fullTime)},
			action.Action{Name: "fewer-rows", Keys: []string{"]"}, Doc: "show half as many rows, around the cursor",
				Run: action.Do(func() { n.zoomRows(1, 2) })},
			action.Action{Name: "more-rows", Keys: []string{"["}, Doc: "show twice as many rows",
				Run: action.Do(func() { n.zoomRows(2, 1) })},
			action.Action{Name: "all-rows", Keys: []string{"*"}, Doc: "show all rows at once", Run: action.Do(func() {
				n.Change(n.Focused(), "", func(s *timeline.Setup) { s.Span = 0 })
			})},
		),
		{Name: "view", Keys: []string{"#"}, Args: "FROM TO", Doc: "show a time range: view 1.2s 1.5s, view 10% 20%",
			Run: n.viewTimes},
		{Name: "undo", Keys: []string{"u"}, Doc: "undo the last change of the window: zoom, pan, rows, function, " +
			"filter, look; or reopen windows closed since", Run: n.Undo},
		{Name: "redo", Keys: []string{"ctrl+r"}, Doc: "redo the change", Run: action.Do(n.redo)},
	}, "undo")
}

func (n *Navigator) zoomBy(factor float64) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		f := factor
		if args != "" {
			var by float64
			if _, err := fmt.Sscanf(args, "%g", &by); err != nil || !(by > 1) || by > 1e9 {
				return n.sc.Refuse(fmt.Errorf("%q: factor must be > 1", args))
			}
			f = by
			if factor < 1 {
				f = 1 / by
			}
		}
		n.ZoomAt(n.Focused(), f, n.Focused().Anchor())
		return nil
	}
}

// zoomSelection shows the time between the marks; rows: only the selected rows, too.
func (n *Navigator) zoomSelection(rows bool) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		w := n.Focused()
		b, e, ok := n.Selection()
		if !ok || b == e {
			return n.sc.Refuse(errors.New(n.sc.Theme.ASCII(
				"nothing selected: drag with the mouse, or press Space at both ends")))
		}
		n.Change(w, "", func(s *timeline.Setup) {
			s.Begin, s.End = w.Trace.FromNS(b), w.Trace.FromNS(e)
			if lo, hi := n.SelectedRows(w); rows && hi > lo {
				s.Top, s.Span = lo, hi-lo
			}
		})
		n.ClearMarks()
		n.CursorBack()
		return nil
	}
}

// zoomBurst shows the burst at the cursor with an eighth of its length on each side.
func (n *Navigator) zoomBurst() {
	n.CursorBack()
	w := n.Focused()
	b, e, _, ok := w.Burst(w.CursorRow, w.Cursor)
	if !ok {
		return
	}
	margin := max((e-b)/8, 1)
	n.Change(w, "", func(s *timeline.Setup) { s.Begin, s.End = max(b-margin, 0), min(e, n.Whole(w)-margin)+margin })
}

func (n *Navigator) fullTime() {
	w := n.Focused()
	n.Change(w, "", func(s *timeline.Setup) { s.Begin, s.End = 0, n.Whole(w) })
}

// zoomRows shows num/den times as many rows, around the cursor's.
func (n *Navigator) zoomRows(num, den int) {
	w := n.Focused()
	n.Change(w, "", func(s *timeline.Setup) {
		rows := s.RowsInView(w.Trace.Data)
		s.Span = max((rows*num+den-1)/den, 1)
		if num < den && s.Span >= rows {
			s.Span = max(rows-1, 1)
		}
		s.Top = w.CursorRow - (w.CursorRow-s.Top)*s.Span/max(rows, 1)
		if s.Span >= s.Rows(w.Trace.Data) {
			s.Span = 0
		}
	})
}

func (n *Navigator) viewTimes(args string) tea.Cmd {
	w := n.Focused()
	f := strings.Fields(strings.ReplaceAll(args, "..", " "))
	if len(f) != 2 {
		return n.sc.Refuse(errors.New("view needs two times: view 1.2s 1.5s"))
	}
	t := w.Trace.Data
	from, _, err := notation.ParseTime(f[0], t.Unit, n.Whole(w), w.Cursor)
	if err != nil {
		return n.sc.Refuse(err)
	}
	base := w.Cursor
	if strings.HasPrefix(f[1], "+") {
		base = from
	}
	to, note, err := notation.ParseTime(f[1], t.Unit, n.Whole(w), base)
	if err != nil {
		return n.sc.Refuse(err)
	}
	if to <= from {
		return n.sc.Refuse(fmt.Errorf("%s is not after %s", f[1], f[0]))
	}
	n.Change(w, "", func(s *timeline.Setup) { s.Begin, s.End = from, to })
	n.CursorBack()
	if to-from < timeline.MinSpan {
		note = fmt.Sprintf("the shortest view is %s; shown is %s", raster.FormatDuration(w.Duration(), t.Unit),
			Intervals(w, n.Whole(w), n.sc.Columns())[0])
	}
	n.sc.Say(note)
	return nil
}

// Undo reverts the last change of the window in focus, or reopens windows closed since then.
func (n *Navigator) Undo(string) tea.Cmd {
	w := n.Focused()
	if w == nil {
		if !n.reopen(0) {
			n.sc.Say("nothing to undo")
		}
		return nil
	}
	if n.reopen(timeline.Step(w.History.Past)) {
		return nil
	}
	if !n.Back(w) {
		n.sc.Say("nothing to undo in this window")
	}
	return nil
}

// reopen reopens windows that were closed after a step of the histories.
func (n *Navigator) reopen(after int) bool {
	count := n.Reopen(after)
	if count > 0 {
		n.sc.Say(raster.CountOf(count, "window") + " reopened")
	}
	return count > 0
}

func (n *Navigator) redo() {
	if !n.Forth(n.Focused()) {
		n.sc.Say("nothing to redo in this window")
	}
}
