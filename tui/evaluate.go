package tui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
)

// evaluate computes what is missing for the windows on the screen.
func (m *Model) evaluate() tea.Cmd {
	var cmds []tea.Cmd
	l := m.screen().layout()
	for i, w := range m.Windows {
		p := l.windows[i].plot
		if p.H == 0 {
			continue
		}
		for _, job := range w.Jobs(m.resources(), m.look, p.W, p.H) {
			cmds = append(cmds, runJob(job))
		}
		later, now := w.Standouts(m.look, p.H)
		if later != nil {
			cmds = append(cmds, m.after(timeline.StillTime, later))
		}
		if now != nil {
			cmds = append(cmds, runJob(now))
		}
	}
	return tea.Batch(cmds...)
}

func (m *Model) resources() timeline.Resources {
	return timeline.Resources{Context: m.ctx, Cache: m.cache, Gen: &m.gen}
}

// runJob returns a command with the job's answer.
func runJob(job timeline.Job) tea.Cmd {
	return func() tea.Msg {
		if answer := job(); answer != nil {
			return answer
		}
		return nil
	}
}

// busy reports whether the screen is incomplete.
func (m *Model) busy() bool {
	for _, w := range m.Windows {
		if w.Busy() {
			return true
		}
	}
	return m.navigator.Busy() || m.panes.busy()
}

// refines reports whether work is in progress that the title does not name.
func (m *Model) refines() bool {
	return m.busy() && m.panes.progress() == nil
}

// settleTime is the age of a prediction at which its overview and event types are computed.
const settleTime = 400 * time.Millisecond

type settledMsg struct{ trace *timeline.Trace }

// settled computes the overview and the event types of a prediction that is still open.
func (m *Model) settled(msg settledMsg) tea.Cmd {
	if !slices.Contains(m.Traces, msg.trace) {
		return nil
	}
	return tea.Batch(m.countTypes(msg.trace), m.profileTrace(msg.trace))
}
