// Package profile is the pane that says where the time in view goes: the states, calls, functions and ranks that take
// most of it. It follows zoom, selection and rows. What threads do is evaluated once, in the background; a new interval
// then asks the pyramids above it.
package profile

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/prv"
	"pview/render/timeline"
	"pview/semantic"
	"pview/semantic/ready"
	"pview/semantic/series"
	"pview/tui/list"
	"pview/tui/pane"
)

// Title is the pane's name.
const Title = "Profile"

// Pane is the profile of the time in view.
type Pane struct {
	pane.None
	sc *pane.Scene

	asked  key
	cancel context.CancelFunc // of the job on its way; nil for none
	err    error
	shown  *answer // nil until there is one

	section int       // the chosen one
	rows    list.List // entries of the chosen section
	lines   int       // of entries, as they were drawn last
}

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	p := &Pane{sc: sc}
	p.rows.Len = func() int { return len(p.entries()) }
	return p
}

func (p *Pane) Title() string { return Title }

func (p *Pane) Height(room int) int { return pane.Third(room) }

// Busy reports whether a profile is being computed.
func (p *Pane) Busy() bool { return p.cancel != nil }

// Cancel stops computing; any change of the view starts it again.
func (p *Pane) Cancel() bool {
	if p.cancel == nil {
		return false
	}
	p.cancel()
	p.cancel, p.err = nil, errors.New("stopped; any change of the view starts it again")
	return true
}

// sectionOf is a column of the profile: the time of each value of a ready view.
type sectionOf struct {
	title, view string
	zero        bool // the value 0 is one of them
}

var sections = []sectionOf{
	{title: "States", view: "State As Is", zero: true},
	{title: "MPI calls", view: "MPI call"},
	{title: "Functions", view: "User function"},
	{title: "OpenMP", view: "OpenMP construct"},
}

// ranks is the title of the last section: the useful time of each thread.
const ranks = "Ranks, useful"

// key is what a profile is of.
type key struct {
	trace      *timeline.Trace
	revision   int
	begin, end int64
	rows       string // of the view: level, first, number, list
	types      int    // event types counted
}

// answer is a profile.
type answer struct {
	key      key
	threads  []int32
	sections []section
	useful   float64 // share of the time
	ipc      float64 // 0 where it is not known
	rate     float64 // MIPS of useful computation; 0 where it is not known
}

// section is the entries of a column, the greatest first.
type section struct {
	title  string
	window *semantic.Window
	list   []entry
}

// entry is a value and the share of the time that it takes.
type entry struct {
	name   string
	value  float64
	thread int32 // of a rank; -1 of others
	share  float64
}

type profiledMsg struct {
	answer *answer
	key    key
	err    error
}

// Sync asks for the profile of what is in view now.
func (p *Pane) Sync() tea.Cmd {
	v := p.sc.View
	if v == nil || p.sc.Open != p {
		return nil
	}
	k := p.keyOf(v)
	if k == p.asked {
		return nil
	}
	if p.cancel != nil {
		p.cancel()
	}
	ctx, cancel := context.WithCancel(p.sc.Context)
	p.asked, p.cancel, p.err = k, cancel, nil
	threads, facts, cache := threadsOf(v), v.Trace.Facts(), p.sc.Cache
	return func() tea.Msg {
		defer cancel()
		a, err := measure(ctx, facts, cache, k, threads)
		if ctx.Err() != nil {
			return nil
		}
		return profiledMsg{a, k, err}
	}
}

// keyOf is the question for what a view shows: the selection, else the time in view.
func (p *Pane) keyOf(v *timeline.View) key {
	k := key{trace: v.Trace, revision: v.Trace.Revision, begin: v.Begin, end: v.End, types: len(v.Trace.Types)}
	if p.sc.Selected && p.sc.SelBegin < p.sc.SelEnd {
		k.begin, k.end = v.Trace.FromNS(p.sc.SelBegin), v.Trace.FromNS(p.sc.SelEnd)
	}
	var b strings.Builder
	for _, n := range []int{int(v.Sem.Level), v.Top, v.Span, len(v.Objects)} {
		b.WriteRune(rune(n + 1))
	}
	if len(v.Objects) < v.Rows(v.Trace.Data) || v.Objects != nil {
		for _, o := range v.Objects {
			b.WriteRune(rune(o + 1))
		}
	}
	k.rows = b.String()
	return k
}

// threadsOf lists the threads of the rows in view.
func threadsOf(v *timeline.View) []int32 {
	tr := v.Trace.Data
	var list []int32
	for row := v.Top; row < min(v.Top+v.RowsInView(tr), v.Rows(tr)); row++ {
		list = append(list, timeline.ThreadsOf(tr, v.Sem.Level, v.Object(row))...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Update takes a profile.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case profiledMsg:
		if msg.key != p.asked {
			return nil
		}
		p.cancel, p.err = nil, msg.err
		if msg.err == nil {
			p.shown = msg.answer
			p.choose(p.section, p.rows.At())
		}
	case longestMsg:
		return p.goTo(msg)
	case pane.TraceClosed:
		p.forget(msg.Trace)
	case pane.TraceReset:
		p.forget(msg.Trace)
	}
	return nil
}

func (p *Pane) forget(t *timeline.Trace) {
	if p.asked.trace == t && p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
	if p.asked.trace == t {
		p.asked = key{}
	}
	if p.shown != nil && p.shown.key.trace == t {
		p.shown = nil
	}
}

// choose puts the cursor on an entry of a section.
func (p *Pane) choose(section, at int) {
	if p.shown == nil || len(p.shown.sections) == 0 {
		return
	}
	p.section = min(max(section, 0), len(p.shown.sections)-1)
	p.rows.Choose(at)
}

// entries returns those of the chosen section.
func (p *Pane) entries() []entry {
	if p.shown == nil || p.section >= len(p.shown.sections) {
		return nil
	}
	return p.shown.sections[p.section].list
}

// reader evaluates ready views of a trace.
type reader struct {
	ctx     context.Context
	facts   *ready.Facts
	cache   *series.Cache
	threads []int32
}

// each calls f with the values of every thread; ok is false where the trace does not have the view.
func (r *reader) each(view string, f func(thread int32, s *series.Series)) (w *semantic.Window, ok bool, err error) {
	views := r.facts.Views()
	at := slices.IndexFunc(views, func(v ready.View) bool { return v.Name == view })
	if at < 0 {
		return nil, false, nil
	}
	w = &views[at].Window
	e, err := semantic.Compile(r.facts.Trace, w)
	if err != nil {
		return nil, false, err
	}
	key := w.Key()
	for _, th := range r.threads {
		s, err := r.cache.Get(r.ctx, e, key, int(th))
		if err != nil {
			return nil, false, err
		}
		f(th, s)
	}
	return w, true, nil
}

// measure computes a profile.
func measure(ctx context.Context, facts *ready.Facts, cache *series.Cache, k key, threads []int32) (*answer, error) {
	r := &reader{ctx, facts, cache, threads}
	a := &answer{key: k, threads: threads}
	whole := float64(k.end-k.begin) * float64(len(threads))
	for _, s := range sections {
		times := map[float64]int64{}
		w, ok, err := r.each(s.view, func(_ int32, series *series.Series) {
			series.Times(k.begin, k.end, func(v float64, t int64) { times[v] += t })
		})
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		labels := w.Labels(facts.Trace)
		sec := section{title: s.title, window: w}
		for v, t := range times {
			if t > 0 && (v != 0 || s.zero) {
				sec.list = append(sec.list, entry{labels.Name(v), v, -1, float64(t) / whole})
			}
		}
		sec.sort()
		if len(sec.list) > 0 {
			a.sections = append(a.sections, sec)
		}
	}
	return a, a.compute(r)
}

// compute adds the useful time of the ranks, and what counters say of it.
func (a *answer) compute(r *reader) error {
	k, length := a.key, float64(a.key.end-a.key.begin)
	sec := section{title: ranks}
	useful := 0.0
	w, _, err := r.each("Useful", func(th int32, s *series.Series) {
		g := s.Aggregate(k.begin, k.end)
		useful += float64(g.TimeNotZero)
		sec.list = append(sec.list, entry{r.facts.Trace.Name(prv.LevelThread, int(th)), 1, th,
			float64(g.TimeNotZero) / length})
	})
	if err != nil {
		return err
	}
	sec.window = w
	sec.sort()
	a.sections = append(a.sections, sec)
	a.useful = useful / (length * float64(max(len(a.threads), 1)))
	// Rates over time are counts, also of a part of a burst: instructions and thousands of cycles per microsecond.
	counts := map[string]float64{}
	for _, view := range []string{"MIPS", "Clock frequency"} {
		_, _, err := r.each(view, func(_ int32,
			s *series.Series) {
			counts[view] += s.Aggregate(k.begin, k.end).Integral
		})
		if err != nil {
			return err
		}
	}
	if c := counts["Clock frequency"] * 1000; c > 0 {
		a.ipc = counts["MIPS"] / c
	}
	if useful > 0 {
		a.rate = counts["MIPS"] / useful
	}
	return nil
}

func (s *section) sort() {
	slices.SortFunc(s.list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.thread, b.thread), cmp.Compare(a.value, b.value))
	})
}
