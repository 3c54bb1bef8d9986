package tui

import (
	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/timeline"
)

// A trace can be replaced by one that says more of the same run: while it is being read, the part that has been read
// so far is shown; while it is being written, it grows. What windows show of it is computed anew, row by row; until
// then the values of the trace before stay on the screen.

// revise replaces what is known of a trace by another trace of the same resources. Windows that showed its end show
// the new one.
func (m *Model) revise(t *timeline.Trace, tr *prv.Trace) tea.Cmd {
	before := t.Data
	for _, w := range m.Windows { // those with the same time axis follow
		if whole := m.Whole(w); w.End >= whole {
			defer m.ShowEnd(w, whole)
		}
	}
	m.cache.Forget(before)
	t.Data = tr
	t.Revision++
	t.Summary = nil // said of the trace before
	t.Recolor()
	for _, w := range m.Windows {
		if w.Trace == t {
			w.Paint.Version++
			w.Paint.Overlays++
		}
	}
	return tea.Batch(m.countTypes(t), m.profileTrace(t))
}
