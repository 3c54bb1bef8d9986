package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/render/style"
	"pview/tui/about"
	"pview/tui/action"
	"pview/tui/dialog"
	"pview/tui/pane/analyzer"
	"pview/tui/pane/compare"
	"pview/tui/pane/efficiency"
	"pview/tui/pane/findings"
	"pview/tui/pane/frameworks"
	"pview/tui/pane/network"
	"pview/tui/pane/notes"
	"pview/tui/pane/profile"
	"pview/tui/pane/simulator"
	"pview/tui/pane/study"
	"pview/tui/pane/whatwhere"
	"pview/tui/pane/workload"
)

// The help, made from the tables of actions and gestures.

// openHelp shows what can be done: first a card of the keys that matter most where the user is, then all of that place,
// then the rest.
func (m *Model) openHelp(string) tea.Cmd {
	here := ""
	if m.panes.open && m.PaneFocus {
		here = m.panes.current().Title()
	}
	title, parts := m.card(here)
	return m.dialogs.Open(&dialog.Pager{Title: "Help", Layout: func(th *style.Theme, width int) []style.Line {
		return append(about.Card(title, parts, th, width),
			about.HelpText(m.palette.Actions, groupsFrom(m.groups(), here), gestures, th, width)...)
	}})
}

// card returns the keys that matter most in the pane of a title, "" for the windows: its own, those that all pages
// have, and those that work everywhere.
func (m *Model) card(here string) (title string, parts []about.Part) {
	title = "The windows"
	own, everywhere := "Keys", cardKeys["everywhere"]
	if here != "" {
		own, title = "Keys of the page", here
		if s, at := m.panes.space(); s != nil {
			title = s.title + ", " + s.pages[at].label + ": " + s.question
		}
	}
	parts = append(parts, about.Part{Title: own, Keys: m.keysOf(here, cardKeys[here])})
	if here != "" {
		parts = append(parts, about.Part{Title: "In every page", Keys: m.keysOf(here, cardKeys["pages"])})
	}
	return title, append(parts, about.Part{Title: "Workspaces and program", Keys: m.keysOf("", everywhere)})
}

// keysOf returns the first keys of actions in the pane of a title, and their hints; those without a key are left out.
func (m *Model) keysOf(here string, list []cardKey) (keys [][2]string) {
	for _, k := range list {
		var labels []string
		for _, name := range strings.Split(k.actions, ", ") {
			a := m.palette.Actions.Named(name)
			of := a.Keys
			if a.Panes != nil {
				of = a.Panes[here]
			}
			if len(of) > 0 {
				labels = append(labels, action.KeyLabel(of[0]))
			}
		}
		if labels != nil {
			keys = append(keys, [2]string{strings.Join(labels, " "), k.hint})
		}
	}
	return keys
}

// A cardKey is an entry of the card: actions, whose first keys stand there, and what they do in a word or two.
type cardKey struct{ actions, hint string }

// cardKeys are the entries by the title of the pane, the most used first; "" for the windows.
var cardKeys = map[string][]cardKey{
	"": {
		{"pan left, pan right", "pan"}, {"zoom in, zoom out", "zoom"}, {"zoom all", "whole run"},
		{"cursor left, cursor right", "cursor"}, {"row up, row down", "row"}, {"burst next, burst previous", "burst"},
		{"select", "select time"}, {"zoom selection", "zoom to it"}, {"undo, redo", "undo, redo"},
		{"views", "views"}, {"level", "level"}, {"filter", "filter"},
		{"search", "search"}, {"goto", "go to a time"}, {"outlier", "outlier"},
		{"ask", "what is here"}, {"explain", "explain window"}, {"partner", "other end"},
		{"lines", "message lines"}, {"flags", "event flags"}, {"color", "colours"},
		{"draw-mode", "draw mode"}, {"legend", "legend"}, {"rows choose", "choose rows"},
		{"call-stack", "call stacks"}, {"critical-path", "critical path"}, {"headline", "headline"},
		{"open", "open a trace"}, {"clone", "clone window"}, {"close", "close window"},
		{"window next", "next window"}, {"note", "add a note"}, {"info", "trace info"},
	},
	"pages": {
		{"move up, move down", "choose"}, {"narrow", "narrow"}, {"page, page back", "pages"},
		{"copy", "copy"}, {"pane taller", "taller"}, {"leave", "back"},
	},
	"everywhere": {
		{"workspace why", "Why"}, {"workspace table", "Table"}, {"workspace what-if", "What-if"},
		{"workspace compare", "Compare"}, {"workspace notes", "Notes"}, {"export", "export"},
		{"palette", "any command"}, {"help", "this help"}, {"quit", "quit"},
	},
	whatwhere.Title: {
		{"what go", "go to record"}, {"partner", "other end"}, {"what names", "names"},
		{"what states", "states"}, {"what events", "events"}, {"what messages", "messages"},
		{"what all", "unfiltered"}, {"what raw", "as in .prv"}, {"what hex", "hexadecimal"},
	},
	findings.Title: {
		{"evidence", "show evidence"}, {"evidence previous", "the one before"}, {"evidence back", "go back"},
		{"explain-wait", "explain a wait"}, {"findings dismiss", "dismiss"}, {"findings all", "list dismissed"},
		{"account", "account"}, {"classes", "class table"}, {"classes sort", "sort it"},
		{"critical-path", "critical path"}, {"stages", "stages"}, {"stages play", "play them"},
	},
	efficiency.Title: {
		{"move left, move right", "run"}, {"efficiency add", "add a trace"}, {"efficiency drop", "take out"},
		{"efficiency threads", "per process"}, {"efficiency scaling", "scaling"}, {"efficiency project", "project"},
		{"efficiency again", "repeat"},
	},
	frameworks.Title: {
		{"frameworks set", "set parameter"}, {"frameworks simulate", "simulate it"}, {"frameworks trace", "open its run"},
		{"frameworks range", "selection"}, {"frameworks task", "go to master"}, {"frameworks plot", "write curves"},
		{"frameworks again", "read again"},
	},
	analyzer.Title: {
		{"tables", "choose table"}, {"statistic", "statistic"}, {"statistic choose", "list of them"},
		{"cell next", "show bursts"}, {"cell previous", "burst before"}, {"cell window", "window of it"},
		{"columns", "columns"}, {"columns select", "select some"}, {"columns zoom", "subdivide"},
		{"sort rows", "sort rows"}, {"sort columns", "sort columns"}, {"transpose", "transpose"},
		{"operand data", "data window"}, {"operand third", "3D window"}, {"table-time", "time range"},
		{"cell-look", "how drawn"}, {"totals", "totals"}, {"save-table", "write to file"},
	},
	profile.Title: {{"profile go", "longest burst"}, {"move left, move right", "column"}, {"profile", "close"}},
	network.Title: {
		{"network message", "next message"}, {"network measure", "what is shown"}, {"move left, move right", "column"},
	},
	workload.Title: {
		{"workload enter", "go there, set"}, {"workload next", "next burst"}, {"workload previous", "burst before"},
		{"workload more", "greater eps"}, {"workload less", "smaller eps"}, {"workload adopt", "recommended"},
		{"workload here", "at the cursor"}, {"workload part", "selection"}, {"workload filter", "window of it"},
		{"workload x", "x axis"}, {"workload y", "y axis"}, {"workload color", "in timeline"},
		{"workload save", "write model"}, {"workload plot", "write plots"}, {"workload again", "repeat"},
	},
	simulator.Title: {
		{"field edit", "set the value"}, {"field double, field halve", "double, halve"}, {"field next", "next choice"},
		{"field reset", "reset it"}, {"field ideal", "make it ideal"}, {"field random", "make it random"},
		{"machine choose", "choose machine"}, {"machine set", "set by name"}, {"machine tasks", "place tasks"},
		{"machine undo", "undo"}, {"machine again", "simulate again"}, {"machine problem", "explain"},
		{"runs", "runs"}, {"runs mark", "mark a run"}, {"runs compare", "differences"},
		{"runs keep", "keep the trace"}, {"runs name", "name the run"}, {"runs save", "save the run"},
	},
	study.Title: {
		{"study variable", "add variable"}, {"study edit", "edit, open run"}, {"study remove", "remove"},
		{"study run", "start"}, {"study pause", "pause"}, {"study map", "mappings"},
		{"study y", "y axis"}, {"study x", "x axis"}, {"study sort", "sort"},
		{"study best", "best run"}, {"study worst", "worst run"}, {"study limit", "limit of y"},
		{"study machine", "this machine"}, {"study save", "write table"}, {"study plot", "write plots"},
	},
	compare.Title: {
		{"compare go", "show it"}, {"compare align", "align the runs"}, {"compare swap", "swap A and B"},
		{"compare next", "another run"}, {"compare again", "repeat"},
	},
	notes.Title: {
		{"note go", "go there"}, {"note", "add a note"}, {"note edit", "edit"},
		{"note delete", "delete"}, {"note next, note previous", "next, previous"}, {"problems", "problems"},
	},
}

// groupsFrom lists the headings of the help, those of a pane first: its own, of lists and of workspaces.
func groupsFrom(list []string, here string) []string {
	if here == "" {
		return list
	}
	first := []string{here, groupLists, groupSpaces}
	return append(first, slices.DeleteFunc(list, func(g string) bool { return slices.Contains(first, g) })...)
}
