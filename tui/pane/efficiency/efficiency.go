// Package efficiency is the Efficiency pane: the POP factors of the open traces, and of others read only for the
// comparison, as a tree with a column for each run. Runs are measured one by one in the background and shown as they
// finish.
package efficiency

import (
	"cmp"
	"fmt"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"pview/insight/efficiency"
	"pview/render/timeline"
	"pview/tui/pane"
)

// Title is the pane's name.
const Title = "Efficiency"

// Pane is the Efficiency pane.
type Pane struct {
	pane.None
	sc *pane.Scene

	added   []string           // paths named for the comparison
	out     map[string]bool    // keys of open traces that were removed from it
	found   map[string]outcome // by key
	keys    []string           // of the runs to compare, as of the last comparison
	job     *measuring
	scaling efficiency.Scaling
	project []int
	model   *efficiency.Model // of the projection; nil: the first

	report     *efficiency.Report // nil while no run is measured
	order      []string           // by column of the report: its key
	labels     []string           // likewise: its name
	projection *efficiency.Projection

	at, top int    // the chosen line, and the first one shown
	chosen  string // key of the chosen run; "" for that of the window
	threads bool   // useful time per thread instead of the factors, if both do not fit
	frame   frame
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	return &Pane{sc: sc, out: map[string]bool{}, found: map[string]outcome{}}
}

func (p *Pane) Title() string { return Title }

// Height returns the height of the factors and the explanation of one, or of the threads beside them.
func (p *Pane) Height(room int) int {
	h := pane.Tall(room)
	if p.report != nil && p.sc.View != nil {
		h = min(h, max(len(p.lines(p.sc.Theme))+8, len(p.Run().Useful)+5))
	}
	return h
}

// Update takes a measured run.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case measuredMsg:
		p.measured(msg)
	case pane.TraceClosed:
		delete(p.found, runKey(msg.Trace))
	}
	return nil
}

// Busy reports whether a run is being measured; the pane's heading shows the progress.
func (p *Pane) Busy() bool { return p.job != nil }

// Cancel stops measuring.
func (p *Pane) Cancel() bool { return p.stopMeasuring() }

// outcome is the result of a measurement.
type outcome struct {
	run      *efficiency.Run
	err      error
	revision int // of the trace at that time
}

// frame holds the places of the last drawing, for the mouse.
type frame struct {
	y, lines int   // of the factors
	x        []int // where the columns of the runs end
	from     int   // where the first one begins
}

// factorLine is a line of the pane: a factor, and its place in the tree.
type factorLine struct {
	factor *efficiency.Factor
	lead   string // drawn before its name
}

// runKey returns the key of an open trace.
func runKey(t *timeline.Trace) string { return fmt.Sprintf("#%d", t.ID) }

// runsToCompare lists the keys of the runs that the pane compares.
func (p *Pane) runsToCompare() (keys []string) {
	for _, t := range p.sc.Traces {
		if k := runKey(t); !p.out[k] {
			keys = append(keys, k)
		}
	}
	return append(keys, p.added...)
}

// known reports whether the current data of a run is measured.
func (p *Pane) known(key string) bool {
	o, ok := p.found[key]
	if t := p.traceByKey(key); t != nil {
		return ok && o.revision == t.Revision
	}
	return ok
}

func (p *Pane) traceByKey(key string) *timeline.Trace {
	for _, t := range p.sc.Traces {
		if runKey(t) == key {
			return t
		}
	}
	return nil
}

// runName returns the name of a run before it is measured.
func (p *Pane) runName(key string) string {
	if t := p.traceByKey(key); t != nil {
		return t.Name
	}
	return filepath.Base(key)
}

// compare rebuilds the report from the measured runs.
func (p *Pane) compare() error {
	var runs []*efficiency.Run
	of := map[*efficiency.Run]string{}
	for _, key := range p.keys {
		if run := p.found[key].run; run != nil {
			runs = append(runs, run)
			of[run] = key
		}
	}
	p.report, p.order, p.labels, p.projection = nil, nil, nil, nil
	if len(runs) == 0 {
		return nil
	}
	p.report = efficiency.Compare(runs, p.scaling)
	p.labels = p.report.Labels()
	for _, run := range p.report.Runs {
		p.order = append(p.order, of[run])
	}
	if len(p.project) == 0 {
		return nil
	}
	fits, err := p.report.Fit(cmp.Or(p.model, &efficiency.Models[0]))
	if err == nil {
		p.projection = p.report.Project(fits, p.project)
	}
	return err
}
