package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Model is the whole program as Bubble Tea sees it.
type Model struct {
	options       Options
	width, height int
	ctx           context.Context // ends with the program; every background job hangs on it
	cancel        context.CancelFunc
}

// New returns the program's model. It opens what the options name as soon as it
// runs.
func New(o Options) *Model {
	m := &Model{options: o}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	return m
}

// shut ends all background work.
func (m *Model) shut() { m.cancel() }

// Init is Bubble Tea's.
func (m *Model) Init() tea.Cmd { return tea.RequestBackgroundColor }

// Update is Bubble Tea's.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		if a := byKey[msg.String()]; a != nil {
			return m, a.run(m, "")
		}
	}
	return m, nil
}

// View is Bubble Tea's.
func (m *Model) View() tea.View {
	v := tea.NewView("pview: q quits")
	v.AltScreen = true
	return v
}
