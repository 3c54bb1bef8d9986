package simulator

// A range that is typed into a field, such as 1us..1ms*10, sweeps the parameter: the program is simulated on the
// machine with each value, in the background, and the predicted times are listed and drawn as a curve in place of the
// form.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report/figure"
	"pview/render/picture"
	"pview/render/raster"
	"pview/sim/parameter"
	"pview/sim/study"
)

// mostSwept limits the values of a sweep in the pane; pview study sweep takes more.
const mostSwept = 200

// sweep is the curve of one parameter.
type sweep struct {
	gen         int
	title       string // of the parameter
	axis        study.Axis
	values      []study.Value
	measured    float64         // ns; 0: unknown
	outcomes    []study.Outcome // nil while in progress
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
func (p work) startSweep(s *Simulation, f *field, text string) tea.Cmd {
	if parameter.ByName(f.p.Name) == nil {
		return p.sc.Refuse(fmt.Errorf("%s cannot be swept: it is not a parameter of the whole machine", f.p.Title))
	}
	axis, err := study.ParseAxis(f.p.Name + "=" + text)
	switch {
	case err != nil:
		return p.sc.Refuse(err)
	case len(axis.Values) > mostSwept:
		return p.sc.Refuse(fmt.Errorf("%d values: at most %d are drawn; pview study sweep takes more", len(axis.Values),
			mostSwept))
	}
	s.dropSweep()
	ctx, cancel := context.WithCancel(p.sc.Context)
	w := &sweep{gen: p.sc.NextGen(), title: f.p.Title, axis: axis, values: axis.Values, measured: s.baseline(),
		cancel: cancel}
	s.sweep = w
	setup, program := s.Setup(), s.program.Program
	cases := make([]study.Case, len(axis.Values))
	for i, v := range axis.Values {
		cases[i] = study.Case{Program: program, Machine: setup.Machine.Clone(), Rules: setup.Rules,
			NoOpenMP: setup.NoOpenMP}
		v.Apply(&cases[i])
		parameter.Adapt(cases[i].Machine, setup.Machine, program, f.p.Name)
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
func (p work) swept(msg sweptMsg) {
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

// turnTo shows a page of the form, and closes a curve in its place.
func (s *Simulation) turnTo(at page) {
	s.form.page = at
	s.dropSweep()
}

// figure returns the curve: the predicted times by value, and the measured time.
func (w *sweep) figure() *figure.Figure {
	in := w.axis.Input()
	x, y := figure.Column{Name: w.title, Kind: in.Notation()},
		figure.Column{Name: "predicted", Kind: (&study.Column{Unit: "ns"}).Notation()}
	order := make([]int, len(w.values)) // a list may be unsorted; a line needs sorted values
	for i := range order {
		order[i] = i
	}
	at := func(i int) float64 {
		if in.Levels != nil {
			return float64(i)
		}
		return w.values[i].Number
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(at(a), at(b)) })
	for _, i := range order {
		total := figure.None // a failed simulation leaves a gap
		if w.outcomes[i].Err == nil {
			total = float64(w.outcomes[i].Total)
		}
		x.Values, y.Values = append(x.Values, at(i)), append(y.Values, total)
	}
	f := &figure.Figure{
		X: figure.Axis{Name: x.Name, Kind: x.Kind, Log: in.Levels == nil && x.Logarithmic(), Names: in.Levels},
		Y: figure.Axis{Name: y.Name, Kind: y.Kind, Log: y.Logarithmic(), Zero: !y.Logarithmic()},
		Layers: []figure.Layer{{Shape: figure.Line, Ink: figure.Blue, X: x.Values, Y: y.Values},
			{Shape: figure.Points, Ink: figure.Blue, X: x.Values, Y: y.Values}},
	}
	if w.measured > 0 {
		name := "measured " + duration(int64(w.measured))
		f.Rules = []figure.Rule{{At: w.measured, Flat: true, Ink: figure.Orange, Name: name}}
	}
	return f
}

// Panels returns the curve of a sweep as a panel of a picture.
func (p view) Panels(bool) ([]picture.Panel, error) {
	s := p.current()
	if s == nil || s.sweep == nil {
		return nil, nil
	}
	if s.sweep.outcomes == nil {
		return nil, errors.New("the sweep is still being simulated; try again in a moment")
	}
	f := s.sweep.figure()
	f.Title = s.sweep.title
	return []picture.Panel{&picture.Chart{Figure: f}}, nil
}

// Minimum room for a curve beside the list.
const curveWidth, curveHeight = 36, 6

// drawSweep lists the values with their predicted times; beside them the curve, or if it does not fit a bar each.
func (p view) drawSweep(c raster.Canvas, s *Simulation) {
	th, w := p.sc.Theme, s.sweep
	if w.outcomes == nil {
		c.Text(1, 0, th.ASCII(fmt.Sprintf("%s: %d of %d simulated…  Esc stops", w.title, w.done.Load(),
			max(w.total.Load(), int64(len(w.values))))), th.Dim)
		return
	}
	longest, names := int64(1), raster.TextWidth(w.title)
	for i, o := range w.outcomes {
		longest, names = max(longest, o.Total), max(names, raster.TextWidth(w.values[i].Text))
	}
	names = min(names, c.W/3)
	const times = 12
	if list := names + times + 3; c.W-list >= curveWidth && c.H >= curveHeight {
		p.sc.DrawFigure(w.figure(), c.Sub(list, 0, c.W-list-1, c.H))
		c = c.Sub(0, 0, list, c.H)
		if c.H > len(w.values)+1 {
			c.Text(1, c.H-1, "Esc closes", th.Dim)
		}
	}
	c.TextIn(1, 0, names, th.Cut(w.title, names), th.Accent, true)
	c.TextIn(1+names, 0, times, "predicted", th.Dim, true)
	c.Text(3+names+times, 0, th.Cut("longest "+duration(longest)+"; Esc closes", max(c.W-names-times-4, 0)), th.Dim)
	room := c.H - 1
	for y := range min(room, len(w.values)) {
		i := y
		if len(w.values) > room && room > 1 { // as many as fit, the ends among them
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
