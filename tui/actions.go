package tui

import (
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"pview/tui/action"
)

// deed is an action of the shell: what it does needs the model, which the table is bound to when there is one.
type deed struct {
	Name, Group string
	Keys        []string
	Args, Doc   string
	Hint        string
	InPane      bool

	hintKeys    string
	needsWindow bool
	keyIsArg    bool
	files       []string

	run      func(m *Model, args string) tea.Cmd
	complete func(m *Model, args string) []string
	prefill  func(m *Model) string
	promptAs func(m *Model) (label, hint string)
	typed    func(m *Model, text string) tea.Cmd
}

// bind makes an action of a deed.
func (d *deed) bind(m *Model) action.Action {
	a := action.Action{
		Name: d.Name, Group: d.Group, Keys: d.Keys, Args: d.Args, Doc: d.Doc, Hint: d.Hint, InPane: d.InPane,
		HintKeys: d.hintKeys, NeedsView: d.needsWindow, KeyIsArg: d.keyIsArg, Files: d.files,
		Run: func(args string) tea.Cmd { return d.run(m, args) },
	}
	if d.complete != nil {
		a.Complete = func(args string) []string { return d.complete(m, args) }
	}
	if d.prefill != nil {
		a.Prefill = func() string { return d.prefill(m) }
	}
	if d.promptAs != nil {
		a.PromptAs = func() (string, string) { return d.promptAs(m) }
	}
	if d.typed != nil {
		a.Typed = func(text string) tea.Cmd { return d.typed(m, text) }
	}
	return a
}

// Groups of the help, in its order.
const (
	groupMove    = "Move"
	groupZoom    = "Zoom"
	groupGoTo    = "Go to"
	groupShow    = "What is shown"
	groupLook    = "How it is drawn"
	groupWindows = "Windows and traces"
	groupProgram = "Program"
)

// Groups returns the headings of the help, in order: those of the panes stand in the order of their tabs.
func Groups() []string {
	list := []string{groupMove, groupZoom, groupGoTo, groupShow, groupLook, groupLists}
	for _, p := range blank().panes.list {
		list = append(list, p.Title())
	}
	return append(list, groupWindows, groupProgram)
}

// Actions returns the table of actions, in the order of the help.
func Actions() []action.Action { return table().All() }

// Gestures returns what the mouse does, for the help and the docs.
func Gestures() []action.Gesture { return slices.Clone(gestures) }

// blank is a model that nothing is open in, for names, keys and docs.
var blank func() *Model // filled by init, as deeds is

// table is the table of actions that nothing can be done with.
func table() *action.Table { return blank().actions }

// deeds are the actions of the shell; filled by init, since they refer to the table.
var deeds [][]deed

func init() {
	blank = sync.OnceValue(func() *Model {
		m := &Model{}
		m.furnish()
		return m
	})
	deeds = [][]deed{moveActions, zoomActions, goToActions, showActions, headlineActions, rowActions, lookActions,
		paneActions, windowActions, toolActions, recentActions, cfgActions, exportActions, editActions, programActions}
}

// anyModel is a completion that needs no model.
func anyModel(f func(string) []string) func(*Model, string) []string {
	return func(_ *Model, args string) []string { return f(args) }
}

// newTable binds the actions of the shell and of its panes to a model.
func newTable(m *Model) *action.Table {
	var list []action.Action
	for _, group := range deeds {
		for i := range group {
			list = append(list, group[i].bind(m))
		}
	}
	for _, p := range m.panes.list {
		list = append(list, p.Actions()...)
	}
	rekey(list, m.options.Keys)
	return action.NewTable(append(list, verbActions(m, list)...))
}

// rekey gives actions the keys that the user chose. Such a key means nothing else there: in its pane, or outside of
// panes.
func rekey(list []action.Action, chosen map[string][]string) {
	for i := range list {
		a := &list[i]
		keys, ok := chosen[a.Name]
		if !ok {
			continue
		}
		for k := range list {
			if b := &list[k]; b.InPane == a.InPane && (!a.InPane || b.Group == a.Group) && chosen[b.Name] == nil {
				b.Keys = slices.DeleteFunc(slices.Clone(b.Keys), func(key string) bool {
					return slices.Contains(keys, key)
				})
			}
		}
		a.Keys = keys
	}
}

// keysOf names the first key of an action.
func keysOf(name string) string { return table().KeysOf(name) }
