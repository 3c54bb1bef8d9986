package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/efficiency"
	"pview/sim/scenario"
	"pview/sim/study"
	"pview/sim/study/store"
	"pview/tui/pane"
)

// A study is planned, and then run, in the background. Each has a generation; results of stopped ones are dropped.

type (
	// plannedMsg is a study that is ready to run.
	plannedMsg struct {
		of   *session
		gen  int
		plan *study.Plan
		keep *keeper
		err  error
	}
	// endedMsg is the end of a study.
	endedMsg struct {
		of    *session
		gen   int
		table *study.Table
		err   error
	}
)

// keeper keeps runs in memory, and in a store if there is one: a stopped study resumes where it stopped.
type keeper struct {
	rows  []study.Row
	store *store.Store
}

// Rows implements study.Keeper.
func (k *keeper) Rows() []study.Row { return k.rows }

// Append implements study.Keeper.
func (k *keeper) Append(r study.Row) error {
	if k.store == nil {
		return nil
	}
	return k.store.Append(r)
}

// finish writes the table of a finished study, and closes the store.
func (k *keeper) finish(t *study.Table, complete bool) error {
	switch {
	case k.store == nil:
		return nil
	case complete:
		return errors.Join(k.store.Finish(t), k.store.Close())
	}
	return k.store.Close()
}

// start plans the study and runs it. It keeps the known runs of the same study.
func (p *Pane) start(s *session) tea.Cmd {
	if s.cancel != nil {
		return p.sc.Refuse(errGoesOn(p))
	}
	m, err := s.study()
	if err != nil {
		return p.sc.Refuse(err)
	}
	return p.begin(s, s.def.Store, -1, func(context.Context) (*study.Plan, error) { return m.Plan() })
}

// mapAttempts is the number of searches for mappings.
const mapAttempts = 4

// mapTasks searches mappings of the tasks to the nodes of the machine, and ranks them by the predicted time.
func (p *Pane) mapTasks(s *session) tea.Cmd {
	if s.cancel != nil {
		return p.sc.Refuse(errGoesOn(p))
	}
	m := &study.Mappings{Base: s.nominal(), Attempts: mapAttempts, Seed: s.def.Seed}
	list, err := efficiency.ParseOutputs(s.def.Outputs, &m.Base, openCfg)
	if err != nil {
		return p.sc.Refuse(err)
	}
	m.Outputs = efficiency.NameOutputs(s.measured.Data, list)
	p.pages.At, p.opened = pageRuns, false
	return p.begin(s, "", -1, m.Plan)
}

func errGoesOn(p *Pane) error {
	return errors.New("the study is running: " + p.sc.KeysOf("leave") + " stops it")
}

// begin plans and runs a study; dir is the folder that keeps its runs, "": none. again is a run to repeat even if its
// result is known; -1: none.
func (p *Pane) begin(s *session, dir string, again int, planned func(context.Context) (*study.Plan, error)) tea.Cmd {
	p.opened = false
	s.again = func(run int) tea.Cmd { return p.begin(s, dir, run, planned) }
	ctx, cancel := context.WithCancel(p.sc.Context)
	s.gen, s.cancel, s.paused, s.began, s.err = p.sc.NextGen(), cancel, false, false, nil
	gen, before, rows := s.gen, s.plan, []study.Row(nil)
	if s.table != nil {
		rows = s.table.Rows
	}
	return func() tea.Msg {
		plan, err := planned(ctx) // looks at every record of the program
		if err == nil {
			err = ctx.Err()
		}
		msg := plannedMsg{of: s, gen: gen, plan: plan, err: err}
		if err != nil {
			return msg
		}
		msg.keep = &keeper{}
		if dir != "" {
			if msg.keep.store, msg.err = store.Open(dir, plan, true); msg.err != nil {
				return msg
			}
			msg.keep.rows = msg.keep.store.Rows()
		}
		if before != nil && before.Key == plan.Key && len(rows) > len(msg.keep.rows) {
			msg.keep.rows = rows
		}
		msg.keep.rows = slices.DeleteFunc(slices.Clone(msg.keep.rows),
			func(r study.Row) bool { return r.Index == again })
		return msg
	}
}

// planned runs a study that is ready.
func (p *Pane) planned(msg plannedMsg) tea.Cmd {
	s := msg.of
	if s.cancel == nil || s.gen != msg.gen {
		if msg.keep != nil {
			_ = msg.keep.finish(nil, false) // nothing was written
		}
		return nil
	}
	if msg.err != nil {
		s.stop()
		if errors.Is(msg.err, context.Canceled) {
			return nil
		}
		s.err = msg.err
		return p.sc.Refuse(msg.err)
	}
	if s.plan == nil || s.plan.Key != msg.plan.Key {
		s.at, s.limit = -1, nan
		if s.plan == nil || s.plan.Kind != msg.plan.Kind { // other columns
			s.y, s.runsTable.Col, s.runsTable.Sorted = -1, 0, 0
			if msg.plan.Kind == study.KindMap {
				s.runsTable.Sorted = 2 + len(msg.plan.Inputs) // by the first output
			}
		}
	}
	s.plan, s.began = msg.plan, true
	s.runner = study.NewRunner(msg.plan, study.RunOptions{Keep: msg.keep, Workers: s.def.Workers})
	if s.table == nil {
		s.table = s.runner.Snapshot()
	}
	s.columns()
	ctx, runner, cancel := p.sc.Context, s.runner, s.cancel
	run, stop := context.WithCancel(ctx)
	s.cancel = func() { cancel(); stop() }
	gen, keep := s.gen, msg.keep
	return func() tea.Msg {
		table, err := runner.Run(run)
		if failed := keep.finish(table, err == nil); failed != nil && err == nil {
			err = fmt.Errorf("the store of the study: %w", failed)
		}
		return endedMsg{s, gen, table, err}
	}
}

// ended takes the whole table. A stopped study has its last table already.
func (p *Pane) ended(msg endedMsg) {
	s := msg.of
	if s.gen != msg.gen {
		return
	}
	s.take(msg.table)
	s.state = s.runner.Progress()
	stopped := s.cancel == nil
	s.stop()
	if msg.err != nil && !errors.Is(msg.err, context.Canceled) {
		s.err = msg.err
		p.sc.Alarm(msg.err.Error())
		return
	}
	if !stopped {
		p.sc.Say("the study is done: " + s.progress())
	}
}

// stop ends the study.
func (s *session) stop() {
	if s.cancel != nil {
		s.cancel()
	}
	s.cancel, s.paused, s.live = nil, false, nil
}

// look updates the table of a running study.
func (p *Pane) look(s *session) {
	if s.cancel == nil || s.runner == nil || !s.began {
		return
	}
	s.state = s.runner.Progress()
	if done := s.state.Done + s.state.Failed + s.state.Killed; done != s.runs() {
		s.take(s.runner.Snapshot())
	}
	s.live = s.runner.Live()
}

// take replaces the table by another one.
func (s *session) take(t *study.Table) {
	s.table = t
	s.version++
	s.columns()
}

// pause suspends the study, or resumes it.
func (p *Pane) pause(s *session) tea.Cmd {
	if s.cancel == nil || s.runner == nil || !s.began {
		return p.sc.Refuse(errors.New("no study is running: " + p.sc.KeysOf("study run") + " starts it"))
	}
	if s.paused = !s.paused; s.paused {
		s.runner.Pause()
	} else {
		s.runner.Continue()
	}
	s.state = s.runner.Progress()
	return nil
}

// onLive makes an action that needs the chosen run to be on a worker, and reports the outcome.
func (p *Pane) onLive(f func(s *session) string) func(string) tea.Cmd {
	return p.onStudy(func(s *session) tea.Cmd {
		p.look(s)
		switch {
		case s.at < 0:
			return p.sc.Refuse(errNoChoice)
		case s.liveAt(s.at) < 0:
			return p.sc.Refuse(fmt.Errorf("run %d is not running", s.at))
		}
		p.sc.Say(fmt.Sprintf("run %d %s", s.at, f(s)))
		p.look(s)
		return nil
	})
}

// kill ends the chosen run.
func (p *Pane) kill(s *session) string {
	s.runner.Kill(s.at)
	return "is killed: " + p.sc.KeysOf("study restart") + " runs it again"
}

// hold suspends the chosen run, or resumes it.
func (p *Pane) hold(s *session) string {
	s.runner.Hold(s.at)
	if s.live[s.liveAt(s.at)].Held {
		return "goes on"
	}
	return "is suspended: " + p.sc.KeysOf("study hold") + " resumes it"
}

// restart repeats the chosen run, if it has failed or was killed.
func (p *Pane) restart(s *session) tea.Cmd {
	r := s.row()
	switch {
	case r == nil:
		return p.sc.Refuse(errNoChoice)
	case r.Status == study.Done:
		return p.sc.Refuse(fmt.Errorf("run %d is done: only runs that failed or were killed run again", r.Index))
	case s.cancel == nil:
		return s.again(r.Index)
	case !s.began:
		return p.sc.Refuse(errGoesOn(p))
	}
	s.runner.Restart(r.Index)
	s.take(s.runner.Snapshot())
	s.live = s.runner.Live()
	return nil
}

// openRun gives the Simulator the machine of the chosen run, and predicts it below the measured run.
func (p *Pane) openRun(s *session) tea.Cmd {
	r := s.row()
	switch {
	case s.liveAt(s.at) >= 0:
		return p.sc.Refuse(fmt.Errorf("run %d has not ended yet", s.at))
	case s.runs() == 0:
		return p.sc.Refuse(errNoRuns)
	case r == nil:
		return p.sc.Refuse(errNoChoice)
	case r.Status == study.Failed:
		p.sc.Alarm(fmt.Sprintf("run %d failed: %s", r.Index, r.Reason))
		return nil
	case s.plan == nil || s.plan.Case == nil:
		return p.sc.Refuse(errors.New("the run was not simulated"))
	}
	c := s.plan.Case(r)
	setup := scenario.Setup{Scenario: scenario.Scenario{Machine: c.Machine, Rules: c.Rules, NoOpenMP: c.NoOpenMP},
		Base: s.base.Scenario, BaseName: s.base.BaseName}
	p.opened = true
	p.sc.Do(pane.Simulate{Trace: s.measured, Setup: setup})
	p.sc.Say(fmt.Sprintf("run %d is simulated again and opens under the measured one", r.Index))
	return nil
}

var nan = math.NaN()
