package tui

import (
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

// programActions returns the actions of the program itself: palette, help, leaving.
func (m *Model) programActions() []action.Action {
	return action.Of(action.GroupProgram, []action.Action{
		{Name: "palette", Keys: []string{":"}, Doc: "type a command, with completion",
			Run: func(string) tea.Cmd { return m.palette.Open() }},
		{Name: "help", Keys: []string{"?", "f1"}, Doc: "show this help", Run: m.openHelp},
		{Name: "info", Keys: []string{"f7"}, Doc: "show the contents of the trace", NeedsView: true, Run: m.openInfo},
		{Name: "memory", Keys: []string{"f9"}, Doc: "show the memory in use and the budget (--memory)",
			Run: action.Do(func() { m.scene.Say(memoryText(m.cache.Bytes())) })},
		{Name: "cancel", Keys: []string{"esc"}, Doc: "stop reading, searching or animation; else drop the selection",
			Run: action.Do(m.cancelAll)},
		{Name: "redraw", Keys: []string{"ctrl+l"}, Doc: "redraw the screen",
			Run: func(string) tea.Cmd { return tea.ClearScreen }},
		{Name: "suspend", Keys: []string{"ctrl+z"}, Doc: "suspend to the shell; fg resumes", Run: m.suspend},
		{Name: "quit", Keys: []string{"q", "ctrl+c"}, Doc: "leave the program; the next start offers to restore it",
			Run: m.sessions.quit},
	})
}

// recentActions list recent traces.
func (s *sessions) recentActions() []action.Action {
	return action.Of(action.GroupWindows, []action.Action{
		{Name: "recent", Keys: []string{"alt+l"},
			Doc: "choose among the traces opened last and those in this folder",
			Run: func(string) tea.Cmd { return s.listRecent(false) }},
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

func (m *Model) openInfo(string) tea.Cmd {
	t := m.Focused().Trace
	return m.dialogs.Open(&dialog.Pager{Title: t.Name, Layout: func(th *style.Theme, width int) []style.Line {
		return about.InfoLines(t, th, width)
	}})
}

// tellProblems reports once, when a trace is opened, that it is incomplete.
func tellProblems(sc *pane.Scene, t *timeline.Trace) {
	if text := about.ProblemText(t.Data); text != "" {
		sc.Say(fmt.Sprintf("%s: %s; %s shows why", t.Name, text, sc.KeysOf("problems")))
	} else if list := t.Data.Doubtful(); len(list) > 0 {
		sc.Say(fmt.Sprintf("%s (%s shows all)", list[0], sc.KeysOf("problems")))
	} else if n := len(t.Data.Notes); n > 0 {
		sc.Say(fmt.Sprintf("%s (%s shows all)", t.Data.Notes[0].String(), sc.KeysOf("problems")))
	}
}
