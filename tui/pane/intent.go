package pane

import (
	"pview/prv"
	"pview/render/timeline"
	"pview/sim/scenario"
	"pview/tui/desk"

	tea "charm.land/bubbletea/v2"
)

// Intent is a request of a pane to the shell.
type Intent any

// DeskIntent is an intent that changes only the desk.
type DeskIntent interface{ Apply(d *desk.Desk) }

// Events of the desk, which panes receive as messages.
type (
	ViewClosed     = desk.ViewClosed
	ViewForgotten  = desk.ViewForgotten
	ViewRetargeted = desk.ViewRetargeted
	TraceClosed    = desk.TraceClosed
	TraceReset     = desk.TraceReset
)

// Intents that the desk carries out.
type (
	// Leave returns the focus to the views.
	Leave struct{}
	// GoTo puts the cursor of a view on a time and a row, and moves the view there if needed.
	GoTo struct {
		View *timeline.View
		Time int64
		Row  int
	}
	// ShowRow puts the cursor of a view on a row, and scrolls there if needed.
	ShowRow struct {
		View *timeline.View
		Row  int
	}
	// FocusView gives a view the focus.
	FocusView struct{ View *timeline.View }
	// Change changes the content of a view; undo reverts it.
	Change struct {
		View *timeline.View
		Kind string // consecutive changes of one kind are undone together; "" for none
		Do   func(s *timeline.Setup)
	}
	// Travel undoes changes of a view if By < 0, else redoes them.
	Travel struct {
		View *timeline.View
		By   int
	}
	// OwnTime takes a view out of its group of synchronised views.
	OwnTime struct{ View *timeline.View }
	// CloseView removes a view from the screen.
	CloseView struct{ View *timeline.View }
	// CenterCursor moves the cursor of the view in focus back into view.
	CenterCursor struct{}
	// Detach makes a predicted trace independent: no other prediction replaces it.
	Detach struct {
		Trace *timeline.Trace
		Name  string // its new name
	}
)

func (Leave) Apply(d *desk.Desk)       { d.PaneFocus = false }
func (i GoTo) Apply(d *desk.Desk)      { d.GoTo(i.View, i.Time, i.Row) }
func (i ShowRow) Apply(d *desk.Desk)   { d.ShowRow(i.View, i.Row) }
func (i FocusView) Apply(d *desk.Desk) { d.FocusOn(i.View) }
func (i Change) Apply(d *desk.Desk)    { d.Change(i.View, i.Kind, i.Do) }
func (i Travel) Apply(d *desk.Desk) {
	for ; i.By < 0 && d.Back(i.View); i.By++ {
	}
	for ; i.By > 0 && d.Forth(i.View); i.By-- {
	}
}
func (i OwnTime) Apply(*desk.Desk)      { i.View.Group = 0 }
func (i CloseView) Apply(d *desk.Desk)  { d.Close(i.View) }
func (CenterCursor) Apply(d *desk.Desk) { d.CursorBack() }
func (i Detach) Apply(d *desk.Desk)     { d.Detach(i.Trace, i.Name) }

// Intents that the shell carries out.
type (
	// Show opens a pane, and focuses it if Focus is set.
	Show struct {
		Pane  Pane
		Focus bool
	}
	// Hide closes the area of the panes.
	Hide struct{}
	// AddView puts a view below the one in focus, and focuses it.
	AddView struct{ View *timeline.View }
	// Prompt asks for the arguments of an action, and runs it with them.
	Prompt struct{ Action string }
	// Run runs an action with arguments.
	Run struct{ Action, Args string }
	// UsedMachine names the machine that the user has chosen, for the next start.
	UsedMachine struct{ Name string }
	// Predict shows a predicted trace below the views of the measured one, or in place of an earlier prediction.
	Predict struct {
		Measured *timeline.Trace
		Trace    *timeline.Trace // predicted; a new one
		Before   *timeline.Trace // the prediction that it replaces; nil for none
	}
	// Prepare makes the program of a measured trace, see Simulating.
	Prepare struct{ Trace *timeline.Trace }
	// Simulate predicts a measured trace on a machine, see Simulating.
	Simulate struct {
		Trace *timeline.Trace
		Setup scenario.Setup
	}
	// Revise replaces the data of a trace by another trace of the same run, and then calls Done.
	Revise struct {
		Trace *timeline.Trace
		By    *prv.Trace
		Done  func()
	}
)

// Result is a message from a command: the shell calls it on the program's goroutine.
type Result func() tea.Cmd
