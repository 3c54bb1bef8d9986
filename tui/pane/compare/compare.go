// Package compare is the Compare pane: where one open trace differs from another, as a sentence and as parts that add
// up to the difference. Runs are analysed in the background, once each.
package compare

import (
	"context"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/compare"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/tui/pane"
)

// Title is the pane's name.
const Title = "Compare"

// version is a trace as it was when it was analysed.
type version struct{ id, revision int }

// outcome is what became of an analysis or comparison.
type outcome struct {
	run *compare.Run
	err error
}

// Pane is the Compare pane.
type Pane struct {
	pane.None
	sc *pane.Scene

	a, b   *timeline.Trace // chosen; nil: see pair
	runs   map[version]outcome
	job    *job
	of     [2]version // that the result is of
	unit   string     // of times in it
	result *compare.Result
	err    error

	aligned   *aligned // nil: no windows on A's time
	alignNext bool     // as soon as the runs are compared

	kind    compare.Kind
	at, top int
	lines   int // of the list, when it was drawn last
	first   int // line of the pane where the list began
}

// job is a comparison under way.
type job struct {
	gen    int
	cancel context.CancelFunc
}

// doneMsg is the end of a job.
type doneMsg struct {
	gen    int
	of     [2]version
	runs   map[version]outcome
	result *compare.Result
	err    error
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	return &Pane{sc: sc, runs: map[version]outcome{}}
}

func (p *Pane) Title() string { return Title }

// Height is what the longest list needs, so that it does not change from kind to kind; beside aligned windows a third
// of the room, so that they can be seen.
func (p *Pane) Height(room int) int {
	if p.result == nil {
		return min(pane.Tall(room), 5)
	}
	const around = 6 // heading, sentence, kinds, names of the columns
	longest := 0
	for k := range compare.NumKinds {
		longest = max(longest, len(p.result.Of(k)))
	}
	if p.aligned != nil {
		return min(pane.Third(room), longest+around)
	}
	return min(pane.Tall(room), longest+around)
}

func (p *Pane) Busy() bool { return p.job != nil }

func (p *Pane) Progress() string {
	if p.job == nil {
		return ""
	}
	return "comparing"
}

// Cancel stops the comparison.
func (p *Pane) Cancel() bool {
	if p.job == nil {
		return false
	}
	p.job.cancel()
	p.job = nil
	if p.result == nil {
		p.err = context.Canceled
	}
	return true
}

// Update takes a comparison, or forgets a trace.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case doneMsg:
		if p.job != nil && p.job.gen == msg.gen {
			p.job = nil
			if p.result == nil { // else it is the same, in another unit
				p.at, p.top = 0, 0
			}
			p.runs, p.of, p.result, p.err = msg.runs, msg.of, msg.result, msg.err
		}
	case alignedMsg:
		p.showAligned(msg)
	case pane.TraceClosed:
		if g := p.aligned; g != nil && (msg.Trace == g.difference || msg.Trace == g.b) {
			p.aligned = nil
		}
		if p.a == msg.Trace {
			p.a = nil
		}
		if p.b == msg.Trace {
			p.b = nil
		}
		maps.DeleteFunc(p.runs, func(v version, _ outcome) bool { return v.id == msg.Trace.ID })
		if slices.ContainsFunc(p.of[:], func(v version) bool { return v.id == msg.Trace.ID }) {
			p.drop()
		}
	}
	return nil
}

// pair is the two traces to compare: the chosen ones; else the first that is open, and the one after it. Traces that
// are still being read are left out.
func (p *Pane) pair() (a, b *timeline.Trace) {
	var list []*timeline.Trace
	for _, t := range p.sc.Traces {
		if t.Until == 0 {
			list = append(list, t)
		}
	}
	pick := func(chosen, other *timeline.Trace) *timeline.Trace {
		if chosen != nil && chosen != other && slices.Contains(list, chosen) {
			return chosen
		}
		for _, t := range list {
			if t != other {
				return t
			}
		}
		return nil
	}
	if p.a == nil && p.b != nil {
		return pick(nil, p.b), p.b
	}
	a = pick(p.a, nil)
	return a, pick(p.b, a)
}

func versionOf(t *timeline.Trace) version { return version{t.ID, t.Revision} }

// isOf reports whether the result is of two traces as they are now.
func (p *Pane) isOf(a, b *timeline.Trace) bool {
	return a != nil && b != nil && p.of == [2]version{versionOf(a), versionOf(b)}
}

// drop forgets the comparison, and ends the one under way.
func (p *Pane) drop() {
	if p.job != nil {
		p.job.cancel()
		p.job = nil
	}
	p.result, p.err, p.of = nil, nil, [2]version{}
}

// Sync starts the comparison that is missing while the pane is shown.
func (p *Pane) Sync() tea.Cmd {
	if p.sc.Open != p {
		return nil
	}
	a, b := p.pair()
	if !p.isOf(a, b) {
		p.closeAligned()
		p.drop()
		if a == nil || b == nil {
			return nil
		}
		p.of = [2]version{versionOf(a), versionOf(b)}
		return p.start(a, b)
	}
	if p.result != nil && p.job == nil && p.unit != quantity.TimeUnit() {
		return p.start(a, b)
	}
	if p.alignNext && p.job == nil {
		p.alignNext = false
		if p.result != nil {
			return p.align("")
		}
	}
	return nil
}

// start compares two traces. Runs that were analysed before, and that are open still, are not analysed again.
func (p *Pane) start(a, b *timeline.Trace) tea.Cmd {
	ctx, cancel := context.WithCancel(p.sc.Context)
	j := &job{gen: p.sc.NextGen(), cancel: cancel}
	p.job, p.unit = j, quantity.TimeUnit()
	msg := doneMsg{gen: j.gen, of: p.of, runs: maps.Clone(p.runs)}
	maps.DeleteFunc(msg.runs, func(v version, _ outcome) bool {
		return !slices.ContainsFunc(p.sc.Traces, func(t *timeline.Trace) bool { return versionOf(t) == v })
	})
	da, db := a.Data, b.Data
	return func() tea.Msg {
		defer cancel()
		for i, data := range []*prv.Trace{da, db} {
			if _, ok := msg.runs[msg.of[i]]; ok {
				continue
			}
			run, err := compare.Analyse(ctx, data, compare.Options{})
			if ctx.Err() != nil {
				return nil // nobody waits for it any more
			}
			msg.runs[msg.of[i]] = outcome{run, err}
		}
		ra, rb := msg.runs[msg.of[0]], msg.runs[msg.of[1]]
		if msg.err = ra.err; msg.err == nil {
			msg.err = rb.err
		}
		if msg.err == nil {
			msg.result, msg.err = compare.Compare(ctx, ra.run, rb.run, compare.Matching{})
		}
		return msg
	}
}
