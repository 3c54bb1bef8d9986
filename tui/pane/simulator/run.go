package simulator

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/insight/network"
	"pview/insight/validation"
	"pview/prv/extrae/device"
	"pview/render/timeline"
	"pview/sim"
	"pview/sim/scenario"
	"pview/tui/pane"
)

// Programs and runs are made in the background. Each has a generation; stale results are dropped.

// run is a run in progress.
type run struct {
	gen         int
	setup       scenario.Setup
	cancel      context.CancelFunc
	done, total atomic.Int64 // written by the simulation
	quick       *sim.Result  // totals that were ready before the trace
}

// delay is the time that a change waits for further ones before it is simulated, if it follows another one. The first
// of a series of changes does not wait.
const delay = 60 * time.Millisecond

// quickRecords is the minimum size of a program for which totals are simulated separately, to be ready before the
// trace.
const quickRecords = 2_000_000

type (
	// builtMsg is a program that was made.
	builtMsg struct {
		of      *Simulation
		gen     int
		program *scenario.Program
		network *network.Fit // fitted to the messages of the trace; nil if they show none
		absent  int64        // see Simulation
		err     error
	}
	// validatedMsg has the replay on the fitted machine.
	validatedMsg struct {
		of      *Simulation
		program *scenario.Program
		replay  *validation.Replay
	}
	// dueMsg comes when the delay of a change is over.
	dueMsg struct {
		of  *Simulation
		gen int
	}
	// simulatedMsg is a finished run.
	simulatedMsg struct {
		of     *Simulation
		gen    int
		result *sim.Result
		err    error
	}
)

// alive reports whether a simulation still exists.
func (p *state) alive(s *Simulation) bool { return p.sims[s.measured] == s }

// build makes the program of a trace in the background. It waits until the trace is read: the program of a part would
// predict a part, and be compared with the whole run.
func (p work) build(s *Simulation) tea.Cmd {
	if s.awaited = s.measured.Until != 0; s.awaited {
		return nil
	}
	ctx, cancel := context.WithCancel(p.sc.Context)
	s.building, s.cancelBuild, s.err = p.sc.NextGen(), cancel, nil
	s.revision = s.measured.Revision
	s.history.DropTraces() // they belonged to the previous program
	gen, tr := s.building, s.measured.Data
	return func() tea.Msg {
		defer cancel()
		program, err := scenario.FromTrace(ctx, tr)
		msg := builtMsg{of: s, gen: gen, program: program, absent: absentTime(tr), err: err}
		if err == nil {
			var n *network.Network
			if n, msg.err = network.Of(ctx, tr); msg.err == nil {
				msg.network = n.Fit()
			}
		}
		return msg
	}
}

// built takes the program and a machine, unless the simulation has one, and predicts the run if requested.
func (p work) built(msg builtMsg) tea.Cmd {
	s := msg.of
	if !p.alive(s) || s.building == 0 || s.building != msg.gen {
		return nil
	}
	s.building = 0
	if msg.err != nil {
		s.err = msg.err
		if device.Streams(s.measured.Data) > 0 {
			return p.ask(s, nil)
		}
		return nil
	}
	s.program, s.network, s.absent, s.replay = msg.program, msg.network, msg.absent, nil
	s.form.invalidate()
	if s.editor.Ready() { // from a session
		return tea.Batch(p.predicts(s), p.validate(s))
	}
	chosen := s.machine
	name := cmp.Or(chosen, p.sc.Machine, ideal)
	if s.machine = ""; name == fitted && s.network == nil {
		name = ideal
	}
	if err := s.take(name); err == nil && chosen != "" {
		p.used(chosen)
	} else if err != nil {
		p.sc.Alarm(err.Error())
		if err := s.take(ideal); err != nil {
			s.err = err
			return nil
		}
	}
	return tea.Batch(p.predicts(s), p.validate(s))
}

// predicts starts a run if one was requested.
func (p work) predicts(s *Simulation) tea.Cmd {
	if !s.asked {
		return nil
	}
	return p.start(s)
}

// replayMemory limits the memory of the replay, whose records no window shows.
const replayMemory = 256 << 20

// validate replays the run on the machine fitted to it, in the background.
func (p work) validate(s *Simulation) tea.Cmd {
	if s.cancelReplay != nil {
		s.cancelReplay()
	}
	ctx, cancel := context.WithCancel(p.sc.Context)
	s.cancelReplay = cancel
	program, tr, fit := s.program, s.measured.Data, s.network
	return func() tea.Msg {
		defer cancel()
		r, err := validation.On(ctx, tr, program.Program, fit, replayMemory)
		if err != nil {
			return nil // the prediction itself says why
		}
		return validatedMsg{s, program, r}
	}
}

// validated takes the replay.
func (p work) validated(msg validatedMsg) {
	if p.alive(msg.of) && msg.of.program == msg.program {
		msg.of.replay = msg.replay
	}
}

// Names of initial machines: one without a network, and one with the network fitted to the messages of the trace.
const (
	ideal  = "ideal"
	fitted = "fitted"
)

// take loads the machine with a name, or from a file.
func (s *Simulation) take(name string) error {
	switch {
	case name != fitted:
		return s.editor.Load(s.program.Program, name)
	case s.network == nil:
		return network.ErrNoMessages
	}
	s.editor.Take(s.network.Machine(s.program.Program), fitted)
	return nil
}

// load replaces the machine, now or once there is a program.
func (p work) load(s *Simulation, name string) tea.Cmd {
	if s.program == nil {
		s.machine = name
		return nil
	}
	if err := s.take(name); err != nil {
		return p.sc.Refuse(err)
	}
	p.used(name)
	return p.edited(s)
}

// used tells the shell the machine that the user chose.
func (p work) used(name string) {
	if filepath.Ext(name) == ".cfg" { // the same file must be found from another folder
		if abs, err := filepath.Abs(name); err == nil {
			name = abs
		}
	}
	p.sc.Do(pane.UsedMachine{Name: name})
}

// edited handles a change of the machine.
func (p work) edited(s *Simulation) tea.Cmd {
	s.form.invalidate()
	s.dropSweep()
	return p.schedule(s)
}

// schedule shows the known run of the machine, or simulates it unless a further change comes.
func (p work) schedule(s *Simulation) tea.Cmd {
	s.stop()
	s.err = nil
	if r := s.history.Find(s.Setup().Scenario); r != nil && r.Trace != nil {
		p.show(s, r)
		return nil
	}
	gen := p.sc.NextGen()
	later := p.sc.After(delay, dueMsg{s, gen})
	if s.cooling == 0 {
		s.cooling = gen
		return tea.Batch(p.start(s), later)
	}
	s.waiting = gen
	return later
}

// due starts the run of the last change.
func (p work) due(msg dueMsg) tea.Cmd {
	s := msg.of
	if s.cooling == msg.gen {
		s.cooling = 0
	}
	if !p.alive(s) || s.waiting != msg.gen {
		return nil
	}
	return p.start(s)
}

// stop cancels the current run, or the scheduled one.
func (s *Simulation) stop() bool {
	going := s.run != nil || s.waiting != 0
	if s.run != nil {
		s.run.cancel()
	}
	s.run, s.waiting = nil, 0
	return going
}

// start simulates the machine in the background.
func (p work) start(s *Simulation) tea.Cmd {
	s.stop()
	s.err = nil
	ctx, cancel := context.WithCancel(p.sc.Context)
	r := &run{gen: p.sc.NextGen(), setup: s.Setup(), cancel: cancel}
	s.run = r
	program, measured := s.program.Program, s.measured.Data
	job := func(opt sim.Options) tea.Cmd {
		return func() tea.Msg {
			result, err := r.setup.Run(ctx, program, opt)
			if err == nil && result.Trace != nil {
				sim.NamePrediction(result.Trace, measured, r.setup.Rules)
			}
			return simulatedMsg{s, r.gen, result, err}
		}
	}
	cmds := []tea.Cmd{job(sim.Options{Trace: true, Progress: func(done, total int64) {
		r.done.Store(done)
		r.total.Store(total)
	}})}
	if program.Records() > quickRecords {
		cmds = append(cmds, job(sim.Options{}))
	}
	return tea.Batch(cmds...)
}

// simulated takes the result of a run.
func (p work) simulated(msg simulatedMsg) tea.Cmd {
	s := msg.of
	if !p.alive(s) || s.run == nil || s.run.gen != msg.gen {
		return nil
	}
	r := s.run
	if msg.err == nil && msg.result.Trace == nil {
		r.quick = msg.result
		return nil
	}
	s.stop()
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			s.err = msg.err
		}
		return nil
	}
	p.show(s, s.history.Record(s.program.Program, r.setup, msg.result, s.blockName()))
	return nil
}

// show shows a finished run.
func (p work) show(s *Simulation, r *scenario.Run) {
	s.stop()
	s.history.Show(s.program.Program, r)
	s.form.invalidate()
	p.predict(s, r)
}

// goTo returns to a run: to its machine, and its prediction.
func (p work) goTo(s *Simulation, r *scenario.Run) tea.Cmd {
	if s.history.Shown() == r && r.Scenario.Equal(s.Setup().Scenario) {
		return nil
	}
	s.editor.GoTo(r.Setup)
	return p.edited(s)
}

// predict makes the shell show a run's predicted trace in place of the previous one, or below the measured trace.
func (p work) predict(s *Simulation, r *scenario.Run) {
	if s.hidden || !p.looksAt(s.measured) {
		return
	}
	t := timeline.NewTrace(p.sc.NewID(), r.Trace)
	t.Name, t.PredictedFrom, t.Predicted = "predicted", s.measured, true
	before := s.predicted
	s.predicted = t
	p.sc.Do(pane.Predict{Measured: s.measured, Trace: t, Before: before})
}

// looksAt reports whether a view on the screen shows a trace.
func (p *state) looksAt(t *timeline.Trace) bool {
	for _, v := range p.sc.Views {
		if v.Trace == t {
			return true
		}
	}
	return false
}

// detach makes the prediction independent: the next run gets new views.
func (p work) detach(s *Simulation) {
	d := pane.Detach{Trace: s.predicted, Name: s.predicted.Name}
	if r := s.history.Shown(); r != nil {
		d.Name = runName(r) + ": " + r.Title()
	}
	s.predicted = nil
	p.sc.Do(d)
}
