// Package simulator is the Simulator pane: the behaviour of a measured run on another machine. A trace has one
// simulation: its program, made once in the background; the machine, which the user changes step by step; and its runs.
// A change re-runs the program after a moment without further changes, and cancels the previous run. The shell shows a
// run's prediction in views below those of the measured trace.
package simulator

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"pview/insight/network"
	"pview/insight/validation"
	"pview/prv"
	"pview/prv/extrae/execution"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/sim/scenario"
	"pview/tui/pane"
)

// Title is the pane's name.
const Title = "Simulator"

// Pane is the Simulator: the simulations, and the parts that run, draw and change them.
type Pane struct {
	*state
	work
	view
	actions
}

// state holds the simulations of all traces.
type state struct {
	sc   *pane.Scene
	pane pane.Pane
	sims map[*timeline.Trace]*Simulation // by the measured trace
}

// work makes programs and runs them, in the background.
type work struct{ *state }

// view draws a simulation.
type view struct{ *state }

// actions are the actions on a simulation.
type actions struct{ work }

// Simulation holds the runs of one trace.
type Simulation struct {
	measured *timeline.Trace

	program     *scenario.Program
	network     *network.Fit // fitted to the messages of the trace; nil for none
	revision    int          // of the trace that the program was made from
	asked       bool         // prediction requested; otherwise the program is only for others
	awaited     bool         // the program waits until the trace is read completely
	building    int          // generation of the program in progress; 0 for none
	cancelBuild context.CancelFunc
	devices     *devices // replays the run; nil: it is simulated

	editor  scenario.Editor // without a machine until there is a program
	machine string          // to be loaded once there is a program; "" for the scene's
	history scenario.History

	// replay is the measured run on the machine fitted to it: it shows how reliable predictions are; nil until it is
	// ready
	replay       *validation.Replay
	cancelReplay context.CancelFunc

	absent  int64  // time in which threads of the trace did not exist or were not traced, ns
	sweep   *sweep // curve of a parameter; nil for none
	waiting int    // generation of a scheduled run; 0 for none
	// generation of the delay after a run has started, in which a change waits for further ones; 0 for none
	cooling int
	run     *run
	err     error // why the last run, or the program, failed

	predicted *timeline.Trace // of the run that is shown; nil for none
	hidden    bool            // the user has closed its views
	form      form
	mapped    mapped // drawing of the network
	mappings  uint64 // random ones so far
	links     int    // the network shown on the page of the network: ofMessages, or an operation's number + 1
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	s := &state{sc: sc, sims: map[*timeline.Trace]*Simulation{}}
	p := &Pane{state: s, work: work{s}, view: view{s}, actions: actions{work{s}}}
	s.pane = p
	return p
}

func (p *Pane) Title() string { return Title }

// Of returns the simulation of a measured trace; nil for none.
func (p *state) Of(t *timeline.Trace) *Simulation { return p.sims[t] }

// Setup returns the machine and the rules as they are.
func (s *Simulation) Setup() scenario.Setup { return s.editor.Now() }

// Program returns the simulated program; nil while there is none.
func (s *Simulation) Program() *scenario.Program { return s.program }

// History returns the runs.
func (s *Simulation) History() *scenario.History { return &s.history }

// Predicted returns the trace of the run that is shown; nil for none.
func (s *Simulation) Predicted() *timeline.Trace { return s.predicted }

// Err explains why there is no prediction.
func (s *Simulation) Err() error { return s.err }

// current returns the simulation that the pane shows: that of the trace in focus, or of the one that it was predicted
// from; nil if none.
func (p *state) current() *Simulation {
	v := p.sc.View
	if v == nil {
		return nil
	}
	if from := v.Trace.PredictedFrom; from != nil {
		return p.sims[from]
	}
	return p.sims[v.Trace]
}

// ready returns the pane's simulation, laid out; nil while it has no program.
func (p *state) ready() *Simulation {
	s := p.current()
	if s == nil || s.program == nil {
		return nil
	}
	s.lay(max(p.sc.Width, 1))
	return s
}

// refuseNoMachine returns the refusal for the case that ready returns nil.
func (p *state) refuseNoMachine() tea.Cmd {
	if s := p.current(); s != nil {
		if err := s.missing(); err != nil {
			return p.sc.Refuse(err)
		}
	}
	return p.sc.Refuse(errors.New("no machine yet: " + p.sc.KeysOf("workspace what-if") +
		" opens the Simulator, which begins with one"))
}

// Update takes programs and runs.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case builtMsg:
		return p.built(msg)
	case validatedMsg:
		p.validated(msg)
	case dueMsg:
		return p.due(msg)
	case simulatedMsg:
		return p.simulated(msg)
	case sweptMsg:
		p.swept(msg)
	case savedMsg:
		p.saved(msg)
	case mappedMsg:
		if p.alive(msg.of) && msg.of.mapped.run == msg.run {
			msg.of.mapped.drawn = msg.drawn
		}
	case pane.TraceClosed:
		p.closed(msg.Trace)
	}
	return nil
}

// closed drops the simulations of a closed trace.
func (p work) closed(t *timeline.Trace) {
	if s := p.sims[t.PredictedFrom]; s != nil && s.predicted == t {
		s.predicted, s.hidden = nil, true
	}
	if s := p.sims[t]; s != nil {
		s.stopAll()
		if s.predicted != nil { // it continues as an independent trace
			p.detach(s)
		}
		delete(p.sims, t)
	}
}

// Sync makes the program of a trace whose simulation is shown, and makes it again if the trace has changed.
func (p work) Sync() tea.Cmd {
	var cmds []tea.Cmd
	for _, t := range p.sc.Traces {
		if s := p.sims[t]; s != nil && s.awaited && t.Until == 0 {
			cmds = append(cmds, p.build(s))
		}
	}
	if p.sc.View == nil || p.sc.Open != p.pane {
		return tea.Batch(cmds...)
	}
	switch s := p.current(); {
	case s == nil && p.sc.View.Trace.Predicted: // predictions are not predicted automatically
	case s == nil || !s.asked:
		_, cmd := p.open()
		cmds = append(cmds, cmd)
	case s.program != nil && s.building == 0 && s.revision != s.measured.Revision:
		s.stop()
		cmds = append(cmds, p.build(s))
	default:
		cmds = append(cmds, p.drawNetwork(s))
	}
	return tea.Batch(cmds...)
}

// open makes the simulation of the trace in focus, if there is none, and predicts the run.
func (p work) open() (*Simulation, tea.Cmd) {
	t := p.sc.View.Trace
	if s := p.current(); s != nil {
		t = s.measured
	}
	cmd := p.Prepare(t)
	s := p.sims[t]
	if !s.asked && s.program != nil && s.building == 0 && s.editor.Ready() {
		cmd = tea.Batch(cmd, p.start(s))
	}
	s.asked = true
	return s, cmd
}

// Prepare makes the program of a measured trace, if there is none. It predicts nothing.
func (p work) Prepare(t *timeline.Trace) tea.Cmd {
	s := p.sims[t]
	if s == nil {
		s = &Simulation{measured: t}
		p.sims[t] = s
	}
	if s.program != nil || s.building != 0 {
		return nil
	}
	return p.build(s)
}

// Simulation returns the program of a measured trace and the current machine, or the reason why there is none yet.
func (p *state) Simulation(t *timeline.Trace) (program *scenario.Program, setup scenario.Setup, err error) {
	s := p.sims[t]
	if err := s.missing(); err != nil {
		return nil, setup, err
	}
	return s.program, s.Setup(), nil
}

// missing explains why there is no program with a machine yet.
func (s *Simulation) missing() error {
	switch {
	case s != nil && s.program != nil && s.editor.Ready():
		return nil
	case s != nil && s.program == nil && s.err != nil:
		return s.err
	case s != nil && s.awaited:
		return pane.Pending("The trace is still being read and is simulated once complete.")
	}
	return pane.Pending("Building the program from the trace…")
}

// Simulate makes a setup the current one, and predicts the run on it.
func (p work) Simulate(t *timeline.Trace, setup scenario.Setup) tea.Cmd {
	s := p.sims[t]
	if s == nil || s.program == nil {
		return nil
	}
	s.hidden, s.asked = false, true
	s.editor.GoTo(setup)
	return p.edited(s)
}

// Busy reports whether anything works in the background.
func (p work) Busy() bool {
	for _, s := range p.sims {
		if s.building != 0 || s.run != nil || s.devices != nil && s.devices.job.What() != "" ||
			s.sweep != nil && s.sweep.outcomes == nil {
			return true
		}
	}
	return false
}

// Progress reports in the title while the pane, whose heading also reports it, is hidden.
func (p work) Progress() string {
	if p.sc.Open == p.pane {
		return ""
	}
	for _, t := range p.sc.Traces {
		if text := p.sims[t].state(); text != "" {
			return text
		}
	}
	return ""
}

// state describes the work in progress; "" for none.
func (s *Simulation) state() string {
	switch {
	case s == nil:
		return ""
	case s.building != 0:
		return "building the program…"
	case s.run != nil:
		if total := s.run.total.Load(); total > 0 {
			return "simulating " + quantity.FormatProgress(s.run.done.Load(), total)
		}
		return "simulating…"
	case s.waiting != 0:
		return "changed…"
	}
	return ""
}

// Cancel stops the shown simulation; else any.
func (p work) Cancel() bool {
	if p.cancel(p.current()) {
		return true
	}
	for _, t := range p.sc.Traces {
		if p.cancel(p.sims[t]) {
			return true
		}
	}
	return false
}

func (p work) cancel(s *Simulation) bool {
	switch {
	case s == nil:
		return false
	case s.building != 0:
		s.stopAll()
		s.err = errors.New("building the program was cancelled; " + p.sc.KeysOf("workspace what-if") + " begins again")
	case s.dropSweep():
		return true
	case s.stop():
		s.err = errors.New("the simulation was cancelled; any change starts another, and " +
			p.sc.KeysOf("machine again") + " repeats it")
	default:
		return false
	}
	p.sc.Say("the simulation was cancelled")
	return true
}

// stopAll ends all work.
func (s *Simulation) stopAll() {
	s.stop()
	s.dropSweep()
	if s.cancelReplay != nil {
		s.cancelReplay()
	}
	if s.cancelBuild != nil {
		s.cancelBuild()
	}
	if s.devices != nil {
		s.devices.job.Stop()
	}
	s.building = 0
}

// Note names the shown run in the heading of a prediction's view.
func (p *state) Note(v *timeline.View) (n timeline.Note, ok bool) {
	s := p.sims[v.Trace.PredictedFrom]
	if s == nil || s.history.Shown() == nil {
		return n, false
	}
	r := s.history.Shown()
	n.Short = "predicted " + duration(r.Result.Total)
	n.Long = n.Short + ", " + r.Title()
	if !r.Scenario.Equal(s.Setup().Scenario) {
		n.Long, n.Short = "before the change: "+n.Long, "old: "+n.Short
	}
	return n, true
}

// baseline returns the length of the measured run, ns.
func (s *Simulation) baseline() float64 {
	return float64(execution.Time(s.measured.Data))
}

// blockName names the blocks of the program.
func (s *Simulation) blockName() scenario.BlockName {
	return scenario.BlockNames(s.measured.Data.Labels)
}

func duration(ns int64) string { return raster.FormatDuration(ns, prv.Nanoseconds) }

var _ interface {
	pane.Pane
	pane.Noter
} = (*Pane)(nil)
