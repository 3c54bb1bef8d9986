package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/dialog"
	"pview/tui/pane"
)

// Nothing is lost by a slip: a closed window comes back by undo, a trace that takes simulated runs with it is closed
// after a question, and what was on the screen when the program was left is kept, and offered at the next start.

// closedWindow is a window that was closed.
type closedWindow struct {
	view *timeline.View
	at   int // its position
	step int // of the histories; windows that were closed together have the same
}

// keepClosed notes windows that are about to be closed, for undo. Those of a prediction come back by the simulator.
func (m *Model) keepClosed(list ...*timeline.View) {
	step := m.NextStep()
	for _, w := range list {
		if w.Trace.PredictedFrom == nil {
			m.closed = append(m.closed, closedWindow{w, slices.Index(m.Windows, w), step})
		}
	}
	m.forget(max(len(m.closed)-mostClosedWindows, 0))
}

// What can come back: the records of closed traces are in memory.
const (
	mostClosed        = 3 // traces
	mostClosedWindows = 100
)

// forget forgets the oldest n closed windows.
func (m *Model) forget(n int) {
	for _, c := range m.closed[:n] {
		m.event(pane.ViewForgotten{View: c.view})
	}
	m.closed = slices.Delete(m.closed, 0, n)
}

// forgetClosed forgets the oldest closed windows when more traces are closed.
func (m *Model) forgetClosed() {
	var gone []*timeline.Trace
	for i := len(m.closed) - 1; i >= 0; i-- {
		t := m.closed[i].view.Trace
		if slices.Contains(m.Traces, t) || slices.Contains(gone, t) {
			continue
		}
		if gone = append(gone, t); len(gone) > mostClosed {
			m.forget(i + 1)
			return
		}
	}
}

// reopen brings back the windows that were closed last, if that was after a step; it reports whether it did.
func (m *Model) reopen(after int) bool {
	n := len(m.closed)
	if n == 0 || m.closed[n-1].step <= after {
		return false
	}
	step := m.closed[n-1].step
	first := n
	for first > 0 && m.closed[first-1].step == step {
		first--
	}
	back := slices.Clone(m.closed[first:])
	m.closed = slices.Delete(m.closed, first, n)
	for _, c := range back {
		w := c.view
		if !slices.Contains(m.Traces, w.Trace) {
			m.Traces = append(m.Traces, w.Trace)
		}
		m.Windows = slices.Insert(m.Windows, min(c.at, len(m.Windows)), w)
	}
	m.Focus, m.paneFocus = slices.Index(m.Windows, back[0].view), false
	for _, c := range back {
		c.view.Clamp(c.view.Trace.Data, m.Whole(c.view))
	}
	m.say(raster.CountOf(len(back), "window") + " opened again")
	return true
}

// losses says what closing a trace loses for good; "" for nothing. Windows, tables and notes come back.
func (m *Model) losses(t *timeline.Trace) string {
	if s := m.simulator.Of(t); s != nil && len(s.History().Runs()) > 1 {
		return raster.CountOf(len(s.History().Runs()), "simulated run")
	}
	return ""
}

func closeTrace(m *Model, _ string) tea.Cmd {
	t := m.Focused().Trace
	drop := func() tea.Cmd {
		list := slices.DeleteFunc(slices.Clone(m.Windows), func(w *timeline.View) bool { return w.Trace != t })
		m.keepClosed(list...)
		for _, w := range list {
			m.dropWindow(w)
		}
		if m.paneFocus = false; len(list) > 0 { // undo is that of the windows
			m.say(t.Name + " closed; " + keysOf("undo") + " brings it back")
		}
		return nil
	}
	lost := m.losses(t)
	if lost == "" {
		return drop()
	}
	return m.dialogs.Open(&dialog.Prompt{Label: fmt.Sprintf("closing %s loses %s ", t.Name, lost),
		Hint: "Enter closes, Esc does not; " + keysOf("save-session") + " saves them",
		Accept: func(text string) tea.Cmd {
			if text != "" && !strings.HasPrefix("yes", strings.ToLower(text)) {
				return nil
			}
			return drop()
		}})
}

// quit leaves the program. What differs from traces as they open is kept.
func quit(m *Model, _ string) tea.Cmd {
	if path := m.options.Kept; path != "" && m.worthKeeping() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			if f, err := m.session(filepath.Dir(path)); err == nil {
				_ = writeSession(path, f) // the next start offers nothing then
			}
		}
	}
	return tea.Quit
}

// worthKeeping reports whether something would be lost without a session.
func (m *Model) worthKeeping() bool {
	if len(m.Windows) == 0 || m.starting || m.restoring != nil {
		return false
	}
	measured := 0
	for _, w := range m.Windows {
		if w.Trace.Predicted || w.Trace.Derived {
			continue
		}
		measured++
		fresh := timeline.NewView(w.ID, w.Trace)
		m.beginWithDefaults(fresh)
		if w.Name != "" || w.Objects != nil || !w.Sem.Equal(&fresh.Sem) || w.Drawing != fresh.Drawing {
			return true
		}
	}
	for _, p := range m.panes {
		if part, err := p.Save(m.Traces); err == nil && part != nil {
			return true
		}
	}
	return measured > 1 || m.Marks[0].Set || m.Marks[1].Set
}

// offerKept says how to get back what was on the screen last time: on the demo, and on a trace that was part of it.
func (m *Model) offerKept() {
	path := m.options.Kept
	if path == "" || m.options.Session != "" || m.message.text != "" || len(m.Windows) != 1 || len(m.options.Cfgs) > 0 {
		return
	}
	f, err := readSession(path)
	if err != nil || len(f.Windows) == 0 {
		return
	}
	name := m.Windows[0].Trace.Data.Path
	if name != "" && !slices.Contains(f.Traces, absolute(name)) {
		return
	}
	what := "this trace"
	if name == "" {
		what = filepath.Base(f.Traces[0])
		if f.Traces[0] == "" {
			what = "the demo"
		}
	}
	m.say(fmt.Sprintf("%s Enter: %s as you left it, %s", keysOf("load-session"), what,
		raster.CountOf(len(f.Windows), "window")))
}
