package list

import tea "charm.land/bubbletea/v2"

// A Verb is one way to move in lists, tables and pages. All panes have the same ones under the same keys.
type Verb uint8

// The verbs, in the order of the help.
const (
	Up Verb = iota
	Down
	PageUp
	PageDown
	First
	Last
	Left
	Right
	PageLeft
	PageRight
	FirstColumn
	LastColumn
	Narrow
	Copy
	NextPage
	PreviousPage
	Leave
	NumVerbs
)

// Entry describes a verb: the name of its action, its keys, and what it does.
type Entry struct {
	Name, Args string
	Keys       []string
	Doc        string
}

// Verbs is the table of them. In a pane with FirstColumn and LastColumn, the keys of these do not run First and Last.
var Verbs = [NumVerbs]Entry{
	Up:       {Name: "move up", Keys: []string{"up", "k"}, Doc: "go to the line above"},
	Down:     {Name: "move down", Keys: []string{"down", "j"}, Doc: "go to the line below"},
	PageUp:   {Name: "move page-up", Keys: []string{"pgup", "ctrl+u"}, Doc: "go up by a screen of lines"},
	PageDown: {Name: "move page-down", Keys: []string{"pgdown", "ctrl+d"}, Doc: "go down by a screen of lines"},
	First:    {Name: "move first", Keys: []string{"home", "K", "ctrl+home"}, Doc: "go to the first line"},
	Last:     {Name: "move last", Keys: []string{"end", "J", "ctrl+end"}, Doc: "go to the last line"},
	Left:     {Name: "move left", Keys: []string{"left", "h"}, Doc: "go left: a column, a value, a limit"},
	Right:    {Name: "move right", Keys: []string{"right", "l"}, Doc: "go right"},
	PageLeft: {Name: "move page-left", Keys: []string{"shift+left", "H", "ctrl+left"}, Doc: "go left by a screen"},
	PageRight: {Name: "move page-right", Keys: []string{"shift+right", "L", "ctrl+right"},
		Doc: "go right by a screen"},
	FirstColumn: {Name: "move first-column", Keys: []string{"home", "^"}, Doc: "go to the first column"},
	LastColumn:  {Name: "move last-column", Keys: []string{"end", "$"}, Doc: "go to the last column that has a value"},
	Narrow: {Name: "narrow", Args: "[TEXT]", Keys: []string{"/"},
		Doc: "show only the lines that contain a text; empty: all"},
	Copy: {Name: "copy", Keys: []string{"y"},
		Doc: "copy the line at the cursor, or the table, through the terminal (OSC 52)"},
	NextPage: {Name: "page", Args: "[PAGE]", Keys: []string{"tab"},
		Doc: "go to the next page of the workspace"},
	PreviousPage: {Name: "page back", Keys: []string{"shift+tab"},
		Doc: "go to the previous page of the workspace"},
	Leave: {Name: "leave", Keys: []string{"esc"},
		Doc: "stop the work of the pane; else go back to the window"},
}

// Moves maps the verbs of a pane to their functions. args is the text after the name in the palette.
type Moves map[Verb]func(args string) tea.Cmd

// Do returns a move that starts no work.
func Do(f func()) func(string) tea.Cmd {
	return func(string) tea.Cmd {
		f()
		return nil
	}
}

// Far is more lines or columns than any pane has.
const Far = 1 << 30

// Steps returns the verbs of going up and down in a pane that moves by a number of lines; page is the height of a
// screen.
func Steps(page int, move func(lines int) tea.Cmd) Moves {
	moves := Moves{}
	for v, lines := range map[Verb]int{Up: -1, Down: 1, PageUp: -page, PageDown: page, First: -Far, Last: Far} {
		moves[v] = func(string) tea.Cmd { return move(lines) }
	}
	return moves
}

// Grid returns the verbs of Steps, and those of going left and right by a column.
func Grid(page int, move func(columns, lines int) tea.Cmd) Moves {
	moves := Steps(page, func(lines int) tea.Cmd { return move(0, lines) })
	moves[Left] = func(string) tea.Cmd { return move(-1, 0) }
	moves[Right] = func(string) tea.Cmd { return move(1, 0) }
	return moves
}
