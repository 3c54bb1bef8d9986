package simulator

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"pview/sim"
	"pview/sim/study"
	"pview/tui/raster"
)

// A range that is typed into a field, such as 1us..1ms*10, sweeps the parameter: the program is simulated on the machine
// with each value, in the background, and the predicted times are drawn as a curve in the place of the form.

// mostSwept bounds the values of a sweep in the pane; pview study sweep takes more.
const mostSwept = 200

// sweep is the curve of one parameter.
type sweep struct {
	gen         int
	title       string // of the parameter
	values      []study.Value
	outcomes    []study.Outcome // nil while it goes on
	done, total atomic.Int64
	cancel      context.CancelFunc
}

// sweptMsg is a finished sweep.
type sweptMsg struct {
	of       *Simulation
	gen      int
	outcomes []study.Outcome
	err      error
}

// startSweep simulates the program with each value of a range.
func (p *Pane) startSweep(s *Simulation, f *field, text string) tea.Cmd {
	if sim.ParameterByName(f.p.Name) == nil {
		return p.sc.Refuse(fmt.Errorf("%s cannot be swept: it is no parameter of the whole machine", f.p.Title))
	}
	axis, err := study.ParseAxis(f.p.Name + "=" + text)
	switch {
	case err != nil:
		return p.sc.Refuse(err)
	case len(axis.Values) > mostSwept:
		return p.sc.Refuse(fmt.Errorf("%d values: at most %d are drawn; pview study sweep takes more", len(axis.Values), mostSwept))
	}
	s.dropSweep()
	ctx, cancel := context.WithCancel(p.sc.Context)
	w := &sweep{gen: p.sc.NextGen(), title: f.p.Title, values: axis.Values, cancel: cancel}
	s.sweep = w
	setup, program := s.Setup(), s.program.Program
	cases := make([]study.Case, len(axis.Values))
	for i, v := range axis.Values {
		cases[i] = study.Case{Program: program, Machine: setup.Machine.Clone(), Rules: setup.Rules, NoOpenMP: setup.NoOpenMP}
		v.Apply(&cases[i])
		cases[i].Machine.Adapt(setup.Machine, program, f.p.Name)
	}
	opt := study.Options{Progress: func(done, total int64) {
		w.done.Store(done)
		w.total.Store(total)
	}}
	return func() tea.Msg {
		outcomes, err := study.Run(ctx, cases, opt)
		return sweptMsg{s, w.gen, outcomes, err}
	}
}

// swept takes a finished sweep.
func (p *Pane) swept(msg sweptMsg) {
	s := msg.of
	if !p.alive(s) || s.sweep == nil || s.sweep.gen != msg.gen {
		return
	}
	if msg.err != nil {
		if !errors.Is(msg.err, context.Canceled) {
			p.sc.Alarm(msg.err.Error())
		}
		s.sweep = nil
		return
	}
	s.sweep.outcomes = msg.outcomes
}

// dropSweep stops a sweep, or closes its curve; it reports whether there was one.
func (s *Simulation) dropSweep() bool {
	if s.sweep == nil {
		return false
	}
	s.sweep.cancel()
	s.sweep = nil
	return true
}

// drawSweep draws the curve: a line for each value, its predicted time as a bar from 0.
func (p *Pane) drawSweep(c raster.Canvas, s *Simulation) {
	th, w := p.sc.Theme, s.sweep
	if w.outcomes == nil {
		c.Text(1, 0, th.ASCII(fmt.Sprintf("%s: %d of %d simulated…  Esc stops", w.title, w.done.Load(), max(w.total.Load(), int64(len(w.values))))), th.Dim)
		return
	}
	longest, names := int64(1), raster.TextWidth(w.title)
	for i, o := range w.outcomes {
		longest, names = max(longest, o.Total), max(names, raster.TextWidth(w.values[i].Text))
	}
	names = min(names, c.W/3)
	const times = 12
	c.TextIn(1, 0, names, th.Cut(w.title, names), th.Accent, true)
	c.TextIn(1+names, 0, times, "predicted", th.Dim, true)
	c.Text(3+names+times, 0, th.Cut("longest "+duration(longest)+"; Esc closes", max(c.W-names-times-4, 0)), th.Dim)
	room := c.H - 1
	for y := range min(room, len(w.values)) {
		i := y
		if len(w.values) > room && room > 1 { // as many as there is room for, the ends among them
			i = y * (len(w.values) - 1) / (room - 1)
		}
		o := w.outcomes[i]
		c.TextIn(1, y+1, names, th.Cut(w.values[i].Text, names), th.Text, true)
		if o.Err != nil {
			c.Text(3+names, y+1, th.Cut(o.Err.Error(), max(c.W-names-4, 0)), th.Warn)
			continue
		}
		c.TextIn(1+names, y+1, times, duration(o.Total), th.Bold, true)
		bar := c.Sub(3+names+times, y+1, max(c.W-names-times-4, 0), 1)
		full := rune('█')
		if p.sc.ASCII {
			full = '#'
		}
		for x := range int(float64(bar.W)*float64(o.Total)/float64(longest) + 0.5) {
			bar.Set(x, 0, raster.Cell{Rune: full, Style: th.Good})
		}
	}
}
