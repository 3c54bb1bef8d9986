package tui

import (
	tea "charm.land/bubbletea/v2"

	"pview/tui/pane/editor"
)

// The actions of the editor, which is a dialog and no pane.

var editActions = []deed{
	{Name: "edit", Group: groupShow, Keys: []string{"P"}, Doc: "edit the window: level, filter, functions, parameters",
		Hint: "edit", needsWindow: true, run: func(m *Model, _ string) tea.Cmd {
			return editor.Open(&m.scene, m.Focused())
		}},
	{Name: "derive", Group: groupWindows, Keys: []string{"alt+d"}, Args: "[N OPERATION N]",
		Doc: "derive a window from two others: derive 1 divide 2; without arguments, in the editor", needsWindow: true,
		run: func(m *Model, args string) tea.Cmd {
			return editor.Derive(&m.scene, args)
		}, complete: anyModel(editor.CompleteDerive)},
}
