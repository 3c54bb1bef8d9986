package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/tui/pane"
)

// carryOut carries out the intents of the panes, in order.
func (m *Model) carryOut() tea.Cmd {
	var cmds []tea.Cmd
	for list := m.scene.Intents(); len(list) > 0; list = m.scene.Intents() {
		for _, i := range list {
			cmds = append(cmds, m.intend(i))
			m.stage()
		}
	}
	return tea.Batch(cmds...)
}

// intend carries out one intent.
func (m *Model) intend(i pane.Intent) tea.Cmd {
	switch i := i.(type) {
	case pane.DeskIntent:
		i.Apply(&m.Desk)
	case pane.Show:
		m.panes.show(i.Pane)
		m.PaneFocus = i.Focus
	case pane.Hide:
		m.panes.open, m.PaneFocus = false, false
	case pane.AddView:
		m.AddWindow(i.View)
		if t := i.View.Trace; !slices.Contains(m.Traces, t) {
			m.Traces = append(m.Traces, t)
			return m.after(settleTime, settledMsg{t})
		}
	case pane.Prompt:
		return m.palette.Ask(i.Action)
	case pane.Run:
		return m.palette.Run(i.Action, i.Args)
	case pane.UsedMachine:
		return m.sessions.recent.UseMachine(i.Name)
	case pane.Predict:
		if m.Predict(i.Measured, i.Before, i.Trace) {
			return m.after(settleTime, settledMsg{i.Trace})
		}
	case pane.Prepare:
		return m.simulator.Prepare(i.Trace)
	case pane.Simulate:
		return m.simulator.Simulate(i.Trace, i.Setup)
	case pane.Revise:
		cmd := m.revise(i.Trace, i.By)
		if i.Done != nil {
			i.Done()
		}
		return cmd
	}
	return nil
}
