package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// An Action is one thing that a user can do. The table of all of them feeds the
// key handling, the ":" palette and its completion, the "?" help, the hints of
// the status line and the reference page of the docs.
type Action struct {
	Name  string   // as typed after ":", "zoom-in"
	Group string   // heading in the help
	Keys  []string // as Bubble Tea spells them: "+", "ctrl+r", "shift+left"
	Args  string   // what may follow the name in the palette: "FILE", "[N]"; "" for nothing
	Doc   string   // one line, no full stop
	Hint  string   // word for the status line; "" keeps the action out of it
	// InPane confines the keys to the pane of the action's group while it has the focus.
	InPane bool

	hintKeys    string // keys in the hint, when they stand for several actions
	needsWindow bool   // nothing to do while no trace is open
	keyIsArg    bool   // the key pressed is the argument

	run      func(m *Model, args string) tea.Cmd
	complete func(m *Model, args string) []string // whole argument strings; nil for none
}

// Groups of the help, in its order.
const (
	groupMove       = "Move"
	groupZoom       = "Zoom"
	groupGoTo       = "Go to"
	groupShow       = "What is shown"
	groupLook       = "How it is drawn"
	groupWindows    = "Windows and traces"
	groupAsk        = "What/Where"
	groupAnalyze    = "Analyzer"
	groupSim        = "Simulator"
	groupEfficiency = "Efficiency"
	groupProgram    = "Program"
)

var groupOrder = []string{groupMove, groupZoom, groupGoTo, groupShow, groupLook, groupAsk, groupAnalyze, groupSim, groupEfficiency, groupWindows, groupProgram}

// Actions returns the table of actions, in the order of the help.
func Actions() []Action { return append([]Action(nil), actions...) }

// Groups returns the headings of the help, in order.
func Groups() []string { return append([]string(nil), groupOrder...) }

// A Gesture is something the mouse can do.
type Gesture struct{ Gesture, Doc string }

// Gestures returns what the mouse does, for the help and the docs.
func Gestures() []Gesture { return append([]Gesture(nil), gestures...) }

var actions []Action // filled by init: the run functions refer to the table

// byName and byKey index the table. A key means one thing in the pane and may
// mean another outside of it.
var (
	byName    map[string]*Action
	byKey     map[string]*Action
	byPaneKey map[string]map[string]*Action // by group
)

func init() {
	for _, group := range [][]Action{moveActions, zoomActions, goToActions, showActions, lookActions, askActions, analyzeActions, cellActions, simulateActions, runActions, efficiencyActions, criticalActions, windowActions, toolActions, cfgActions, editActions, programActions} {
		actions = append(actions, group...)
	}
	byName = map[string]*Action{}
	byKey = map[string]*Action{}
	byPaneKey = map[string]map[string]*Action{}
	for _, g := range tabGroups {
		byPaneKey[g] = map[string]*Action{}
	}
	for i := range actions {
		a := &actions[i]
		byName[a.Name] = a
		for _, k := range a.Keys {
			if a.InPane {
				byPaneKey[a.Group][k] = a
			} else {
				byKey[k] = a
			}
		}
	}
}

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

var keyLabels = map[string]string{
	"left": "←", "right": "→", "up": "↑", "down": "↓",
	"ctrl": "Ctrl", "shift": "Shift", "alt": "Alt",
	"space": "Space", "enter": "Enter", "esc": "Esc", "tab": "Tab", "home": "Home", "end": "End",
	"pgup": "PgUp", "pgdown": "PgDn", "backspace": "Backspace", "delete": "Del",
	"f1": "F1", "f2": "F2", "f3": "F3", "f4": "F4", "f5": "F5", "f6": "F6", "f7": "F7", "f8": "F8", "f9": "F9",
}
