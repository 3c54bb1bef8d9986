package tui

import (
	tea "charm.land/bubbletea/v2"

	"pview/tui/about"
	"pview/tui/dialog"
	"pview/tui/style"
)

// The help, made from the tables of actions and gestures.

func openHelp(m *Model, _ string) tea.Cmd {
	return m.dialogs.Open(&dialog.Pager{Title: "Help", Layout: helpLines})
}

func helpLines(th *style.Theme, width int) []style.Line {
	return about.HelpText(table(), Groups(), gestures, th, width)
}
