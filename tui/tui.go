// Package tui is the interactive program: windows on traces, drawn by package
// render/raster from the series of package semantic, moved through with keys, a
// command palette and the mouse.
//
// State, view and handling are kept apart. Model owns the traces and windows; the content of a window is a plain value
// (setup) that undo, clones and sessions copy; the files named draw... turn the model into a screen and change nothing;
// the table of actions maps keys and commands to functions. Work that may take more than a few milliseconds (loading,
// evaluating, searching) runs in commands that can be cancelled, and its results carry a generation so that stale ones
// are dropped.
package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"pview/prv"
	"pview/render/timeline"
	"pview/tui/faultguard"
	"pview/tui/screen"
)

// Options are the program's inputs and its connection to the terminal. The zero value opens an empty program on the
// process's terminal.
type Options struct {
	Paths []string // traces to open, one window each
	// .cfg files whose windows replace the usual ones
	Cfgs []string
	// opened if there are neither Paths nor Session; may be nil
	Demo func() (*prv.Trace, error)
	// the traces are still being written: show them as they grow
	Follow bool
	// keys of actions, by the action's name, instead of the usual ones
	Keys map[string][]string
	// initial settings of the viewer and its windows
	Defaults Defaults
	// initial machine of simulations: a name, a Dimemas configuration, "fitted"; "" for an ideal one
	Machine string
	// file that keeps the open traces and windows when the program ends; "": none
	Kept string
	// file that keeps the last traces and machine; "": none
	Recent  string
	Session string // session file to restore; "" for none
	Strict  bool   // a bad record is an error
	ASCII   *bool  // glyphs beyond ASCII: nil asks the locale
	Dark    *bool  // background: nil asks the terminal
	// colour profile: nil asks the terminal
	Profile *colorprofile.Profile
	Env     []string                                                       // nil: os.Environ()
	Input   io.Reader                                                      // nil: the terminal
	Output  io.Writer                                                      // nil: the terminal
	Open    func(context.Context, string, prv.Watcher) (*prv.Trace, error) // nil: prv.Open
	// name of the renderer, of screen.Renderers; "": as the environment says
	Renderer string
	// method of drawing timelines, of screen.GraphicsNames; "": in pixels if the terminal draws pictures
	Graphics string
	// bytes of memory for computed rows; 0: 1 GB
	Cache int64
}

// Run runs the interactive program until the user quits or ctx ends; the error is then nil. It always gives the
// terminal back: after quitting, an error, or a panic. The caller handles signals and ends ctx on them: Bubble Tea's
// own handler waits forever if ctx ends at the same moment.
func Run(ctx context.Context, o Options) error {
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFilter(screen.Limited)}
	if o.Profile != nil {
		opts = append(opts, tea.WithColorProfile(*o.Profile))
	}
	if o.Env != nil {
		opts = append(opts, tea.WithEnvironment(o.Env))
	}
	if in := screen.Input(o.Input); in != nil {
		opts = append(opts, tea.WithInput(in))
	}
	env := environ(o)
	wired, err := screen.Wired(o.Renderer, env)
	if err != nil {
		return err
	}
	pixels, err := screen.NewPixels(o.Graphics, env)
	if err != nil {
		return err
	}
	m := New(o)
	defer m.shut()
	out := o.Output
	if out == nil {
		out = os.Stdout
	}
	pixels.Out = out
	m.pixels = pixels
	if wired {
		m.wire = screen.NewWire(out, env)
		go m.wire.Send()
		out = m.wire.Output()
	}
	opts = append(opts, tea.WithOutput(out))
	huge := screen.Huge(out, env)
	opts = append(opts, huge...)
	defer screen.Take(o.Input, o.Output)()
	mends := mender{m, map[*timeline.Trace]bool{}}
	guard := faultguard.New(m.ctx, m, mends.shown, mends.mend)
	p := tea.NewProgram(guard, opts...)
	guard.Pace(p)
	if huge != nil {
		watching, stop := context.WithCancel(ctx)
		defer stop()
		go screen.Resizes(watching, out, p)
	}
	m.stops.Watch(p)
	defer m.stops.Disarm()
	_, err = p.Run()
	if m.loader.fatal != nil {
		return m.loader.fatal
	}
	switch {
	case errors.Is(err, tea.ErrInterrupted), errors.Is(ctx.Err(), context.Canceled) &&
		!errors.Is(err, tea.ErrProgramPanic):
		return nil
	case errors.Is(err, tea.ErrProgramPanic):
		return fmt.Errorf("internal error (the terminal was restored): %w", err)
	}
	return err
}

func environ(o Options) []string {
	if o.Env != nil {
		return o.Env
	}
	return os.Environ()
}
