package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/render/style"
	"pview/tui/about"
	"pview/tui/action"
	"pview/tui/dialog"
)

// The help, made from the tables of actions and gestures.

// openHelp shows the available actions: first a card of the keys that matter most in the current pane, then all of that
// pane's, then the rest.
func (m *Model) openHelp(string) tea.Cmd {
	here := ""
	if m.panes.open && m.PaneFocus {
		here = m.panes.current().Title()
	}
	title, parts := m.card(here)
	return m.dialogs.Open(&dialog.Pager{Title: "Help", Layout: func(th *style.Theme, width int) []style.Line {
		return append(about.Card(title, parts, th, width),
			about.HelpText(m.palette.Actions, groupsFrom(m.panes.groups(), here), gestures, th, width)...)
	}})
}

// card returns the keys that matter most in the pane of a title, "" for the windows: its own, those that all pages
// have, and those that work everywhere.
func (m *Model) card(here string) (title string, parts []about.Part) {
	title = "The windows"
	keys := m.palette.Actions.KeysOfHints
	own, hints := "Keys", action.Hints(windowHints, moreHints)
	if here != "" {
		own, title = "Keys of the page", here
		if s, at := m.panes.space(); s != nil {
			title = s.title + ", " + s.pages[at].label + ": " + s.question
		}
		hints = action.Without(m.panes.list[m.panes.titled(here)].Hints(), pageHints)
	}
	parts = append(parts, about.Part{Title: own, Keys: keys(here, hints)})
	if here != "" {
		parts = append(parts, about.Part{Title: "In every page", Keys: keys(here, pageHints)})
	}
	return title, append(parts, about.Part{Title: "Workspaces and program",
		Keys: keys(here, action.Hints(spaceHints, exportHint, programHints))})
}

// The actions that matter most, with what they do in a word or two, the most used first. Panes list their own.
var (
	// windowHints and, after the workspaces, moreHints are those of the windows.
	windowHints = []action.Hint{
		{"views", "views"}, {"ask", "details"}, {"pan left, pan right", "pan"}, {"zoom in, zoom out", "zoom"},
		{"undo", "undo"},
	}
	spaceHints = []action.Hint{
		{"workspace why", "why"}, {"workspace table", "table"}, {"workspace what-if", "what-if"},
		{"workspace compare", "compare"}, {"workspace notes", "notes"},
	}
	moreHints = []action.Hint{
		{"search", "search"}, {"goto", "go to a time"}, {"select", "select time"}, {"filter", "filter"},
		{"level", "level"}, {"redo", "redo"}, {"lines", "message lines"}, {"draw-mode", "draw mode"},
		{"color", "colours"}, {"cursor left, cursor right", "cursor"}, {"zoom all", "whole run"},
		{"zoom selection", "zoom to it"},
		{"row up, row down", "row"}, {"burst next, burst previous", "burst"}, {"outlier", "outlier"},
		{"explain", "explain window"}, {"partner", "other end"}, {"flags", "event flags"}, {"legend", "legend"},
		{"rows choose", "choose rows"}, {"call-stack", "call stacks"}, {"critical-path", "critical path"},
		{"headline", "headline"}, {"open", "open a trace"}, {"clone", "clone window"}, {"close", "close window"},
		{"window next", "next window"}, {"note", "add a note"}, {"info", "trace info"},
	}
	// selectionHints are those of a window with a selection.
	selectionHints = []action.Hint{
		{"zoom selection", "zoom"}, {"zoom box", "zoom on rows too"}, {"select", "end of selection"},
		{"mark other", "other mark"}, {"mark none", "drop"},
	}
	// pageHints are those of all pages.
	pageHints = []action.Hint{
		{"move up, move down", "choose"}, {"narrow", "narrow"}, {"page, page back", "pages"}, {"copy", "copy"},
		{"pane taller", "taller"}, {"leave", "back"},
	}
	exportHint = []action.Hint{{"export", "export"}}
	// programHints are those that the status line always shows.
	programHints = []action.Hint{{"palette", "command"}, {"help", "help"}, {"quit", "quit"}}
)

// hints returns the keys and words of the status line: those for the focus, and the constant ones at the right.
func (m *screenModel) hints() (left, right [][2]string) {
	keys := m.palette.Actions.KeysOfHints
	right = keys("", programHints)
	switch _, _, selected := m.Selection(); {
	case len(m.Windows) == 0:
		return keys("", []action.Hint{{"open", "open"}}), right
	case m.PaneFocus:
		p := m.panes.current()
		return keys(p.Title(), p.Hints()), right
	case selected:
		return keys("", selectionHints), right
	}
	first := windowHints
	if m.offersHeadline() { // Enter does what the headline says
		first = action.Without(first, []action.Hint{{"ask"}})
	}
	return keys("", action.Hints(first, spaceHints, moreHints)), right
}

// groupsFrom lists the headings of the help, those of a pane first: its own, that of lists and that of workspaces.
func groupsFrom(list []string, here string) []string {
	if here == "" {
		return list
	}
	first := []string{here, groupLists, groupSpaces}
	return append(first, slices.DeleteFunc(list, func(g string) bool { return slices.Contains(first, g) })...)
}
