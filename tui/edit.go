package tui

import (
	tea "charm.land/bubbletea/v2"

	"pview/tui/pane/editor"
)

// The actions of the editor, which is a dialog and no pane.

var editActions = []deed{
	{Name: "edit", Group: groupShow, Keys: []string{"P"}, Doc: "edit what the window shows: level, filter, functions, their parameters", Hint: "edit", needsWindow: true, run: func(m *Model, _ string) tea.Cmd { return editor.Open(&m.scene, m.Focused()) }},
	{Name: "derive", Group: groupWindows, Keys: []string{"alt+d"}, Args: "[N OPERATION N]", Doc: "make a window of two others: derive 1 divide 2; without more, in the editor", needsWindow: true, run: func(m *Model, args string) tea.Cmd { return editor.Derive(&m.scene, args) }, complete: anyModel(editor.CompleteDerive)},
}
