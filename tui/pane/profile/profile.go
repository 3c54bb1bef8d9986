// Package profile is the pane that shows where the time in view goes: the states, calls, functions, entry methods and
// ranks that take most of it, and on its second page the paths of calls as a tree. It follows zoom, selection and rows.
// Threads are evaluated once, in the background; a new interval then queries the pyramids built on the values.
package profile

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/profile"
	"pview/render/timeline"
	"pview/tui/list"
	"pview/tui/pane"
)

// Title is the pane's name.
const Title = "Profile"

// Pane is the profile of the time in view.
type Pane struct {
	pane.None
	sc *pane.Scene

	asked key
	job   pane.Job
	err   error
	shown *answer // nil until there is an answer

	section int       // the chosen one
	rows    list.List // entries of the chosen section
	lines   int       // number of lines of entries, as drawn last

	pages list.Pages
	paths paths
}

// The pages.
const (
	pageProfile = iota
	pagePaths
)

// New returns the pane.
func New(sc *pane.Scene) *Pane {
	p := &Pane{sc: sc, job: pane.NewJob(sc), pages: list.Pages{Names: []string{"Profile", "Call paths"}}}
	p.paths.init(sc)
	p.rows.Len = func() int { return len(p.entries()) }
	p.rows.Text = func(i int) string { return p.entries()[i].Name }
	return p
}

func (p *Pane) Title() string { return Title }

// PageNames returns the pages.
func (p *Pane) PageNames() []string { return p.pages.Names }

// Page returns the position of the page that is shown.
func (p *Pane) Page() int { return p.pages.At }

// Height returns a third of the room; the tree takes more.
func (p *Pane) Height(room int) int {
	if p.pages.At == pagePaths {
		return pane.Tall(room)
	}
	return pane.Third(room)
}

// Busy reports whether a profile is being computed.
func (p *Pane) Busy() bool { return p.job.What()+p.paths.job.What() != "" }

// Cancel stops computing; any change of the view restarts it.
func (p *Pane) Cancel() bool {
	stopped := errors.New("stopped; any change of the view starts it again")
	switch {
	case p.job.Stop():
		p.err = stopped
	case p.paths.job.Stop():
		p.paths.err = stopped
	default:
		return false
	}
	return true
}

// key identifies the subject of a profile.
type key struct {
	trace      *timeline.Trace
	revision   int
	begin, end int64
	rows       string // of the view: level, first, number, list
	types      int    // event types counted
}

// part names the part of the run in which the longest execution of an entry is searched: the run, or the view.
func (k *key) part() string {
	if k.begin <= 0 && k.end >= k.trace.Data.Duration {
		return "the run"
	}
	return "view"
}

// answer is a profile.
type answer struct {
	*profile.Profile
	key key
}

// Sync asks for the profile of the view.
func (p *Pane) Sync() tea.Cmd {
	v := p.sc.View
	if v == nil || p.sc.Open != p {
		return nil
	}
	k := p.keyOf(v)
	if p.pages.At == pagePaths {
		return p.paths.sync(k, v)
	}
	if k == p.asked {
		return nil
	}
	p.asked, p.err = k, nil
	threads, facts, cache := threadsOf(v), v.Trace.Facts(), p.sc.Cache
	return p.job.Start("profiling", func(ctx context.Context, _ func(done, total int64)) pane.Result {
		got, err := profile.Measure(ctx, facts, cache, k.begin, k.end, threads)
		return func() tea.Cmd {
			if p.err = err; err == nil {
				p.shown = &answer{got, k}
				p.choose(p.section, p.rows.At())
			}
			return nil
		}
	})
}

// keyOf returns the subject for a view: the selection, else the time in view.
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
		list = append(list, tr.ThreadsOf(v.Sem.Level, v.Object(row))...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Update goes to a burst that was found, and forgets closed traces.
func (p *Pane) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
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
	if p.asked.trace == t {
		p.job.Stop()
		p.asked = key{}
	}
	if p.shown != nil && p.shown.key.trace == t {
		p.shown = nil
	}
	if p.paths.asked.trace == t {
		p.paths.job.Stop()
		p.paths.asked, p.paths.shown = key{}, nil
	}
}

// choose puts the cursor on an entry of a section.
func (p *Pane) choose(section, at int) {
	if p.shown == nil || len(p.shown.Sections) == 0 {
		return
	}
	p.section = min(max(section, 0), len(p.shown.Sections)-1)
	p.rows.Choose(at)
}

// entries returns the entries of the chosen section.
func (p *Pane) entries() []profile.Entry {
	if p.shown == nil || p.section >= len(p.shown.Sections) {
		return nil
	}
	return p.shown.Sections[p.section].List
}
