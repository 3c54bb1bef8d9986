package list

import (
	tea "charm.land/bubbletea/v2"

	"pview/tui/action"
)

// Pages are the pages of a pane, of which one is shown.
type Pages struct {
	Names []string
	At    int // the page that is shown
}

// Turn goes to the page of a name, or a number of pages further if the name is "".
func (p *Pages) Turn(by int, name string) error {
	at, err := action.Choose(p.Names, p.At, by, name)
	if err == nil {
		p.At = at
	}
	return err
}

// Moves returns the verbs of turning pages. turned is called with the outcome.
func (p *Pages) Moves(turned func(err error) tea.Cmd) Moves {
	return Moves{
		NextPage:     func(name string) tea.Cmd { return turned(p.Turn(1, name)) },
		PreviousPage: func(name string) tea.Cmd { return turned(p.Turn(-1, name)) },
	}
}
