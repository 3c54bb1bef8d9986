// Package pane is what a pane is: one of the rooms that share the place below the timelines. A pane is told messages
// and a region to draw in; it answers commands and intents. It owns its actions, its background work and its part of a
// session. It never sees the shell: what it may know of the screen stands in a Scene, and what it wants done there it
// says as an Intent, which the shell carries out when the pane has returned.
package pane

import (
	"encoding/json"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report/figure"
	"pview/render/picture"
	"pview/render/plot"
	"pview/render/raster"
	"pview/render/style"
	"pview/render/timeline"
	"pview/tui/action"
	"pview/tui/list"
)

// A Pane is made once, with the scene that it will always have. All its methods are called on the goroutine of the
// program, but for the commands that they return.
type Pane interface {
	// Title is the name on the pane's tab, the group of its actions, and its name in sessions.
	Title() string
	// Actions are what a user can do with the pane, in the order of the help.
	Actions() []action.Action
	// Update takes a message: one that the pane's own commands came back with, or an event of the shell (ViewClosed,
	// ViewRetargeted, TraceClosed). Other messages are none of its business.
	Update(msg tea.Msg) tea.Cmd
	// Sync is called after every change of anything, and starts what the pane then lacks.
	Sync() tea.Cmd
	// Height is how many lines the pane wants, its heading included, where there is room for so many.
	Height(room int) int
	// Draw paints the pane. It changes nothing but what is remembered of the last drawing.
	Draw(c raster.Canvas)
	// Click takes a click below the heading, at a place of the pane; again: the pane had the focus before.
	Click(x, y int, e tea.MouseClickMsg, again bool) tea.Cmd
	// Wheel scrolls; sign is -1 for up and left.
	Wheel(e tea.MouseWheelMsg, sign int) tea.Cmd
	// Hints are keys and words for the status line while the pane has the focus.
	Hints() [][2]string
	// Busy reports whether the pane works in the background, Progress what the title says of that ("" for nothing).
	Busy() bool
	Progress() string
	// Cancel stops the pane's work; it reports whether there was any.
	Cancel() bool
	// Save writes the pane's part of a session, nil for none. Traces are written as positions in the list.
	Save(traces []*timeline.Trace) (json.RawMessage, error)
	// Restore takes that part back for the trace at a position, whose views are open again.
	Restore(part json.RawMessage, index int, t *timeline.Trace) tea.Cmd
}

// None is a pane that does nothing; others embed it for what they do not need.
type None struct{}

func (None) Update(tea.Msg) tea.Cmd                                { return nil }
func (None) Sync() tea.Cmd                                         { return nil }
func (None) Click(int, int, tea.MouseClickMsg, bool) tea.Cmd       { return nil }
func (None) Wheel(tea.MouseWheelMsg, int) tea.Cmd                  { return nil }
func (None) Hints() [][2]string                                    { return nil }
func (None) Busy() bool                                            { return false }
func (None) Progress() string                                      { return "" }
func (None) Cancel() bool                                          { return false }
func (None) Save([]*timeline.Trace) (json.RawMessage, error)       { return nil, nil }
func (None) Restore(json.RawMessage, int, *timeline.Trace) tea.Cmd { return nil }

// Third is the usual height of a pane: a third of the room.
func Third(room int) int { return max(room/3, 5) }

// Tall is the height of a pane that most of the screen is for.
func Tall(room int) int { return max(room*3/5, 9) }

// Events of the shell.
type (
	// ViewClosed comes when a view is gone from the screen. It may come back by undo.
	ViewClosed struct{ View *timeline.View }
	// ViewForgotten comes when a closed view cannot come back.
	ViewForgotten struct{ View *timeline.View }
	// ViewRetargeted comes when a view looks at another trace.
	ViewRetargeted struct{ View *timeline.View }
	// TraceClosed comes when no view looks at a trace any more.
	TraceClosed struct{ Trace *timeline.Trace }
	// TraceReset comes when a trace that is followed was written anew: nothing of before is left.
	TraceReset struct{ Trace *timeline.Trace }
)

// Lighter is a pane that points out something in the timelines: it lights times and rows of a view on its plot.
type Lighter interface {
	Light(v *timeline.View, plot raster.Canvas, cu *raster.Cursors)
}

// Flagger is a pane that has names for times of a trace, for its axis and for pictures.
type Flagger interface {
	Flags(t *timeline.Trace) []picture.Flag
}

// Dragger is a pane that follows the pointer while a button is held that was pressed over the pane; the place may be
// outside of it.
type Dragger interface {
	Drag(x, y int) tea.Cmd
}

// Mover is a pane with lists, tables or pages to move through. Moves is called once; its functions run while the pane
// has the focus. Leave gives the keys back to the views where the pane has no such verb.
type Mover interface{ Moves() list.Moves }

// Pictured is a pane that has something for a picture of the screen: panels below those of the views; none where it
// shows no figure.
type Pictured interface {
	Panels(dark bool) ([]picture.Panel, error)
}

// Bounded is a pane that knows how many lines it can use at most, its heading included: what it leaves serves what
// stands above.
type Bounded interface{ Most() int }

// Noter is a pane that has something to say in the heading of a view.
type Noter interface {
	Note(v *timeline.View) (n timeline.Note, ok bool)
}

// Head draws the tabs of the panes on a pane's first line and returns the style of what else it says there, and the
// column where that begins.
func (s *Scene) Head(c raster.Canvas) (x int, dim raster.Style) {
	dim = s.Theme.HeadDim
	if s.Focused {
		dim = s.Theme.FocusDim
	}
	return s.DrawTabs(c), dim
}

// DrawFigure draws a figure; its plot is in pixels where the terminal draws them.
func (s *Scene) DrawFigure(f *figure.Figure, c raster.Canvas) plot.Placed {
	placed := plot.Draw(f, c, s.Look)
	if s.Pixels != nil && placed.CanPixelate() {
		s.Pixels(placed.Plot.Of(c), func(m *raster.Pixmap) { placed.Pixels(m, s.Look) })
	}
	return placed
}

// Lines draws lines of text one below the other, as far as there is room.
func Lines(c raster.Canvas, lines []style.Line) {
	for y := 0; y < min(len(lines), c.H); y++ {
		lines[y].Draw(c, 0, y)
	}
}
