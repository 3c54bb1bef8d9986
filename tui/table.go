package tui

import tea "charm.land/bubbletea/v2"

var programActions = []Action{
	{Name: "quit", Group: groupProgram, Keys: []string{"q", "ctrl+c"}, Doc: "leave the program", Hint: "quit",
		run: func(*Model, string) tea.Cmd { return tea.Quit }},
}

var moveActions, zoomActions, goToActions, showActions, lookActions, askActions, windowActions []Action

var gestures = []Gesture{}
