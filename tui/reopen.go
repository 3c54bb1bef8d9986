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
)

// Nothing is lost by a slip: a closed window comes back by undo, a trace that takes simulated runs with it is closed
// after a question, and what was on the screen when the program was left is kept, and offered at the next start.

func closeTrace(m *Model, _ string) tea.Cmd {
	t := m.Focused().Trace
	drop := func() tea.Cmd {
		m.CloseTrace(t)
		m.scene.Say(t.Name + " closed; " + keysOf("undo") + " brings it back")
		return nil
	}
	lost := m.simulator.Losses(t)
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
	for _, p := range m.panes.list {
		if part, err := p.Save(m.Traces); err == nil && part != nil {
			return true
		}
	}
	return measured > 1 || m.Marks[0].Set || m.Marks[1].Set
}

// offerKept says how to get back what was on the screen last time: on the demo, and on a trace that was part of it.
func (m *Model) offerKept() {
	path := m.options.Kept
	if path == "" || m.options.Session != "" || m.scene.Messages.Text != "" || len(m.Windows) != 1 || len(m.options.Cfgs) > 0 {
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
	m.scene.Say(fmt.Sprintf("%s Enter: %s as you left it, %s", keysOf("load-session"), what,
		raster.CountOf(len(f.Windows), "window")))
}
