package tui

import (
	"errors"
	"fmt"
	"strings"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/notation"

	tea "charm.land/bubbletea/v2"
)

// Zooming, and going back.

var zoomActions = []deed{
	{Name: "zoom-in", Group: groupZoom, Keys: []string{"+"}, Args: "[FACTOR]",
		Doc: "show half the time, around the cursor", Hint: "zoom", hintKeys: "+-", needsWindow: true,
		run: zoomBy(0.5)},
	{Name: "zoom-out", Group: groupZoom, Keys: []string{"-", "_"}, Args: "[FACTOR]",
		Doc: "show twice the time, around the cursor", needsWindow: true, run: zoomBy(2)},
	{Name: "zoom-selection", Group: groupZoom, Keys: []string{"z"}, Doc: "show the time between the marks",
		Hint: "to selection", needsWindow: true, run: zoomSelection(false)},
	{Name: "zoom-box", Group: groupZoom, Keys: []string{"Z"},
		Doc: "show the time between the marks, and only the selected rows", needsWindow: true,
		run: zoomSelection(true)},
	{Name: "zoom-burst", Group: groupZoom, Keys: []string{"."}, Doc: "show the burst at the cursor, with a margin",
		needsWindow: true, run: zoomBurst},
	{Name: "full", Group: groupZoom, Keys: []string{"0"}, Doc: "show the whole run", Hint: "all", needsWindow: true,
		run: fullTime},
	{Name: "rows-fewer", Group: groupZoom, Keys: []string{"]"}, Doc: "show half as many rows, around the cursor",
		needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return zoomRows(m, 1, 2) }},
	{Name: "rows-more", Group: groupZoom, Keys: []string{"["}, Doc: "show twice as many rows", needsWindow: true,
		run: func(m *Model, _ string) tea.Cmd { return zoomRows(m, 2, 1) }},
	{Name: "rows-all", Group: groupZoom, Keys: []string{"*"}, Doc: "show all rows at once", needsWindow: true,
		run: func(m *Model, _ string) tea.Cmd {
			m.Change(m.Focused(), "", func(s *timeline.Setup) { s.Span = 0 })
			return nil
		}},
	{Name: "view", Group: groupZoom, Keys: []string{"#"}, Args: "FROM TO",
		Doc: "show a time range: view 1.2s 1.5s, view 10% 20%", needsWindow: true, run: viewTimes},
	{Name: "undo", Group: groupZoom, Keys: []string{"u"},
		Doc: "undo the last change of the window: zoom, pan, rows, function, filter, look; or open again what was closed since", Hint: "undo", run: undo},
	{Name: "redo", Group: groupZoom, Keys: []string{"ctrl+r"}, Doc: "redo the change", needsWindow: true, run: redo},
}

func zoomBy(factor float64) func(*Model, string) tea.Cmd {
	return func(m *Model, args string) tea.Cmd {
		f := factor
		if args != "" {
			var by float64
			if _, err := fmt.Sscanf(args, "%g", &by); err != nil || !(by > 1) || by > 1e9 {
				return m.scene.Refuse(fmt.Errorf("%q: factor must be > 1", args))
			}
			f = by
			if factor < 1 {
				f = 1 / by
			}
		}
		m.ZoomAt(m.Focused(), f, m.Focused().Anchor())
		return nil
	}
}

func zoomSelection(rows bool) func(*Model, string) tea.Cmd {
	return func(m *Model, _ string) tea.Cmd {
		w := m.Focused()
		b, e, ok := m.Selection()
		if !ok || b == e {
			return m.scene.Refuse(errors.New(m.theme.ASCII(
				"nothing selected: drag with the mouse, or press Space at both ends")))
		}
		m.Change(w, "", func(s *timeline.Setup) {
			s.Begin, s.End = w.Trace.FromNS(b), w.Trace.FromNS(e)
			if lo, hi := m.SelectedRows(w); rows && hi > lo {
				s.Top, s.Span = lo, hi-lo
			}
		})
		m.ClearMarks()
		m.CursorBack()
		return nil
	}
}

// zoomBurst shows the burst at the cursor with an eighth of its length around.
func zoomBurst(m *Model, _ string) tea.Cmd {
	m.CursorBack()
	w := m.Focused()
	b, e, _, ok := w.Burst(w.CursorRow, w.Cursor)
	if !ok {
		return nil
	}
	margin := max((e-b)/8, 1)
	m.Change(w, "", func(s *timeline.Setup) { s.Begin, s.End = max(b-margin, 0), min(e, m.Whole(w)-margin)+margin })
	return nil
}

func fullTime(m *Model, _ string) tea.Cmd {
	w := m.Focused()
	m.Change(w, "", func(s *timeline.Setup) { s.Begin, s.End = 0, m.Whole(w) })
	return nil
}

// zoomRows shows num/den times as many rows, around the cursor's.
func zoomRows(m *Model, num, den int) tea.Cmd {
	w := m.Focused()
	m.Change(w, "", func(s *timeline.Setup) {
		n := s.RowsInView(w.Trace.Data)
		s.Span = max((n*num+den-1)/den, 1)
		if num < den && s.Span >= n {
			s.Span = max(n-1, 1)
		}
		s.Top = w.CursorRow - (w.CursorRow-s.Top)*s.Span/max(n, 1)
		if s.Span >= s.Rows(w.Trace.Data) {
			s.Span = 0
		}
	})
	return nil
}

func viewTimes(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("view")
	}
	w := m.Focused()
	f := strings.Fields(strings.ReplaceAll(args, "..", " "))
	if len(f) != 2 {
		return m.scene.Refuse(errors.New("view needs two times: view 1.2s 1.5s"))
	}
	t := w.Trace.Data
	from, _, err := notation.ParseTime(f[0], t.Unit, m.Whole(w), w.Cursor)
	if err != nil {
		return m.scene.Refuse(err)
	}
	base := w.Cursor
	if strings.HasPrefix(f[1], "+") {
		base = from
	}
	to, note, err := notation.ParseTime(f[1], t.Unit, m.Whole(w), base)
	if err != nil {
		return m.scene.Refuse(err)
	}
	if to <= from {
		return m.scene.Refuse(fmt.Errorf("%s is not after %s", f[1], f[0]))
	}
	m.Change(w, "", func(s *timeline.Setup) { s.Begin, s.End = from, to })
	m.CursorBack()
	if to-from < timeline.MinSpan {
		note = fmt.Sprintf("the shortest view is %s; shown is %s", raster.FormatDuration(w.Duration(), t.Unit),
			m.screen().intervalTexts(w)[0])
	}
	m.scene.Say(note)
	return nil
}

func undo(m *Model, _ string) tea.Cmd {
	w := m.Focused()
	if w == nil {
		if !reopen(m, 0) {
			m.scene.Say("nothing to undo")
		}
		return nil
	}
	if reopen(m, timeline.Step(w.History.Past)) {
		return nil
	}
	if !m.Travel(w, timeline.Step(w.History.Past), func(h *timeline.History) *[]timeline.Moment {
		return &h.Past
	}, (*timeline.History).Undo) {
		m.scene.Say("nothing to undo in this window")
	}
	return nil
}

// reopen opens again what was closed after a step of the histories.
func reopen(m *Model, after int) bool {
	n := m.Reopen(after)
	if n > 0 {
		m.scene.Say(raster.CountOf(n, "window") + " opened again")
	}
	return n > 0
}

func redo(m *Model, _ string) tea.Cmd {
	w := m.Focused()
	if !m.Travel(w, timeline.Step(w.History.Future), func(h *timeline.History) *[]timeline.Moment {
		return &h.Future
	}, (*timeline.History).Redo) {
		m.scene.Say("nothing to redo in this window")
	}
	return nil
}
