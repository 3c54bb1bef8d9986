package tui

import (
	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/screen"
)

// How a message finds whom it concerns: the user's go to the dialog, the pane or the table of actions; the terminal's
// change how things look; news of the shell's own work is told to the shell, all else to the panes.

// news is what a command of the shell comes back with.
type news interface{ tell(m *Model) tea.Cmd }

// Update is Bubble Tea's: it routes what happened to who it concerns, and starts
// what the screen then lacks.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.stage()
	cmd := tea.Batch(m.handle(msg), m.carryOut())
	m.Mirror()
	for _, w := range m.Windows {
		w.ClampCursor(m.Whole(w))
	}
	m.TrackSelection(m.screen().columns())
	return m, tea.Batch(cmd, m.evaluate(), m.syncPanes())
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
		return m.point(msg)
	case timeline.Answer:
		msg()
	case screen.StopMsg:
		return suspend(m, "")
	case news:
		return msg.tell(m)
	default:
		m.terminalIs(msg)
		return tea.Batch(m.panes.tell(msg), m.dialogs.Update(msg))
	}
	return nil
}

// colorsAre takes what the terminal can do with colours, unless the user has said so. One that draws pictures has 256,
// whatever its name says: with 16, patterns would have to tell colours apart.
func (m *Model) colorsAre(p raster.Profile) {
	if m.options.Profile != nil {
		return
	}
	if p != raster.Mono && m.wire != nil && m.pixels.Graphics() != screen.Cells {
		p = max(p, raster.ANSI256)
	}
	if p != m.profile {
		m.profile = p
		m.restyle()
	}
}

// terminalIs takes what is found out about the terminal.
func (m *Model) terminalIs(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.dialogs.W, m.dialogs.H = m.width, m.height
		m.pixels.Measure()
		m.colorsAre(m.profile)
	case tea.ColorProfileMsg:
		m.colorsAre(screen.Profile(msg.Profile))
	case tea.ModeReportMsg:
		if m.wire != nil {
			m.wire.Report(msg)
		}
	case uv.KittyGraphicsEvent, uv.PrimaryDeviceAttributesEvent, uv.CellSizeEvent:
		m.pixels.Learn(msg)
		m.colorsAre(m.profile)
	case tea.BackgroundColorMsg:
		m.backgroundIs(msg)
	case tea.ResumeMsg:
		m.stops.Arm()
	}
}

func (tickMsg) tell(m *Model) tea.Cmd             { return m.ticked() }
func (msg frameMsg) tell(m *Model) tea.Cmd        { return animate(m, msg) }
func (msg loadedMsg) tell(m *Model) tea.Cmd       { return m.loaded(msg) }
func (msg sketchedMsg) tell(m *Model) tea.Cmd     { m.sketched(msg); return nil }
func (msg foundMsg) tell(m *Model) tea.Cmd        { return foundRecord(m, msg) }
func (msg stacksMsg) tell(m *Model) tea.Cmd       { return m.showStacks(msg) }
func (msg followMsg) tell(m *Model) tea.Cmd       { return followTick(m, msg.trace) }
func (msg grownMsg) tell(m *Model) tea.Cmd        { return grown(m, msg) }
func (msg traceWrittenMsg) tell(m *Model) tea.Cmd { return traceWritten(m, msg) }

func (msg countedMsg) tell(m *Model) tea.Cmd {
	msg()
	m.showDefaults()
	m.dialogs.Refill()
	return nil
}

func (msg savedMsg) tell(m *Model) tea.Cmd {
	m.saved(msg)
	return nil
}

func (msg cfgMsg) tell(m *Model) tea.Cmd {
	openedCfg(m, msg)
	return nil
}

func (msg cfgSavedMsg) tell(m *Model) tea.Cmd {
	savedCfg(m, msg)
	return nil
}

func (msg settledMsg) tell(m *Model) tea.Cmd { return m.settled(msg) }
