// Package findings is the Findings pane: where the time of the run in focus went, and its problems, ranked by their
// cost in time, with the places in the timeline that show them. It shows the documents that pview diagnose prints. Runs
// are diagnosed in the background, once each.
package findings

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"pview/insight/diagnose"
	"pview/insight/diagnose/answer"
	"pview/insight/report"
	rendered "pview/render/document"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/list"
	"pview/tui/pane"
	"pview/tui/pane/document"
)

// Title is the pane's name.
const Title = "Findings"

// The pages. Those from pageTime on are views of the stages.
const (
	pageFindings = iota
	pageAccount
	pageClasses
	pagePath
	pageTime
	pageThreads
	pageHeat
	pageAnimation
)

// Pane is the Findings pane.
type Pane struct {
	pane.None
	sc    *pane.Scene
	pages list.Pages

	diagnoses diagnoses
	dismissed dismissed
	account   *document.View
	waterfall bool // the page drawn last is the account as a figure, without lines to choose
	findings  *document.View
	gap       *document.View // explains the wait at the cursor instead of a page; without a document: not shown
	tour      document.Tour
	classes   classes
	path      path
	stages    stages

	shown shown // in account and findings
}

// shown identifies the content of the documents.
type shown struct {
	of        *timeline.Trace
	result    *diagnose.Result
	dismissed int
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	p := &Pane{sc: sc, pages: list.Pages{Names: []string{"Findings", "Account", "Classes", "Critical path",
		"Over time", "By thread", "Heat map", "Animation"}},
		diagnoses: diagnoses{sc: sc, known: map[*timeline.Trace]outcome{}, job: pane.NewJob(sc)},
		dismissed: dismissed{by: map[*timeline.Trace][]subject{}},
		account:   document.New(sc), findings: document.New(sc), gap: document.New(sc), tour: document.NewTour(sc)}
	p.classes = classes{View: document.New(sc), sort: byTime, job: pane.NewJob(sc)}
	p.path = path{View: document.New(sc), sc: sc, known: map[*timeline.Trace]pathKnown{}, job: pane.NewJob(sc)}
	p.stages = stages{sc: sc, pages: &p.pages, job: pane.NewJob(sc)}
	p.diagnoses.verified = func(old, now *diagnose.Result) { // regions and stages do not depend on verification
		p.classes.verified(old, now)
		p.stages.verified(old, now)
	}
	p.tour.Keep = p.keep
	return p
}

func (p *Pane) Title() string { return Title }

// PageNames returns the pages.
func (p *Pane) PageNames() []string { return p.pages.Names }

// Page returns the position of the page that is shown.
func (p *Pane) Page() int { return p.pages.At }

// Height returns most of the room; for a short document, its height.
func (p *Pane) Height(room int) int {
	tall := pane.Tall(room)
	switch p.pages.At {
	case pageFindings:
		return min(tall, max(around+p.findings.Height(p.sc.Width-2), 8))
	case pageAccount: // a line for each step, even if the timeline takes its quarter
		return max(tall, min((around+p.account.Height(p.sc.Width-2))*4/3, room*3/4))
	}
	return tall
}

// around is the number of lines around a page: heading, names of the pages, and the line about the selected row.
const around = 3

func (p *Pane) Busy() bool { return p.Progress() != "" }

func (p *Pane) Progress() string {
	return cmp.Or(p.path.job.Progress(), p.diagnoses.job.What(), p.classes.job.What(), p.stages.job.What())
}

// Cancel stops the work in progress.
func (p *Pane) Cancel() bool {
	if p.classes.stop() || p.stages.job.Stop() {
		p.pages.At = pageFindings
		return true
	}
	if p.path.stop() {
		return true
	}
	return p.diagnoses.cancel()
}

// Update takes an explanation or a step of the animation, or forgets a trace or window.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case gapMsg:
		return p.takeGap(msg)
	case stageTick:
		return p.stages.tick(msg)
	case pane.TraceClosed:
		p.diagnoses.forget(msg.Trace)
		p.classes.forget(msg.Trace)
		p.path.forget(msg.Trace)
		p.stages.forget(msg.Trace)
		delete(p.dismissed.by, msg.Trace)
		if p.shown.of == msg.Trace {
			p.shown = shown{}
			p.tour.Stop()
			p.tour.Forget()
			for _, v := range []*document.View{p.account, p.findings, p.gap} {
				v.Show(nil)
			}
		}
	case pane.ViewClosed:
		p.tour.Forget()
	}
	return nil
}

// result returns the diagnosis of the trace in focus; nil if none.
func (p *Pane) result() *diagnose.Result { return p.outcome().result }

// outcome returns the outcome for the current revision of the trace in focus.
func (p *Pane) outcome() outcome {
	if p.sc.View == nil {
		return outcome{}
	}
	return p.diagnoses.of(p.sc.View.Trace)
}

// Sync starts the diagnosis of the trace in focus, and shows its results so far.
func (p *Pane) Sync() tea.Cmd {
	if p.sc.View == nil {
		return nil
	}
	cmd := p.diagnoses.sync(p.sc.Open == p)
	p.refresh()
	t, r := p.sc.View.Trace, p.result()
	if p.pages.At == pageClasses {
		cmd = tea.Batch(cmd, p.classes.sync(t, r))
	}
	if p.pages.At == pagePath && p.sc.Open == p {
		cmd = tea.Batch(cmd, p.path.sync())
	}
	if p.pages.At >= pageTime {
		cmd = tea.Batch(cmd, p.stages.sync(t, r))
	}
	return cmd
}

// refresh writes the documents for the trace in focus. The selected finding stays selected, whatever its rank after
// verification; initially the first one is.
func (p *Pane) refresh() {
	if p.sc.Open != p {
		return
	}
	o, was := p.outcome(), p.shown
	now := shown{p.sc.View.Trace, o.result, p.dismissed.changes}
	p.findings.Provisional = !o.verified
	if now == was {
		return
	}
	p.shown = now
	var selected subject
	e := p.findings.Entry()
	if e != nil && (p.tour.At() >= 0 || e.Number != 1) {
		selected = subjectOf(e.Finding)
	}
	if now.of != was.of {
		p.tour.Stop()
		p.tour.Forget()
		p.gap.Show(nil)
	}
	if o.result == nil {
		p.account.Show(nil)
		p.findings.Show(nil)
		return
	}
	t := now.of.Data
	p.account.Show(answer.Account(o.result, t))
	p.findings.Show(answer.Document(p.dismissed.without(now.of, o.result), t, 0))
	isSelected := func(p *rendered.Part) bool {
		other, ok := p.Block.(*report.Entry)
		return ok && (selected == subject{} || subjectOf(other.Finding) == selected)
	}
	switch {
	case now.of != was.of || was.result == nil:
		p.findings.SelectEntry(0)
	case e != nil && now.result != was.result:
		p.findings.Select(isSelected)
	}
}

// Sentences returns the lines of the first screen on a trace: from its summary, and from the findings of the same
// revision once their order is settled.
func (p *Pane) Sentences(t *timeline.Trace) []report.Line {
	if t.Summary == nil {
		return nil
	}
	if t.Summary.Streams > 0 {
		return t.Summary.Lines
	}
	if p.diagnoses.pending(t) {
		return nil
	}
	switch o := p.diagnoses.known[t]; {
	case o.result == nil || o.revision != t.Summarised:
	case o.verified:
		return answer.Headline(o.result, t.Summary, t.Data, p.dismissed.without(t, o.result).Findings)
	case !verifiesUnasked(t):
		return answer.Headline(o.result, t.Summary, t.Data, nil)
	}
	return t.Summary.Lines
}

// Settling says what is computed before there are sentences about a trace; "" for nothing.
func (p *Pane) Settling(t *timeline.Trace) string {
	if p.diagnoses.pending(t) {
		return p.diagnoses.job.What()
	}
	return ""
}

// pending reports whether the first screen of a trace waits for its diagnosis: the first sentence must not change.
func (d *diagnoses) pending(t *timeline.Trace) bool {
	o := d.of(t)
	return d.job.What() != "" && d.asked.of == t && d.asked.revision == t.Revision && !o.verified &&
		d.wanted(t, false) && (o.result == nil || verifiesUnasked(t))
}

// ShowAccount opens the pane on the account of the trace in focus.
func (p *Pane) ShowAccount() {
	p.sc.Show(p, true)
	p.pages.At = pageAccount
	p.gap.Show(nil)
	p.refresh()
}

// ShowFinding opens the pane on a finding of the trace in focus.
func (p *Pane) ShowFinding(i int) {
	p.sc.Show(p, true)
	p.pages.At = pageFindings
	p.gap.Show(nil)
	p.refresh()
	p.findings.Narrow("")
	p.tour.Stop()
	p.findings.SelectEntry(i)
}

// view returns the document on the screen; nil if the page has none.
func (p *Pane) view() *document.View {
	switch {
	case p.gap.Document() != nil:
		return p.gap
	case p.pages.At == pageFindings:
		return p.findings
	case p.pages.At == pageAccount:
		return p.account
	case p.pages.At == pageClasses:
		return p.classes.View
	case p.pages.At == pagePath:
		return p.path.View
	}
	return nil
}

// evidence returns the places that Enter visits.
func (p *Pane) evidence() []report.Evidence {
	if v := p.view(); v != nil {
		return v.Evidence()
	}
	return p.stages.chosen()
}

// keep returns a function that restores the page and its selection.
func (p *Pane) keep() func() {
	page, v := p.pages.At, p.view()
	if v == nil {
		return func() { p.pages.At = page }
	}
	at := v.At()
	return func() {
		p.pages.At = page
		v.Choose(at)
	}
}

// Light highlights the evidence in the windows of its trace.
func (p *Pane) Light(v *timeline.View, plot raster.Canvas, cu *raster.Cursors) {
	if p.sc.Open == p {
		p.tour.Light(v, plot, cu)
	}
}
