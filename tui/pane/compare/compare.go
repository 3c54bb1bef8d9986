// Package compare is the Compare pane: where one open trace differs from another, as a sentence and as parts that add
// up to the difference. Runs are analysed in the background, once each.
package compare

import (
	"cmp"
	"context"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"pview/insight/compare"
	"pview/insight/report"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/tui/list"
	"pview/tui/pane"
	"pview/tui/pane/document"
)

// Title is the pane's name.
const Title = "Compare"

// version is a trace at the time of its analysis.
type version struct{ id, revision int }

// outcome is the result of an analysis or comparison.
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
	job    pane.Job
	of     [2]version // of the result
	units  string     // of its amounts
	result *compare.Result
	err    error

	aligned   *aligned // nil: no windows on A's time
	alignNext bool     // show the windows once the runs are compared

	kinds list.Pages
	head  []*report.Passage // sentences about both runs
	doc   *document.View    // the parts of the kind that is shown
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	p := &Pane{sc: sc, runs: map[version]outcome{}, job: pane.NewJob(sc), doc: document.New(sc)}
	for k := range compare.NumKinds {
		p.kinds.Names = append(p.kinds.Names, k.String())
	}
	return p
}

func (p *Pane) Title() string { return Title }

// Height returns the height of the longest list, so that it does not change from kind to kind; beside aligned windows a
// third of the room, so that they can be seen.
func (p *Pane) Height(room int) int {
	if p.result == nil {
		return min(pane.Tall(room), 5)
	}
	const around = 8 // heading, sentences, names of the columns, sum
	longest := 0
	for k := range compare.NumKinds {
		longest = max(longest, len(p.result.Of(k)))
	}
	if p.aligned != nil {
		return min(pane.Third(room), longest+around)
	}
	return min(pane.Tall(room), longest+around)
}

func (p *Pane) Busy() bool { return p.job.What() != "" }

func (p *Pane) Progress() string { return p.job.What() }

// Cancel stops the comparison.
func (p *Pane) Cancel() bool {
	stopped := p.job.Stop()
	if stopped && p.result == nil {
		p.err = context.Canceled
	}
	return stopped
}

// Update forgets closed traces.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(pane.TraceClosed); ok {
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

// pair returns the two traces to compare: the chosen ones; else the first that is open, and the one after it. Traces
// that are still being read are left out.
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

// isOf reports whether the result compares the current state of two traces.
func (p *Pane) isOf(a, b *timeline.Trace) bool {
	return a != nil && b != nil && p.of == [2]version{versionOf(a), versionOf(b)}
}

// drop forgets the comparison, and stops the one in progress.
func (p *Pane) drop() {
	p.job.Stop()
	p.result, p.err, p.of = nil, nil, [2]version{}
}

// Sync starts the missing comparison while the pane is shown.
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
	if p.result != nil && !p.Busy() && p.units != quantity.Units() {
		return p.start(a, b)
	}
	if p.alignNext && !p.Busy() {
		p.alignNext = false
		if p.result != nil {
			return p.align("")
		}
	}
	return nil
}

// start compares two traces. Runs that were analysed before, and that are open still, are not analysed again.
func (p *Pane) start(a, b *timeline.Trace) tea.Cmd {
	p.units = quantity.Units()
	of, runs := p.of, maps.Clone(p.runs)
	maps.DeleteFunc(runs, func(v version, _ outcome) bool {
		return !slices.ContainsFunc(p.sc.Traces, func(t *timeline.Trace) bool { return versionOf(t) == v })
	})
	data := []*prv.Trace{a.Data, b.Data}
	return p.job.Start("comparing", func(ctx context.Context, _ func(done, total int64)) pane.Result {
		for i, t := range data {
			if _, ok := runs[of[i]]; !ok && ctx.Err() == nil {
				run, err := compare.Analyse(ctx, t, compare.Options{})
				runs[of[i]] = outcome{run, err}
			}
		}
		var result *compare.Result
		first, second := runs[of[0]], runs[of[1]]
		err := cmp.Or(ctx.Err(), first.err, second.err)
		if err == nil {
			result, err = compare.Compare(ctx, first.run, second.run, compare.Matching{})
		}
		return func() tea.Cmd {
			again := p.result != nil // the same comparison, in other units
			p.runs, p.result, p.err = runs, result, err
			p.show(again)
			return nil
		}
	})
}

// show fills the pane with the comparison by the chosen kind: its sentences, the table of the parts, and the other
// passages. keep: the same part stays selected.
func (p *Pane) show(keep bool) {
	p.head = nil
	if p.result == nil {
		return
	}
	shown, rest := &report.Document{}, []report.Block{}
	d := compare.Document([]*compare.Result{p.result}, compare.Selection{By: p.kind()})
	for _, section := range d.Sections {
		for _, b := range section.Blocks {
			passage, ok := b.(*report.Passage)
			switch {
			case section.On == report.PageOnly:
			case ok && passage.Tone == report.Strong:
				p.head = append(p.head, passage)
			case ok:
				rest = append(rest, b)
			default:
				shown.Add(b)
			}
		}
	}
	shown.Add(rest...)
	if p.doc.Show(shown); !keep {
		p.doc.By(-list.Far)
	}
}

// kind returns the shown kind of parts.
func (p *Pane) kind() compare.Kind { return compare.Kind(p.kinds.At) }
