package findings

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"pview/insight/criticalpath"
	"pview/prv"
	"pview/prv/quantity"
	"pview/render/timeline"
	"pview/tui/pane"
	"pview/tui/pane/document"
)

// The critical path of a trace: where its time goes, with its longest stretches as evidence. It is searched in the
// background once its page is shown. On request it is added to the trace as events, and shown in a window below the one
// in focus.

// path is the page.
type path struct {
	*document.View
	sc    *pane.Scene
	known map[*timeline.Trace]pathKnown
	job   pane.Job
	shown pathShown
}

// pathShown identifies the path and units that the document shows.
type pathShown struct {
	of      *timeline.Trace
	summary *criticalpath.Summary
	units   string
}

// pathKnown is the critical path of a trace, or why there is none.
type pathKnown struct {
	revision int // of the trace at that time
	found    *criticalpath.Path
	summary  *criticalpath.Summary
	err      error
	marked   bool // the trace has its events
}

// at returns the path of a trace's current revision; ok is false if none was found or refused.
func (p *path) at(t *timeline.Trace) (k pathKnown, ok bool) {
	k, ok = p.known[t]
	return k, ok && k.revision == t.Revision
}

// sync searches the path of the trace in focus, and writes its document.
func (p *path) sync() tea.Cmd {
	t := p.sc.View.Trace
	k, ok := p.at(t)
	switch {
	case ok:
		p.word(t, k)
	case t.Derived:
		p.known[t] = pathKnown{revision: t.Revision, err: errDerived(t)}
	case t.Until == 0 && p.job.What() == "":
		return p.find(t, nil, false)
	}
	return nil
}

func errDerived(t *timeline.Trace) error {
	return fmt.Errorf("%s is derived from a trace: choose a window of that", t.Name)
}

// word shows the path of a trace, if it is not shown yet.
func (p *path) word(t *timeline.Trace, k pathKnown) {
	was := p.shown
	if p.shown = (pathShown{t, k.summary, quantity.Units()}); p.shown == was {
		return
	}
	if k.summary == nil {
		p.Show(nil)
	} else {
		p.Show(k.summary.Document(t.Data.Unit, 0))
	}
	if was.of != t {
		p.Select(isRow)
	}
}

// open shows the path in a window, after searching it if needed.
func (p *path) open(args string) tea.Cmd {
	t := p.sc.View.Trace
	if t.Until != 0 {
		return p.sc.Refuse(errors.New("the critical path needs the whole run: the trace is still being read"))
	}
	if t.Derived {
		return p.sc.Refuse(errDerived(t))
	}
	var blocks []uint32
	for _, word := range strings.FieldsFunc(args, func(r rune) bool { return r == ' ' || r == ',' }) {
		n, err := strconv.ParseUint(word, 10, 32)
		if err != nil {
			return p.sc.Refuse(fmt.Errorf("%q: event type must be a number up to %d", word, uint32(math.MaxUint32)))
		}
		blocks = append(blocks, uint32(n))
	}
	if k, ok := p.at(t); ok && k.marked && blocks == nil {
		p.window(t)
		return nil
	}
	return p.find(t, blocks, true)
}

// find searches the path of a trace, unless it is known, and shows it in a window.
func (p *path) find(t *timeline.Trace, blocks []uint32, window bool) tea.Cmd {
	data, revision := t.Data, t.Revision
	k, ok := p.at(t)
	return p.job.Start("critical path…", func(ctx context.Context, tell func(done, total int64)) pane.Result {
		var marked *prv.Trace
		if !ok || k.found == nil || blocks != nil {
			k = pathKnown{revision: revision}
			k.found, k.err = criticalpath.Find(ctx, data, criticalpath.Options{Blocks: blocks, Progress: tell})
			if k.err == nil {
				k.summary = k.found.Summary(nil)
			}
		}
		if window && k.err == nil {
			marked = k.found.Mark(data)
		}
		return func() tea.Cmd { return p.take(t, k, marked) }
	})
}

// take takes a path. It drops one of a trace that has grown or was closed meanwhile.
func (p *path) take(t *timeline.Trace, k pathKnown, marked *prv.Trace) tea.Cmd {
	switch {
	case !slices.Contains(p.sc.Traces, t):
	case k.err != nil:
		p.known[t] = k
		p.sc.Alarm(k.err.Error())
	case k.revision != t.Revision:
		p.sc.Alarm(fmt.Sprintf("%s has changed during the search for its critical path: searching again", t.Name))
	case marked == nil:
		p.known[t] = k
	default:
		p.sc.Do(pane.Revise{Trace: t, By: marked, Done: func() {
			k.revision, k.marked = t.Revision, true
			p.known[t] = k
			p.window(t)
		}})
	}
	return nil
}

// window opens the window with the path, unless there is one.
func (p *path) window(t *timeline.Trace) {
	if slices.ContainsFunc(p.sc.Views, func(v *timeline.View) bool {
		types := timeline.ListedTypes(&v.Sem.Filter)
		return v.Trace == t && len(types) == 1 && types[0] == criticalpath.EventType
	}) {
		return
	}
	v := p.sc.NewView(t)
	timeline.LastValue("Critical path", []uint32{criticalpath.EventType})(&v.Sem)
	p.sc.Do(pane.AddView{View: v})
}

// stop stops the search for the path.
func (p *path) stop() bool {
	if !p.job.Stop() {
		return false
	}
	if t := p.sc.View.Trace; p.known[t].revision != t.Revision || p.known[t].found == nil {
		p.known[t] = pathKnown{revision: t.Revision, err: errors.New("the search for the critical path was stopped")}
	}
	p.sc.Say("critical path: search stopped")
	return true
}

// again lets a failed or stopped search be repeated.
func (p *path) again(t *timeline.Trace) bool {
	stopped := p.known[t].err != nil
	if stopped {
		delete(p.known, t)
	}
	return stopped
}

func (p *path) forget(t *timeline.Trace) {
	delete(p.known, t)
	if p.shown.of == t {
		p.shown = pathShown{}
		p.Show(nil)
	}
}
