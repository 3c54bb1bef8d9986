// Package frameworks is the Frameworks pane: the structure of a run, the parameters of its model, what the model
// recommends, and what the simulator says to that.
package frameworks

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"pview/insight/frameworks"
	"pview/render/timeline"
	"pview/tui/pane"
)

// Title is the pane's name.
const Title = "Frameworks"

// subject is what is analysed: a stretch of a trace.
type subject struct {
	trace    *timeline.Trace
	revision int
	from, to int64 // 0, 0: all of it
}

// outcome is what became of an analysis.
type outcome struct {
	report *frameworks.Report
	err    error
}

// Pane is the Frameworks pane.
type Pane struct {
	pane.None
	sc *pane.Scene

	known map[subject]outcome
	job   *job

	ranged   bool // the selection, else what the window shows, instead of the whole run
	from, to int64
	page     int
	row, top int // of the parameters
	text     int // first line of the text that is shown

	drawn drawn
}

// job is an analysis or a simulation under way.
type job struct {
	gen      int
	of       subject
	simulate bool
	cancel   context.CancelFunc
}

// doneMsg is the end of an analysis, checkedMsg that of a simulation.
type (
	doneMsg struct {
		gen int
		outcome
	}
	checkedMsg struct {
		gen     int
		verdict *frameworks.Verdict
		err     error
	}
)

// New returns the pane.
func New(sc *pane.Scene) *Pane { return &Pane{sc: sc, known: map[subject]outcome{}} }

func (p *Pane) Title() string { return Title }

// Height leaves the timelines their third.
func (p *Pane) Height(room int) int { return pane.Tall(room) }

func (p *Pane) Busy() bool { return p.job != nil }

func (p *Pane) Progress() string {
	switch {
	case p.job == nil:
		return ""
	case p.job.simulate:
		return "simulating"
	}
	return "recognising"
}

// Cancel stops what is under way.
func (p *Pane) Cancel() bool {
	if p.job == nil {
		return false
	}
	p.job.cancel()
	if !p.job.simulate {
		p.known[p.job.of] = outcome{err: context.Canceled}
	}
	p.job = nil
	return true
}

// Update takes a result, or forgets a trace.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case doneMsg:
		if j := p.job; j != nil && j.gen == msg.gen {
			p.known[j.of], p.job = msg.outcome, nil
			p.page, p.row, p.text = 0, 0, 0
		}
	case checkedMsg:
		if j := p.job; j != nil && j.gen == msg.gen {
			p.job = nil
			if msg.err != nil {
				return p.sc.Refuse(msg.err)
			}
			if o := p.known[j.of]; o.report != nil {
				o.report.Verdict = msg.verdict
			}
		}
	case savedMsg:
		if msg.err != nil {
			return p.sc.Refuse(msg.err)
		}
		p.sc.Say("saved " + msg.path)
	case pane.TraceClosed:
		for s := range p.known {
			if s.trace == msg.Trace {
				delete(p.known, s)
			}
		}
		if p.job != nil && p.job.of.trace == msg.Trace {
			p.job.cancel()
			p.job = nil
		}
	}
	return nil
}

// subject is what the pane is about now; ok is false while there is nothing.
func (p *Pane) subject() (s subject, ok bool) {
	if p.sc.View == nil || p.sc.View.Trace.Until != 0 {
		return s, false
	}
	t := p.sc.View.Trace
	s = subject{trace: t, revision: t.Revision}
	if p.ranged {
		s.from, s.to = p.from, p.to
	}
	return s, true
}

// report is the report that is shown; nil while there is none.
func (p *Pane) report() *frameworks.Report {
	s, ok := p.subject()
	if !ok {
		return nil
	}
	return p.known[s].report
}

// Sync starts the analysis of the trace in focus.
func (p *Pane) Sync() tea.Cmd {
	s, ok := p.subject()
	if !ok || p.sc.Open != p {
		return nil
	}
	if _, done := p.known[s]; done {
		return nil
	}
	if p.job != nil {
		if p.job.of == s {
			return nil
		}
		p.job.cancel()
	}
	ctx, cancel := context.WithCancel(p.sc.Context)
	j := &job{gen: p.sc.NextGen(), of: s, cancel: cancel}
	p.job = j
	data, view := s.trace.Data, p.sc.View
	opt := frameworks.Options{Window: frameworks.Window{From: s.from, To: s.to}, Free: -1}
	if len(data.Ptasks) > 1 && view.Rows(data) > 0 {
		opt.Ptask = ptaskAt(view, view.CursorRow)
	}
	return func() tea.Msg {
		defer cancel()
		r, err := frameworks.Analyse(ctx, data, opt)
		if ctx.Err() != nil {
			return nil // nobody waits for it any more
		}
		return doneMsg{j.gen, outcome{r, err}}
	}
}

// errBusy is the refusal of a second simulation.
var errBusy = errors.New("the simulation is under way; Esc stops it")

// verify simulates the recommendation.
func (p *Pane) verify(string) tea.Cmd {
	r := p.report()
	s, _ := p.subject()
	switch {
	case p.job != nil:
		return p.sc.Refuse(errBusy)
	case r == nil || r.Refusal != "":
		return p.sc.Refuse(errors.New("there is no recommendation to simulate"))
	}
	ctx, cancel := context.WithCancel(p.sc.Context)
	j := &job{gen: p.sc.NextGen(), of: s, simulate: true, cancel: cancel}
	p.job = j
	check := r.Copy()
	return func() tea.Msg {
		defer cancel()
		v, err := check.Verify(ctx)
		if ctx.Err() != nil {
			return nil
		}
		return checkedMsg{j.gen, v, err}
	}
}
