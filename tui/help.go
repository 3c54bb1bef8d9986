package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/render/style"
	"pview/tui/about"
	"pview/tui/dialog"
)

// The help, made from the tables of actions and gestures.

// openHelp shows what can be done: first a card of the keys that matter most where the user is, then all of that place,
// then the rest.
func (m *Model) openHelp(string) tea.Cmd {
	here := ""
	if m.panes.open && m.PaneFocus {
		here = m.panes.current().Title()
	}
	card, _ := m.screen().hints()
	card = append(card, [2]string{m.scene.KeysOf("palette"), "command"}, [2]string{m.scene.KeysOf("quit"), "quit"})
	card = append(card[:min(len(card)-2, cardKeys-2)], card[len(card)-2:]...)
	return m.dialogs.Open(&dialog.Pager{Title: "Help", Layout: func(th *style.Theme, width int) []style.Line {
		return slices.Concat(about.Card(here, card, th, width),
			about.HelpText(m.palette.Actions, groupsFrom(m.groups(), here), gestures, th, width))
	}})
}

// cardKeys is how many keys the card has.
const cardKeys = 12

// groupsFrom lists the headings of the help, those of a pane first: its own, of lists and of workspaces.
func groupsFrom(list []string, here string) []string {
	if here == "" {
		return list
	}
	first := []string{here, groupLists, groupSpaces}
	return append(first, slices.DeleteFunc(list, func(g string) bool { return slices.Contains(first, g) })...)
}
