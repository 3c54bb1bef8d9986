package simulator

// Runs with work on devices. The engine does not simulate them; package gpu replays them with other times for some
// operations. The pane shows the results in place of the machine.

import (
	"context"
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/gpu"
	"pview/prv"
	"pview/render/raster"
	"pview/tui/action"
	"pview/tui/list"
	"pview/tui/pane"
	"pview/tui/pane/document"
)

// errNoDevices refuses to replay a run that the engine simulates.
var errNoDevices = errors.New("the trace has no streams of devices: change its machine")

// devices replays a run with work on devices.
type devices struct {
	doc      *document.View // the analysis, with the answer
	job      pane.Job
	analysis *gpu.Analysis // nil until it is ready
	changes  []string      // in the shown replay
	asked    []string      // the same, as soon as they are requested
	err      error         // why there is no analysis
}

// ofDevices returns the devices of the trace in focus; nil: it has none, or they are not ready.
func (p *state) ofDevices() (*Simulation, *devices) {
	if s := p.current(); s != nil && s.program == nil {
		return s, s.devices
	}
	return nil, nil
}

// ask replays the devices with changes; without changes it shows how the devices spend their time.
func (p work) ask(s *Simulation, changes []string) tea.Cmd {
	d := s.devices
	if d == nil {
		d = &devices{doc: document.New(p.sc), job: pane.NewJob(p.sc)}
		s.devices = d
	}
	tr, known := s.measured.Data, d.analysis
	d.asked = changes
	return d.job.Start("replaying the devices", func(ctx context.Context, _ func(done, total int64)) pane.Result {
		a, err := answered(ctx, tr, known, changes)
		return func() tea.Cmd {
			switch {
			case err == nil:
				d.analysis, d.changes = a, changes
				d.doc.Show(a.Reply(tr))
				d.doc.By(-list.Far)
			case known == nil:
				d.err = err
			default:
				d.asked = d.changes
				return p.sc.Refuse(err)
			}
			return nil
		}
	})
}

// answered analyses the devices of a trace unless it is done already, and replays them with changes.
func answered(ctx context.Context, tr *prv.Trace, known *gpu.Analysis, changes []string) (*gpu.Analysis, error) {
	if known == nil {
		var err error
		if known, err = gpu.Analyze(ctx, tr); err != nil {
			return nil, err
		}
	}
	a := *known // the one being drawn stays unchanged
	a.Answer = nil
	if len(changes) == 0 {
		return &a, nil
	}
	return &a, a.Ask(tr, changes)
}

// addChange replays the devices with one more change.
func (p actions) addChange(args string) tea.Cmd {
	s, d := p.ofDevices()
	switch {
	case d == nil:
		return p.sc.Refuse(errNoDevices)
	case args == "":
		p.sc.Do(pane.Prompt{Action: "machine replay"})
		return nil
	}
	return p.ask(s, append(slices.Clone(d.asked), args))
}

// forget replays the devices without the last of the changes, or without any.
func (p actions) forget(all bool) tea.Cmd {
	s, d := p.ofDevices()
	switch n := len(d.asked); {
	case n == 0:
		p.sc.Say("the devices are as recorded")
		return nil
	case all:
		return p.ask(s, nil)
	default:
		return p.ask(s, d.asked[:n-1:n-1])
	}
}

// completeChanges offers changes of the run in focus.
func (p actions) completeChanges(string) []string {
	if s, d := p.ofDevices(); d != nil && d.analysis != nil {
		return d.analysis.Changes(s.measured.Data)
	}
	return nil
}

// orDevices makes moves go through the document about devices if there is one.
func (p actions) orDevices(moves list.Moves) list.Moves {
	for v, other := range moves {
		moves[v] = func(args string) tea.Cmd {
			if _, d := p.ofDevices(); d != nil {
				if move := d.doc.Moves()[v]; move != nil {
					return move(args)
				}
			}
			return other(args)
		}
	}
	return moves
}

// orForget makes an action that forgets changes of devices, or all of them; without devices it runs another one.
func (p actions) orForget(all bool, other func(string) tea.Cmd) func(string) tea.Cmd {
	return func(args string) tea.Cmd {
		if _, d := p.ofDevices(); d != nil {
			return p.forget(all)
		}
		return other(args)
	}
}

// drawDevices draws the changes and the result of the replay.
func (p view) drawDevices(whole, c raster.Canvas, d *devices) {
	th := p.sc.Theme
	if d.doc.Document() == nil {
		why := error(pane.Pending("Analysing the devices…"))
		if d.err != nil {
			why = d.err
		}
		p.sc.DrawMissing(c.Sub(2, 0, c.W-4, c.H), why)
		return
	}
	text := "Devices are replayed, not simulated: " + p.sc.KeysOf("field edit") + " changes times of operations"
	if what := d.job.Progress(); what != "" {
		text = what + "…"
	}
	c.Text(2, 0, th.ASCII(th.Cut(text, c.W-3)), th.Dim)
	d.doc.Draw(whole, c.Sub(1, 1, c.W-1, c.H-1))
}

// deviceHints are the keys of the pane on a run with devices.
var deviceHints = []action.Hint{{"field edit", "change a time"}, {"machine undo", "forget the last change"},
	{"field reset", "forget all"}, {"page", "pages"}, {"leave", "back"}}
