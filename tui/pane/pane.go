// Package pane defines Pane, the panes below the timelines. A pane handles messages, draws into its region and returns
// commands and intents. It owns its actions, background work and part of the session. It reads the screen from a Scene
// and changes it by Intents, which the shell carries out after the pane returns.
package pane

import (
	"encoding/json"
	"errors"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report/figure"
	"pview/render/picture"
	"pview/render/plot"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
	"pview/sim/scenario"
	"pview/tui/action"
	"pview/tui/list"
)

// A Pane is made once, with its scene. The shell calls its methods on the goroutine of the program; the commands that
// they return run on others.
type Pane interface {
	// Title names the pane's tab, the group of its actions, and its part of a session.
	Title() string
	// Actions returns the pane's actions, in the order of the help.
	Actions() []action.Action
	// Update handles a message: a result of the pane's own commands, or an event of package desk. It ignores others.
	Update(msg tea.Msg) tea.Cmd
	// Sync is called after every change and starts the missing background work.
	Sync() tea.Cmd
	// Height returns the wanted number of lines, heading included, of room lines.
	Height(room int) int
	// Draw paints the pane. It changes only what the pane remembers of the last drawing.
	Draw(c raster.Canvas)
	// Click handles a click below the heading, at a place in the pane. again: the pane already had the focus.
	Click(x, y int, e tea.MouseClickMsg, again bool) tea.Cmd
	// Wheel scrolls; sign is -1 for up and left.
	Wheel(e tea.MouseWheelMsg, sign int) tea.Cmd
	// Hints returns the actions for the status line and the card of the help, the most used of the page in view first.
	Hints() []action.Hint
	// Busy reports background work, Progress describes it for the title ("" for nothing).
	Busy() bool
	Progress() string
	// Cancel stops the pane's work; it reports whether there was any.
	Cancel() bool
	// Save returns the pane's part of a session, nil for none. Traces are written as positions in the list.
	Save(traces []*timeline.Trace) (json.RawMessage, error)
	// Restore reads that part for the trace at a position, whose views are open again.
	Restore(part json.RawMessage, index int, t *timeline.Trace) tea.Cmd
}

// None is a pane that does nothing. Others embed it for the methods that they do not need.
type None struct{}

func (None) Update(tea.Msg) tea.Cmd                                { return nil }
func (None) Sync() tea.Cmd                                         { return nil }
func (None) Click(int, int, tea.MouseClickMsg, bool) tea.Cmd       { return nil }
func (None) Wheel(tea.MouseWheelMsg, int) tea.Cmd                  { return nil }
func (None) Hints() []action.Hint                                  { return nil }
func (None) Busy() bool                                            { return false }
func (None) Progress() string                                      { return "" }
func (None) Cancel() bool                                          { return false }
func (None) Save([]*timeline.Trace) (json.RawMessage, error)       { return nil, nil }
func (None) Restore(json.RawMessage, int, *timeline.Trace) tea.Cmd { return nil }

// Third returns the usual height of a pane: a third of the room.
func Third(room int) int { return max(room/3, 5) }

// Tall returns the height of a pane that takes most of the screen.
func Tall(room int) int { return max(room*3/5, 9) }

// Optional abilities of panes. The shell finds such panes in its list with First.
type (
	// Lighter highlights times and rows of a view on its plot.
	Lighter interface {
		Light(v *timeline.View, plot raster.Canvas, cu *raster.Cursors)
	}
	// Flagger names times of a trace, for its axis and for pictures.
	Flagger interface {
		Flags(t *timeline.Trace) []picture.Flag
	}
	// Dragger follows the pointer while a button is held that was pressed over the pane. The place may lie outside.
	Dragger interface {
		Drag(x, y int) tea.Cmd
	}
	// Mover has lists, tables or pages to move through. Moves is called once; its functions run while the pane has the
	// focus. Without the verb Leave, leaving is StopOrLeave of the scene.
	Mover interface{ Moves() list.Moves }
	// Paged has pages of its own: their names, which the verb NextPage takes, and the position of the one that is
	// shown.
	Paged interface {
		PageNames() []string
		Page() int
	}
	// Pictured has a picture to export while it has the focus; without panels the views are exported.
	Pictured interface {
		Panels(dark bool) ([]picture.Panel, error)
	}
	// Bounded knows the most lines that it can use, heading included.
	Bounded interface{ Most() int }
	// Noter adds a note to the heading of a view.
	Noter interface {
		Note(v *timeline.View) (n timeline.Note, ok bool)
	}
	// Simulating predicts traces.
	Simulating interface {
		// Simulation returns the program of a measured trace and the current machine for it. The error says why there
		// is none; it is Pending if there will be one.
		Simulation(measured *timeline.Trace) (p *scenario.Program, s scenario.Setup, err error)
		// Prepare makes the program of a measured trace.
		Prepare(measured *timeline.Trace) tea.Cmd
		// Simulate shows the prediction for a measured trace on a machine, which becomes the current one.
		Simulate(measured *timeline.Trace, s scenario.Setup) tea.Cmd
		// Losses names what closing a trace loses for good; "" for nothing.
		Losses(t *timeline.Trace) string
	}
)

// First returns the first pane of a list that is a T: a type of pane, or an ability.
func First[T any](list []Pane) (found T, ok bool) {
	for _, p := range list {
		if found, ok = p.(T); ok {
			return found, true
		}
	}
	return found, false
}

// Head draws the pages of the workspace on a pane's first line. It returns the column after them and the style of the
// rest of the line.
func (s *Scene) Head(c raster.Canvas) (x int, dim raster.Style) {
	dim = s.Theme.HeadDim
	if s.Focused {
		dim = s.Theme.FocusDim
	}
	return s.DrawTabs(c), dim
}

// DrawFigure draws a figure, its plot in pixels where the terminal draws them.
func (s *Scene) DrawFigure(f *figure.Figure, c raster.Canvas) plot.Placed {
	placed := plot.Draw(f, c, s.Look)
	if s.Pixels != nil && picture.CanPixelate(&placed) {
		s.Pixels(placed.Plot.Of(c), func(m *raster.Pixmap) { picture.DrawPixels(&placed, m, s.Look) })
	}
	return placed
}

// DrawText draws a wrapped text and returns the number of its lines.
func (s *Scene) DrawText(c raster.Canvas, text string, st raster.Style) int {
	lines := style.Wrap(s.Theme.ASCII(text), max(c.W, 10))
	for y, line := range lines {
		c.Text(0, y, line, st)
	}
	return min(len(lines), c.H)
}

// Pending is the error of something that is not ready yet.
type Pending string

func (p Pending) Error() string { return string(p) }

// DrawMissing explains why something is missing, or not ready yet.
func (s *Scene) DrawMissing(c raster.Canvas, why error) {
	st := s.Theme.Warn
	if errors.As(why, new(Pending)) {
		st = s.Theme.Dim
	}
	s.DrawText(c, why.Error(), st)
}
