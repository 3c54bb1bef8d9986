package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
	"pview/tui/pane"
)

// cacheBudget is the memory for rows that were computed, over all traces, where the
// options do not say. Rows in view are held beyond it.
const cacheBudget = 1 << 30

// evaluate starts what is missing for the windows on the screen.
func (m *Model) evaluate() tea.Cmd {
	var cmds []tea.Cmd
	l := m.face().layout()
	for i, w := range m.Windows {
		p := l.windows[i].plot
		if p.H == 0 {
			continue
		}
		for _, job := range w.Jobs(m.resources(), m.look, p.W, p.H) {
			cmds = append(cmds, runJob(job))
		}
	}
	if cmds != nil {
		cmds = append(cmds, m.tick())
	}
	return tea.Batch(cmds...)
}

func (m *Model) resources() timeline.Resources {
	return timeline.Resources{Context: m.ctx, Cache: m.cache, Gen: &m.gen}
}

// runJob is a command that comes back with the job's answer.
func runJob(job timeline.Job) tea.Cmd {
	return func() tea.Msg {
		if answer := job(); answer != nil {
			return answer
		}
		return nil
	}
}

// busy reports whether anything that the screen shows is still being computed.
func (m *Model) busy() bool {
	for _, w := range m.Windows {
		if w.Busy() {
			return true
		}
	}
	return m.finding != nil || m.panesBusy()
}

// refines reports whether something is being computed that nothing else in the title speaks of.
func (m *Model) refines() bool {
	return m.busy() && !slices.ContainsFunc(m.panes, func(p pane.Pane) bool { return p.Progress() != "" })
}
