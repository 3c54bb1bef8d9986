package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/tui/pane"
)

// carryOut does what the panes want, in the order in which they said it.
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

// intend does one thing that a pane wants.
func (m *Model) intend(i pane.Intent) tea.Cmd {
	switch i := i.(type) {
	case pane.Say:
		if i.Alarm {
			m.alarm(i.Text)
		} else {
			m.say(i.Text)
		}
	case pane.Show:
		m.showPane(i.Pane, i.Focus)
	case pane.Leave:
		m.paneFocus = false
	case pane.Hide:
		m.paneOpen, m.paneFocus = false, false
	case pane.GoTo:
		m.GoTo(i.View, i.Time, i.Row)
	case pane.ShowRow:
		m.ShowRow(i.View, i.Row)
	case pane.FocusView:
		m.focusOn(i.View)
	case pane.Change:
		m.Change(i.View, i.Kind, i.Do)
	case pane.OwnTime:
		i.View.Group = 0
	case pane.AddView:
		m.AddWindow(i.View)
		if t := i.View.Trace; !slices.Contains(m.Traces, t) {
			m.Traces = append(m.Traces, t)
			return m.after(settleTime, settledMsg{t})
		}
	case pane.CloseView:
		m.dropWindow(i.View)
	case pane.CenterCursor:
		m.CursorBack()
	case pane.Prompt:
		return m.promptFor(i.Action)
	case pane.Run:
		return m.perform(m.actions.Named(i.Action), "", i.Args)
	case pane.UsedMachine:
		return m.recent.note(func(l *lately) { l.Machine = i.Name })
	case pane.Predict:
		return m.predict(i)
	case pane.Prepare:
		return m.simulator.Prepare(i.Trace)
	case pane.Simulate:
		return m.simulator.Simulate(i.Trace, i.Setup)
	case pane.Detach:
		m.Detach(i.Trace, i.Name)
	case pane.Revise:
		cmd := m.revise(i.Trace, i.By)
		if i.Done != nil {
			i.Done()
		}
		return cmd
	}
	return nil
}
