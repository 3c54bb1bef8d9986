package tui

import (
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"pview/prv/format"
	"pview/tui/action"
	"pview/tui/output"
	"pview/tui/pane/editor"
	"pview/tui/paths"
	"pview/tui/session"
)

// The actions of the shell itself, and the table of all.

// blank is a model with no trace open, for names, keys and docs.
var blank = sync.OnceValue(func() *Model {
	m := &Model{}
	m.furnish()
	return m
})

// Groups returns the headings of the help, in order: those of the panes in the order of their workspaces.
func Groups() []string { return blank().panes.groups() }

func (a *paneArea) groups() []string {
	list := []string{action.GroupMove, action.GroupZoom, action.GroupGoTo, action.GroupShow, action.GroupLook,
		groupLists}
	list = append(list, groupSpaces)
	for _, p := range a.list {
		list = append(list, p.Title())
	}
	return append(list, action.GroupWindows, action.GroupProgram)
}

// Actions returns the table of actions, in the order of the help.
func Actions() []action.Action { return blank().palette.Actions.All() }

// Gestures returns the mouse gestures, for the help and the docs.
func Gestures() []action.Gesture { return slices.Clone(gestures) }

// newTable makes the table of all actions.
func newTable(m *Model) *action.Table {
	list := slices.Concat(m.navigator.Actions(), m.content.Actions(), m.headlineActions(), m.rows.Actions(),
		m.drawing.Actions(), m.terminal.actions(&m.scene), m.panes.actions(m.paneHeight), m.spaceActions(),
		m.arrangement.Actions(), m.animation.Actions(), slices.Insert(m.traceActions(), 1, m.follow.Actions()...),
		m.sessionActions(), m.output.Traces(), m.sessions.recentActions(), m.cfgActions(), m.output.Pictures(),
		m.editActions(), m.programActions())
	for _, p := range m.panes.list {
		list = append(list, p.Actions()...)
	}
	list = action.Expand(list)
	rekey(list, m.options.Keys)
	return action.NewTable(append(list, verbActions(m, list)...))
}

// rekey gives actions the keys that the user chose. Such a key loses its other meaning in the same pane, or outside of
// panes.
func rekey(list []action.Action, chosen map[string][]string) {
	for a := range action.Each(list) {
		keys, ok := chosen[a.Name]
		if !ok {
			continue
		}
		for b := range action.Each(list) {
			if b.InPane == a.InPane && (!a.InPane || b.Group == a.Group) && chosen[b.Name] == nil {
				b.Keys = slices.DeleteFunc(slices.Clone(b.Keys), func(key string) bool {
					return slices.Contains(keys, key)
				})
			}
		}
		a.Keys = keys
	}
}

// traceActions open and close traces.
func (m *Model) traceActions() []action.Action {
	return action.OfView(action.GroupWindows, []action.Action{
		{Name: "open", Keys: []string{"ctrl+o"}, Args: "FILE", Doc: "open a trace in a new window", Run: m.open,
			Files: format.Extensions(), Complete: paths.Complete(format.Extensions()...)},
		{Name: "traces", Keys: []string{"ctrl+n"}, Doc: "choose an open trace for a new window", Run: m.openTraces},
		{Name: "close-trace", Keys: []string{"ctrl+x"}, Doc: "close the trace and all its windows", Run: m.closeTrace},
	}, "open")
}

func (m *Model) sessionActions() []action.Action {
	return action.OfView(action.GroupWindows, []action.Action{
		action.Action{Name: "session", Doc: "save or load a session: windows and traces"}.With(
			action.Action{Name: "save", NeedsView: true, Keys: []string{"ctrl+s"}, Args: "FILE",
				Doc: "save windows and traces as a session",
				Run: m.sessions.save, Complete: paths.Complete(session.Ext), Prefill: m.sessions.path},
			action.Action{Name: "load", Keys: []string{"ctrl+y"}, Args: "FILE",
				Doc:   "open a session, replacing all windows",
				Run:   func(args string) tea.Cmd { return m.sessions.load(paths.Typed(args)) },
				Files: []string{session.Ext}, Complete: paths.Complete(session.Ext), Prefill: m.sessions.saved},
		),
	}, "session")
}

func (m *Model) cfgActions() []action.Action {
	return action.OfView(action.GroupWindows, []action.Action{
		action.Action{Name: "cfg", Doc: "read or write a Paraver .cfg"}.With(
			action.Action{Name: "open", Keys: []string{"alt+o"}, Args: "FILE",
				Doc: "open the windows and histograms of a Paraver .cfg on the trace", Run: func(args string) tea.Cmd {
					return readCfg(m, paths.Typed(args), m.Focused().Trace, nil)
				}, Files: []string{output.CfgExt}, Complete: paths.Complete(output.CfgExt)},
			action.Action{Name: "save", Keys: []string{"alt+s"}, Args: "FILE",
				Doc: "write the windows on the trace and their histograms as a .cfg", Run: m.output.SaveCfg,
				Complete: paths.Complete(output.CfgExt), Prefill: m.output.CfgPath},
		),
	})
}

// editActions open the editor, which is a dialog.
func (m *Model) editActions() []action.Action {
	return append(action.OfView(action.GroupShow, []action.Action{
		{Name: "edit", Keys: []string{"P"}, Doc: "edit the window: level, filter, functions, parameters",
			Run: func(string) tea.Cmd { return editor.Open(&m.scene, m.Focused()) }},
	}), action.OfView(action.GroupWindows, []action.Action{
		{Name: "derive", Keys: []string{"alt+d"}, Args: "[N OPERATION N]",
			Doc: "derive a window from two others: derive 1 divide 2; without arguments, in the editor",
			Run: func(args string) tea.Cmd { return editor.Derive(&m.scene, args) }, Complete: editor.CompleteDerive},
	})...)
}
