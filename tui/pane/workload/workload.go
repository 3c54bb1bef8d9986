// Package workload is the Workload pane: components of a run (bursts, tasks, messages ...), the parameters and the
// method that they are clustered by, and the result, in tables and plots. A change of anything is computed in place, in
// the background, with the last result on the screen meanwhile. Every component leads to its place in the timeline, and
// the clusters can be shown there as events.
package workload

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report/figure"
	"pview/insight/workload"
	"pview/render/timeline"
	"pview/tui/pane"
)

// Title is the pane's name.
const Title = "Workload"

// Pane is the Workload pane.
type Pane struct {
	pane.None
	sc       *pane.Scene
	sessions map[*timeline.Trace]*session
	job      *job

	page  int // of pages
	row   int // of the settings
	drawn drawn
}

// session is the analysis of one trace.
type session struct {
	trace *timeline.Trace
	definition
	version int // of what is asked for
	cut     int // how often other components were asked for

	revision int           // of the trace that base is of
	base     *workload.Set // components, with the columns measured so far; nil: to be extracted
	result   *workload.Result
	of       int // version that the result, or the error, is of
	err      error

	row  int // chosen line of the table of clusters
	top  int // first line of it that is shown
	at   int // chosen component; -1: none
	x, y int // parameters of the axes

	shown  map[int]*view // what pages show, by page
	failed map[string]error

	stream
}

// view is what a page shows.
type view struct {
	key       string // of what it depends on
	figure    *figure.Figure
	lines     []line
	err       error
	suggested float64             // eps, of the curve of distances
	scores    *workload.Sequences // of the alignment
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	return &Pane{sc: sc, sessions: map[*timeline.Trace]*session{}, page: pageScatter}
}

func (p *Pane) Title() string { return Title }

// Height is most of the screen: plots need it.
func (p *Pane) Height(room int) int { return pane.Tall(room) }

// current is the analysis of the trace in focus; nil without a trace.
func (p *Pane) current() *session {
	if p.sc.View == nil {
		return nil
	}
	return p.sessionOf(p.sc.View.Trace)
}

func (p *Pane) sessionOf(t *timeline.Trace) *session {
	s := p.sessions[t]
	if s == nil {
		s = &session{trace: t, definition: newDefinition(), version: 1, revision: t.Revision, at: -1, y: 1,
			shown: map[int]*view{}, failed: map[string]error{}}
		p.sessions[t] = s
	}
	return s
}

// changed asks for an analysis with what is set now.
func (s *session) changed() {
	s.version++
	clear(s.failed)
}

// recut asks for other components.
func (s *session) recut() {
	s.base, s.at = nil, -1
	s.cut++
	s.changed()
}

// fresh reports whether the result is of what is asked for.
func (s *session) fresh() bool { return s.of == s.version && s.err == nil && s.result != nil }

// job is something that is computed in the background, one at a time.
type job struct {
	gen         int
	of          *session
	version     int
	what        string // for people, and to know it by
	cancel      context.CancelFunc
	done, total atomic.Int64
}

// task is a job to be started. run is called in the background; what it returns is called on the goroutine of the
// program.
type task struct {
	what string
	run  func(ctx context.Context, tell func(stage string, done, total int64)) (apply func() tea.Cmd, err error)
}

// jobMsg is the end of a job.
type jobMsg struct {
	gen   int
	apply func() tea.Cmd
	err   error
}

// start starts a task.
func (p *Pane) start(s *session, t *task) tea.Cmd {
	ctx, cancel := context.WithCancel(p.sc.Context)
	j := &job{gen: p.sc.NextGen(), of: s, version: s.version, what: t.what, cancel: cancel}
	p.job = j
	return func() tea.Msg {
		defer cancel()
		apply, err := t.run(ctx, func(_ string, done, total int64) {
			j.done.Store(done)
			j.total.Store(total)
		})
		return jobMsg{j.gen, apply, err}
	}
}

// ended takes what a job has found. One that was cancelled is not waited for any more.
func (p *Pane) ended(msg jobMsg) tea.Cmd {
	j := p.job
	if j == nil || j.gen != msg.gen {
		return nil
	}
	p.job = nil
	if msg.err != nil {
		j.of.fail(j, msg.err)
		return nil
	}
	return msg.apply()
}

// fail keeps why a job has not found anything, so that it is not started again.
func (s *session) fail(j *job, err error) {
	if j.what == analysing {
		s.of, s.err = j.version, err
		return
	}
	s.failed[j.what] = err
}

// Busy reports whether anything is computed.
func (p *Pane) Busy() bool { return p.job != nil }

// Progress is said in the title while the pane, which says it itself, is not shown.
func (p *Pane) Progress() string {
	if p.job == nil || p.sc.Open == p {
		return ""
	}
	return "workload: " + p.job.progress()
}

func (j *job) progress() string {
	if total := j.total.Load(); total > 1 {
		return j.what + " " + percent(float64(j.done.Load())/float64(total))
	}
	return j.what
}

// Cancel stops what is computed.
func (p *Pane) Cancel() bool {
	if p.job == nil {
		return false
	}
	p.drop(context.Canceled)
	return true
}

// drop ends the job.
func (p *Pane) drop(why error) {
	p.job.cancel()
	p.job.of.fail(p.job, why)
	p.job = nil
}

// Update takes results and ends of traces.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case jobMsg:
		return p.ended(msg)
	case savedMsg:
		if msg.err != nil {
			return p.sc.Refuse(msg.err)
		}
		p.sc.Say("written: " + msg.path)
	case pane.TraceClosed:
		if s := p.sessions[msg.Trace]; s != nil {
			if p.job != nil && p.job.of == s {
				p.drop(context.Canceled)
			}
			delete(p.sessions, msg.Trace)
		}
	}
	return nil
}

// Sync starts what the analysis in focus lacks; of other traces only what their timelines show.
func (p *Pane) Sync() tea.Cmd {
	for _, s := range p.sessions {
		p.paint(s)
	}
	s := p.current()
	if s == nil || s.trace.Until != 0 || p.sc.Open != p && !s.restoring {
		return nil
	}
	if s.revision != s.trace.Revision { // it says more than before
		s.revision = s.trace.Revision
		s.recut()
	}
	if p.job != nil {
		if p.job.of == s && p.job.version == s.version && (p.job.what == analysing || s.fresh()) {
			return nil
		}
		p.drop(errStale)
	}
	if t := p.lacks(s); t != nil {
		return p.start(s, t)
	}
	s.restoring = false
	return nil
}

// errStale ends a job whose result nobody waits for; it is started again when it is.
var errStale = errors.New("stale")

// lacks returns what the analysis needs next; nil for nothing.
func (p *Pane) lacks(s *session) *task {
	switch {
	case s.of != s.version || errors.Is(s.err, errStale):
		return p.analysis(s)
	case s.err != nil || s.result == nil:
		return nil
	case s.wanted && s.streamed != s.of && s.result.Set.Kind.Streams() && s.can(streaming):
		return p.streaming(s)
	}
	for _, i := range []int{p.page, p.beside()} {
		if i >= 0 && pages[i].make != nil {
			key := pages[i].key(s)
			if v := s.shown[i]; (v == nil || v.key != key) && s.can(pages[i].name) {
				return p.showing(s, i, key)
			}
		}
	}
	return nil
}

// can reports whether a job may be started: it has not failed since the last change.
func (s *session) can(what string) bool {
	err := s.failed[what]
	return err == nil || errors.Is(err, errStale)
}

// analysing is the job that finds clusters.
const analysing = "clustering"

// analysis cuts the trace into components where that is not done yet, and clusters them.
func (p *Pane) analysis(s *session) *task {
	version, base, kind, set, opt := s.version, s.base, s.kind, s.set, s.options()
	if base != nil {
		base = base.Copy()
	}
	traces := []*timeline.Trace{s.trace}
	if kind.Name == "run" {
		traces = slices.DeleteFunc(slices.Clone(p.sc.Traces), func(t *timeline.Trace) bool { return t.Until != 0 })
	}
	return &task{analysing, func(ctx context.Context, tell func(string, int64, int64)) (func() tea.Cmd, error) {
		if base == nil {
			var err error
			if base, err = extract(ctx, traces, kind, opt); err != nil {
				return nil, err
			}
		}
		set.Progress = tell
		r, err := workload.Analyse(ctx, base, set)
		if err != nil {
			return nil, err
		}
		r.Settings.Progress = nil
		return func() tea.Cmd { s.take(r, version); return nil }, nil
	}}
}

// errNone is the refusal of a trace without components.
var errNone = errors.New("there is nothing of that kind in the trace")

// extract finds the components of a trace, or of several runs.
func extract(ctx context.Context, traces []*timeline.Trace, kind *workload.Kind, opt workload.Options) (*workload.Set,
	error) {
	var sets []*workload.Set
	for _, t := range traces {
		s, err := workload.Extract(ctx, t.Data, kind, opt)
		if err != nil {
			return nil, err
		}
		if kind.Name == "run" {
			s.Names = []string{t.Name}
		}
		sets = append(sets, s)
	}
	s := sets[0]
	if len(sets) > 1 {
		s = workload.Join(sets)
	}
	if s.Len() == 0 {
		return nil, errNone
	}
	return s, nil
}

// take takes a result in the place of the one before.
func (s *session) take(r *workload.Result, version int) {
	s.base, s.result, s.of, s.err = r.Set, r, version, nil
	n := len(r.ParameterNames())
	s.x, s.y = min(s.x, n-1), min(s.y, n-1)
	s.row = min(s.row, len(s.classes())-1)
	if s.at >= r.Set.Len() {
		s.at = -1
	}
}

var _ pane.Pane = (*Pane)(nil)
