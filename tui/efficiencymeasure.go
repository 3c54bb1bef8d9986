package tui

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"pview/insight/efficiency"
	"pview/prv"
)

// How the Efficiency pane gets its runs: while it is shown, runs that are not known yet are measured, one at a time,
// since each measurement uses all cores by itself.

// measuring is a run being measured.
type measuring struct {
	gen         int
	key         string
	revision    int // of the trace
	cancel      context.CancelFunc
	stage       atomic.Pointer[string]
	done, total atomic.Int64
}

// progress notes how far a stage is.
func (j *measuring) progress(stage string, done, total int64) {
	j.stage.Store(&stage)
	j.done.Store(done)
	j.total.Store(total)
}

type measuredMsg struct {
	gen int
	run *efficiency.Run
	err error
}

var errStopped = errors.New("measuring was stopped")

// measure starts what the pane lacks.
func (m *Model) measure() tea.Cmd {
	e := &m.efficiency
	if !m.paneOpen || m.tab != tabEfficiency || m.window() == nil {
		return nil
	}
	if keys := m.runsToCompare(); !slices.Equal(keys, e.keys) {
		e.keys = keys
		for key := range e.found {
			if m.traceByKey(key) == nil && !slices.Contains(keys, key) {
				delete(e.found, key) // a trace that was closed
			}
		}
		if err := e.compare(); err != nil {
			e.project = nil
		}
	}
	if e.job != nil {
		if slices.Contains(e.keys, e.job.key) {
			return nil
		}
		e.job.cancel()
		e.job = nil
	}
	for _, key := range e.keys {
		if t := m.traceByKey(key); t != nil && t.Until != 0 {
			continue // of a part the figures would be those of another run
		}
		if !m.known(key) {
			return m.startMeasuring(key)
		}
	}
	return nil
}

func (m *Model) startMeasuring(key string) tea.Cmd {
	ctx, cancel := context.WithCancel(m.ctx)
	m.gen++
	j := &measuring{gen: m.gen, key: key, cancel: cancel}
	m.efficiency.job = j
	t, name, open := m.traceByKey(key), m.runName(key), m.options.Open
	if open == nil {
		open = m.openFile
	}
	var tr *prv.Trace
	if t != nil {
		tr, j.revision = t.Data, t.Revision
	}
	return tea.Batch(func() tea.Msg {
		defer cancel()
		run, err := func() (*efficiency.Run, error) {
			if tr == nil {
				var err error
				if tr, err = open(ctx, key, prv.Watcher{Progress: func(done, total int64) { j.progress("reading", done, total) }}); err != nil {
					return nil, err
				}
			}
			return efficiency.Measure(ctx, tr, efficiency.Options{Progress: j.progress})
		}()
		if ctx.Err() != nil {
			return nil // nobody waits for it any more
		}
		if run != nil && run.Path == "" { // a trace that was read from no file
			run.Name = name
		}
		return measuredMsg{j.gen, run, err}
	}, m.tick())
}

// measured takes a run.
func (m *Model) measured(msg measuredMsg) {
	e := &m.efficiency
	if e.job == nil || e.job.gen != msg.gen {
		return
	}
	if e.found == nil {
		e.found = map[string]outcome{}
	}
	e.found[e.job.key] = outcome{msg.run, msg.err, e.job.revision}
	e.job = nil
	if msg.err != nil {
		m.alarm(msg.err.Error())
	}
	if err := e.compare(); err != nil {
		e.project = nil
	}
}

// stopMeasuring stops it, and what waits to be measured, until the user asks again.
func (m *Model) stopMeasuring() bool {
	e := &m.efficiency
	if e.job == nil {
		return false
	}
	e.job.cancel()
	e.job = nil
	if e.found == nil {
		e.found = map[string]outcome{}
	}
	for _, key := range e.keys {
		if !m.known(key) {
			o := outcome{run: e.found[key].run, err: errStopped} // what was known of an earlier revision stays
			if t := m.traceByKey(key); t != nil {
				o.revision = t.Revision
			}
			e.found[key] = o
		}
	}
	m.say("measuring was stopped; r in the pane goes on")
	return true
}
