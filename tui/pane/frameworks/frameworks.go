// Package frameworks is the Frameworks pane: the structure of a run, the parameters of its model, the model's
// recommendation, and the simulator's check of it.
package frameworks

import (
	"context"
	"errors"
	"maps"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/frameworks"
	"pview/insight/frameworks/answer"
	"pview/insight/frameworks/role"
	"pview/insight/report"
	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/tui/list"
	"pview/tui/pane"
	"pview/tui/pane/document"
)

// Title is the pane's name.
const Title = "Frameworks"

// subject is the analysed stretch of an application: that of the row under the cursor.
type subject struct {
	trace    *timeline.Trace
	revision int
	ptask    int
	from, to int64 // 0, 0: all of it
}

// outcome is the result of an analysis.
type outcome struct {
	report *frameworks.Report
	err    error
}

// Pane is the Frameworks pane.
type Pane struct {
	pane.None
	sc *pane.Scene

	known map[subject]outcome
	job   pane.Job
	of    subject // of the job

	ranged   bool // the selection, else what the window shows, instead of the whole run
	from, to int64

	pages   list.Pages
	shown   shown
	version int            // counts typed parameters and simulations
	head    []string       // structure and advice, in a line each
	inputs  *document.View // the parameters
	text    *document.View // the rest, on the pages of text
	tables  *report.Document
	advice  *report.Document
}

// shown identifies what the documents were made from.
type shown struct {
	report  *frameworks.Report
	version int
	page    int    // of text
	units   string // of amounts
}

// Jobs of the pane.
const (
	recognising = "recognising"
	simulating  = "simulating"
)

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	return &Pane{sc: sc, known: map[subject]outcome{}, job: pane.NewJob(sc), inputs: document.New(sc),
		text: document.New(sc), pages: list.Pages{Names: []string{"Curve", "Index, staircase", "Table", "Advice"}}}
}

func (p *Pane) Title() string { return Title }

// Height leaves the timelines their third.
func (p *Pane) Height(room int) int { return pane.Tall(room) }

func (p *Pane) Busy() bool { return p.job.What() != "" }

func (p *Pane) Progress() string { return p.job.What() }

// Cancel stops the work in progress.
func (p *Pane) Cancel() bool {
	if p.job.What() == recognising {
		p.known[p.of] = outcome{err: context.Canceled}
	}
	return p.job.Stop()
}

// Update forgets closed traces.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(pane.TraceClosed); ok {
		maps.DeleteFunc(p.known, func(s subject, _ outcome) bool { return s.trace == msg.Trace })
		if p.of.trace == msg.Trace {
			p.job.Stop()
			p.of, p.shown, p.tables, p.advice = subject{}, shown{}, nil, nil
			p.inputs.Show(nil)
			p.text.Show(nil)
		}
	}
	return nil
}

// subject returns the current subject of the pane; ok is false if there is none.
func (p *Pane) subject() (s subject, ok bool) {
	if p.sc.View == nil || p.sc.View.Trace.Until != 0 {
		return s, false
	}
	t := p.sc.View.Trace
	s = subject{trace: t, revision: t.Revision}
	if v := p.sc.View; len(t.Data.Ptasks) > 1 && v.Rows(t.Data) > 0 {
		s.ptask = ptaskAt(v, v.CursorRow)
	}
	if p.ranged {
		s.from, s.to = p.from, p.to
	}
	return s, true
}

// report returns the shown report; nil if none.
func (p *Pane) report() *frameworks.Report {
	s, ok := p.subject()
	if !ok {
		return nil
	}
	return p.known[s].report
}

// Sync starts the analysis of the trace in focus, and brings the documents up to date.
func (p *Pane) Sync() tea.Cmd {
	s, ok := p.subject()
	if !ok || p.sc.Open != p {
		return nil
	}
	if _, done := p.known[s]; done {
		p.show(s)
		return nil
	}
	if p.Busy() && p.of == s {
		return nil
	}
	p.of = s
	data := s.trace.Data
	opt := frameworks.Options{Window: role.Window{Ptask: s.ptask, From: s.from, To: s.to}, Free: -1}
	return p.job.Start(recognising, func(ctx context.Context, _ func(done, total int64)) pane.Result {
		r, err := frameworks.Analyse(ctx, data, opt)
		return func() tea.Cmd {
			p.known[s] = outcome{r, err}
			return nil
		}
	})
}

// show writes the documents of a report, unless they are up to date.
func (p *Pane) show(s subject) {
	now := shown{p.known[s].report, p.version, p.pages.At, quantity.Units()}
	if now == p.shown || now.report == nil {
		return
	}
	other, turned := now.report != p.shown.report, now.page != p.shown.page
	p.shown, p.head, p.tables, p.advice = now, nil, &report.Document{}, &report.Document{}
	d := answer.Document(s.trace.Data, now.report, ", the cursor's")
	for i := range d.Sections {
		switch section := d.Sections[i]; section.Heading {
		case answer.Parameters:
			table := *section.Blocks[0].(*report.Table)
			table.Indent = 0
			p.inputs.Show(report.TableDocument(&table))
		case answer.Advice, answer.Simulation, answer.Mind:
			p.advice.Sections = append(p.advice.Sections, section)
		default:
			p.tables.Sections = append(p.tables.Sections, section)
		}
	}
	p.head = []string{sentences(p.tables.Sections[0].Blocks)}
	for _, section := range p.advice.Sections {
		if section.Heading != answer.Mind && len(section.Blocks) > 0 {
			p.head = append(p.head, sentences(section.Blocks[:min(2, len(section.Blocks))]))
		}
	}
	if p.text.Show(p.page()); other || turned {
		p.text.By(-list.Far)
	}
	if other {
		p.inputs.By(-list.Far)
	}
}

// sentences joins passages.
func sentences(blocks []report.Block) string {
	var list []string
	for _, b := range blocks {
		if passage, ok := b.(*report.Passage); ok {
			list = append(list, passage.Text)
		}
	}
	return strings.Join(list, "  ")
}

// errBusy refuses a second simulation.
var errBusy = errors.New("the simulation is running; Esc stops it")

// verify simulates the recommendation.
func (p *Pane) verify(string) tea.Cmd {
	r := p.report()
	s, _ := p.subject()
	switch {
	case p.Busy():
		return p.sc.Refuse(errBusy)
	case r == nil || r.Refusal != "":
		return p.sc.Refuse(errors.New("there is no recommendation to simulate"))
	}
	p.of = s
	check := r.Copy()
	return p.job.Start(simulating, func(ctx context.Context, _ func(done, total int64)) pane.Result {
		v, err := check.Verify(ctx)
		return func() tea.Cmd {
			if err != nil {
				return p.sc.Refuse(err)
			}
			r.Verdict = v
			p.version++
			return nil
		}
	})
}
