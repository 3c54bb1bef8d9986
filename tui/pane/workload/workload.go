// Package workload is the Workload pane: components of a run (bursts, tasks, messages ...), the parameters and the
// method of clustering, and the result, in tables and plots. Any change is computed in place, in the background; the
// last result stays on the screen until then. Every component leads to its place in the timeline, and the clusters can
// be shown there as events.
package workload

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report"
	"pview/insight/report/figure"
	"pview/insight/workload"
	"pview/prv"
	"pview/render/timeline"
	"pview/tui/list"
	"pview/tui/pane"
	"pview/tui/pane/document"
)

// Title is the pane's name.
const Title = "Workload"

// Pane is the Workload pane.
type Pane struct {
	pane.None
	sc       *pane.Scene
	sessions map[*timeline.Trace]*session
	work     work
	setup    setup
	lanes    lanes
	files    files

	pages list.Pages
	doc   *document.View // of a page with text
	row   int            // of the table of clusters, as last selected in doc
	drawn drawn
}

// session is the analysis of one trace.
type session struct {
	trace *timeline.Trace
	definition
	version int // of the request
	cut     int // number of requests for other components

	revision int           // of the trace that base comes from
	base     *workload.Set // components, with the columns measured so far; nil: not extracted yet
	result   *workload.Result
	of       int // version of the result, or of the error
	err      error

	row  int // chosen line of the table of clusters
	at   int // chosen component; -1: none
	x, y int // parameters of the axes

	shown  map[int]*view // the pages' contents
	failed map[string]error

	stream
}

// view is the content of a page.
type view struct {
	key       string // of its dependencies
	figure    *figure.Figure
	doc       *report.Document
	err       error
	suggested float64 // eps, of the curve of distances
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	p := &Pane{sc: sc, sessions: map[*timeline.Trace]*session{}, work: work{Job: pane.NewJob(sc)},
		pages: list.Pages{Names: names(pages, func(p page) string { return p.name }), At: pageScatter},
		doc:   document.New(sc)}
	p.setup.rows = list.List{Len: func() int {
		if s := p.current(); s != nil {
			return len(s.lines())
		}
		return 0
	}}
	p.setup.sc, p.files.sc = sc, sc
	p.lanes = lanes{sc, &p.work, p}
	p.doc.Swatch = p.swatch
	return p
}

func (p *Pane) Title() string { return Title }

// Height returns most of the screen: plots need it.
func (p *Pane) Height(room int) int { return pane.Tall(room) }

// current returns the analysis of the trace in focus; nil without a trace.
func (p *Pane) current() *session {
	if p.sc.View == nil {
		return nil
	}
	return p.sessionOf(p.sc.View.Trace)
}

func (p *Pane) sessionOf(t *timeline.Trace) *session {
	s := p.sessions[t]
	if s == nil {
		s = &session{trace: t, definition: definition{kind: &workload.Kinds[0]}, version: 1, revision: t.Revision,
			at: -1, y: 1, shown: map[int]*view{}, failed: map[string]error{}}
		p.sessions[t] = s
	}
	return s
}

// changed requests an analysis with the current settings.
func (s *session) changed() {
	s.version++
	clear(s.failed)
}

// recut requests other components.
func (s *session) recut() {
	s.base, s.at = nil, -1
	s.cut++
	s.changed()
}

// fresh reports whether the result matches the request.
func (s *session) fresh() bool { return s.of == s.version && s.err == nil && s.result != nil }

// Busy reports whether anything is computed.
func (p *Pane) Busy() bool { return p.work.What() != "" }

// Progress reports in the title while the pane, which reports it itself, is hidden.
func (p *Pane) Progress() string {
	if !p.Busy() || p.sc.Open == p {
		return ""
	}
	return "workload: " + p.work.Progress()
}

// Cancel stops the computation.
func (p *Pane) Cancel() bool { return p.work.drop(context.Canceled) }

// Update forgets closed traces.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(pane.TraceClosed); ok {
		if s := p.sessions[msg.Trace]; s != nil {
			p.work.forget(s)
			delete(p.sessions, msg.Trace)
		}
	}
	return nil
}

// Sync starts the missing work for the analysis in focus; for other traces only what their timelines show.
func (p *Pane) Sync() tea.Cmd {
	for _, s := range p.sessions {
		p.lanes.paint(s)
	}
	s := p.current()
	if s == nil || s.trace.Until != 0 || p.sc.Open != p && !s.restoring {
		return nil
	}
	if s.revision != s.trace.Revision { // it has grown or changed
		s.revision = s.trace.Revision
		s.recut()
	}
	if p.Busy() {
		if p.work.suits(s) {
			return nil
		}
		p.work.drop(errStale)
	}
	if t := p.lacks(s); t != nil {
		return p.work.start(s, t)
	}
	s.restoring = false
	return nil
}

// lacks returns the next missing step of the analysis; nil for none.
func (p *Pane) lacks(s *session) *task {
	switch {
	case s.of != s.version || errors.Is(s.err, errStale):
		return p.analysis(s)
	case s.err != nil || s.result == nil:
		return nil
	case s.wanted && s.streamed != s.of && s.result.Set.Kind.Streams() && s.can(streaming):
		return p.lanes.streaming(s)
	}
	for _, i := range []int{p.pages.At, p.beside()} {
		if i >= 0 && pages[i].make != nil {
			key := pages[i].key(s)
			if v := s.shown[i]; (v == nil || v.key != key) && s.can(pages[i].name) {
				return s.showing(i, key)
			}
		}
	}
	return nil
}

// analysing is the job that finds clusters.
const analysing = "clustering"

// analysis cuts the trace into components, unless that is done, and clusters them.
func (p *Pane) analysis(s *session) *task {
	version, base, kind, set, opt := s.version, s.base, s.kind, s.set, s.options()
	if base != nil {
		base = base.Copy()
	}
	runs := []run{{s.trace.Name, s.trace.Data}}
	if kind.Name == "run" {
		runs = runs[:0]
		for _, t := range p.sc.Traces {
			if t.Until == 0 {
				runs = append(runs, run{t.Name, t.Data})
			}
		}
	}
	return &task{analysing, func(ctx context.Context, tell func(string, int64, int64)) (func(), error) {
		if base == nil {
			var err error
			if base, err = extract(ctx, runs, kind, opt); err != nil {
				return nil, err
			}
		}
		set.Progress = tell
		r, err := workload.Analyse(ctx, base, set)
		if err != nil {
			return nil, err
		}
		r.Settings.Progress = nil
		return func() { s.take(r, version) }, nil
	}}
}

// errNone is the refusal of a trace without components.
var errNone = errors.New("there is nothing of that kind in the trace")

// run is a trace at the start of its analysis: the viewer may follow it.
type run struct {
	name string
	data *prv.Trace
}

// extract finds the components of a trace, or of several runs.
func extract(ctx context.Context, runs []run, kind *workload.Kind, opt workload.Options) (*workload.Set, error) {
	var sets []*workload.Set
	for _, r := range runs {
		s, err := workload.Extract(ctx, r.data, kind, opt)
		if err != nil {
			return nil, err
		}
		if kind.Name == "run" {
			s.Names = []string{r.name}
		}
		sets = append(sets, s)
	}
	if len(sets) == 0 { // all runs are still being read
		return nil, errNone
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

// take replaces the last result.
func (s *session) take(r *workload.Result, version int) {
	s.base, s.result, s.of, s.err = r.Set, r, version, nil
	n := len(r.ParameterNames())
	s.x, s.y = min(s.x, n-1), min(s.y, n-1)
	s.row = min(s.row, len(r.Classes())-1)
	if s.at >= r.Set.Len() {
		s.at = -1
	}
}

var _ pane.Pane = (*Pane)(nil)
