package tui

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/render/style"
	"pview/render/timeline"
	"pview/tui/about"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/pane"
)

// programActions are about the program itself: palette, help, leaving.
func (m *Model) programActions() []action.Action {
	return action.Of(action.GroupProgram, []action.Action{
		{Name: "palette", Keys: []string{":"}, Doc: "type a command, with completion", Hint: "command",
			Run: func(string) tea.Cmd { return m.palette.Open() }},
		{Name: "help", Keys: []string{"?", "f1"}, Doc: "show this help", Hint: "help", Run: m.openHelp},
		{Name: "info", Keys: []string{"f7"}, Doc: "show the contents of the trace", NeedsView: true, Run: m.openInfo},
		{Name: "memory", Keys: []string{"f9"}, Doc: "show the memory in use and the budget (--memory)",
			Run: action.Do(func() { m.scene.Say(memoryText(m.cache.Bytes())) })},
		{Name: "cancel", Keys: []string{"esc"}, Doc: "stop reading, searching or animation; else drop the selection",
			Run: action.Do(m.cancelAll)},
		{Name: "redraw", Keys: []string{"ctrl+l"}, Doc: "redraw the screen",
			Run: func(string) tea.Cmd { return tea.ClearScreen }},
		{Name: "suspend", Keys: []string{"ctrl+z"}, Doc: "suspend to the shell; fg resumes", Run: m.suspend},
		{Name: "quit", Keys: []string{"q", "ctrl+c"}, Doc: "leave the program; the next start offers what was open",
			Hint: "quit", Run: m.sessions.quit},
	})
}

// recentActions list recent traces.
func (m *Model) recentActions() []action.Action {
	return action.Of(action.GroupWindows, []action.Action{
		{Name: "recent", Keys: []string{"alt+l"},
			Doc: "choose among the traces that were opened last and those of this folder",
			Run: func(string) tea.Cmd { return m.sessions.listRecent(false) }},
	})
}

// suspend gives the terminal to the shell that started the program.
func (m *Model) suspend(string) tea.Cmd {
	m.stops.Disarm()
	return tea.Suspend
}

// cancelAll stops the first of the activities in progress, or else drops the selection.
func (m *Model) cancelAll() {
	switch {
	case m.loader.cancel(), m.navigator.Cancel(), m.output.Cancel():
	case slices.ContainsFunc(m.Traces, (*timeline.Trace).StopSummary):
		m.scene.Say("the efficiency is not computed")
	case m.animation.Cancel(), slices.ContainsFunc(m.panes.list, pane.Pane.Cancel):
	default:
		m.ClearMarks()
	}
}

// hintOrder lists the actions in the status line, the most important first.
var hintOrder = []string{"views", "ask", "pan left", "zoom in", "undo", "workspace why", "workspace table",
	"workspace what-if", "workspace compare", "workspace notes", "search", "goto", "select", "filter", "level",
	"lines", "draw-mode", "color", "cursor right", "zoom all", "zoom selection"}

// hints returns the keys and words of the status line: those for the focus, and the constant ones at the right.
func (m *screenModel) hints() (left, right [][2]string) {
	for _, name := range []string{"palette", "help", "quit"} {
		right = append(right, [2]string{m.scene.KeysOf(name), m.palette.Actions.Named(name).Hint})
	}
	if len(m.Windows) == 0 {
		return [][2]string{{m.scene.KeysOf("open"), "open"}}, right
	}
	if m.PaneFocus {
		return m.panes.current().Hints(), right
	}
	if _, _, ok := m.Selection(); ok {
		return [][2]string{{"z", "zoom"}, {"Z", "zoom on rows too"}, {"Space", "end of selection"}, {"`", "other mark"},
			{"Esc", "drop"}}, right
	}
	for _, name := range hintOrder {
		if name == "ask" && m.offersHeadline() {
			continue // Enter does what the headline says
		}
		a := m.palette.Actions.Named(name)
		left = append(left, [2]string{cmp.Or(a.HintKeys, m.palette.Actions.KeysOf(name)), a.Hint})
	}
	return left, right
}

func (m *Model) openInfo(string) tea.Cmd {
	t := m.Focused().Trace
	return m.dialogs.Open(&dialog.Pager{Title: t.Name, Layout: func(th *style.Theme, width int) []style.Line {
		return about.InfoLines(t, th, width)
	}})
}

// tellProblems reports once, when a trace is opened, that it is incomplete.
func (m *Model) tellProblems(t *timeline.Trace) {
	if text := about.ProblemText(t.Data); text != "" {
		m.scene.Say(fmt.Sprintf("%s: %s; %s shows why", t.Name, text, m.scene.KeysOf("problems")))
	} else if list := t.Data.Doubtful(); len(list) > 0 {
		m.scene.Say(fmt.Sprintf("%s (%s shows all)", list[0], m.scene.KeysOf("problems")))
	} else if n := len(t.Data.Notes); n > 0 {
		m.scene.Say(fmt.Sprintf("%s (%s shows all)", t.Data.Notes[0].String(), m.scene.KeysOf("problems")))
	}
}
