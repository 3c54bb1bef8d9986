// Package action is the table of what a user can do. The shell and every pane own a part of it; the whole feeds the
// keys, the ":" palette and its completion, the "?" help, the hints of the status line and the reference page of the
// docs.
package action

import (
	"iter"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// An Action is one thing that a user can do.
type Action struct {
	Name  string   // as typed after ":", "zoom"
	Group string   // heading in the help; for the action of a pane, its title
	Keys  []string // as Bubble Tea spells them: "+", "ctrl+r", "shift+left"
	Args  string   // what may follow the name in the palette: "FILE", "[N]"; "" for nothing
	Doc   string   // one line, no full stop
	// InPane confines the keys to the pane of the action's group while that pane has the focus.
	InPane bool
	// Panes confines the action to several panes while one of them has the focus: its keys by the pane's title. Keys
	// are then the usual ones.
	Panes map[string][]string

	// Choices are the forms of an action that differ in the first word of the argument: "zoom in", "zoom out". Their
	// names are those words until Expand completes them. Each may have its own keys. Without a choice the action does
	// Run, if any.
	Choices []Action

	NeedsView bool // nothing to do while no trace is open
	KeyIsArg  bool // the key pressed is the argument

	Asks     bool         // missing arguments are asked for before Run is called; else Run asks
	Allowed  func() error // why it cannot run now; nil for always
	Run      func(args string) tea.Cmd
	Complete func(args string) []string // whole argument strings; nil for none
	Prefill  func() string              // initial text of a prompt for the arguments; nil: none
	// handles the text of that prompt; nil runs the action with it, unless it is empty
	Typed func(text string) tea.Cmd
	// Try previews the text while it is typed; Drop undoes the preview before the text is used or the prompt left.
	Try      func(text string)
	Drop     func()
	Files    []string                    // endings of the files that the arguments may name; nil: no file
	PromptAs func() (label, hint string) // words of that prompt; "" for the name and the doc
}

// With returns an action with choices.
func (a Action) With(choices ...Action) Action {
	a.Choices = choices
	return a
}

// Expand completes the choices of actions: their names, and everything they share with the action.
func Expand(list []Action) []Action {
	for i := range list {
		a := &list[i]
		var words []string
		for k := range a.Choices {
			c := &a.Choices[k]
			words = append(words, c.Name)
			c.Name, c.Group, c.NeedsView = a.Name+" "+c.Name, a.Group, c.NeedsView || a.NeedsView
			c.InPane = c.InPane || a.InPane
		}
		if a.Choices == nil {
			continue
		}
		text := strings.Join(words, "|")
		if a.Args != "" {
			args := a.Args
			if !a.NeedsArgs() {
				args = args[1 : len(args)-1] // without its brackets
			}
			text += " or " + args
		}
		if a.Run != nil {
			text = "[" + text + "]"
		}
		a.Args = text
	}
	return list
}

// Each goes through actions, each followed by its choices.
func Each(list []Action) iter.Seq[*Action] {
	return func(yield func(*Action) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
			for k := range list[i].Choices {
				if !yield(&list[i].Choices[k]) {
					return
				}
			}
		}
	}
}

// Choice returns the choice that arguments begin with, and the other arguments; nil for none.
func (a *Action) Choice(args string) (c *Action, rest string) {
	word, rest, _ := strings.Cut(strings.TrimSpace(args), " ")
	for i := range a.Choices {
		if a.Choices[i].Name == a.Name+" "+word {
			return &a.Choices[i], strings.TrimSpace(rest)
		}
	}
	return nil, ""
}

// Offers completes arguments: whole argument strings, nil for none.
func (a *Action) Offers(args string) (list []string) {
	if c, rest := a.Choice(args); c != nil && strings.Contains(strings.TrimLeft(args, " "), " ") {
		word := strings.TrimPrefix(c.Name, a.Name+" ")
		for _, text := range c.Offers(rest) {
			list = append(list, word+" "+text)
		}
		return list
	}
	for i := range a.Choices {
		list = append(list, strings.TrimPrefix(a.Choices[i].Name, a.Name+" "))
	}
	if a.Complete != nil {
		list = append(list, a.Complete(args)...)
	}
	return list
}

// AllKeys returns the keys of an action and of its choices.
func (a *Action) AllKeys() []string {
	keys := slices.Clone(a.Keys)
	for i := range a.Choices {
		keys = append(keys, a.Choices[i].Keys...)
	}
	return keys
}

// NeedsArgs reports whether the action does nothing without arguments.
func (a *Action) NeedsArgs() bool { return a.Args != "" && a.Args[0] != '[' }

// binding returns the action as a binding of Bubbles.
func (a *Action) binding() key.Binding {
	return key.NewBinding(key.WithKeys(a.Keys...), key.WithHelp(JoinKeys(a.Keys), a.Doc))
}

// Table is a set of actions that can be looked up by name and by key.
type Table struct {
	list   []Action
	each   []*Action // and their choices
	names  map[string]*Action
	keys   map[string]*Action
	inPane map[string]map[string]*Action // by group
}

// NewTable returns a table of expanded actions. A key may have one meaning in a pane and another outside of it; if two
// actions have the same name or key, the later one wins.
func NewTable(list []Action) *Table {
	t := &Table{list: list, names: map[string]*Action{}, keys: map[string]*Action{},
		inPane: map[string]map[string]*Action{}}
	for a := range Each(t.list) {
		t.each = append(t.each, a)
		t.names[a.Name] = a
		switch {
		case a.Panes != nil:
			for title, keys := range a.Panes {
				t.bind(title, a, keys)
			}
		case a.InPane:
			t.bind(a.Group, a, a.Keys)
		default:
			for _, k := range a.binding().Keys() {
				t.keys[k] = a
			}
		}
	}
	return t
}

// bind gives an action keys in the pane with a title.
func (t *Table) bind(title string, a *Action, keys []string) {
	if t.inPane[title] == nil {
		t.inPane[title] = map[string]*Action{}
	}
	for _, k := range keys {
		t.inPane[title][k] = a
	}
}

// All returns the actions in their order.
func (t *Table) All() []Action { return slices.Clone(t.list) }

// Each returns the actions, each followed by its choices.
func (t *Table) Each() []*Action { return t.each }

// Named returns the action of a name; nil for none.
func (t *Table) Named(name string) *Action { return t.names[name] }

// ForKey returns the action of a key outside of panes; nil for none.
func (t *Table) ForKey(key string) *Action { return t.keys[key] }

// InPane returns the action of a key in the pane with a title; nil for none.
func (t *Table) InPane(title, key string) *Action { return t.inPane[title][key] }

// KeysOf names the first key of an action, or how to type it.
func (t *Table) KeysOf(name string) string {
	if a := t.names[name]; a != nil && len(a.Keys) > 0 {
		return KeyLabel(a.Keys[0])
	}
	return ":" + name
}

// A Gesture is something the mouse can do.
type Gesture struct{ Does, Doc string }

// KeyLabel returns a key as people write it: "←", "Ctrl+R", "Space".
func KeyLabel(key string) string {
	parts := strings.Split(key, "+")
	if key == "+" {
		return "+"
	}
	for i, p := range parts {
		if l, ok := keyLabels[p]; ok {
			parts[i] = l
		} else if len(parts) > 1 && i == len(parts)-1 && len(p) == 1 {
			parts[i] = strings.ToUpper(p)
		}
	}
	return strings.Join(parts, "+")
}

// JoinKeys names several keys; of many, the first and the last.
func JoinKeys(keys []string) string {
	labels := make([]string, len(keys))
	for i, k := range keys {
		labels[i] = KeyLabel(k)
	}
	if len(labels) > 4 {
		return labels[0] + ".." + labels[len(labels)-1]
	}
	return strings.Join(labels, " ")
}

var keyLabels = map[string]string{
	"left": "←", "right": "→", "up": "↑", "down": "↓",
	"ctrl": "Ctrl", "shift": "Shift", "alt": "Alt",
	"space": "Space", "enter": "Enter", "esc": "Esc", "tab": "Tab", "home": "Home", "end": "End",
	"pgup": "PgUp", "pgdown": "PgDn", "backspace": "Backspace", "delete": "Del",
	"f1": "F1", "f2": "F2", "f3": "F3", "f4": "F4", "f5": "F5", "f6": "F6", "f7": "F7", "f8": "F8", "f9": "F9",
}

// Groups of the help that belong to no pane, see Action.Group.
const (
	GroupMove    = "Move"
	GroupZoom    = "Zoom"
	GroupGoTo    = "Go to"
	GroupShow    = "What is shown"
	GroupLook    = "How it is drawn"
	GroupWindows = "Windows and traces"
	GroupProgram = "Program"
)

// Of returns actions with a group. Run is called with the arguments that they need.
func Of(group string, list []Action) []Action {
	for i := range list {
		a := &list[i]
		a.Group, a.Asks = group, a.NeedsArgs()
		Of(group, a.Choices)
	}
	return list
}

// OfView returns actions with a group; all but those named need an open trace.
func OfView(group string, list []Action, except ...string) []Action {
	for i := range list {
		list[i].NeedsView = !slices.Contains(except, list[i].Name)
	}
	return Of(group, list)
}

// Do makes a Run of a function without arguments and result.
func Do(f func()) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		f()
		return nil
	}
}
