package tui

import (
	tea "charm.land/bubbletea/v2"

	"pview/render/timeline"
	"pview/tui/pane"
	"pview/tui/screen"
)

// Update implements tea.Model: it routes a message, and then starts the work that the screen lacks. The user's input
// goes to the dialog, the pane or the table of actions, those of the terminal to the terminal, results of the shell's
// work to the shell, all others to the panes.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.stage()
	cmd := tea.Batch(m.handle(msg), m.carryOut())
	m.dialogs.Settle()
	m.Mirror()
	for _, w := range m.Windows {
		w.ClampCursor(m.Whole(w))
	}
	m.TrackSelection(m.screen().columns())
	cmd = tea.Batch(cmd, m.evaluate(), m.syncPanes())
	if m.loader.current != nil || m.output.Progress() != "" || m.busy() {
		cmd = tea.Batch(cmd, m.tick())
	}
	return m, cmd
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg:
	default:
		m.dialogs.Stale()
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return m.press(msg)
	case tea.PasteMsg:
		if d := m.dialogs.Top(); d != nil {
			return d.Paste(&m.dialogs, msg.Content)
		}
	case tea.MouseMsg:
		return m.pointer.handle(msg)
	case timeline.Answer:
		msg()
	case pane.Result:
		return msg()
	case screen.StopMsg:
		return m.suspend("")
	case tickMsg:
		return m.ticked()
	case loadedMsg:
		return m.loader.loaded(msg)
	case countedMsg:
		msg()
		m.openings.showViews(m.scene.Say)
		m.dialogs.Refill()
	case cfgMsg:
		openedCfg(m, msg)
	case settledMsg:
		return m.settled(msg)
	case recentMsg:
		return m.sessions.showRecent(msg)
	default:
		m.learn(msg)
		m.stage()
		return tea.Batch(m.panes.tell(msg), m.dialogs.Update(msg))
	}
	return nil
}
