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

// groupsFrom lists the headings of the help, that of a pane first.
func groupsFrom(list []string, here string) []string {
	if i := slices.Index(list, here); i > 0 {
		list = slices.Insert(slices.Delete(list, i, i+1), 0, here)
	}
	return list
}
