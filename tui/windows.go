package tui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pview/prv/format"
	"pview/render/timeline"
	"pview/tui/dialog"
	"pview/tui/paths"

	tea "charm.land/bubbletea/v2"
)

// Windows and traces: opening, closing, arranging, tying together.

var windowActions = []deed{
	{Name: "next-window", Group: groupWindows, Keys: []string{"tab"},
		Doc: "go to the next window, after the last to What/Where", needsWindow: true,
		run: func(m *Model, _ string) tea.Cmd { return cycle(m, 1) }},
	{Name: "previous-window", Group: groupWindows, Keys: []string{"shift+tab"}, Doc: "go to the previous window",
		needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return cycle(m, -1) }},
	{Name: "window", Group: groupWindows, Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, Args: "N",
		Doc: "go to a window by its number", keyIsArg: true, needsWindow: true, run: focusWindow},
	{Name: "clone", Group: groupWindows, Keys: []string{"ctrl+t"}, Doc: "clone the window below", needsWindow: true,
		run: clone},
	{Name: "close", Group: groupWindows, Keys: []string{"ctrl+w"}, Doc: "close the window, except the last one",
		needsWindow: true, run: closeWindow},
	{Name: "rename", Group: groupWindows, Keys: []string{"f2"}, Args: "NAME", Doc: "rename the window",
		needsWindow: true, run: rename, prefill: func(m *Model) string { return m.Focused().Title() }},
	{Name: "maximize", Group: groupWindows, Keys: []string{"F"}, Doc: "maximise the window, or restore it",
		needsWindow: true, run: func(m *Model, _ string) tea.Cmd { m.Maximized = !m.Maximized; return nil }},
	{Name: "window-up", Group: groupWindows, Keys: []string{"ctrl+up"}, Doc: "move the window up", needsWindow: true,
		run: func(m *Model, _ string) tea.Cmd { return moveWindow(m, -1) }},
	{Name: "window-down", Group: groupWindows, Keys: []string{"ctrl+down"}, Doc: "move the window down",
		needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return moveWindow(m, 1) }},
	{Name: "sync", Group: groupWindows, Keys: []string{"S"}, Args: "[GROUP or off]",
		Doc: "synchronise the window's time with others, or not", needsWindow: true, run: syncWindow},
	{Name: "same-scale", Group: groupWindows, Keys: []string{"&"},
		Doc: "show the same duration in all windows as in this one, from their own begin", needsWindow: true,
		run: sameScale},
	{Name: "same-view", Group: groupWindows, Keys: []string{"%"},
		Doc: "show the same time in all windows as in this one", needsWindow: true, run: sameView},
	{Name: "play", Group: groupWindows, Keys: []string{">"}, Args: "[SPEED] [all]",
		Doc: "animate forwards; again: faster; Esc stops", needsWindow: true, run: play(1)},
	{Name: "play-back", Group: groupWindows, Keys: []string{"<"}, Args: "[SPEED] [all]",
		Doc: "animate backwards; again: faster", needsWindow: true, run: play(-1)},
	{Name: "play-all", Group: groupWindows, Keys: []string{"A"},
		Doc: "animate all windows, or only this one and its group", needsWindow: true, run: playAll},
	{Name: "open", Group: groupWindows, Keys: []string{"ctrl+o"}, Args: "FILE", Doc: "open a trace in a new window",
		run: openCommand, files: format.Extensions(false),
		complete: anyModel(paths.Complete(format.Extensions(false)...))},
	{Name: "follow", Group: groupWindows, Keys: []string{"alt+f"},
		Doc: "follow a trace that is still being written; again: stop", needsWindow: true, run: toggleFollow},
	{Name: "traces", Group: groupWindows, Keys: []string{"ctrl+n"}, Doc: "choose an open trace for a new window",
		needsWindow: true, run: openTraces},
	{Name: "close-trace", Group: groupWindows, Keys: []string{"ctrl+x"}, Doc: "close the trace and all its windows",
		needsWindow: true, run: closeTrace},
	{Name: "save-session", Group: groupWindows, Keys: []string{"ctrl+s"}, Args: "FILE",
		Doc: "save windows and traces as a session", needsWindow: true, run: saveSession,
		complete: anyModel(paths.Complete(SessionExt)), prefill: (*Model).sessionPath},
	{Name: "load-session", Group: groupWindows, Keys: []string{"ctrl+y"}, Args: "FILE",
		Doc: "open a session, replacing all windows", run: loadSessionCommand, files: []string{SessionExt},
		complete: anyModel(paths.Complete(SessionExt)), prefill: savedSession},
}

// cycle moves the focus through the windows and the pane.
func cycle(m *Model, step int) tea.Cmd {
	n := len(m.Windows)
	places := n
	if m.panes.open {
		places++
	}
	at := m.Focus
	if m.PaneFocus {
		at = n
	}
	at = (at + step + places) % places
	m.PaneFocus = at == n
	if at < n {
		m.Focus = at
	}
	return nil
}

func focusWindow(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("window")
	}
	i, err := strconv.Atoi(strings.TrimSpace(args))
	if err != nil || i < 1 || i > len(m.Windows) {
		return m.scene.Refuse(fmt.Errorf("no window %s; there are %d", args, len(m.Windows)))
	}
	m.Focus, m.PaneFocus = i-1, false
	return nil
}

func clone(m *Model, _ string) tea.Cmd {
	m.AddWindow(m.CloneWindow(m.Focused()))
	return nil
}

func closeWindow(m *Model, _ string) tea.Cmd {
	if len(m.Windows) == 1 {
		return m.scene.Refuse(errors.New("this is the last window: " + keysOf("close-trace") + " closes the trace, " +
			keysOf("quit") + " leaves the program"))
	}
	m.KeepClosed(m.Focused())
	m.Close(m.Focused())
	return nil
}

func rename(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("rename")
	}
	m.Focused().Name = unquote(args)
	return nil
}

func moveWindow(m *Model, by int) tea.Cmd {
	to := m.Focus + by
	if to < 0 || to >= len(m.Windows) {
		return nil
	}
	m.Windows[m.Focus], m.Windows[to] = m.Windows[to], m.Windows[m.Focus]
	m.Focus = to
	return nil
}

func syncWindow(m *Model, args string) tea.Cmd {
	w := m.Focused()
	group := 1
	switch args = strings.TrimSpace(args); {
	case args == "" && w.Group != 0, strings.EqualFold(args, "off"):
		group = 0
	case args != "":
		n, err := strconv.Atoi(args)
		if err != nil || n < 0 || n > 99 {
			return m.scene.Refuse(fmt.Errorf("%q: group must be a number >= 1, or off", args))
		}
		group = n
	}
	w.Group = 0
	lead := m.Leader(group)
	w.Group = group
	if group == 0 {
		m.scene.Say("this window has its own time")
		return nil
	}
	if lead != nil {
		m.Change(w, "", func(s *timeline.Setup) {
			s.Begin, s.End = lead.Trace.Convert(lead.Begin, w.Trace), lead.Trace.Convert(lead.End, w.Trace)
		})
		w.Cursor = lead.Trace.Convert(lead.Cursor, w.Trace)
	}
	m.scene.Say(fmt.Sprintf("this window has the time of group %d", group))
	return nil
}

func sameScale(m *Model, _ string) tea.Cmd {
	return arrange(m, func(w, v *timeline.View, s *timeline.Setup) {
		s.End = s.Begin + w.Trace.Convert(w.Duration(), v.Trace)
	})
}

func sameView(m *Model, _ string) tea.Cmd {
	return arrange(m, func(w, v *timeline.View, s *timeline.Setup) {
		s.Begin, s.End = w.Trace.Convert(w.Begin, v.Trace), w.Trace.Convert(w.End, v.Trace)
	})
}

// arrange changes all windows but the one in focus in one step to undo.
func arrange(m *Model, f func(w, v *timeline.View, s *timeline.Setup)) tea.Cmd {
	w := m.Focused()
	if len(m.Windows) == 1 {
		return m.scene.Refuse(errors.New("there is only one window: " + keysOf("clone") + " copies it"))
	}
	for _, v := range m.Windows {
		if v != w && (v.Group == 0 || v.Group != w.Group) {
			m.Change(v, "", func(s *timeline.Setup) { f(w, v, s) })
		}
	}
	return nil
}

func openCommand(m *Model, args string) tea.Cmd {
	if args == "" {
		return m.promptFor("open")
	}
	path := paths.ExpandHome(unquote(args))
	for _, t := range m.Traces {
		if paths.Same(t.Data.Path, path) {
			m.AddWindow(m.openWindow(t))
			m.scene.Say(t.Name + " is already open: this is another window on it")
			return nil
		}
	}
	return m.load(path, nil)
}

func openTraces(m *Model, _ string) tea.Cmd {
	p := &dialog.Picker{Title: "Open traces", Keys: []dialog.Key{
		{Press: "enter", Word: "new window", Run: func(_ *dialog.Picker, it *dialog.Item) tea.Cmd {
			if it != nil {
				m.AddWindow(m.openWindow(it.Data.(*timeline.Trace)))
			}
			return nil
		}},
	}}
	for _, t := range m.Traces {
		p.Items = append(p.Items, dialog.Item{Text: t.Name, Detail: strings.Join(traceFacts(t)[1:], ", "), Data: t})
	}
	return m.dialogs.Open(p)
}
