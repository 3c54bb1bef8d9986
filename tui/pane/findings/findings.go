// Package findings is the Findings pane: what is wrong with the run in focus, ranked by the time that it costs, with
// the places in the timeline that show it. Runs are diagnosed in the background, once each.
package findings

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/diagnose"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/tui/pane"
)

// Title is the pane's name.
const Title = "Findings"

// outcome is what became of the diagnosis of a trace.
type outcome struct {
	result   *diagnose.Result
	err      error
	revision int    // of the trace then
	verified bool   // or need not be
	unit     string // of times, in the sentences
	// What is listed: neither dismissed nor left out by the filter; the first ones are not minor.
	list  []report.Finding
	major int
	lines []report.Line // that the first screen says
}

// Pane is the Findings pane.
type Pane struct {
	pane.None
	sc *pane.Scene

	known     map[*timeline.Trace]outcome
	dismissed map[*timeline.Trace][]subject
	filter    string // a text that the findings must have; "": none
	job       *job
	classes   classes
	stages    stages

	of       *timeline.Trace // whose findings the places below belong to
	at, top  int             // the finding that is chosen, the first shown
	evidence int             // the piece of evidence of it that is shown in the timeline; -1: none
	gap      []string        // what is said of the gap at the cursor; nil: the finding
	before   []place         // where the window was before evidence was shown

	lines, first int // of the list, when it was drawn last
}

// place is what a window showed.
type place struct {
	view            *timeline.View
	begin, end      int64
	cursor          int64
	row             int
	finding, detail int
	// The class table then.
	classes, stages  bool
	class, execution int
}

// job is a diagnosis under way.
type job struct {
	gen      int
	of       *timeline.Trace
	revision int
	verifies bool // what is known already
	unit     string
	cancel   context.CancelFunc
}

// doneMsg is the end of a job.
type doneMsg struct {
	gen    int
	result *diagnose.Result
	err    error
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	return &Pane{sc: sc, known: map[*timeline.Trace]outcome{}, dismissed: map[*timeline.Trace][]subject{}, evidence: -1}
}

func (p *Pane) Title() string { return Title }

// Height is what the list and the details need.
func (p *Pane) Height(room int) int {
	if p.classes.shown || p.stages.shown {
		return pane.Tall(room)
	}
	const details = 7 // sentence, advice, formula, evidence
	head := 1 + len(p.drawnHead(p.sc.Width-3, pane.Tall(room)))
	lines := max(len(p.findings()), 3) + details
	if p.sc.Width >= beside {
		lines = max(len(p.findings()), details+3)
	}
	return min(pane.Tall(room), head+lines)
}

func (p *Pane) Busy() bool { return p.job != nil || p.classes.cancel != nil || p.stages.cancel != nil }

func (p *Pane) Progress() string {
	switch {
	case p.job != nil && p.job.verifies:
		return "simulating repairs"
	case p.job != nil:
		return "diagnosing"
	case p.classes.cancel != nil:
		return "comparing regions"
	case p.stages.cancel != nil:
		return "dividing the run"
	}
	return ""
}

// Cancel stops the diagnosis.
func (p *Pane) Cancel() bool {
	if p.stopClasses() {
		p.classes.shown = false
		return true
	}
	if p.stopStages() {
		p.stages.shown = false
		return true
	}
	if p.job == nil {
		return false
	}
	p.job.cancel()
	o := outcome{err: context.Canceled, revision: p.job.revision}
	if p.job.verifies {
		o = p.known[p.job.of]
		o.verified, o.unit = true, p.job.unit
	}
	p.known[p.job.of], p.job = o, nil
	return true
}

// Update takes a diagnosis, or forgets a trace or window.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case doneMsg:
		if j := p.job; j != nil && j.gen == msg.gen {
			p.take(j, outcome{result: msg.result, err: msg.err, revision: j.revision, unit: j.unit,
				verified: j.verifies || msg.err != nil || recordsOf(j.of) > mostVerified})
			p.job = nil
		}
	case gapMsg:
		return p.takeGap(msg)
	case classesMsg:
		p.takeClasses(msg)
	case stagesMsg:
		p.takeStages(msg)
	case stageTick:
		return p.tick(msg)
	case pane.TraceClosed:
		if p.job != nil && p.job.of == msg.Trace {
			p.job.cancel()
			p.job = nil
		}
		if p.classes.of == msg.Trace {
			p.stopClasses()
			p.classes = classes{}
		}
		if p.stages.of == msg.Trace {
			p.stopStages()
			p.stages = stages{}
		}
		delete(p.known, msg.Trace)
		delete(p.dismissed, msg.Trace)
		if p.of == msg.Trace {
			p.of = nil
		}
	case pane.ViewClosed:
		p.before = nil
	}
	return nil
}

// take notes what a job has found. The finding that is chosen stays so, wherever it ranks after its verification.
func (p *Pane) take(j *job, o outcome) {
	if o.result != nil {
		p.list(j.of, &o)
	}
	before := p.known[j.of].list
	if old := p.known[j.of].result; j.verifies && old != nil { // regions and stages do not depend on verification
		if p.classes.from == old {
			p.classes.from = o.result
		}
		if p.stages.from == old {
			p.stages.from = o.result
		}
	}
	p.known[j.of] = o
	if !j.verifies || p.of != j.of || p.at >= len(before) {
		return
	}
	f := &before[p.at]
	i := slices.IndexFunc(o.list, func(x report.Finding) bool { return x.Rule == f.Rule && x.Key == f.Key })
	if p.at == 0 && p.evidence < 0 || i < 0 {
		i, p.evidence = 0, -1
	}
	p.at = i
}

// Sentences are what the first screen says of a trace, from its summary and as soon as they are known its findings.
func (p *Pane) Sentences(t *timeline.Trace) []report.Line {
	if o, ok := p.known[t]; ok && o.revision == t.Revision && o.lines != nil {
		return o.lines
	}
	if t.Summary == nil {
		return nil
	}
	return t.Summary.Lines
}

// ShowFinding opens the pane on a finding of the trace in focus.
func (p *Pane) ShowFinding(i int) {
	p.sc.Show(p, true)
	p.turnTo(p.sc.View.Trace)
	p.stopClasses()
	p.stopStages()
	p.classes.shown, p.stages.shown = false, false
	if p.filter != "" {
		p.filterBy("")
	}
	p.choose(i)
}

// turnTo shows the findings of a trace, from the first on.
func (p *Pane) turnTo(t *timeline.Trace) {
	if p.of != t {
		p.of, p.at, p.top, p.evidence, p.gap, p.before = t, 0, 0, -1, nil, nil
	}
}

// mostRecords is the number of events and messages up to which a trace is diagnosed for the first screen, without being
// asked. A diagnosis takes some 110 bytes of memory for each.
const mostRecords = 5_000_000

// wanted reports whether a trace is to be diagnosed: the pane shows it, or the first screen, which has said already
// what is known at once.
func (p *Pane) wanted(t *timeline.Trace) bool {
	if p.sc.Open == p {
		return true
	}
	if !p.sc.Headline || t.Derived || t.Summary == nil || t.Summarised != t.Revision {
		return false
	}
	return recordsOf(t) <= mostRecords
}

// mostVerified is the number of events and messages up to which the repairs are simulated without being asked, after
// the findings are shown.
const mostVerified = 2_000_000

func recordsOf(t *timeline.Trace) (n int) {
	n = t.Data.Comms.Len()
	for i := range t.Data.Threads {
		n += t.Data.Threads[i].Events.Len()
	}
	return n
}

// Sync starts the diagnosis of the trace in focus.
func (p *Pane) Sync() tea.Cmd {
	if p.sc.View == nil {
		return nil
	}
	t := p.sc.View.Trace
	if p.sc.Open == p {
		p.turnTo(t)
	}
	o, ok := p.known[t]
	known := ok && o.revision == t.Revision
	unit := quantity.TimeUnit()
	worded := o.result == nil || o.unit == unit
	if t.Until != 0 || known && o.verified && worded || !p.wanted(t) {
		return tea.Batch(p.syncClasses(), p.syncStages())
	}
	if p.job != nil {
		if p.job.of == t && p.job.revision == t.Revision && p.job.unit == unit {
			return tea.Batch(p.syncClasses(), p.syncStages())
		}
		p.job.cancel()
	}
	return tea.Batch(p.start(t, known), p.syncClasses(), p.syncStages())
}

// start diagnoses a trace, or simulates the repairs of what it has found when that is what is missing: the verification
// goes on from the diagnosis, which regions and stages may be at work on. Only sentences in another unit are made by a
// new one.
func (p *Pane) start(t *timeline.Trace, verify bool) tea.Cmd {
	ctx, cancel := context.WithCancel(p.sc.Context)
	j := &job{gen: p.sc.NextGen(), of: t, revision: t.Revision, verifies: verify, unit: quantity.TimeUnit(),
		cancel: cancel}
	p.job = j
	data, o, opt := t.Data, p.known[t], diagnose.Options{}
	if verify && recordsOf(t) <= mostVerified {
		opt.Verify = diagnose.Verified
	}
	work := func() (*diagnose.Result, error) { return diagnose.Analyze(ctx, data, opt) }
	switch {
	case !verify:
	case o.unit != j.unit: // what is known is worded in another unit
		p.gap = nil
	case opt.Verify > 0 && o.result != nil:
		work = func() (*diagnose.Result, error) { return o.result.Verify(ctx, data, opt.Verify) }
	}
	return func() tea.Msg {
		defer cancel()
		r, err := work()
		if ctx.Err() != nil {
			return nil // nobody waits for it any more
		}
		return doneMsg{j.gen, r, err}
	}
}

// result is the diagnosis of the trace in focus; nil while there is none.
func (p *Pane) result() *diagnose.Result {
	return p.outcome().result
}

// outcome is that of the trace in focus as it is now: threads and messages of an earlier revision may be others.
func (p *Pane) outcome() outcome {
	if p.sc.View == nil {
		return outcome{}
	}
	t := p.sc.View.Trace
	if o := p.known[t]; o.revision == t.Revision {
		return o
	}
	return outcome{}
}

// findings are those of the trace in focus: the minor ones last.
func (p *Pane) findings() []report.Finding {
	return p.outcome().list
}

// chosen is the finding that is chosen; nil for none, and while the stages are shown.
func (p *Pane) chosen() *report.Finding {
	list := p.findings()
	if p.at >= len(list) || p.stages.shown {
		return nil
	}
	return &list[p.at]
}

// shown is the piece of evidence, or the execution, that is shown; nil for none.
func (p *Pane) shown() *report.Evidence {
	list, at := p.places()
	if *at < 0 || *at >= len(list) {
		return nil
	}
	return &list[*at]
}

// Light lights the evidence in the windows of its trace.
func (p *Pane) Light(v *timeline.View, plot raster.Canvas, cu *raster.Cursors) {
	e := p.shown()
	if e == nil || p.sc.Open != p || v.Trace != p.of {
		return
	}
	for _, th := range e.Threads {
		if row := v.RowOfThread(th); row >= 0 {
			cu.Select(plot, e.From, max(e.To, e.From+1), row, row+1)
		}
	}
	for _, m := range e.Messages[:min(len(e.Messages), mostLit)] {
		lightMessage(v, plot, cu, int(m))
	}
}

// mostLit is the number of messages of a piece of evidence that are pointed out.
const mostLit = 50

// lightMessage dots the way of a message, a point in each row from its sender to its receiver.
func lightMessage(v *timeline.View, plot raster.Canvas, cu *raster.Cursors, m int) {
	c := &v.Trace.Data.Comms
	from, to := v.RowOfThread(c.Send[m]), v.RowOfThread(c.Recv[m])
	if from < 0 || to < 0 {
		return
	}
	sent, received := c.Times[prv.LogicalSend][m], c.Times[prv.PhysicalRecv][m]
	step, rows := 1, to-from
	if rows < 0 {
		step, rows = -1, -rows
	}
	for k := range rows + 1 {
		at := received
		if k < rows {
			at = sent + int64(float64(received-sent)*float64(k)/float64(rows))
		}
		cu.Point(plot, at, from+k*step)
	}
}
