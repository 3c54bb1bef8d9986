package pane

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
	"pview/sim/scenario"
	"pview/tui/dialog"
	"pview/tui/list"
)

// Scene is what panes know of the screen around them. The shell brings it up to date before it calls a pane. Panes read
// it, and change nothing of it but by the methods that note an intent.
type Scene struct {
	View   *timeline.View    // in focus; nil while there is none
	Views  []*timeline.View  // in the order of the screen
	Traces []*timeline.Trace // runs, in the order in which they were opened; those made of others are not among them

	Open    Pane        // the pane that is shown; nil for none
	Focused bool        // it has the keys
	Region  raster.Rect // where it stands, as it was drawn last

	Selected           bool
	SelBegin, SelEnd   int64 // of the selection, ns
	SelFirst, SelAfter int   // rows of the selection in the view in focus

	Width, Height int
	Theme         *style.Theme
	Look          raster.Look
	ASCII, Dark   bool
	Headline      bool   // the screen has a line that says what is known of the run
	Machine       string // that simulations begin with: a name, a file, "fitted"; "" for an ideal one

	timeline.Resources
	Dialogs *dialog.Host

	Shell // what the shell answers
	out   []Intent
}

// Shell is what a pane may ask of the shell while it works: questions only, that change nothing.
type Shell struct {
	DrawTabs  func(c raster.Canvas) int                  // see Head
	KeysOf    func(action string) string                 // the first key of an action, as people write it
	Whole     func(v *timeline.View) int64               // end of a view's time axis
	NewID     func() int                                 // for a view or trace
	NewView   func(t *timeline.Trace) *timeline.View     // on the whole of a trace, not on the screen yet
	CloneView func(v *timeline.View) *timeline.View      // not on the screen yet
	After     func(d time.Duration, msg tea.Msg) tea.Cmd // a message after a while
	// runs write, after a question where it would replace a file that pview did not write
	Overwrite func(write func() tea.Cmd, paths ...string) tea.Cmd
	// draws a part of the pane in pixels, in place of its cells; nothing where the terminal has none
	Pixels func(part raster.Canvas, draw func(m *raster.Pixmap))
	Past   func(name string) *[]string // earlier texts of a prompt
	Read   func(ctx context.Context, path string, w prv.Watcher) (*prv.Trace, error)
	// Simulation is the program of a measured trace and the machine that the Simulator has for it; ok is false while
	// there is none.
	Simulation func(measured *timeline.Trace) (p *scenario.Program, s scenario.Setup, ok bool)
}

// Intent is something that a pane wants the shell to do.
type Intent interface{}

type (
	// Say shows a message until the next key; an alarm is kept in the list of problems.
	Say struct {
		Text  string
		Alarm bool
	}
	// Show opens a pane, and gives it the keys if Focus is set.
	Show struct {
		Pane  Pane
		Focus bool
	}
	// Leave gives the keys back to the views.
	Leave struct{}
	// Hide closes the place of the panes.
	Hide struct{}
	// GoTo puts the cursor of a view on a time and a row, and moves the view there if need be.
	GoTo struct {
		View *timeline.View
		Time int64
		Row  int
	}
	// ShowRow puts the cursor of a view on a row, and scrolls there if need be.
	ShowRow struct {
		View *timeline.View
		Row  int
	}
	// FocusView gives a view the keys.
	FocusView struct{ View *timeline.View }
	// Change changes what a view shows; it can be undone.
	Change struct {
		View *timeline.View
		Kind string // changes of one kind in a row are undone together; "" for none
		Do   func(s *timeline.Setup)
	}
	// OwnTime takes a view out of its group of synchronised views.
	OwnTime struct{ View *timeline.View }
	// AddView puts a view below the one in focus, and the focus on it.
	AddView struct{ View *timeline.View }
	// CloseView takes a view from the screen.
	CloseView struct{ View *timeline.View }
	// CenterCursor brings the cursor of the view in focus back into what is seen.
	CenterCursor struct{}
	// Prompt asks for the arguments of an action, and runs it with them.
	Prompt struct{ Action string }
	// Run runs an action with arguments.
	Run struct{ Action, Args string }
	// UsedMachine says which machine the user has chosen, for the next start.
	UsedMachine struct{ Name string }
	// Predict shows a predicted trace below the views of the measured one, in place of the prediction before.
	Predict struct {
		Measured *timeline.Trace
		Trace    *timeline.Trace // predicted; a new one
		Before   *timeline.Trace // that it takes the place of; nil for none
	}
	// Prepare has the Simulator make the program of a measured trace.
	Prepare struct{ Trace *timeline.Trace }
	// Simulate makes a machine that of the Simulator, and shows what it predicts for a measured trace.
	Simulate struct {
		Trace *timeline.Trace
		Setup scenario.Setup
	}
	// Detach lets a predicted trace stand for itself: no other prediction takes its place.
	Detach struct {
		Trace *timeline.Trace
		Name  string // that it has from now on
	}
	// Revise replaces what is known of a trace by another trace of the same run; Done is called when that is done.
	Revise struct {
		Trace *timeline.Trace
		By    *prv.Trace
		Done  func()
	}
)

// Do notes an intent.
func (s *Scene) Do(i Intent) { s.out = append(s.out, i) }

// Intents returns what was noted since the last call. The shell carries it out, in order.
func (s *Scene) Intents() []Intent {
	out := s.out
	s.out = nil
	return out
}

// Say shows a message until the next key.
func (s *Scene) Say(text string) { s.Do(Say{Text: text}) }

// Alarm shows what went wrong.
func (s *Scene) Alarm(text string) { s.Do(Say{Text: text, Alarm: true}) }

// Refuse says why something is not done. It returns nil, for the caller to return.
func (s *Scene) Refuse(err error) tea.Cmd {
	s.Alarm(err.Error())
	return nil
}

// Ask asks for the arguments of an action. It returns nil, for the caller to return.
func (s *Scene) Ask(action string) tea.Cmd {
	s.Do(Prompt{action})
	return nil
}

// Show opens a pane, with or without the keys.
func (s *Scene) Show(p Pane, focus bool) {
	s.Open, s.Focused = p, focus
	s.Do(Show{p, focus})
}

// Leave gives the keys back to the views.
func (s *Scene) Leave() {
	s.Focused = false
	s.Do(Leave{})
}

// Hide closes the place of the panes.
func (s *Scene) Hide() {
	s.Open, s.Focused = nil, false
	s.Do(Hide{})
}

// ListLook returns how lists of a pane are drawn on its canvas.
func (s *Scene) ListLook(c raster.Canvas) list.Look {
	return list.Look{Pane: c, Theme: s.Theme, Focused: s.Focused}
}

// ListMoves returns the verbs of a list: going up and down, narrowing, and leaving it, which first drops narrowing.
func (s *Scene) ListMoves(l *list.List) list.Moves {
	moves := l.Moves()
	moves[list.Leave] = func(string) tea.Cmd {
		if l.Needle() == "" {
			s.Leave()
		}
		l.Narrow("")
		return nil
	}
	if l.Text != nil {
		moves[list.Narrow] = func(text string) tea.Cmd { return s.narrow(l, text) }
	}
	return moves
}

// narrow narrows a list to a text, or asks for the text and narrows the list while it is typed.
func (s *Scene) narrow(l *list.List, text string) tea.Cmd {
	if text != "" {
		l.Narrow(text)
		return nil
	}
	return s.Dialogs.Open(&dialog.Prompt{Label: "/", Hint: "text of the lines to show; Enter alone shows all",
		Suggest: func(text string) []dialog.Completion { l.Narrow(text); return nil },
		Accept:  func(text string) tea.Cmd { l.Narrow(text); return nil }, Dropped: func() { l.Narrow("") }})
}

// ViewByID returns a view on the screen; nil for none.
func (s *Scene) ViewByID(id int) *timeline.View {
	for _, v := range s.Views {
		if v.ID == id {
			return v
		}
	}
	return nil
}

// NextGen returns a number for a job that no other job has.
func (s *Scene) NextGen() int {
	*s.Gen++
	return *s.Gen
}
