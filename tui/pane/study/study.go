// Package study is the Study pane: a run on machines with random parameters. Variables are picked in the Simulator's
// form or typed; hundreds of runs are simulated in the background; their inputs and outputs form a table and plots. Any
// run opens as a prediction under the measured one.
//
// A trace has one study. Its base is the machine of the Simulator at the start of the study, so that opening a run,
// which changes the machine there, does not change the study.
package study

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"pview/insight/report/figure"
	"pview/prv/quantity"
	"pview/render/raster"
	"pview/render/timeline"
	"pview/sim/scenario"
	"pview/sim/study"
	"pview/tui/list"
	"pview/tui/pane"
)

// Title is the pane's name.
const Title = "Study"

// Pane is the Study pane.
type Pane struct {
	pane.None
	studies map[*timeline.Trace]*session // by the measured trace

	view
	opened bool // a run was opened since the page was turned
}

// view holds the visible page and its lines, and the last drawing.
type view struct {
	sc       *pane.Scene
	pages    list.Pages
	setup    list.List // lines of the definition
	drawn    drawn
	figure   *figure.Figure
	figureOf figureKey
	lines    [][2]string // of the summary
	linesOf  figureKey
}

// session is the study of one trace.
type session struct {
	measured *timeline.Trace
	asked    bool // the Simulator was asked for the program
	program  *scenario.Program
	base     scenario.Setup // its machine is nil until the Simulator has one
	def      definition

	gen     int // generation of the current work
	runner  *study.Runner
	plan    *study.Plan // of the rows
	cancel  context.CancelFunc
	paused  bool
	began   bool // the runner has its plan
	state   study.Progress
	table   *study.Table // as of the last look; nil before
	live    []study.LiveRun
	again   func(run int) tea.Cmd // continues the study, and repeats this run
	version int                   // of the table
	err     error

	x, y    int     // columns of the table: inputs, then outputs
	limit   float64 // of y; NaN: none
	at      int     // index of the chosen run; -1: none
	order   []int   // rows in the order of the table; see ordered
	orderOf [2]int

	runsTable list.Table // its column 0 is the number of the run
}

func newSession(t *timeline.Trace, def definition) *session {
	s := &session{measured: t, def: def, at: -1, y: -1, limit: nan}
	s.runsTable.Len, s.runsTable.Columns = s.listed, s.tableColumns
	return s
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	p := &Pane{view: view{sc: sc, pages: list.Pages{Names: pageNames()}}, studies: map[*timeline.Trace]*session{}}
	p.setup.Len = func() int {
		if s := p.current(); s != nil {
			return s.def.lines()
		}
		return 0
	}
	return p
}

func (p *Pane) Title() string { return Title }

// windowsHeight is the height of the measured and the predicted run, with the lines around them.
const windowsHeight = 11

// Height returns most of the screen, which plots need; once a run was opened, it leaves room for it below the measured
// one.
func (p *Pane) Height(room int) int {
	if p.opened {
		return min(pane.Tall(room), max(room-windowsHeight, 9))
	}
	return pane.Tall(room)
}

// current returns the study of the trace in focus, or of the one that it was predicted from; nil without a trace.
func (p *Pane) current() *session {
	if p.sc.View == nil {
		return nil
	}
	t := p.sc.View.Trace
	if t.PredictedFrom != nil {
		t = t.PredictedFrom
	}
	s := p.studies[t]
	if s == nil {
		s = newSession(t, newDefinition())
		p.studies[t] = s
	}
	return s
}

// Sync asks the Simulator for the program, and follows a running study.
func (p *Pane) Sync() tea.Cmd {
	for _, s := range p.studies {
		p.look(s)
	}
	if p.sc.Open != p || p.sc.View == nil {
		return nil
	}
	if s := p.current(); !s.adopt(p.sc) && !s.asked {
		s.asked = true
		p.sc.Do(pane.Prepare{Trace: s.measured})
	}
	return nil
}

// adopt takes the program of the Simulator, and its machine as the base; it reports whether there is a program. If the
// trace has changed, as a followed one does, so has the program.
func (s *session) adopt(sc *pane.Scene) bool {
	program, setup, err := sc.Simulation(s.measured)
	if err == nil && program != s.program && s.cancel == nil {
		s.program, s.base = program, setup
	}
	return s.program != nil
}

// Update takes plans and ends of studies.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case plannedMsg:
		return p.planned(msg)
	case endedMsg:
		p.ended(msg)
	case pane.TraceClosed:
		if s := p.studies[msg.Trace]; s != nil {
			s.stop()
			delete(p.studies, msg.Trace)
			if p.figureOf.of == s {
				p.figure, p.figureOf = nil, figureKey{}
			}
			if p.linesOf.of == s {
				p.lines, p.linesOf = nil, figureKey{}
			}
		}
	}
	return nil
}

// Busy reports whether a study is running; a paused one is not.
func (p *Pane) Busy() bool {
	for _, s := range p.studies {
		if s.cancel != nil && !s.paused {
			return true
		}
	}
	return false
}

// Progress reports in the title, unless the pane's own heading, which shows the progress, is visible.
func (p *Pane) Progress() string {
	if p.sc.Open == p {
		if p.Busy() {
			return "simulating"
		}
		return ""
	}
	for _, t := range p.sc.Traces {
		if s := p.studies[t]; s != nil && s.cancel != nil {
			return "study: " + s.progress()
		}
	}
	return ""
}

// Cancel ends the study; finished runs stay.
func (p *Pane) Cancel() bool {
	for _, s := range p.studies {
		if s.cancel != nil {
			s.stop()
			p.sc.Say(fmt.Sprintf("the study was stopped: %s are kept, %s resumes", raster.CountOf(s.runs(), "run"),
				p.sc.KeysOf("study run")))
			return true
		}
	}
	return false
}

// progress reports the progress of the study.
func (s *session) progress() string {
	st := s.state
	text := fmt.Sprintf("%d of %d runs", st.Done+st.Failed+st.Killed, st.Total)
	if !s.began {
		return "being prepared…"
	}
	if st.Failed > 0 {
		text += fmt.Sprintf(", %d failed", st.Failed)
	}
	if st.Killed > 0 {
		text += fmt.Sprintf(", %d killed", st.Killed)
	}
	switch {
	case s.cancel == nil:
		return text
	case s.paused:
		text += ", paused"
	case st.Remaining > 0:
		text += ", " + remaining(st.Remaining) + " left"
	}
	return text
}

func remaining(d time.Duration) string {
	if d >= 10*time.Second {
		d = d.Round(time.Second)
	}
	return quantity.Time.Format(float64(d))
}

// runs returns the number of finished runs.
func (s *session) runs() int {
	if s.table == nil {
		return 0
	}
	return len(s.table.Rows)
}

// listed returns the number of lines in the table of the runs: those on workers, then the finished ones.
func (s *session) listed() int { return len(s.live) + s.runs() }

// liveAt returns the position of a run among those on workers; -1: it is not on one.
func (s *session) liveAt(run int) int {
	return slices.IndexFunc(s.live, func(l study.LiveRun) bool { return l.Index == run })
}

// Why there is nothing to show, or to open.
var (
	errNoRuns   = errors.New("no runs yet")
	errNoChoice = errors.New("no run is chosen: the arrows or a click choose one")
)

var (
	_ pane.Pane    = (*Pane)(nil)
	_ pane.Dragger = (*Pane)(nil)
)
