package efficiency

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"pview/insight/efficiency"
	"pview/prv"
)

// How the Efficiency pane gets its runs: while it is shown, it measures unmeasured runs one at a time, since each
// measurement uses all cores.

// measuring is a run being measured.
type measuring struct {
	gen         int
	key         string
	revision    int // of the trace
	cancel      context.CancelFunc
	stage       atomic.Pointer[string]
	done, total atomic.Int64
}

// progress notes the progress of a stage.
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

var errStopped = errors.New("measurement stopped")

// Sync starts the pane's missing measurements while it is shown.
func (p *Pane) Sync() tea.Cmd {
	if p.sc.Open != p || p.sc.View == nil {
		return nil
	}
	if keys := p.runsToCompare(); !slices.Equal(keys, p.keys) {
		p.keys = keys
		for key := range p.found {
			if p.traceByKey(key) == nil && !slices.Contains(keys, key) {
				delete(p.found, key) // a trace that was closed
			}
		}
		if err := p.compare(); err != nil {
			p.project = nil
		}
	}
	if p.job != nil {
		if slices.Contains(p.keys, p.job.key) {
			return nil
		}
		p.job.cancel()
		p.job = nil
	}
	for _, key := range p.keys {
		if t := p.traceByKey(key); t != nil && t.Until != 0 {
			continue // the figures of a part would be those of another run
		}
		if !p.known(key) {
			return p.startMeasuring(key)
		}
	}
	return nil
}

func (p *Pane) startMeasuring(key string) tea.Cmd {
	ctx, cancel := context.WithCancel(p.sc.Context)
	j := &measuring{gen: p.sc.NextGen(), key: key, cancel: cancel}
	p.job = j
	t, name, open := p.traceByKey(key), p.runName(key), p.sc.Read
	var tr *prv.Trace
	if t != nil {
		tr, j.revision = t.Data, t.Revision
	}
	return func() tea.Msg {
		defer cancel()
		run, err := func() (*efficiency.Run, error) {
			if tr == nil {
				var err error
				if tr, err = open(ctx, key,
					prv.Watcher{Progress: func(done, total int64) { j.progress("reading", done, total) }}); err != nil {
					return nil, err
				}
			}
			return efficiency.Measure(ctx, tr, efficiency.Options{Progress: j.progress})
		}()
		if ctx.Err() != nil {
			return nil // cancelled
		}
		if run != nil && run.Path == "" { // a trace that was not read from a file
			run.Name = name
		}
		return measuredMsg{j.gen, run, err}
	}
}

// measured takes a measured run.
func (p *Pane) measured(msg measuredMsg) {
	if p.job == nil || p.job.gen != msg.gen {
		return
	}
	p.found[p.job.key] = outcome{msg.run, msg.err, p.job.revision}
	p.job = nil
	if msg.err != nil {
		p.sc.Alarm(msg.err.Error())
	}
	if err := p.compare(); err != nil {
		p.project = nil
	}
}

// stopMeasuring stops the measurement, and those still queued, until the user asks again.
func (p *Pane) stopMeasuring() bool {
	if p.job == nil {
		return false
	}
	p.job.cancel()
	p.job = nil
	for _, key := range p.keys {
		if !p.known(key) {
			o := outcome{run: p.found[key].run, err: errStopped} // keep the results of an earlier revision
			if t := p.traceByKey(key); t != nil {
				o.revision = t.Revision
			}
			p.found[key] = o
		}
	}
	p.sc.Say("measurement stopped; r in the pane continues")
	return true
}
