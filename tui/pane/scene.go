package pane

import (
	"context"
	"errors"
	"strings"
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

// Scene shows panes and the other parts of the shell the state of the screen. The shell updates it before it calls a
// pane. Panes read it and change it only by its methods.
type Scene struct {
	View   *timeline.View    // in focus; nil if none
	Views  []*timeline.View  // in the order of the screen
	Traces []*timeline.Trace // runs, in the order in which they were opened, without traces derived from others
	Unread []error           // why traces could not be read

	Open    Pane        // the pane on the screen; nil for none
	Focused bool        // it has the focus
	Region  raster.Rect // its place when last drawn

	Selected         bool
	SelBegin, SelEnd int64 // of the selection, ns

	Width, Height int
	Theme         *style.Theme
	Look          raster.Look
	ASCII, Dark   bool
	Headline      bool   // the screen has a headline
	Machine       string // initial machine of simulations: a name, a file, "fitted"; "" for an ideal one
	LastMachine   string // chosen last, for any trace: only a suggestion; "" for none

	timeline.Resources
	Dialogs  *dialog.Host
	Messages Messages

	Shell // the shell's answers
	out   []Intent
}

// Shell has the queries that a pane may make to the shell while it works. They change nothing.
type Shell struct {
	DrawTabs  func(c raster.Canvas) int                  // see Head
	KeysOf    func(action string) string                 // the first key of an action, as people write it
	Columns   func() int                                 // width of the view in focus
	Whole     func(v *timeline.View) int64               // end of a view's time axis
	NewID     func() int                                 // for a view or trace
	NewView   func(t *timeline.Trace) *timeline.View     // on the whole of a trace, not on the screen yet
	CloneView func(v *timeline.View) *timeline.View      // not on the screen yet
	After     func(d time.Duration, msg tea.Msg) tea.Cmd // sends a message after a delay
	// runs write, after a question if write would replace a file that pview did not write
	Overwrite func(write func() tea.Cmd, paths ...string) tea.Cmd
	// draws a part of the pane in pixels instead of its cells, if the terminal can
	Pixels func(part raster.Canvas, draw func(m *raster.Pixmap))
	Past   func(name string) *[]string // earlier texts of a prompt
	Read   func(ctx context.Context, path string, w prv.Watcher) (*prv.Trace, error)
	// Simulation calls the pane that predicts, see Simulating
	Simulation func(measured *timeline.Trace) (p *scenario.Program, s scenario.Setup, err error)
}

// Do notes an intent.
func (s *Scene) Do(i Intent) { s.out = append(s.out, i) }

// Intents returns the intents noted since the last call. The shell carries them out in order.
func (s *Scene) Intents() []Intent {
	out := s.out
	s.out = nil
	return out
}

// Say shows a message until the next key.
func (s *Scene) Say(text string) { s.Messages.say(text) }

// Copy copies a text to the clipboard through the terminal; what names the text.
func (s *Scene) Copy(what, text string) tea.Cmd {
	s.Say("copied " + what + ", if the terminal allows it")
	return tea.SetClipboard(text)
}

// Alarm shows a failure.
func (s *Scene) Alarm(text string) { s.Messages.alarm(text) }

// Refuse shows why an action is not carried out; a prompt that asked for it reopens. It returns nil, for the caller to
// return.
func (s *Scene) Refuse(err error) tea.Cmd {
	s.Dialogs.Refuse(err)
	return s.Messages.refuse(err)
}

// Ask asks for the arguments of an action. It returns nil, for the caller to return.
func (s *Scene) Ask(action string) tea.Cmd {
	s.Do(Prompt{action})
	return nil
}

// Show opens a pane, with or without the focus.
func (s *Scene) Show(p Pane, focus bool) {
	s.Open, s.Focused = p, focus
	s.Do(Show{p, focus})
}

// Opener returns the action that opens a pane with the focus.
func (s *Scene) Opener(p Pane) func(string) tea.Cmd { return list.Do(func() { s.Show(p, true) }) }

// Leave returns the focus to the views.
func (s *Scene) Leave() {
	s.Focused = false
	s.Do(Leave{})
}

// Hide closes the area of the panes.
func (s *Scene) Hide() {
	s.Open, s.Focused = nil, false
	s.Do(Hide{})
}

// ListLook returns the look of a pane's lists on its canvas.
func (s *Scene) ListLook(c raster.Canvas) list.Look {
	return list.Look{Pane: c, Theme: s.Theme, Focused: s.Focused}
}

// ListMoves returns the verbs of a list of a pane: moving up and down, narrowing, and leaving the pane, which first
// undoes narrowing.
func (s *Scene) ListMoves(p Pane, l *list.List) list.Moves {
	moves := l.Moves()
	moves[list.Leave] = func(string) tea.Cmd {
		if l.Needle() == "" {
			s.StopOrLeave(p)
		}
		l.Narrow("")
		return nil
	}
	if l.Text != nil {
		moves[list.Narrow] = func(text string) tea.Cmd { return s.narrow(l, text) }
		moves[list.Copy] = func(string) tea.Cmd {
			if l.At() < 0 {
				return s.Refuse(errors.New("the list is empty"))
			}
			return s.Copy("the line", strings.Join(strings.Fields(l.Text(l.At())), " "))
		}
	}
	return moves
}

// StopOrLeave stops a pane's work in progress, or returns the focus to the views.
func (s *Scene) StopOrLeave(p Pane) {
	if !p.Cancel() {
		s.Leave()
	}
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

// ViewOf returns a view of a trace: the one in focus if it shows the trace, else the first that does; nil for none.
func (s *Scene) ViewOf(t *timeline.Trace) *timeline.View {
	for _, v := range append([]*timeline.View{s.View}, s.Views...) {
		if v != nil && v.Trace == t {
			return v
		}
	}
	return nil
}

// Stretch returns the times of the selection, else those that the view in focus shows, and says which.
func (s *Scene) Stretch() (from, to int64) {
	if s.Selected {
		s.Say("the selection")
		return s.SelBegin, s.SelEnd
	}
	s.Say("what the window shows")
	return s.View.Begin, s.View.End
}

// NextGen returns an unused number for a job.
func (s *Scene) NextGen() int {
	*s.Gen++
	return *s.Gen
}
