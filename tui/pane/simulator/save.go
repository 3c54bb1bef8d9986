package simulator

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/sim"
	"pview/sim/dimemas"
	"pview/sim/scenario"
	"pview/tui/paths"
)

// A run is saved as its machine and its predicted trace.

type savedMsg struct {
	path string
	err  error
}

// savePath returns the proposed name of a saved file: one beside the trace.
func (p actions) savePath() string {
	base := "predicted"
	if s := p.current(); s != nil && s.measured.Data.Path != "" {
		base = prv.Base(s.measured.Data.Path) + ".predicted"
		if !paths.CanCreateIn(filepath.Dir(base)) {
			base = filepath.Base(base)
		}
	}
	return base + ".prv"
}

func (p actions) save(args string) tea.Cmd {
	s := p.ready()
	if s == nil || s.Run() == nil {
		return p.sc.Refuse(errNoRun)
	}
	if args == "" {
		return p.sc.Ask("runs save")
	}
	path := paths.Typed(args)
	switch ext := filepath.Ext(path); {
	case strings.HasSuffix(path, ".prv.gz"):
	case ext == ".cfg":
		path = strings.TrimSuffix(path, ext) + ".prv"
	case ext != ".prv":
		path += ".prv"
	}
	if paths.Same(path, s.measured.Data.Path) {
		return p.sc.Refuse(fmt.Errorf("%s is the measured trace, which is not overwritten", path))
	}
	r := s.Run()
	return p.sc.Overwrite(func() tea.Cmd { return p.write(s, r, path) }, path, prv.Base(path)+".cfg")
}

// write writes a run in the background.
func (p actions) write(s *Simulation, r *scenario.Run, path string) tea.Cmd {
	ctx, program, measured, setup, t := p.sc.Context, s.program.Program, s.measured.Data, r.Setup, r.Trace
	p.sc.Say(p.sc.Theme.ASCII("saving…"))
	return func() tea.Msg {
		if t == nil { // it was dropped
			again, err := setup.Run(ctx, program, sim.Options{Trace: true})
			if err != nil {
				return savedMsg{path, err}
			}
			t = again.Trace
			sim.NamePrediction(t, measured, setup.Rules)
		}
		err := dimemas.SaveMachine(prv.Base(path)+".cfg", setup.Machine)
		if err == nil {
			err = prv.Save(ctx, path, t)
		}
		return savedMsg{path, err}
	}
}

func (p actions) saved(msg savedMsg) {
	if msg.err != nil {
		p.sc.Alarm(fmt.Sprintf("the run was not saved: %v", msg.err))
		return
	}
	p.sc.Say(fmt.Sprintf("machine saved as %s.cfg, predicted trace as %s", prv.Base(msg.path), filepath.Base(msg.path)))
}
